package outline

import "bytes"

var rstSyntax = syntax{line: rstLine, act: table()}

// rstLine finds titles underlined with punctuation.
func rstLine(s *scanner) {
	c := s.cursor()
	if b := c.peek(); bytes.IndexByte([]byte("=-~^\"'`#*+.:_"), b) < 0 || s.column() > 0 {
		return
	}
	width := runOf(&c)
	n := len(s.lines) - 1
	if width < 3 || n == 0 {
		return
	}
	title := bytes.TrimRight(s.text[s.lines[n-1].start:s.lines[n].start], " \t\r\n")
	s.underlined(len(title) > 0 && len(title) <= width && !isBlank(title[0]))
}
