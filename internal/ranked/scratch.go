package ranked

import (
	"sync"

	"espy/internal/rank"
	"espy/internal/segment"
)

// scratch is what one query finds out of one source. Its memory goes from query
// to query, for it is large and lives for a millisecond. The scorers clear what
// they fill.
type scratch struct {
	// By chunk.
	scores []float32 // BM25F

	// By file.
	marks     []uint32    // the last term met in it, counted from 1
	strong    []bool      // it has a term in its stem or in the name of a type or function
	cover     []float32   // mass of the primary terms it holds
	stem      []float32   // mass of the terms in its stem
	typeNames []nameMatch // its best name of a type
	funcNames []nameMatch // its best name of a function

	matches []match // the strong files

	terms []sourceTerm
}

// nameMatch is how well a definition's name matches the query; none has value 0.
type nameMatch struct {
	value      float32
	definition uint32
}

// desk is the memory that a query needs once.
type desk struct {
	paths     rank.Splitter
	found     []*match
	judged    []judged
	ranges    []fileRange // empty but for their memory of best chunks
	saturated saturated
}

// heap returns the memory for the best chunks of the i-th range.
func (d *desk) heap(i int) worstFirst {
	if i < cap(d.ranges) {
		return d.ranges[:cap(d.ranges)][i].top
	}
	return nil
}

var desks = sync.Pool{New: func() any { return new(desk) }}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// takeScratch returns the memory for a query over a segment.
func takeScratch(r *segment.Reader) *scratch {
	s := scratches.Get().(*scratch)
	chunks, files := r.NumChunks(), r.NumFiles()
	s.scores = sized(s.scores, chunks)
	s.marks, s.strong = sized(s.marks, files), sized(s.strong, files)
	s.cover, s.stem = sized(s.cover, files), sized(s.stem, files)
	s.typeNames, s.funcNames = sized(s.typeNames, files), sized(s.funcNames, files)
	return s
}

// sized returns a slice of n elements in the memory of s where there is room;
// else they are zeros, with some room for more.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// release gives the memory back.
func (s *scratch) release() {
	clear(s.terms) // of readers
	clear(s.matches)
	s.matches = s.matches[:0]
	scratches.Put(s)
}
