package outline

import "bytes"

var markdownSyntax = syntax{line: markdownLine, act: table()}

// markdownLine finds # headings, and headings underlined with = or -. Fenced
// code is skipped.
func markdownLine(s *scanner) {
	c := s.cursor()
	if s.fence.width > 0 {
		if c.peek() == s.fence.mark && runOf(&c) >= s.fence.width && len(bytes.TrimSpace(c.rest())) == 0 {
			s.fence = fence{}
		}
		s.current().flags |= insideLine
		return
	}
	switch b := c.peek(); b {
	case '`', '~':
		if n := runOf(&c); n >= 3 && bytes.IndexByte(c.rest(), '`') < 0 {
			s.fence = fence{b, n}
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
