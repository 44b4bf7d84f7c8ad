package rank

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"espy/internal/code"
)

func TestTypos(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"", "", 2, 0},
		{"", "ab", 2, 2},
		{"", "abc", 2, 3},
		{"server", "server", 2, 0},
		{"server", "server", 0, 0},
		{"server", "sever", 0, 1},
		{"server", "sever", 2, 1},
		{"server", "sevrer", 2, 1}, // swapped
		{"server", "zerber", 2, 2},
		{"server", "client", 2, 3},
		{"kitten", "sitting", 5, 3},
		{"ab", "ba", 1, 1},
	} {
		t.Run(fmt.Sprintf("%q to %q within %d", c.a, c.b, c.limit), func(t *testing.T) {
			if got := NewTypos(c.a, c.limit).Distance([]byte(c.b)); got != c.want {
				t.Errorf("NewTypos(%q, %d).Distance(%q) = %d, want %d", c.a, c.limit, c.b, got, c.want)
			}
			if got := NewTypos(c.b, c.limit).Distance([]byte(c.a)); got != c.want {
				t.Errorf("NewTypos(%q, %d).Distance(%q) = %d, want %d", c.b, c.limit, c.a, got, c.want)
			}
		})
	}
}

// TestTyposAgree compares with the distance of package code, which knows no
// limit, name after name.
func TestTyposAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "abcdeXYZ"[r.IntN(3+r.IntN(6))]
		}
		if r.IntN(10) == 0 {
			return strings.Repeat("long", 20) + string(b)
		}
		return string(b)
	}
	for range 1_000 {
		a, limit := word(), r.IntN(6)
		typos := NewTypos(a, limit)
		for range 50 {
			b := word()
			want := min(code.EditDistance(a, b), limit+1)
			if got := typos.Distance([]byte(b)); got != want {
				t.Fatalf("NewTypos(%q, %d).Distance(%q) = %d, want %d", a, limit, b, got, want)
			}
		}
	}
}
