package outline

var asciidocSyntax = syntax{line: asciidocLine, act: table()}

// asciidocLine finds == headings.
func asciidocLine(s *scanner) {
	c := s.cursor()
	for c.take('=') {
	}
	if n := c.i - s.first; n >= 1 && n <= 6 && s.column() == 0 && c.skip() {
		s.heading(c.i, c.end, len(s.lines)-1)
	}
}
