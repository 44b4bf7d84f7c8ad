package outline

import "espy/internal/code"

var luaSyntax = syntax{line: luaLine, everywhere: true, act: table(actions{
	"-": luaDash, "\"'": quote, "[": luaBracket,
})}

func luaLine(s *scanner) {
	c := s.cursor()
	column := s.column()
	isLocal := false
	for {
		word := c.word()
		start := c.i - len(word)
		if len(word) == 0 {
			return
		}
		gap := c.skip()
		switch string(word) {
		case "local", "export":
			isLocal = true
			continue
		case "type": // Luau
			if isLocal && gap && letter[c.peek()] != 0 || column == 0 && gap && letter[c.peek()] != 0 {
				s.container(&c, code.KindType, noScope)
				return
			}
		case "function":
			if gap {
				luaFunction(s, &c)
			}
			return
		}
		c.i = start
		luaAssignment(s, &c, isLocal, column)
		return
	}
}

func luaFunction(s *scanner, c *cursor) {
	k := code.KindFunc
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		if b := c.peek(); b == '.' || b == ':' {
			k = code.KindMethod
			c.i++
			continue
		}
		s.define(k, c.i-len(name), c.i)
		return
	}
}

// luaAssignment handles a.b = function, and variables of the file.
func luaAssignment(s *scanner, c *cursor, isLocal bool, column int) {
	k := code.KindVar
	for {
		name := c.word()
		if len(name) == 0 {
			return
		}
		end := c.i
		if b := c.peek(); b == '.' || b == ':' {
			k = code.KindMethod
			c.i++
			continue
		}
		c.skip()
		if !c.take('=') || c.peek() == '=' {
			return
		}
		c.skip()
		switch {
		case c.has("function") && letter[c.at(8)] == 0:
			if k == code.KindVar && (isLocal || column == 0) {
				k = code.KindFunc
			} else {
				k = code.KindMethod
			}
			s.define(k, end-len(name), end)
		case k == code.KindVar && column == 0 && !c.has("require") && !(isLocal && c.has("{}")):
			s.define(k, end-len(name), end)
		}
		return
	}
}

// luaDash handles -- and --[[ ]] comments.
func luaDash(s *scanner, i int) int {
	if i+1 >= len(s.text) || s.text[i+1] != '-' {
		return i + 1
	}
	if n := s.luaLong(i+2, i, insideLine|attachedLine); n >= 0 {
		return n
	}
	return lineComment(s, i)
}

// luaBracket handles [[ ]] and [=[ ]=] literals.
func luaBracket(s *scanner, i int) int {
	if n := s.luaLong(i, i, insideLine); n >= 0 {
		return n
	}
	return i + 1
}

// luaLong skips the long bracket at p, of a literal or comment that
// starts at i; -1 where there is none.
func (s *scanner) luaLong(p, i int, flags uint8) int {
	if p >= len(s.text) || s.text[p] != '[' {
		return -1
	}
	n := 1
	for p+n < len(s.text) && s.text[p+n] == '=' && n < 16 {
		n++
	}
	if p+n >= len(s.text) || s.text[p+n] != '[' {
		return -1
	}
	end := append(append([]byte{']'}, s.text[p+1:p+n]...), ']')
	q := s.find(p+n+1, string(end))
	if q < 0 {
		return -1
	}
	if flags&attachedLine != 0 {
		s.markComment(i)
	}
	return s.pass(i, q+len(end), flags)
}
