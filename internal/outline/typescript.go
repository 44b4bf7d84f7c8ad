package outline

import "espy/internal/code"

// typescriptSyntax is that of JavaScript: the rules of both are the same, as
// many JavaScript files have types.
var typescriptSyntax = javascriptSyntax

// tsNamespace handles namespace A.B {, module "x" { and global {. In JavaScript, module may be a variable.
func tsNamespace(s *scanner, c *cursor, begin int) {
	switch b := c.peek(); {
	case b == '"' || b == '\'' || b == '{':
		s.pending = namespace
	case letter[b]&1 != 0:
		s.module(c, '.', code.KindModule)
	default:
		c.i = begin
		jsAssignment(s, c)
	}
}

func tsType(s *scanner, c *cursor) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	if c.skip(); c.peek() == '=' || c.peek() == '<' || c.i == c.end {
		s.define(code.KindType, end-len(name), end)
		s.pending = block
	}
}

// tsAnnotation skips a type up to the = of its variable.
func tsAnnotation(c *cursor) {
	for c.i < c.end {
		switch b := c.peek(); {
		case b == '=' && c.at(1) == '>':
			c.i += 2
		case b == '=' || b == ';':
			return
		case b == '(' || b == '{' || b == '[' || b == '<':
			if !c.balanced() {
				return
			}
		default:
			c.i++
		}
	}
}

// overloadable defines a function. If it needs a body and none follows, it is
// removed again. It replaces an overload of the same name just above.
func (s *scanner) overloadable(k code.Kind, start, end int, needsBody bool) {
	if s.tentative && s.pending == function && s.again(k, s.text[start:end]) {
		s.defs = s.defs[:len(s.defs)-1]
	}
	s.define(k, start, end)
	s.tentative = needsBody
}
