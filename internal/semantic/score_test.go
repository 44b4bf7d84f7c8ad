package semantic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	var cosines []float64
	for i := range 1000 {
		cosines = append(cosines, 0.6+0.01*float64(i%11-5))
	}
	of := func(list []float64) (s spread) {
		for _, c := range list {
			s.add(c)
		}
		return s
	}
	whole := of(cosines)
	deviation := math.Sqrt(10) / 100
	for _, tt := range []struct {
		name   string
		s      spread
		cosine float64
		want   float64
	}{
		{"the mean", whole, 0.6, -standsOut},
		{"even odds", whole, 0.6 + standsOut*deviation, 0},
		{"far out", whole, 0.6 + 5*deviation, 5 - standsOut},
		{"few files", of(cosines[:minSpread-1]), 0.6, nearness(0.6)},
		{"all alike", of(slices.Repeat([]float64{0.7}, 100)), 0.7, nearness(0.7)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.nearness(tt.cosine); math.Abs(got-tt.want) > 0.01 {
				t.Errorf("nearness %g, want %g", got, tt.want)
			}
		})
	}
	for seed := range uint64(5) {
		t.Run(fmt.Sprint("order ", seed), func(t *testing.T) {
			list := slices.Clone(cosines)
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if of(list) != whole {
				t.Error("depends on the order")
			}
		})
	}
}
