package semantic_test

import (
	"fmt"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/store"
)

var model = &embeddingtest.Words{Same: [][]string{{"delete", "remove", "erase"}, {"fetch", "download", "get"}}}

// ask answers a request in mode semantic.
func ask(t *testing.T, snaps []*store.Snapshot, req hit.Request) *hit.Result {
	t.Helper()
	req.Mode = hit.ModeSemantic
	q, err := search.Compile(req)
	if err != nil {
		t.Fatal(err)
	}
	res, err := q.Run(t.Context(), snaps, embedding.Models{Local: model})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestFirst(t *testing.T) {
	snap := sample.WithVectors(t, sample.Repository(t, "shop", map[string]string{
		"cart.go":  "package cart\n\n// Erase takes an item out.\nfunc Erase(item string) {}\n",
		"pull.go":  "package pull\n\n// Download a page.\nfunc Download(page string) {}\n",
		"notes.md": "delete an item\n",
	}), model)
	for _, c := range []struct{ query, want string }{
		{"remove item", "cart.go:1-4 Erase"},
		{"fetch the page", "pull.go:1-4 Download"},
		{"remove item lang:markdown", "notes.md:1-1 "},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := ask(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Explain: true})
			if len(res.Hits) == 0 {
				t.Fatalf("%+v", res)
			}
			h := res.Hits[0]
			if got := fmt.Sprintf("%s:%d-%d %s", h.Path, h.StartLine, h.EndLine, h.Symbol); got != c.want {
				t.Errorf("first %s %v, want %s", got, h.Explain, c.want)
			}
		})
	}
}
