package needle

import (
	"bytes"
	"math/rand"
	"testing"
)

// TestIndex compares with bytes.Index.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	text := func(parts string, most int) (s []byte) {
		for range rng.Intn(most) {
			s = append(s, parts[rng.Intn(len(parts))])
		}
		return s
	}
	for range 20000 {
		s, sep := text("aabb!", 300), append([]byte("a"), text("ab!", 5)...)
		n := New(sep)
		if got, want := n.Index(s), bytes.Index(s, sep); got != want {
			t.Fatalf("%q in %q: %d, want %d", sep, s, got, want)
		}
	}
}
