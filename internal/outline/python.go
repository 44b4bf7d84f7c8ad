package outline

import "espy/internal/code"

var pythonSyntax = syntax{line: pythonLine, act: table(actions{
	"#": lineComment, "\"'": tripleEscaped, "([{": openParen, ")]}": closeParen,
})}

func pythonLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	word := c.word()
	if len(word) == 0 {
		return
	}
	start := c.i - len(word)
	gap := c.skip()
	switch string(word) {
	case "async":
		if string(c.word()) != "def" || !c.skip() {
			return
		}
		s.indented(&c, code.KindFunc, false)
		return
	case "def":
		if gap {
			s.indented(&c, code.KindFunc, false)
			return
		}
	case "class":
		if gap {
			s.indented(&c, code.KindClass, true)
			return
		}
	case "cdef", "cpdef":
		cythonLine(s, &c)
		return
	case "type":
		if column == 0 && gap && letter[c.peek()] != 0 {
			s.container(&c, code.KindType, noScope)
			return
		}
	}
	s.atMembers(column)
	if column > 0 {
		return
	}
	if c.take(':') {
		for c.i < c.end && c.peek() != '=' {
			if b := c.peek(); b == '(' || b == '[' || b == '{' {
				if !c.balanced() {
					return
				}
				continue
			}
			c.i++
		}
	}
	if c.peek() != '=' || c.at(1) == '=' {
		return
	}
	k := code.KindVar
	if isUpperName(word) {
		k = code.KindConst
	}
	s.define(k, start, start+len(word))
}

// cythonLine handles cdef class, struct and enum, and functions with C types.
func cythonLine(s *scanner, c *cursor) {
	k := code.KindFunc
	var name []byte
	for c.i < c.end {
		word := c.word()
		switch string(word) {
		case "class":
			k = code.KindClass
		case "struct", "union":
			k = code.KindStruct
		case "enum":
			k = code.KindEnum
		case "":
			if b := c.peek(); b == '(' && k == code.KindFunc && len(name) > 0 {
				c.i -= len(name)
				s.indented(c, k, false)
				return
			} else if b == '=' {
				return
			} else if b == ':' {
				c.i = c.end
				continue
			} else if b == '[' || b == '{' {
				c.balanced()
				continue
			} else if b == '(' {
				c.i = c.end
				continue
			}
			c.i++
			continue
		default:
			if name = word; k != code.KindFunc {
				c.i -= len(name)
				s.indented(c, k, k == code.KindClass)
				return
			}
		}
		if c.peek() != '(' {
			c.skip()
		}
	}
}
