package rules

import (
	"slices"
	"testing"

	"espy/internal/resolve/corpus"
)

// TestIncludes holds that headers in a circle are all reached, and that the lines
// of each file are looked up once, however many files include it.
func TestIncludes(t *testing.T) {
	const headers, sources = 300, 1000
	looked := 0
	i := newIncludes(func(id corpus.FileID) []corpus.FileID {
		looked++
		if id < headers { // each includes the next, and the last one the first
			return []corpus.FileID{(id + 1) % headers, id}
		}
		return []corpus.FileID{id % headers}
	})
	for id := range corpus.FileID(headers + sources) {
		got := i.reachable(id)
		want := headers
		if id >= headers {
			want++
		}
		if len(got) != want || !slices.IsSorted(got) || !contains(got, id) || contains(got, headers+sources) {
			t.Fatalf("file %d reaches %d files, want %d", id, len(got), want)
		}
	}
	if looked != headers+sources {
		t.Errorf("the lines of %d files were looked up for %d files", looked, headers+sources)
	}
}
