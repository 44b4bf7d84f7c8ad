package golang

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"espy/internal/facts"
)

// lines finds the line of an offset, cheaply when offsets come in order.
type lines struct {
	start    []uint32 // of each line, and past the last of them what no offset reaches
	line     int      // of the last answer, from 0
	from, to uint32   // of that line
}

// newLines finds the lines of a text. It reuses the memory of start.
func newLines(text []byte, start []uint32) lines {
	start = append(slices.Grow(start[:0], len(text)/30+2), 0)
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		start = append(start, uint32(at))
	}
	start = append(start, math.MaxUint32)
	return lines{start: start, to: start[1]}
}

// fill fills in the line and the column of a place.
func (l *lines) fill(p *facts.Place) {
	if p.At < l.from || p.At >= l.to {
		l.line = l.find(p.At)
		l.from, l.to = l.start[l.line], l.start[l.line+1]
	}
	p.Line, p.Column = uint32(l.line)+1, p.At-l.from+1
}

// find returns the line of an offset. It is often one of the next.
func (l *lines) find(at uint32) int {
	if at >= l.from {
		for line := l.line; line < min(l.line+8, len(l.start)-1); line++ {
			if at < l.start[line+1] {
				return line
			}
		}
	}
	return sort.Search(len(l.start), func(i int) bool { return l.start[i] > at }) - 1
}
