package worker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/structure"
)

// FuzzMatches holds that damaged matches are refused, and that whole ones come through.
func FuzzMatches(f *testing.F) {
	found := []structure.Match{{Start: 1, End: 9, Holes: []structure.Hole{{Name: "A", Start: 2, End: 3}, {Name: "B", Start: 4, End: 4}}}, {Start: 5, End: 5}}
	whole := encodeMatches(nil, found, true)
	if got, all, err := decodeMatches(whole, 9); err != nil || !all || !cmp.Equal(got, found) {
		f.Fatalf("%v, %v, %v", got, all, err)
	}
	f.Add(whole)
	f.Add(whole[:5])
	f.Add([]byte{1, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, b []byte) {
		const size = 9
		found, _, err := decodeMatches(b, size)
		if err != nil {
			return
		}
		for _, m := range found {
			if m.Start > m.End || m.End > size {
				t.Errorf("a match of %d-%d in %d bytes", m.Start, m.End, size)
			}
		}
	})
}
