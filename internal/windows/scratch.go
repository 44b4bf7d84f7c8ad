package windows

import (
	"sync"

	"espy/internal/windows/win"
)

// scratch is memory that queries use one after the other.
type scratch struct {
	spans, next []win.Span
	tallies     []win.Tally // of leaves
	scores      []float64
	weights     commonWeights
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// tally returns an empty tally for a leaf.
func (s *scratch) tally(leaf int) win.Tally {
	for len(s.tallies) <= leaf {
		s.tallies = append(s.tallies, win.Tally{})
	}
	t := s.tallies[leaf]
	return win.Tally{Windows: t.Windows[:0], Counts: t.Counts[:0]}
}
