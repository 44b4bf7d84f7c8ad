package vocabulary

import (
	"math"
	"math/bits"

	"espy/internal/ranked/corpus"
)

// maxTerms is how many terms are looked at together.
const maxTerms = 16

// Together returns how often two terms of the words share a chunk beside how often they would
// if each stood anywhere: the mean of all pairs, as a logarithm, 0 for less than two terms.
func (w *Words) Together() (float64, error) {
	in, terms := w.in, w.terms()
	terms = terms[:min(len(terms), maxTerms)]
	var both [maxTerms][maxTerms]int // by the lower and the higher term; of one term the chunks that hold it
	for _, s := range in.Segments {
		held := make([]uint16, s.NumChunks()) // the terms of each chunk
		for i, text := range terms {
			t, ok, err := s.Lookup(text)
			if err != nil {
				return 0, err
			}
			if !ok {
				continue
			}
			var chunks, times [corpus.PostingBlock]uint32
			for it := t.Body(); ; {
				n := it.NextBlock(chunks[:], times[:])
				if n == 0 {
					break
				}
				for _, c := range chunks[:n] {
					held[c] |= 1 << i
				}
			}
		}
		traits := s.FileTraits()
		for file := range s.NumFiles() {
			if !s.Alive(file) {
				continue
			}
			for _, all := range held[traits[file].FirstChunk:traits[file+1].FirstChunk] {
				for ; all != 0; all &= all - 1 {
					i := bits.TrailingZeros16(all)
					for rest := all; rest != 0; rest &= rest - 1 {
						both[i][bits.TrailingZeros16(rest)]++
					}
				}
			}
		}
	}
	sum, pairs := 0.0, 0
	for i := range terms {
		for j := range i {
			chance := float64(both[i][i]) * float64(both[j][j]) / float64(max(in.Chunks, 1))
			sum += math.Log((float64(both[j][i]) + 0.3) / (chance + 0.3))
			pairs++
		}
	}
	return sum / float64(max(pairs, 1)), nil
}
