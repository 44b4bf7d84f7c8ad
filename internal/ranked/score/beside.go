package score

import (
	"math"
	"slices"

	"espy/internal/ranked/corpus"
)

// Bounds of looking for words side by side.
const (
	maxRow    = 64 // terms of a query
	maxPairs  = 16 // of these
	maxPaired = 64 // chunks of a file that hold both words of a pair
)

// pair is two terms of the query that follow one another there.
type pair struct {
	first, second int // their numbers
	weight        float64
}

// pairs returns the pairs of a row of terms, each once.
func (s *Scores) pairs(row []string) (all []pair) {
	for i := 1; i < min(len(row), maxRow) && len(all) < maxPairs; i++ {
		a, b := s.Find(row[i-1]), s.Find(row[i])
		if a < 0 || b < 0 || a == b || s.Terms[a].Chunks == 0 || s.Terms[b].Chunks == 0 ||
			slices.ContainsFunc(all, func(p pair) bool { return p.first == a && p.second == b }) {
			continue
		}
		p := pair{a, b, s.Terms[a].ChunkWeight + s.Terms[b].ChunkWeight}
		if i == 1 { // what a query is about stands first
			p.weight *= 2
		}
		all = append(all, p)
	}
	return all
}

// Beside returns how often words of the query stand side by side in each of some files, in
// the order of a row of its terms: the logarithm of how often each pair does, times the
// weight of its words. The files of a segment come in their order.
func (s *Scores) Beside(row []string, files []File) []float64 {
	worth := make([]float64, len(files))
	var memory corpus.Pairs
	for _, p := range s.pairs(row) {
		var in *Segment
		for i, f := range files {
			a, b := &f.Segment.terms[p.first], &f.Segment.terms[p.second]
			if a.BodyDF == 0 || b.BodyDF == 0 {
				continue
			}
			if in != f.Segment {
				in = f.Segment
				memory.Begin(a.Term, b.Term)
			}
			first, end := in.ChunksOf(f.File)
			if n := memory.Count(first, end, maxPaired); n > 0 {
				worth[i] += float64(p.weight * math.Log1p(float64(n)))
			}
		}
	}
	return worth
}
