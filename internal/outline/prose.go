package outline

import (
	"bytes"

	"espy/internal/code"
)

// heading adds a heading, trimmed.
func (s *scanner) heading(start, end, at int) {
	for end > start && (isBlank(s.text[end-1])) {
		end--
	}
	for start < end && isBlank(s.text[start]) {
		start++
	}
	s.defineAt(code.KindHeading, start, end, at, at)
}

// underlined takes the line above as a heading if the current line only repeats
// one character and ok holds.
func (s *scanner) underlined(ok bool) {
	n := len(s.lines) - 1
	if !ok || n == 0 || s.lines[n-1].flags&(blankLine|insideLine|startLine) != 0 {
		return
	}
	c := s.cursor()
	runOf(&c)
	if c.skip(); c.i < c.end {
		return
	}
	above := cursor{s.text, int(s.lines[n-1].start), int(s.lines[n].start) - 1}
	if above.skip(); isBullet(above.peek()) || above.end-above.i > maxNameBytes {
		return
	}
	s.heading(above.i, above.end, n-1)
}

// isBullet reports whether a line that starts with b is part of a list, a quotation or a table.
func isBullet(b byte) bool { return bytes.IndexByte([]byte("-*+>|=#"), b) >= 0 }

// runOf skips the run of one character at the cursor and returns its length.
func runOf(c *cursor) int {
	b, start := c.peek(), c.i
	for c.peek() == b && c.i < c.end {
		c.i++
	}
	return c.i - start
}
