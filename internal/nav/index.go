package nav

import (
	"espy/internal/locate"
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
