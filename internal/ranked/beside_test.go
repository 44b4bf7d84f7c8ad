package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestSideBySide holds that of two files that say the same words as often the one stands
// first in which they stand side by side as in the question, whatever is between them
// there that says nothing, and that nothing else is said of it.
func TestSideBySide(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"a.go": "package r\n\n// The drain waits for all that the retry has before the queue is left.\nfunc one() {}\n\n// A retry of what a queue has, and a drain.\n",
		"b.go": "package r\n\n// The retry queue waits for all that it has before the drain is left.\nfunc two() {}\n\n// drainRetry of what it has, and a queue.\n",
	})}
	for query, want := range map[string]string{
		"retry queue":           "b.go",
		"queue retry":           "a.go",
		"a drain of each retry": "b.go",
		"who may retry a queue": "b.go",
	} {
		res := searchtest.Must(t, snaps, hit.Request{Query: query, Explain: true})
		if res.Hits[0].Path != want {
			t.Errorf("%q: hits %s, want %s first", query, sample.Places(res), want)
		}
	}
}

// TestSideBySideIsBounded holds that many words, and files that repeat them, are looked at
// up to a bound, and that files may be found though no word of the question stands in any.
func TestSideBySideIsBounded(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"a.go": "package r\n\nvar a = \"" + strings.Repeat("retry queue ", 20_000) + "\"\n",
		"b.go": "package r\n\nvar b = \"retry queue\"\n",
	})}
	for _, query := range []string{"retry queue", "(nothing here) OR NOT drain", strings.Repeat("retry queue ", 30), strings.Repeat("retry ", 60)} {
		if res := searchtest.Must(t, snaps, hit.Request{Query: query}); len(res.Hits) != 2 {
			t.Errorf("%q: hits %s, want both files", query, sample.Places(res))
		}
	}
}
