// Package searchtest runs searches for the tests of the packages below search.
package searchtest

import (
	"maps"
	"slices"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
)

// Must answers a request or ends the test.
func Must(t testing.TB, snaps []*store.Snapshot, req hit.Request) *hit.Result {
	t.Helper()
	res, err := search.Search(t.Context(), snaps, req, search.Means{})
	if err != nil {
		t.Fatalf("Search(%+v): %v", req, err)
	}
	return res
}

// Spread deals files out to n segments and adds dead versions of some of them to others if outdated is set.
func Spread(t testing.TB, files map[string]string, n int, outdated bool) *store.Snapshot {
	t.Helper()
	parts := make([]map[string]string, n)
	for i := range parts {
		parts[i] = map[string]string{}
	}
	dead := make([][]string, n)
	for i, p := range slices.Sorted(maps.Keys(files)) {
		parts[i*i%n][p] = files[p]
		if other := (i*i + 1) % n; outdated && i%3 == 0 && other != i*i%n {
			parts[other][p] = "package old // redirect cookie ServeMux\n\ntype ServeMux int\n\nfunc parse() {}\n"
			dead[other] = append(dead[other], p)
		}
	}
	s := sample.Repository(t, "go", parts...)
	for i, paths := range dead {
		l := &s.Segments[i].Live
		for _, p := range paths {
			if l.Live == nil {
				l.Live = segment.NewBitmap(l.NumFiles())
			}
			f, _ := l.FindPath(p)
			l.Live.Clear(f)
		}
	}
	return s
}
