package table

import (
	"slices"
	"testing"
)

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
