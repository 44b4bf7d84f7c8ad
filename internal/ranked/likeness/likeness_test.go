package likeness

import (
	"testing"

	"espy/internal/segment/vec"
)

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

func TestMemory(t *testing.T) {
	m := newMemory(10)
	key := func(n int) rowsKey { return rowsKey{chunks: n} }
	m.add(key(1), make([]vec.Row, 4))
	m.add(key(1), make([]vec.Row, 4)) // by two questions at once
	m.add(key(2), make([]vec.Row, 4))
	m.add(key(3), make([]vec.Row, 11)) // is too much
	m.get(key(1))
	m.add(key(4), nil)
	m.add(key(5), make([]vec.Row, 2)) // in place of 2
	for n, want := range map[int]bool{1: true, 2: false, 3: false, 4: true, 5: true} {
		if _, known := m.get(key(n)); known != want {
			t.Errorf("rows %d are remembered: %v, want %v", n, known, want)
		}
	}
	if m.rows != 7 {
		t.Errorf("%d rows are counted, want 7", m.rows)
	}
}
