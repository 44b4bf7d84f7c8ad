package outline

import "espy/internal/code"

var juliaSyntax = syntax{line: juliaLine, names: juliaNames, act: table(actions{
	"#": nestedOr("#=", "=#", lineComment), "\"": longTriple, "`": longQuote, "'": juliaTick, "([{": openParen, ")]}": closeParen,
})}

// juliaNames are the bytes of names beside letters and digits.
const juliaNames = "!"

func juliaLine(s *scanner) {
	c := s.cursor()
	s.atMembers(s.column())
	for c.peek() == '@' || c.has("Base.@") { // @inline function
		for c.take('@') || len(c.word()) > 0 || c.take('.') {
		}
		if c.peek() == '(' || !c.skip() {
			return
		}
	}
	start := c.i
	word := string(c.word())
	if gap := c.skip(); !gap && word != "" {
		c.i = start
		juliaShort(s, &c)
		return
	}
	kind := code.KindUnknown
	switch word {
	case "function":
		kind = code.KindFunc
	case "macro":
		kind = code.KindMacro
	case "struct":
		kind = code.KindStruct
	case "mutable":
		if string(c.word()) == "struct" {
			kind = code.KindStruct
		}
	case "abstract", "primitive":
		if string(c.word()) == "type" {
			kind = code.KindType
		}
	case "module", "baremodule":
		kind = code.KindModule
	case "const":
		kind = code.KindConst
	default:
		return
	}
	c.skip()
	if kind == code.KindUnknown {
		return
	}
	if name := juliaName(&c); len(name) > 0 && name[0] != '$' {
		s.level(kind, c.i-len(name), c.i)
	} else if kind == code.KindFunc {
		s.mark() // the call of a value: function (m::Model)(x)
	}
}

// juliaName reads the last part of Base.show.
func juliaName(c *cursor) []byte {
	for {
		name := nameWith(c, juliaNames)
		if len(name) == 0 || c.peek() != '.' {
			return name
		}
		c.i++
		c.take(':')
		c.take('(')
	}
}

// juliaShort finds name(arguments) = value.
func juliaShort(s *scanner, c *cursor) {
	name := juliaName(c)
	start, end := c.i-len(name), c.i
	if c.peek() == '{' && !juliaBrackets(c) || len(name) == 0 || name[0] == '$' || c.peek() != '(' || !juliaBrackets(c) {
		return
	}
	c.skip()
	if c.has("::") {
		for c.i < c.end && !isBlank(c.peek()) {
			c.i++
		}
		c.skip()
	}
	if c.has("where") {
		for c.i < c.end && c.peek() != '=' {
			c.i++
		}
	}
	if c.peek() == '=' && c.at(1) != '=' && c.at(1) != '>' {
		s.level(code.KindFunc, start, end)
	}
}

// juliaBrackets skips the bracket at the cursor and its partner; <: is no bracket.
func juliaBrackets(c *cursor) bool {
	depth := 0
	for ; c.i < c.end; c.i++ {
		switch c.peek() {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				c.i++
				return true
			}
		case '"':
			c.quoted('"')
			c.i--
		}
	}
	return false
}

// juliaTick tells the quote of a character from the transpose of a value.
func juliaTick(s *scanner, i int) int {
	if i > 0 && (letter[s.text[i-1]] != 0 || s.text[i-1] == '\'' || s.text[i-1] == ')' || s.text[i-1] == ']' || s.text[i-1] == '.') {
		return i + 1
	}
	return tick(s, i)
}
