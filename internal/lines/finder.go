package lines

import (
	"bytes"
	"sync"

	"espy/internal/filter"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/segment"
)

// matcher is what literal and regular expression search differ in. It is read
// only; each goroutine takes a finder of its own. Where a text costs much the
// finder pauses, if pause is not nil: after that returned false it finds no more.
type matcher interface {
	finder(pause parallel.Pause) finder
}

// finder finds matching lines in one text after the other.
type finder interface {
	// open makes a piece the one that is searched, until the next.
	open(p piece)
	// line returns a place in the first line that a match starts in and that
	// starts at or after pos, itself the start of a line; -1 where there is none.
	// The place may be the line's end.
	line(pos int) int
	// matches appends the matches that start in the line text[start:end], in
	// order and apart from each other. Such a match may end beyond the line.
	matches(dst [][2]int, start, end int) [][2]int
}

// piece is a text that is searched: a region of a file or the whole of it.
type piece struct {
	text []byte
	of   *filter.Segment
	file int
}

// lookup is a matcher with what it tells of the texts that can match.
type lookup struct {
	matcher
	grams trigram.Query
	fold  bool // letters beyond ASCII may stand for those in grams
	whole bool // a match may span lines
}

var newline = []byte("\n")

// lineEnd returns the offset of the first line end at or after pos, or that of the text's end.
func lineEnd(text []byte, pos int) int {
	if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}

// caches keeps the buffers of earlier searches.
var caches = sync.Pool{New: func() any { return new(segment.TextCache) }}
