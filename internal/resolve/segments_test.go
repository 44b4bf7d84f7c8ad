package resolve_test

import (
	order "cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestSegmentsDoNotMatter holds that the references of every symbol are the same
// in the same order, however the files are spread over segments.
func TestSegmentsDoNotMatter(t *testing.T) {
	forEachMarked(t, func(t *testing.T, _ string, m *marks) {
		want := allReferences(t, index(t, m.files))
		for _, n := range []int{2, 3} {
			if diff := cmp.Diff(want, allReferences(t, spread(t, m.files, n))); diff != "" {
				t.Errorf("in 1 segment and in %d (-1 +%d):\n%s", n, n, diff)
			}
		}
	})
}

// spread indexes files in n segments, of which the last has the first path.
func spread(t *testing.T, files map[string]string, n int) *corpus.Corpus {
	t.Helper()
	paths := slices.Sorted(maps.Keys(files))
	var parts []corpus.Part
	for i := range n {
		var own []string
		for k, p := range paths {
			if n-1-k%n == i {
				own = append(own, p)
			}
		}
		parts = append(parts, part(t, files, own))
	}
	return corpus.New(parts)
}

// allReferences lists the references of all symbols, one question for all.
func allReferences(t *testing.T, c *corpus.Corpus) []string {
	t.Helper()
	var all []string
	if err := segment.Guard(func() error {
		q := resolve.New(c).Ask()
		for id := range c.Files() {
			for i := range q.File(id).NumSymbols() {
				r := corpus.Ref{File: id, Index: int32(i)}
				for _, x := range q.References(q.Together(r)) {
					all = append(all, fmt.Sprintf("%s:%d %s: %s %d %d %s, %s", c.Path(id), q.Symbol(r).At, q.Symbol(r).Name,
						c.Path(x.File), x.Use, x.Symbol, x.Confidence, x.Reason))
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestUsesAreInOrder holds that uses and imports come by path and place, however
// the files are spread over segments: what is found first decides what is known
// when the next is looked at.
func TestUsesAreInOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 9 {
		files[fmt.Sprintf("m%d.py", i)] = "from m0 import run\nrun()\n\ndef run():\n    pass\n\nrun()\n"
	}
	for _, n := range []int{1, 2, 3, 9} {
		t.Run(fmt.Sprintf("%d segments", n), func(t *testing.T) {
			c := spread(t, files, n)
			if err := segment.Guard(func() error {
				read := c.Reader()
				var imports []corpus.Ref
				for m := range read.Imports("run") {
					imports = append(imports, m)
				}
				for name, all := range map[string][]corpus.Ref{"uses": read.Uses("run"), "imports": imports} {
					if len(all) < len(files) || !slices.IsSortedFunc(all, byFile) {
						t.Errorf("%s of run: %v", name, all)
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func byFile(a, b corpus.Ref) int {
	return order.Or(order.Compare(a.File, b.File), order.Compare(a.Index, b.Index))
}
