package search

import (
	"sync"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/segment"
)

// scratch is the memory that one source needs for one query. It goes from
// query to query, for most of it is large and lives for a millisecond.
type scratch struct {
	// By chunk.
	scores  []float32 // BM25F
	sums    []float32 // frequencies of one term in names and path; 0 between terms
	touched []uint32  // chunks with a sum

	// By file.
	seen      []uint32    // the last term met in it, counted from 1
	cover     []float32   // mass of the primary terms it holds
	stem      []float32   // mass of the terms in its stem
	typeNames []nameMatch // its best name of a type
	funcNames []nameMatch // its best name of a function

	// By definition, all zero between queries.
	nameMass []nameMass

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
	found     []match
	judged    []judged
	saturated saturated
}

var desks = sync.Pool{New: func() any { return new(desk) }}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// takeScratch returns the memory for a query over a segment, all zero and empty.
func takeScratch(r *segment.Reader) *scratch {
	s := scratches.Get().(*scratch)
	chunks, files, definitions := r.NumChunks(), r.NumFiles(), r.NumDefinitions()
	s.scores = zeros(s.scores, chunks)
	if len(s.sums) < chunks {
		s.sums = make([]float32, chunks)
	}
	s.seen, s.cover, s.stem = zeros(s.seen, files), zeros(s.cover, files), zeros(s.stem, files)
	s.typeNames, s.funcNames = zeros(s.typeNames, files), zeros(s.funcNames, files)
	if len(s.nameMass) < definitions {
		s.nameMass = make([]nameMass, definitions)
	}
	s.chunks, s.files, s.stems, s.names = s.chunks[:0], s.files[:0], s.stems[:0], s.names[:0]
	return s
}

// zeros returns a slice of n zeros, in the memory of s where there is room.
func zeros[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// release gives the memory back.
func (s *scratch) release() {
	for _, chunk := range s.touched { // of a term that was broken off
		s.sums[chunk] = 0
	}
	s.touched = s.touched[:0]
	for _, n := range s.names {
		s.nameMass[n.definition] = nameMass{}
	}
	scratches.Put(s)
}
