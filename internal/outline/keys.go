package outline

import (
	"bytes"

	"espy/internal/code"
)

// key adds a KindKey definition unless the file has maxKeys of them.
func (s *scanner) key(start, end int) {
	if s.keys < maxKeys && end > start {
		s.keys++
		s.define(code.KindKey, start, end)
	}
}

// sectionLine finds [section] lines, and keys before the first of them.
func sectionLine(s *scanner) {
	c := s.cursor()
	if s.column() > 0 || s.keys >= maxKeys {
		return
	}
	if c.take('[') {
		c.take('[')
		start := c.i
		for c.i < c.end && c.peek() != ']' {
			c.i++
		}
		if c.peek() == ']' {
			s.group = code.KindKey
			s.key(start, c.i)
			s.mark()
		}
		return
	}
	if s.group == code.KindKey {
		return
	}
	start := c.i
	for c.i < c.end && (letter[c.peek()] != 0 || bytes.IndexByte([]byte("-."), c.peek()) >= 0) {
		c.i++
	}
	end := c.i
	if c.skip(); c.peek() == '=' {
		s.key(start, end)
	}
}

// startComment handles comments that stand first on their line.
func startComment(s *scanner, i int) int {
	if i == s.first {
		return lineComment(s, i)
	}
	return i + 1
}
