package redact

import (
	"bytes"
	"slices"
)

// Lines tells the secrets of lines that are asked about one after the other, as Part does.
// Where most lines are asked about, it looks at those that follow with them: at many lines
// at once it takes half the time.
type Lines struct {
	Part

	begun, asked int    // since where lines stand close together, and how many bytes of them
	last         int    // where the line before ended
	from, to     int    // whole lines that were looked at together
	found        []Span // their secrets
	block        int    // how much is looked at next
}

// Bounds of what is looked at together, in bytes.
const (
	closely   = 256 // between a line and the one before it
	enough    = 512 // of lines that stand close together before those that follow are looked at
	minBlock  = 1 << 10
	maxBlock  = 16 << 10
	denseness = 3 // lines are looked at together where less than this part is not asked about: a third
)

// Spans returns the secrets that touch the line text[start:end], in order and apart from
// each other.
func (l *Lines) Spans(start, end int) []Span {
	if start < l.last || start > l.last+closely {
		l.begun, l.asked, l.block = start, 0, 0
	}
	l.asked, l.last = l.asked+end-start, end
	switch missed := end - l.begun - l.asked; {
	case l.from <= start && end <= l.to:
	case l.asked < enough || missed*denseness > end-l.begun:
		return l.Part.Spans(start, end)
	default:
		l.look(start, end)
	}
	return slices.Clone(touching(l.found, start, end))
}

// look looks at the line text[start:end] and at those that follow.
func (l *Lines) look(start, end int) {
	l.block = min(max(2*l.block, minBlock), maxBlock)
	l.from, l.to = start, end
	if far := min(len(l.Text), start+l.block); far > end {
		l.to += bytes.LastIndexByte(l.Text[end:far], '\n') + 1
	}
	l.found = l.Part.Spans(l.from, l.to)
}

// touching returns the spans that touch text[start:end].
func touching(spans []Span, start, end int) []Span {
	first, _ := slices.BinarySearchFunc(spans, start, func(s Span, at int) int {
		if s.End <= at {
			return -1
		}
		return 1
	})
	n := first
	for n < len(spans) && spans[n].Start < end {
		n++
	}
	return spans[first:n]
}
