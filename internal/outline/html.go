package outline

import "bytes"

// htmlSyntax is that of pages: their headings, and what has an id.
var htmlSyntax = syntax{act: table(actions{"<": htmlLess})}

// htmlLess handles a tag, a comment, and what a script or a style holds.
func htmlLess(s *scanner, i int) int {
	rest := s.text[i:]
	if bytes.HasPrefix(rest, []byte("<!--")) {
		s.comment = true
		n := s.find(i+4, "-->")
		if n < 0 {
			return i + 4
		}
		return s.pass(i, n+3, insideLine)
	}
	c := cursor{text: s.text, i: i + 1, end: s.lookEnd(i)}
	name := c.word()
	if len(name) == 0 {
		return i + 1
	}
	end := i + 1 + len(name)
	htmlID(s, &c)
	switch {
	case bytes.EqualFold(name, []byte("script")) || bytes.EqualFold(name, []byte("style")):
		if n := s.find(end, "</"+string(name)); n >= 0 {
			return s.pass(i, n, insideLine)
		}
	case len(name) == 2 && name[0]|0x20 == 'h' && name[1] >= '1' && name[1] <= '6':
		htmlHeading(s, end)
	}
	return end
}

// htmlID finds id="name" in a tag, up to the end of its line.
func htmlID(s *scanner, c *cursor) {
	rest := c.rest()
	if n := bytes.IndexAny(rest, ">\n"); n >= 0 {
		rest = rest[:n]
	}
	n := bytes.Index(rest, []byte(" id="))
	if n < 0 || n+6 > len(rest) {
		return
	}
	start := n + len(" id=\"")
	end := bytes.IndexByte(rest[start:], rest[start-1])
	if q := rest[start-1]; q != '"' && q != '\'' || end <= 0 || bytes.ContainsAny(rest[start:start+end], "{<$%") {
		return
	}
	s.key(c.i+start, c.i+start+end)
}

// htmlHeading finds the text of a heading that begins behind its tag, where it stands on
// one line without other tags.
func htmlHeading(s *scanner, i int) {
	line := s.text[i:s.lineEnd(i)]
	open := bytes.IndexByte(line, '>')
	if open < 0 {
		return
	}
	end := bytes.IndexByte(line[open:], '<')
	if end < 0 {
		return
	}
	s.heading(i+open+1, i+open+end, len(s.lines)-1)
}
