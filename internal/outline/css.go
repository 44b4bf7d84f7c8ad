package outline

import "espy/internal/code"

// cssSyntax and scssSyntax are those of style sheets; the second knows comments of lines.
var (
	cssSyntax  = syntax{line: cssLine, act: table(curly, actions{"/": cssSlash, "\"'": quote})}
	scssSyntax = syntax{line: cssLine, act: table(curly, actions{"/": slash, "\"'": quote})}
)

// cssSlash handles /* */.
func cssSlash(s *scanner, i int) int {
	if i+1 < len(s.text) && s.text[i+1] == '*' {
		return slash(s, i)
	}
	return i + 1
}

// cssLine finds selectors that are one class or id, custom properties, variables,
// mixins, functions and animations.
func cssLine(s *scanner) {
	c := s.cursor()
	start := c.i
	switch b := c.peek(); {
	case b == '@':
		cssRule(s, &c)
	case b == '.' || b == '#':
		cssSelectors(s, &c)
	case b == '-' && c.at(1) == '-', b == '$':
		for c.i < c.end && (letter[c.peek()] != 0 || c.peek() == '-' || c.peek() == '$') {
			c.i++
		}
		if end := c.i; end > start+1 {
			if c.skip(); c.peek() == ':' {
				s.define(code.KindVar, start, end)
			}
		}
	}
}

// cssRule finds the names behind @mixin and the like.
func cssRule(s *scanner, c *cursor) {
	c.i++
	word := cssName(c)
	c.skip()
	start := c.i
	if c.peek() == '-' || letter[c.peek()] != 0 {
		cssName(c)
	}
	switch string(word) {
	case "mixin", "function", "define-mixin":
		s.define(code.KindFunc, start, c.i)
	case "keyframes", "-webkit-keyframes", "layer", "property", "counter-style":
		if string(word) != "layer" || c.i > start {
			s.define(code.KindType, start, c.i)
		}
	}
}

// cssName skips a name and returns it.
func cssName(c *cursor) []byte {
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || c.peek() == '-') {
		c.i++
	}
	return c.text[start:c.i]
}

// cssSelectors finds the selectors of a list that are one class or id alone.
func cssSelectors(s *scanner, c *cursor) {
	for {
		kind := code.KindClass
		if c.peek() == '#' {
			kind = code.KindVar
		} else if c.peek() != '.' {
			return
		}
		c.i++
		start := c.i
		end := start + len(cssName(c))
		c.skip()
		b := c.peek()
		if end > start && (b == '{' || b == ',' || c.i >= c.end) {
			s.define(kind, start, end)
		}
		for c.i < c.end && c.peek() != ',' && c.peek() != '{' {
			c.i++
		}
		if !c.take(',') {
			return
		}
		c.skip()
	}
}
