package nearest

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	names := []string{"search", "status", "files", "read", "index", "Verify"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"serach", []string{"search"}},
		{"fil", []string{"files"}},
		{"verfy", []string{"Verify"}},
		{"sta", []string{"status"}},
		{"s", []string{"search", "status"}},
		{"zzzzzz", nil},
		{"", nil},
	} {
		t.Run(c.word, func(t *testing.T) {
			t.Parallel()
			if got := Of(c.word, names, 2); !slices.Equal(got, c.want) {
				t.Errorf("Of(%q) = %q, want %q", c.word, got, c.want)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "acb", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}} {
		t.Run(c.a+" to "+c.b, func(t *testing.T) {
			t.Parallel()
			if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != c.want {
				t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
			}
		})
	}
}
