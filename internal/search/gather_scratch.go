package search

import (
	"sync"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/segment"
)

// scratch is the memory that one source needs for one query. It goes from
// query to query, for most of it is large and lives for a millisecond, and so
// that little of it need be cleared.
type scratch struct {
	// By chunk.
	scores  []float32 // BM25F; cleared before use
	sums    []float32 // frequencies of one term in names and path; 0 between terms
	touched []uint32  // chunks with a sum, in order
	merged  []uint32  // touched put in order

	// By file.
	seen      []uint32    // the last term met in it, counted from 1; cleared before use
	cover     []float32   // mass of the primary terms it holds; cleared before use
	stem      []float32   // mass of the terms in its stem
	typeNames []nameMatch // its best name of a type
	funcNames []nameMatch // its best name of a function

	// By definition.
	nameMass []nameMass

	top     worstFirst // the best chunks
	matches []match    // the strong files

	lists []termPostings // by term
	block block

	// Lists of all terms in a row.
	chunks []chunkHit // chunks that hold the term in a field, each once
	files  []uint32   // files that hold it, each once
	stems  []uint32   // files that have it in their stem
	names  []nameHit  // definitions that have it in their name
}

// nameMass is the terms that the name of a definition has.
type nameMass struct {
	mass float32
	hits uint32
}

// chunkHit is a term in a chunk.
type chunkHit struct {
	chunk     uint32
	saturated float32 // its saturated frequency
}

// nameHit is a term in the name of a definition.
type nameHit struct {
	definition, file uint32
	kind             code.Kind
	terms            uint8 // of the name
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
	saturated saturated
}

var desks = sync.Pool{New: func() any { return new(desk) }}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// takeScratch returns the memory for a query over a segment, all zero and empty
// but for what is cleared where it is first used.
func takeScratch(r *segment.Reader) *scratch {
	s := scratches.Get().(*scratch)
	chunks, files, definitions := r.NumChunks(), r.NumFiles(), r.NumDefinitions()
	s.scores = sized(s.scores, chunks)
	s.sums = sized(s.sums, chunks)
	s.seen, s.cover, s.stem = sized(s.seen, files), sized(s.cover, files), sized(s.stem, files)
	s.typeNames, s.funcNames = sized(s.typeNames, files), sized(s.funcNames, files)
	s.nameMass = sized(s.nameMass, definitions)
	s.chunks, s.files, s.stems, s.names = s.chunks[:0], s.files[:0], s.stems[:0], s.names[:0]
	return s
}

// sized returns a slice of n elements in the memory of s where there is room;
// else they are zeros.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// release gives the memory back, cleared where it was used.
func (s *scratch) release() {
	for _, chunk := range s.touched { // of a term that was broken off
		s.sums[chunk] = 0
	}
	s.touched = s.touched[:0]
	for _, n := range s.names {
		s.nameMass[n.definition] = nameMass{}
		s.typeNames[n.file], s.funcNames[n.file] = nameMatch{}, nameMatch{}
	}
	for _, f := range s.stems {
		s.stem[f] = 0
	}
	clear(s.lists) // of readers
	clear(s.top[:cap(s.top)])
	clear(s.matches)
	s.matches = s.matches[:0]
	scratches.Put(s)
}
