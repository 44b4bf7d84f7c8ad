package outline

import (
	"bytes"

	"espy/internal/code"
)

var ocamlSyntax = syntax{line: ocamlLine, names: "'", everywhere: true, act: table(actions{
	"(": ocamlParen, "\"": longQuote, "{": ocamlBrace, "'": charQuote,
})}

// ocamlParen handles (* comments *), which nest and may hold texts.
func ocamlParen(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '*' || bytes.HasPrefix(s.text[i:], []byte("(*)")) || s.unclosed >= maxUnclosed {
		return i + 1
	}
	s.markComment(i)
	depth := 0
	for p := i; p+1 < len(s.text); p++ {
		switch {
		case s.text[p] == '(' && s.text[p+1] == '*':
			depth++
			p++
		case s.text[p] == '*' && s.text[p+1] == ')':
			p++
			if depth--; depth == 0 {
				return s.pass(i, p+1, insideLine|attachedLine)
			}
		case s.text[p] == '"':
			if n := bytes.IndexAny(s.text[p+1:], "\"\n"); n >= 0 && s.text[p+1+n] == '"' {
				p += n + 1
			}
		}
	}
	s.unclosed++
	return i + 2
}

// ocamlBrace handles {|...|} and {id|...|id}.
func ocamlBrace(s *scanner, i int) int {
	p := i + 1
	for p < len(s.text) && (isLower(s.text[p]) || s.text[p] == '_' || s.text[p] == '%') && p-i < 40 {
		p++
	}
	if p >= len(s.text) || s.text[p] != '|' {
		return i + 1
	}
	n := s.find(p+1, "|"+string(s.text[i+1:p])+"}")
	if n < 0 {
		return i + 1
	}
	return s.pass(i, n+p-i+1, insideLine)
}

// ocamlLine finds the items of a file, and those within a module or a class by their
// indentation. What is indented within a function is local.
func ocamlLine(s *scanner) {
	c := s.cursor()
	if !isLower(c.peek()) {
		return
	}
	column := s.column()
	word := string(c.word())
	if c.peek() == '%' { // let%test
		c.i++
		c.word()
	}
	if !c.skip() {
		return
	}
	switch word {
	case "let", "and", "type", "module", "class", "external", "val", "exception", "method", "object", "open", "include":
	default:
		return
	}
	if !s.atMembers(column) {
		return
	}
	ocamlItem(s, &c, word, column)
}

// ocamlItem finds the name of an item.
func ocamlItem(s *scanner, c *cursor, word string, column int) {
	for _, more := range []string{"rec ", "nonrec ", "type ", "virtual ", "private ", "mutable "} {
		if c.has(more) && word != "type" || c.has(more) && more == "nonrec " {
			if word == "module" && more == "type " {
				word = "module type"
			}
			c.i += len(more)
			c.skip()
		}
	}
	if word == "type" || word == "and" || word == "class" {
		ocamlParameters(c)
	}
	name := ocamlName(c)
	end := c.i
	if len(name) == 0 || string(name) == "_" {
		return
	}
	inside := false
	kind := code.KindVar
	switch word {
	case "module", "module type":
		if kind, inside = code.KindModule, true; word == "module type" {
			kind = code.KindInterface
		}
		if rest := c.rest(); bytes.Contains(rest, []byte("=")) && !bytes.Contains(rest, []byte("struct")) && !bytes.Contains(rest, []byte("sig")) && !bytes.HasSuffix(bytes.TrimSpace(rest), []byte("=")) {
			inside = false // another name of a module
		}
	case "class":
		kind, inside = code.KindClass, true
	case "type", "exception":
		kind = code.KindType
	case "method":
		kind = code.KindMethod
	case "external":
		kind = code.KindFunc
	case "val":
		if bytes.Contains(c.rest(), []byte("->")) || len(bytes.TrimSpace(c.rest())) <= 1 {
			kind = code.KindFunc
		}
	case "let", "and":
		kind = ocamlValue(c)
		if word == "and" && isUpper(name[0]) {
			kind = code.KindModule
		}
	case "open", "include", "object":
		return
	}
	s.indents = append(s.indents, level{indent: column, class: inside})
	s.define(kind, end-len(name), end)
}

// ocamlParameters skips the parameters before the name of a type: 'a, ('a, 'b), [ 'a ].
func ocamlParameters(c *cursor) {
	for {
		switch b := c.peek(); b {
		case '(', '[':
			if !c.balanced() {
				return
			}
		case '\'', '+', '-', '!':
			c.i++
			c.word()
		default:
			return
		}
		c.skip()
	}
}

// ocamlName is the name at the cursor, which may have primes.
func ocamlName(c *cursor) []byte {
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || c.peek() == '\'' && c.i > start) {
		c.i++
	}
	return c.text[start:c.i]
}

// ocamlValue is the kind of what stands behind a name in let: with parameters it is a
// function.
func ocamlValue(c *cursor) code.Kind {
	c.skip()
	b := c.peek()
	switch {
	case b == '=':
		c.i++
		c.skip()
		if c.has("fun ") || c.has("function") {
			return code.KindFunc
		}
		return code.KindVar
	case b == ':':
		if n := bytes.IndexByte(c.rest(), '='); n > 0 && bytes.Contains(c.rest()[:n], []byte("->")) {
			return code.KindFunc
		}
		return code.KindVar
	case b == ',' || b == ';':
		return code.KindVar
	}
	return code.KindFunc
}
