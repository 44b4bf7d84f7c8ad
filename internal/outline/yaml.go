package outline

import "bytes"

var yamlSyntax = syntax{line: yamlLine, act: table(actions{"#": startComment})}

// yamlLine finds the outermost keys. Lines of block scalars are indented.
func yamlLine(s *scanner) {
	if s.column() > 0 || s.keys >= maxKeys {
		return
	}
	c := s.cursor()
	start := c.i
	var end int
	if q := c.peek(); q == '"' || q == '\'' {
		name := c.quoted(q)
		start, end = c.i-1-len(name), c.i-1
	} else {
		for c.i < c.end && (letter[c.peek()] != 0 || bytes.IndexByte([]byte("-./"), c.peek()) >= 0) {
			c.i++
		}
		end = c.i
	}
	if c.peek() == ':' && (c.i+1 >= c.end || isBlank(c.at(1))) && s.text[start] != '-' {
		s.key(start, end)
	}
}
