package ranked

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
)

// TestSelect compares the best matches with those of all in order.
func TestSelect(t *testing.T) {
	p := &part{seg: &score.Segment{Segment: &corpus.Segment{}}}
	for _, n := range []int{0, 1, 2, 7, 50, 300} {
		for _, best := range []int{0, 1, 5, 100} {
			t.Run(fmt.Sprintf("%d of %d", best, n), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(uint64(n), uint64(best)))
				var all []*match
				for file := range n {
					all = append(all, &match{in: p, file: file, score: float64(rnd.IntN(20)), rank: max(0, rnd.IntN(50)-47)})
				}
				want := slices.SortedFunc(slices.Values(all), compareMatches)
				score.Select(all, best, compareMatches)
				got := all[:min(best, n)]
				slices.SortFunc(got, compareMatches)
				if !slices.Equal(got, want[:min(best, n)]) {
					t.Error("others were selected than the best")
				}
			})
		}
	}
}

func TestRaise(t *testing.T) {
	ordered := []*match{{score: 1, rank: 1}, {score: 3, rank: 1}, {score: 4}, {score: 2}}
	raise(ordered)
	for i, want := range []float64{4, 4, 4, 2} {
		if ordered[i].score != want {
			t.Errorf("match %d has %v, want %v", i, ordered[i].score, want)
		}
	}
}
