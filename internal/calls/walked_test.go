package calls

import (
	"fmt"
	"slices"
	"testing"

	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// TestWalked holds that a graph of calls has all edges of calls, and none that is no
// call but those between what holds code.
func TestWalked(t *testing.T) {
	files := archive(t, "testdata/repo.txtar")
	files["dev.h"] = []byte("struct dev { int size; int (*open)(struct dev *); };\n#define DEPTH 3\n#define HAS_OPEN\nint dev_size(struct dev *d);\n")
	files["dev.c"] = []byte(`#include "dev.h"
static int opened(struct dev *d) { return d->size; }
int dev_size(struct dev *d)
{
	d->open = opened;
	d->size = DEPTH;
#ifdef HAS_OPEN
	d->open(d);
#endif
	return opened(d);
}
`)
	x := index(t, files)
	err := x.Run(func(a *locate.Ask) error {
		whole, calls := graph.New(a), graph.New(a)
		calls.Calls = true
		left := 0
		for id := range a.Corpus.Files() {
			nodes := []corpus.Ref{{File: id, Index: facts.None}}
			for i := range a.File(id).NumSymbols() {
				nodes = append(nodes, whole.Node(corpus.Ref{File: id, Index: int32(i)}))
			}
			for _, n := range nodes {
				all := whole.Out(n)
				want, got := runs(a, all), runs(a, calls.Out(n))
				if !slices.Equal(got, want) {
					t.Errorf("%s: calls %q, want %q", a.ID(n), got, want)
				}
				if whole.Unknown(n) != calls.Unknown(n) {
					t.Errorf("%s: %d calls are unknown, want %d", a.ID(n), calls.Unknown(n), whole.Unknown(n))
				}
				left += len(all) - len(calls.Out(n))
			}
		}
		if left <= 0 {
			t.Errorf("%d edges are left out, want some", left)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runs are the edges that are calls, a text each.
func runs(a *locate.Ask, edges []graph.Edge) (all []string) {
	for _, e := range edges {
		s := (*facts.Symbol)(nil)
		if e.To.Index != facts.None {
			s = a.Symbol(e.To)
		}
		if relation, ok := RelationOf(&e, s); ok {
			all = append(all, fmt.Sprintf("%s %s:%d %v %d of %d", relation, a.ID(e.To), e.Line, e.Confidence, e.Times, e.Among))
		}
	}
	return all
}
