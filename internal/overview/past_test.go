package overview

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/git"
)

// TestAuthors counts a commit once for each area that it touches, and no programs.
func TestAuthors(t *testing.T) {
	p := &past{}
	for _, c := range []struct {
		author string
		paths  []string
	}{
		{"Ada", []string{"a/x.go", "a/y.go", "a/deep/z.go"}},
		{"Bob", []string{"a/x.go", "b/x.go"}},
		{"Bob", []string{"a/x.go"}},
		{"Cyd", []string{"a/x.go", "b/y.go"}},
		{"Cyd", []string{"a/x.go"}},
		{"Cyd", []string{"a/x.go"}},
		{"helper[bot]", []string{"b/x.go", "top.go"}},
	} {
		p.touches = append(p.touches, git.Touch{Commit: git.Commit{Author: c.author}, Paths: c.paths})
	}
	got := p.authors(areaOf([]Area{{Path: "a/"}, {Path: "b/", Flat: true}}))
	if diff := cmp.Diff(map[string][]string{"a/": {"Cyd", "Bob"}, "b/": {"Bob", "Cyd"}}, got); diff != "" {
		t.Errorf("authors (-want +got):\n%s", diff)
	}
}
