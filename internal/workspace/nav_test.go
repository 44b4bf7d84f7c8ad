package workspace

import (
	"fmt"
	"sync"
	"testing"

	"espy/internal/filetest"
	"espy/internal/locate"
	"espy/internal/nav"
)

// TestSymbolsFollowEdits asks for references while files change, from several
// goroutines: the index of symbols that is kept between questions is never
// that of another state.
func TestSymbolsFollowEdits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := attach(t, open(t, t.TempDir()), dir)
	filetest.Write(t, dir, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc Called() {}\n"})
	total := func() int {
		found, _, err := r.References(t.Context(), nav.ReferencesRequest{Target: locate.Target{Name: "Called"}}, Wait{})
		if err != nil {
			t.Error(err)
			return -1
		}
		return found.Total
	}
	for n := range 6 {
		if n > 0 {
			filetest.Write(t, dir, map[string]string{fmt.Sprintf("b%d.go", n): fmt.Sprintf("package m\n\nfunc use%d() { Called() }\n", n)})
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if got := total(); got != n {
					t.Errorf("%d references after %d edits", got, n)
				}
			})
		}
		group.Wait()
		if n%2 == 1 {
			if _, err := r.Index(t.Context(), IndexOptions{}); err != nil { // committed: the next answer is of a generation
				t.Fatal(err)
			}
			if got := total(); got != n {
				t.Errorf("%d references after %d committed edits", got, n)
			}
			// Files that are very new are looked at twice, which may make a generation.
			eventually(t, "no index of symbols is kept between questions", func() bool {
				kept := keptIndex(t, r)
				return total() == n && kept != nil && keptIndex(t, r) == kept
			})
		}
	}
}

// keptIndex returns the index of symbols that is kept between questions, nil
// where the answer is an overlay, whose index is not.
func keptIndex(t *testing.T, r *Repo) *nav.Index {
	t.Helper()
	s := fresh(t, r)
	first, err := r.view.Symbols(s)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.view.Symbols(s); err != nil || again != first {
		return nil
	}
	return first
}
