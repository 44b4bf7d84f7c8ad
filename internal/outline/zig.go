package outline

import "espy/internal/code"

var zigSyntax = syntax{line: zigLine, act: table(curly, actions{"/": slash, "\"'": quote, "\\": zigBackslash})}

// zigBackslash handles \\, which begins a line of a literal.
func zigBackslash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '\\' {
		return s.lineEnd(i)
	}
	return i + 1
}

func zigLine(s *scanner) {
	c := s.cursor()
	isPublic := c.has("pub ")
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		c.skip()
		switch string(word) {
		case "pub", "export", "extern", "inline", "noinline", "threadlocal", "comptime":
			if c.peek() == '"' {
				c.quoted('"')
				c.skip()
			}
			continue
		case "fn":
			if name := c.word(); len(name) > 0 {
				s.callable(code.KindFunc, c.i-len(name), c.i)
			}
		case "const":
			zigValue(s, &c, code.KindConst, isPublic)
		case "var":
			zigValue(s, &c, code.KindVar, isPublic)
		case "test":
			s.mark()
			s.pending = function
		case "return": // return struct { ... }: the body of a generic type
			if zigContainer(&c) != code.KindUnknown {
				s.pending = class
			}
		}
		return
	}
}

// zigValue defines a constant or variable, or the type that is its value. An
// import counts only where it is public.
func zigValue(s *scanner, c *cursor, k code.Kind, isPublic bool) {
	name := c.word()
	if len(name) == 0 {
		return
	}
	end := c.i
	for c.i < c.end && c.peek() != '=' && c.peek() != ';' {
		c.i++
	}
	if !c.take('=') {
		return
	}
	c.skip()
	if t := zigContainer(c); t != code.KindUnknown {
		s.define(t, end-len(name), end)
		s.pending = class
		return
	}
	if (s.outermost() || s.member()) && (isPublic || !c.has("@import(")) && !c.has("@This(") {
		s.define(k, end-len(name), end)
	}
}

// zigContainer tells the kind of the container type at the cursor, if any.
func zigContainer(c *cursor) code.Kind {
	for {
		switch string(c.word()) {
		case "packed", "extern":
			c.skip()
			continue
		case "struct", "opaque", "union":
			return code.KindStruct
		case "enum":
			return code.KindEnum
		case "error":
			if c.peek() == '{' || c.at(1) == '{' {
				return code.KindEnum
			}
		}
		return code.KindUnknown
	}
}
