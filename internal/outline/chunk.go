package outline

import "espy/internal/code"

// maxStartIndent is the deepest indentation, in bytes, at which a definition is worth a cut.
const maxStartIndent = 8

// chunks cuts the lines into runs of about maxChunkBytes. A run ends before the
// last definition that still fits. Without one it ends after the last blank
// line, else where it is full. A chunk does not begin or end with blank lines.
func (s *scanner) chunks() []code.Chunk {
	s.spreadStarts()
	out := make([]code.Chunk, 0, 1+len(s.text)/(maxChunkBytes*3/4))
	first, definition, blank := 0, 0, 0 // definition and blank: last places to cut, 0 = none
	for i := range s.lines {
		if s.lines[i].flags&dataLine != 0 {
			out = s.appendChunk(out, first, i)
			first, definition, blank = i+1, 0, 0
			continue
		}
		if i > first {
			switch f := s.lines[i].flags; {
			case f&startLine != 0:
				definition = i
			case f&blankLine != 0:
				blank = i + 1
			}
		}
		if i == first || s.span(first, i+1) <= maxChunkBytes {
			continue
		}
		cut := s.cut(first, i, definition, blank)
		out = s.appendChunk(out, first, cut)
		first, definition, blank = cut, 0, 0
		for j := first + 1; j <= i; j++ {
			switch f := s.lines[j].flags; {
			case f&startLine != 0:
				definition = j
			case f&blankLine != 0:
				blank = j + 1
			}
		}
	}
	return s.appendChunk(out, first, len(s.lines))
}

// cut chooses where the run that starts at line first and is full before line i ends.
func (s *scanner) cut(first, i, definition, blank int) int {
	switch {
	case definition > first && s.span(first, definition) > maxChunkBytes/4:
		return definition
	case blank > first && blank <= i && s.span(first, blank) > maxChunkBytes*2/5:
		return blank
	case definition > first:
		return definition
	}
	return i
}

// span is the number of bytes of the lines [from, to).
func (s *scanner) span(from, to int) int {
	return int(s.lineStart(to)) - int(s.lines[from].start)
}

// lineStart is the first byte of line i, or the end of the text after the last line.
func (s *scanner) lineStart(i int) uint32 {
	if i < len(s.lines) {
		return s.lines[i].start
	}
	return uint32(len(s.text))
}

// appendChunk adds the lines [from, to) without the blank ones at their ends.
func (s *scanner) appendChunk(out []code.Chunk, from, to int) []code.Chunk {
	for from < to && s.lines[from].flags&blankLine != 0 {
		from++
	}
	for to > from && s.lines[to-1].flags&blankLine != 0 {
		to--
	}
	if from == to {
		return out
	}
	return append(out, code.Chunk{
		Start: s.lines[from].start, End: s.lineStart(to),
		StartLine: uint32(from) + 1, EndLine: uint32(to),
	})
}

// spreadStarts moves the start marks of definitions up to the first line of
// the comments and annotations that stand directly above them.
func (s *scanner) spreadStarts() {
	top := -1 // first line of the run of attached lines that ends above i
	for i := range s.lines {
		l := &s.lines[i]
		if l.flags&startLine != 0 {
			if l.indent > maxStartIndent {
				l.flags &^= startLine
			} else if top >= 0 && s.lines[top].flags&insideLine == 0 {
				l.flags &^= startLine
				s.lines[top].flags |= startLine
			}
		}
		if l.flags&attachedLine == 0 || l.flags&blankLine != 0 {
			top = -1
		} else if top < 0 {
			top = i
		}
	}
}
