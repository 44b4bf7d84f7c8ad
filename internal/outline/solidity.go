package outline

import "espy/internal/code"

var soliditySyntax = syntax{line: solidityLine, act: table(curly, actions{"/": slash, "\"'": quote})}

func solidityLine(s *scanner) {
	c := s.cursor()
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "abstract":
			continue
		case "contract", "library":
			s.container(&c, code.KindClass, class)
		case "interface":
			s.container(&c, code.KindInterface, class)
		case "struct":
			s.container(&c, code.KindStruct, block)
		case "enum":
			s.container(&c, code.KindEnum, block)
		case "function", "modifier":
			if name := c.word(); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
			}
		case "event", "error":
			if name := c.word(); len(name) > 0 && c.peek() == '(' {
				s.define(code.KindType, c.i-len(name), c.i)
			}
		case "constructor":
			s.pending = function
		}
		return
	}
}
