package outline

import (
	"bytes"

	"espy/internal/code"
)

// objectiveCSyntax is that of C++ with the lines that only Objective-C has.
var objectiveCSyntax = syntax{line: objcLine, dialect: cppSyntax.dialect, act: cppSyntax.act}

// objcLine handles the lines that only Objective-C has: @interface, @protocol,
// @implementation, and methods.
func objcLine(s *scanner) {
	c := s.cursor()
	switch b := c.peek(); {
	case b == '@':
		c.i++
		k := code.KindUnknown
		switch string(c.word()) {
		case "interface":
			k = code.KindClass
		case "protocol":
			k = code.KindInterface
		case "implementation":
			s.mark()
		case "property", "class":
			s.statement = c.end
			return
		}
		c.skip()
		if name := c.word(); k != code.KindUnknown && len(name) > 0 {
			end := c.i
			if c.skip(); c.peek() != ';' && (c.peek() != '(' || k == code.KindInterface) && c.peek() != ',' {
				s.define(k, end-len(name), end)
			}
		}
		s.statement = c.end
	case (b == '-' || b == '+') && s.scope() == noScope:
		objcMethod(s, &c)
	}
}

// objcMethod finds the first part of the name of - (type)name:(type)argument, when a body follows.
func objcMethod(s *scanner, c *cursor) {
	c.i++
	if c.skip(); c.peek() != '(' || !c.balanced() {
		return
	}
	c.skip()
	name := c.word()
	end := bytes.IndexAny(s.text[c.i:min(c.i+maxHead, len(s.text))], ";{")
	if len(name) > 0 && end >= 0 && s.text[c.i+end] == '{' {
		s.define(code.KindMethod, c.i-len(name), c.i)
	}
	s.statement = c.i
}
