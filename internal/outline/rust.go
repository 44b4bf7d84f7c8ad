package outline

import "espy/internal/code"

var rustSyntax = syntax{line: rustLine, act: table(curly, actions{"/": nestedSlash, "\"": rustQuote, "'": tick})}

// rustQuote handles " with or without r and # signs before it.
func rustQuote(s *scanner, i int) int {
	if i > 0 {
		switch s.text[i-1] {
		case '#':
			if n := s.hashes(i); n >= 0 {
				return n
			}
		case 'r':
			if i < 2 || letter[s.text[i-2]] == 0 || s.text[i-2] == 'b' || s.text[i-2] == 'c' {
				return rawQuote(s, i)
			}
		}
	}
	return longQuote(s, i)
}

func rustLine(s *scanner) {
	c := s.cursor()
	if c.peek() == '#' && !attributes(&c) {
		return
	}
	isConst := false
	for {
		word := c.word()
		if len(word) == 0 {
			return
		}
		switch string(word) {
		case "pub", "crate", "default", "async", "unsafe", "safe", "extern", "auto":
			if c.skip(); c.peek() == '(' && !c.balanced() {
				return
			}
			if c.skip(); c.peek() == '"' {
				c.quoted('"')
				c.skip()
			}
			if c.peek() == '{' { // extern "C" {
				s.pending = namespace
				return
			}
			continue
		case "const":
			isConst = true
			c.skip()
			continue
		}
		c.skip()
		rustItem(s, &c, word, isConst)
		return
	}
}

func rustItem(s *scanner, c *cursor, word []byte, isConst bool) {
	switch string(word) {
	case "fn":
		if name := rustName(c); len(name) > 0 {
			s.callable(code.KindFunc, c.i-len(name), c.i)
		}
		return
	case "struct", "union":
		if letter[c.peek()] != 0 {
			s.container(c, code.KindStruct, block)
		}
		return
	case "enum":
		s.container(c, code.KindEnum, block)
		return
	case "trait":
		s.container(c, code.KindTrait, class)
		return
	case "impl":
		s.mark()
		s.pending = class
		return
	case "mod":
		if name := c.word(); len(name) > 0 {
			end := c.i
			if c.skip(); c.peek() != ';' {
				s.define(code.KindModule, end-len(name), end)
				s.pending = namespace
			}
		}
		return
	case "macro_rules":
		if c.take('!') {
			c.skip()
			s.container(c, code.KindMacro, block)
		}
		return
	case "macro":
		s.container(c, code.KindMacro, block)
		return
	case "type":
		if k := s.scope(); k != class && k != function { // associated types are no definitions
			s.container(c, code.KindType, noScope)
		}
		return
	case "static":
		if c.has("mut ") {
			c.i += 4
			c.skip()
		}
		if name := c.word(); len(name) > 0 && s.outermost() {
			s.define(code.KindVar, c.i-len(name), c.i)
		}
		return
	}
	if isConst && c.peek() == ':' && string(word) != "_" && (s.outermost() || s.member()) {
		end := c.i
		for isBlank(c.text[end-1]) {
			end--
		}
		s.define(code.KindConst, end-len(word), end)
	}
}

// rustName reads an identifier that may be raw (r#type).
func rustName(c *cursor) []byte {
	if c.has("r#") {
		c.i += 2
	}
	return c.word()
}
