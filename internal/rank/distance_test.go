package rank

import "testing"

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
