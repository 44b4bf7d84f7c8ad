package semantic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"espy/internal/ranked/corpus"
)

// TestBest holds that the best chunks come to the front, whatever order they are in.
func TestBest(t *testing.T) {
	g := &gathering{asking: &asking{in: &corpus.Corpus{Segments: []*corpus.Segment{{}}}}}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		all := make([]Evident, 1+r.IntN(60))
		for i := range all {
			all[i] = Evident{Chunk: int32(i), Near: float64(r.IntN(5)), Share: float64(r.IntN(5))}
		}
		n := r.IntN(len(all))
		want := slices.SortedFunc(slices.Values(all), g.order)[:n]
		g.best(all, n)
		if got := slices.SortedFunc(slices.Values(all[:n]), g.order); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the %d best of %d are %v, want %v", seed, n, len(all), got, want)
		}
	}
}
