package outline

import "bytes"

var markdownSyntax = syntax{line: markdownLine, act: table()}

// markdownLine finds # headings, and headings underlined with = or -. Fenced
// code is passed over.
func markdownLine(s *scanner) {
	c := s.cursor()
	if s.guard[1] > 0 { // within a fence
		if c.peek() == byte(s.guard[0]) && runOf(&c) >= s.guard[1] && len(bytes.TrimSpace(c.rest())) == 0 {
			s.guard = [2]int{}
		}
		s.current().flags |= insideLine
		return
	}
	switch b := c.peek(); b {
	case '`', '~':
		if n := runOf(&c); n >= 3 && bytes.IndexByte(c.rest(), '`') < 0 {
			s.guard = [2]int{int(b), n}
		}
	case '#':
		for c.take('#') {
		}
		if c.i-s.first <= 6 && c.skip() {
			end := c.end
			for end > c.i && (isBlank(s.text[end-1]) || s.text[end-1] == '#') {
				end--
			}
			s.heading(c.i, end, len(s.lines)-1)
		}
	case '=', '-':
		s.underlined(b == '=' || c.i+2 < c.end)
	}
}
