package rank

import (
	"math/rand/v2"
	"strings"
	"testing"

	"espy/internal/code"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 2, 0},
		{"", "ab", 2, 2},
		{"", "abc", 2, 3},
		{"server", "server", 2, 0},
		{"server", "sever", 2, 1},
		{"server", "sevrer", 2, 1}, // swapped
		{"server", "zerber", 2, 2},
		{"server", "client", 2, 3},
		{"kitten", "sitting", 5, 3},
		{"ab", "ba", 1, 1},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
		if got := Distance(c.b, c.a, c.limit); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.b, c.a, c.limit, got, c.want)
		}
	}
}

// TestDistanceAgrees compares with the distance of package code, which knows no limit.
func TestDistanceAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "abcdeXYZ"[r.IntN(8)]
		}
		return string(b)
	}
	for range 20_000 {
		a, b, limit := word(), word(), r.IntN(5)
		if r.IntN(10) == 0 {
			a, b = a+strings.Repeat("long", 20), strings.Repeat("long", 20)+b
		}
		want := min(code.EditDistance(a, b), limit+1)
		if got := Distance(a, b, limit); got != want {
			t.Fatalf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	}
}

// TestTypos holds that names in any order are as far as Distance says and that
// nothing near is hopeless.
func TestTypos(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = "abcd"[r.IntN(4)]
		}
		return string(b)
	}
	for range 300 {
		w, limit := word(), r.IntN(4)
		typos := NewTypos(w, limit)
		for range 100 {
			name := word()
			want := Distance(w, name, limit)
			other := word()
			if n := typos.Hopeless([]byte(other)); n > 0 && strings.HasPrefix(name, other[:n]) && want <= limit {
				t.Fatalf("NewTypos(%q, %d).Hopeless(%q) = %d, but %q is near", w, limit, other, n, name)
			}
			if got := typos.Distance([]byte(name)); got != want {
				t.Fatalf("NewTypos(%q, %d).Distance(%q) = %d, want %d", w, limit, name, got, want)
			}
		}
	}
}
