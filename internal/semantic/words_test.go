package semantic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"espy/internal/ranked/corpus"
)

// TestBest holds that the best chunks come to the front, whatever order they are in.
func TestBest(t *testing.T) {
	seg := &corpus.Segment{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		all := make([]passage, 1+r.IntN(60))
		for i := range all {
			all[i] = passage{in: seg, chunk: i, near: float64(r.IntN(5)), share: float64(r.IntN(5))}
		}
		n := r.IntN(len(all))
		want := slices.SortedFunc(slices.Values(all), compareWorth)[:n]
		best(all, n)
		if got := slices.SortedFunc(slices.Values(all[:n]), compareWorth); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the %d best of %d are %v, want %v", seed, n, len(all), got, want)
		}
	}
}
