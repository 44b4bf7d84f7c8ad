package score

import (
	"math"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
)

// Segment is what the terms of a query score in one segment.
type Segment struct {
	*corpus.Segment

	Scores []float32 // BM25F by chunk

	// By file.
	Cover []float32 // weight of the primary terms it holds
	Whole []float32 // BM25 of its whole text and path, of a long query
	Stem  []float32 // weight of the terms in its stem
	Types []Name    // its best name of a type
	Funcs []Name    // its best name of a function

	marks  []uint32 // by file: the last term met in it, counted from 1
	strong []bool   // by file: it has a term in its stem or in the name of a type or function
	terms  []foundTerm
}

// Name is how well a definition's name matches the query; none has value 0.
type Name struct {
	Value      float32
	Definition uint32
}

// Term is a term of a query, how often it is among live files, and what it is
// worth there.
type Term struct {
	rank.Term
	Chunks, Files int
	ChunkWeight   float64 // weight times inverse frequency over chunks
	FileWeight    float64 // weight times inverse frequency over files
}

// foundTerm is one term in one segment.
type foundTerm struct {
	segment.Term      // without postings where the segment does not have it
	chunks, files int // live ones that hold it
}

// begin makes room for a query over a segment. The workers clear what they fill.
func (s *Segment) begin(c *corpus.Segment, terms int) {
	s.Segment = c
	chunks, files := c.NumChunks(), c.NumFiles()
	s.Scores = sized(s.Scores, chunks)
	s.marks, s.strong = sized(s.marks, files), sized(s.strong, files)
	s.Cover, s.Stem = sized(s.Cover, files), sized(s.Stem, files)
	s.Whole = sized(s.Whole, files)
	s.Types, s.Funcs = sized(s.Types, files), sized(s.Funcs, files)
	s.terms = sized(s.terms, terms)
}

// lookUp finds the terms of the query.
func (s *Segment) lookUp(terms []Term) error {
	for i := range terms {
		found, _, err := s.Lookup(terms[i].Text)
		if err != nil {
			return err
		}
		chunks, files := s.Frequency(found)
		s.terms[i] = foundTerm{found, chunks, files}
	}
	return nil
}

// Matching returns the files that hold a term.
func (s *Segment) Matching() segment.Bitmap { return bitmapOf(s.marks) }

// Named returns the files that have a term in their stem, or in the name of a
// type or function that they define.
func (s *Segment) Named() segment.Bitmap { return bitmapOf(s.strong) }

// TwoBest returns the two best scores among the chunks from first to before end
// that are in a set, 0 where there are fewer. Which these are cannot be
// predicted, so that a branch for each chunk would often be a wrong guess:
// scores are compared as numbers in the order of their bits, without one.
func (s *Segment) TwoBest(first, end int, among segment.Bitmap) (best, second float32) {
	var most, next uint32
	for i, score := range s.Scores[first:end] {
		if among != nil && !among.Has(first+i) {
			continue
		}
		bits := math.Float32bits(score)
		next = max(next, min(most, bits))
		most = max(most, bits)
	}
	return math.Float32frombits(most), math.Float32frombits(next)
}

// Answers reports whether one of the chunks from first to before end scores.
func (s *Segment) Answers(first, end int) bool {
	return nextAtLeast(s.Scores[:end], first, math.SmallestNonzeroFloat32) < end
}

// FilesWith returns the files that hold a term of the query, by its number, in
// their text, path or names, dead ones too.
func (s *Segment) FilesWith(term int) segment.Bitmap {
	set := segment.EmptyBitmap(s.NumFiles())
	t := &s.terms[term]
	if t.FileDF == 0 {
		return set
	}
	var block [2][corpus.PostingBlock]uint32
	walk := fileWalk{traits: s.FileTraits()}
	for it := t.Body(); ; {
		n := it.NextBlock(block[0][:], block[1][:])
		if n == 0 {
			break
		}
		for _, chunk := range block[0][:n] {
			set.Set(walk.to(chunk))
		}
	}
	for it := t.Path(); ; {
		file, _, _, ok := it.Next()
		if !ok {
			break
		}
		set.Set(file)
	}
	walk, names := fileWalk{traits: s.FileTraits()}, s.Scoring().Names
	for it := t.Symbols(); ; {
		n := it.NextBlock(block[0][:])
		if n == 0 {
			return set
		}
		for _, def := range block[0][:n] {
			set.Set(walk.to(names[def].Chunk))
		}
	}
}

// fileWalk tells the files of chunks that come in order: it takes less than to
// read the file of each.
type fileWalk struct {
	traits []segment.FileTraits
	file   int
}

// to returns the file of a chunk, which is not in a file before the one returned last.
func (w *fileWalk) to(chunk uint32) int {
	for w.traits[w.file+1].FirstChunk <= chunk {
		w.file++
	}
	return w.file
}

// sized returns a slice of n elements in the memory of s where there is room;
// else they are zeros, with some room for more.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
