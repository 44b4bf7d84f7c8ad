package outline

import (
	"bytes"

	"espy/internal/code"
)

var goSyntax = syntax{line: goLine, everywhere: true, act: table(curly, actions{"/": slash, "\"'": quote, "`": rawQuote})}

// goLine finds the top-level declarations. The lines of a group such as
// const ( ... ) have one bracket open.
func goLine(s *scanner) {
	if len(s.scopes) > 0 {
		return
	}
	c := s.cursor()
	switch {
	case s.paren == 0:
		s.group = code.KindUnknown
		goDeclaration(s, &c)
	case s.paren == 1 && s.group != code.KindUnknown && (s.list || !s.continues()):
		goSpec(s, &c, s.group)
	}
}

func goDeclaration(s *scanner, c *cursor) {
	k := code.KindUnknown
	switch string(c.word()) {
	case "func":
		goFunction(s, c)
		return
	case "type":
		k = code.KindType
	case "const":
		k = code.KindConst
	case "var":
		k = code.KindVar
	default:
		return
	}
	c.skip()
	if c.has("/*") {
		if n := bytes.Index(c.rest(), []byte("*/")); n > 0 {
			c.i += n + 2
			c.skip()
		}
	}
	if c.take('(') {
		s.group = k
		if c.skip(); letter[c.peek()] != 0 { // const (A = 1)
			goSpec(s, c, k)
		}
		return
	}
	goSpec(s, c, k)
}

func goFunction(s *scanner, c *cursor) {
	k := code.KindFunc
	c.skip()
	if c.peek() == '(' {
		k = code.KindMethod
		if !c.balanced() {
			return
		}
		c.skip()
	}
	if name := c.word(); len(name) > 0 && string(name) != "_" {
		s.define(k, c.i-len(name), c.i)
		s.pending = function
	}
}

// goSpec finds the names of one specification: a type, or a list of constants or variables.
func goSpec(s *scanner, c *cursor, k code.Kind) {
	for {
		name := c.word()
		if len(name) == 0 { // after a comma the list goes on with the next line
			s.list = s.list && (c.i == c.end || c.peek() == '/')
			return
		}
		end := c.i
		c.skip()
		kind := k
		if k == code.KindType {
			kind = goTypeKind(c)
		}
		if string(name) != "_" {
			s.define(kind, end-len(name), end)
		}
		if k == code.KindType {
			return
		}
		if s.list = c.take(','); !s.list {
			return
		}
		c.skip()
	}
}

// goTypeKind tells the kind of a type by what follows its name.
func goTypeKind(c *cursor) code.Kind {
	if c.peek() == '[' {
		c.balanced()
		c.skip()
	}
	if c.take('=') {
		c.skip()
	}
	switch string(c.word()) {
	case "struct":
		return code.KindStruct
	case "interface":
		return code.KindInterface
	}
	return code.KindType
}

// continues reports whether the line before the current one ends within an expression.
func (s *scanner) continues() bool {
	n := len(s.lines) - 1
	if n == 0 || s.lines[n-1].flags&(blankLine|attachedLine) != 0 {
		return false
	}
	b := s.text[s.lines[n-1].start:s.lines[n].start]
	for _, comment := range []string{" //", "\t//", " /*", "\t/*"} {
		if i := bytes.Index(b, []byte(comment)); i >= 0 {
			b = b[:i]
		}
	}
	b = bytes.TrimRight(b, " \t\r\n")
	if len(b) == 0 {
		return false
	}
	switch b[len(b)-1] {
	case '=', ',', '|', '&', '^', '.', '*', '/', '<', '>', '%', ':':
		return true
	case '+', '-':
		return len(b) < 2 || b[len(b)-2] != b[len(b)-1]
	}
	return false
}
