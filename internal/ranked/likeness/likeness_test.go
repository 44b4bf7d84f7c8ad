package likeness

import "testing"

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		cosines []float64
		want    float64
	}{
		{nil, 0},
		{[]float64{.5}, .5},
		{[]float64{.25, .75}, .5},
		{[]float64{0, .25, .5, .75, 0}, .5},
		{[]float64{.75, .5, .25, 0, 0}, .5},
		{[]float64{-.5, -.25}, 0},
	} {
		var n nearest
		for _, c := range tt.cosines {
			n.add(c)
		}
		if got := n.mean(); got != tt.want {
			t.Errorf("mean of the nearest of %v: %v, want %v", tt.cosines, got, tt.want)
		}
	}
}
