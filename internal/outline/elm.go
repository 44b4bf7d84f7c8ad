package outline

import "espy/internal/code"

var elmSyntax = syntax{line: elmLine, everywhere: true, act: table(actions{
	"-": haskellDash, "{": nestedOr("{-", "-}", nil), "\"": tripleEscaped, "'": haskellTick,
})}

// elmLine finds types, ports, and values by the equation that gives them.
func elmLine(s *scanner) {
	if s.column() > 0 {
		return
	}
	c := s.cursor()
	start := c.i
	word := c.word()
	end := c.i
	c.skip()
	switch string(word) {
	case "port":
		if c.has("module ") {
			return
		}
		if name := c.word(); len(name) > 0 {
			s.define(code.KindFunc, c.i-len(name), c.i)
		}
	case "module":
		s.module(&c, '.', code.KindModule)
	case "type":
		if c.has("alias ") {
			c.i += len("alias ")
			c.skip()
		}
		s.container(&c, code.KindType, noScope)
	case "import", "infix", "effect", "":
	default:
		if c.peek() == ':' && c.at(1) != ':' || isLower(word[0]) && haskellEquation(&c) {
			if !s.signed(word) {
				s.define(code.KindFunc, start, end)
			} else {
				s.mark()
			}
		}
	}
}
