package nearest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
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
		t.Run(fmt.Sprintf("%s to %s within %d", c.a, c.b, c.limit), func(t *testing.T) {
			t.Parallel()
			if got := NewTypos(c.a, c.limit).Distance([]byte(c.b)); got != c.want {
				t.Errorf("from the first: %d, want %d", got, c.want)
			}
			if got := NewTypos(c.b, c.limit).Distance([]byte(c.a)); got != c.want {
				t.Errorf("from the second: %d, want %d", got, c.want)
			}
		})
	}
}

// TestTyposAgree compares with the whole table of distances, name after name.
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
			want := min(table(a, b), limit+1)
			if got := typos.Distance([]byte(b)); got != want {
				t.Fatalf("NewTypos(%q, %d).Distance(%q) = %d, want %d", a, limit, b, got, want)
			}
		}
	}
}

// table is the distance by its definition: every prefix of a against every one of b.
func table(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
