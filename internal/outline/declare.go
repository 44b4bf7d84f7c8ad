package outline

import "espy/internal/code"

// container defines the type named at the cursor; its brace opens scope k.
func (s *scanner) container(c *cursor, kind code.Kind, k scopeKind) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	s.define(kind, c.i-len(name), c.i)
	s.pending = k
}

// module defines the module whose dotted name is at the cursor, by its last part.
func (s *scanner) module(c *cursor, separator byte, kind code.Kind) {
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		end := c.i
		for c.peek() == separator && (separator != ':' || c.at(1) == ':') {
			c.i++
			if separator == ':' {
				c.i++
			}
		}
		if c.i == end {
			s.define(kind, end-len(name), end)
			s.pending = namespace
			return
		}
	}
}

// callable defines a function, or a method where the place is within a type.
func (s *scanner) callable(kind code.Kind, start, end int) {
	if kind == code.KindFunc && s.member() {
		kind = code.KindMethod
	}
	s.define(kind, start, end)
	s.pending = function
}

// attributes skips leading #[...], @[...], @name(...) and @:name groups and reports
// whether code follows on the line.
func attributes(c *cursor) bool {
	for {
		switch {
		case c.has("#["):
			c.i++
			if !c.balanced() {
				return false
			}
		case c.peek() == '@':
			c.i++
			c.take(':')
			for len(c.word()) > 0 && (c.take('.') || c.take(':')) {
			}
			if (c.peek() == '(' || c.peek() == '[') && !c.balanced() {
				return false
			}
		default:
			return c.i < c.end
		}
		c.skip()
	}
}
