package outline

import "espy/internal/code"

var scalaSyntax = syntax{line: scalaLine, act: table(curly, actions{"/": nestedSlash, "\"": tripleRaw, "'": tick})}

// scalaLine goes by indentation: Scala 3 may use it in place of braces.
func scalaLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '@' && !attributes(&c) {
		return
	}
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "private", "protected":
			if c.peek() == '[' {
				c.balanced()
				c.skip()
			}
			continue
		case "override", "final", "sealed", "abstract", "implicit", "lazy", "case", "inline", "open", "opaque", "transparent", "infix", "erased", "package":
			if string(word) == "package" && !c.has("object ") {
				return
			}
			continue
		case "class":
			s.indented(&c, code.KindClass, true)
		case "object":
			s.indented(&c, code.KindClass, true)
		case "trait":
			s.indented(&c, code.KindTrait, true)
		case "enum":
			s.indented(&c, code.KindEnum, true)
		case "type":
			if s.atMembers(s.column()) {
				s.container(&c, code.KindType, noScope)
			}
		case "def":
			c.take('`')
			s.indented(&c, code.KindFunc, false)
		case "val", "var", "given":
			scalaValue(s, &c)
		case "extension":
			scalaExtension(s, &c)
		}
		return
	}
}

// scalaExtension finds the method of extension (x: T) def name.
func scalaExtension(s *scanner, c *cursor) {
	s.mark()
	for c.peek() == '[' || c.peek() == '(' {
		if !c.balanced() {
			return
		}
		c.skip()
	}
	if c.has("def ") {
		c.i += 4
		c.skip()
		s.indented(c, code.KindMethod, false)
		return
	}
	s.enter(s.column(), true)
}

func scalaValue(s *scanner, c *cursor) {
	if !s.atMembers(s.column()) {
		return
	}
	k := code.KindVar
	if len(s.indents) > 0 {
		k = code.KindField
	}
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '=' || c.peek() == ':' {
		s.define(k, end-len(name), end)
	}
	s.enter(s.column(), false) // its value may be a block
}
