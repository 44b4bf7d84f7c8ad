package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFind finds numbers of every width, in blocks of any length.
func TestFind(t *testing.T) {
	for width := range 33 {
		for _, rows := range []int{1, 7, 127, 128, 300} {
			t.Run(fmt.Sprint(width, " bits, ", rows, " rows"), func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(width)))
				column := make([]uint32, rows)
				for i := range column {
					column[i] = uint32(random.Uint64() & (1<<width - 1))
					if i%3 == 0 {
						column[i] &= 3 // some are alike
					}
				}
				tab := New(make([]Head, 1), func(reason string) { t.Fatal(reason) })
				tab.Open(append(Append(nil, column), make([]byte, Padding)...), rows)
				for _, v := range append(slices.Clone(column), 0, 1, 1<<31, 1<<32-1) {
					var got, want []int
					tab.Find(0, v, func(i int) bool { got = append(got, i); return true })
					for i := range column {
						if column[i] == v {
							want = append(want, i)
						}
					}
					if !slices.Equal(got, want) {
						t.Fatalf("find %d: %v, want %v", v, got, want)
					}
				}
			})
		}
	}
}

// FuzzTable holds that tables of any numbers read back.
func FuzzTable(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(3), uint16(300))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 9}, uint8(0), uint16(128))
	f.Fuzz(func(t *testing.T, seed []byte, shift uint8, rows uint16) {
		columns := make([][]uint32, 3)
		for i := range int(rows%600) + 1 {
			v := uint32(i)
			if len(seed) > 0 {
				v = uint32(seed[i%len(seed)]) << (shift % 32) >> (i % 5)
				if i%37 == int(seed[0]%37) {
					v = ^v
				}
			}
			columns[0] = append(columns[0], v)
			columns[1] = append(columns[1], 7)
			columns[2] = append(columns[2], v%2*1000+uint32(i))
		}
		b := append(Append(nil, columns...), make([]byte, Padding)...)
		tab := New(make([]Head, len(columns)), func(reason string) { t.Fatal(reason) })
		tab.Open(b, len(columns[0]))
		for c := range columns {
			for i, want := range columns[c] {
				if got := tab.At(i, c); got != want {
					t.Fatalf("row %d column %d is %d, want %d", i, c, got, want)
				}
			}
		}
		want := columns[0][len(seed)%len(columns[0])]
		var got []int
		tab.Find(0, want, func(i int) bool { got = append(got, i); return true })
		for i, v := range columns[0] {
			if slices.Contains(got, i) != (v == want) {
				t.Fatalf("find(%d) = %v, row %d has %d", want, got, i, v)
			}
		}
	})
}
