package outline

import "espy/internal/code"

var vSyntax = syntax{line: vLine, everywhere: true, act: table(curly, actions{"/": nestedSlash, "\"'": longQuote, "`": quote})}

// vTypes are the words before the name of a type.
var vTypes = map[string]code.Kind{
	"struct": code.KindStruct, "union": code.KindStruct, "enum": code.KindEnum, "interface": code.KindInterface, "type": code.KindType,
}

// vLine finds the top-level declarations of V: functions with a receiver are methods. A
// group such as const ( ... ) has one bracket open.
func vLine(s *scanner) {
	if len(s.scopes) > 0 {
		return
	}
	c := s.cursor()
	switch {
	case s.paren == 0:
		s.group = code.KindUnknown
		vDeclaration(s, &c)
	case s.paren == 1 && s.group != code.KindUnknown && !s.continues():
		vValue(s, &c, s.group)
	}
}

func vDeclaration(s *scanner, c *cursor) {
	word := string(c.word())
	if word == "pub" && c.skip() {
		word = string(c.word())
	}
	c.skip()
	switch word {
	case "fn":
		vFunction(s, c)
	case "const":
		vValue(s, c, code.KindConst)
	case "__global":
		vValue(s, c, code.KindVar)
	default:
		kind, ok := vTypes[word]
		if name := vName(c); ok && len(name) > 0 {
			s.define(kind, c.i-len(name), c.i)
			if kind != code.KindType {
				s.pending = block
			}
		}
	}
}

func vFunction(s *scanner, c *cursor) {
	kind := code.KindFunc
	if c.peek() == '(' {
		if kind = code.KindMethod; !c.balanced() {
			return
		}
		c.skip()
	}
	if name := vName(c); len(name) > 0 {
		s.define(kind, c.i-len(name), c.i)
		s.pending = function
	}
}

// vName reads a name, the last part of one with the language that it is of (C.puts) or
// the type (Point.new).
func vName(c *cursor) []byte {
	name := c.word()
	for len(name) > 0 && c.take('.') {
		name = c.word()
	}
	return name
}

// vValue finds the name of a constant or a global, or opens a group of them.
func vValue(s *scanner, c *cursor, kind code.Kind) {
	if c.take('(') {
		s.group = kind
		return
	}
	if name := c.word(); len(name) > 0 {
		end := c.i
		if c.skip(); kind == code.KindVar || c.peek() == '=' {
			s.define(kind, end-len(name), end)
		}
	}
}
