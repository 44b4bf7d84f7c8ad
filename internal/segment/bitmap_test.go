package segment

import (
	"slices"
	"testing"
)

func TestBitmapOperations(t *testing.T) {
	of := func(numbers ...int) Bitmap {
		b := EmptyBitmap(130)
		for _, n := range numbers {
			b.Set(n)
		}
		return b
	}
	a, b := of(0, 1, 63, 64, 129), of(1, 2, 64, 128)
	for _, tt := range []struct {
		name string
		do   func(Bitmap)
		want []int
	}{
		{"And", func(x Bitmap) { x.And(b) }, []int{1, 64}},
		{"Or", func(x Bitmap) { x.Or(b) }, []int{0, 1, 2, 63, 64, 128, 129}},
		{"AndNot", func(x Bitmap) { x.AndNot(b) }, []int{0, 63, 129}},
		{"Clear", func(x Bitmap) { x.Clear(63) }, []int{0, 1, 64, 129}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := a.Clone()
			tt.do(x)
			if got := slices.Collect(x.All()); !slices.Equal(got, tt.want) || x.Count() != len(tt.want) {
				t.Errorf("holds %v, %d of them, want %v", got, x.Count(), tt.want)
			}
		})
	}
	t.Run("All stops", func(t *testing.T) {
		var got []int
		for n := range a.All() {
			if got = append(got, n); n == 63 {
				break
			}
		}
		if !slices.Equal(got, []int{0, 1, 63}) {
			t.Errorf("All yields %v up to 63", got)
		}
	})
	t.Run("empty", func(t *testing.T) {
		if e := EmptyBitmap(65); len(e) != 2 || e.Count() != 0 || e.Has(0) {
			t.Errorf("EmptyBitmap(65) = %v", e)
		}
	})
}
