package nav

import (
	"bytes"

	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
)

// Index answers questions about one state of a repository. It may be used from
// any number of goroutines.
type Index struct {
	*locate.Index
}

// Open makes an index of a snapshot, which must stay open while it is in use.
func Open(s *store.Snapshot) (*Index, error) {
	x, err := locate.Open(s)
	if err != nil {
		return nil, err
	}
	return &Index{x}, nil
}

// Until returns the index for questions that answer with what they have found
// once over reports that the time is over.
func (x *Index) Until(over func() bool) *Index { return &Index{x.Index.Until(over)} }

// ask is the work on one request.
type ask struct {
	*locate.Ask
	counted
}

func (x *Index) run(work func(*ask) error) error {
	return x.Run(func(a *locate.Ask) error { return work(&ask{Ask: a}) })
}

// counted is a byte of a file and the lines before it.
type counted struct {
	file  corpus.FileID
	at    uint32
	lines int
}

// lineNumber counts the lines up to a byte, from the byte that was asked for last
// where that stands before it.
func (a *ask) lineNumber(f corpus.FileID, text []byte, at uint32) int {
	c := &a.counted
	if c.file != f || c.at > at {
		*c = counted{file: f}
	}
	c.lines += bytes.Count(text[c.at:at], []byte("\n"))
	c.at = at
	return c.lines + 1
}
