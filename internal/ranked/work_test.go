package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestWork holds that files at hand rank before others that answer as well, that
// nothing else changes, and that the explanation says so.
func TestWork(t *testing.T) {
	body := "package shop\n\nfunc Price(basket int) int { return basket }\n"
	snaps := []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"a/price.go": body, "b/price.go": body, "c/price.go": body, "d/far.go": "package d\n",
	})}
	ask := func(w hit.Work) *hit.Result {
		return searchtest.Must(t, snaps, hit.Request{Query: "price of a basket", Detail: hit.DetailLocate, Explain: true, Work: w})
	}
	plain := ask(hit.Work{})
	for _, c := range []struct {
		name, first, signal string
		work                hit.Work
	}{
		{"nothing", "a/price.go", "", hit.Work{}},
		{"a file", "b/price.go", "worked on", hit.Work{Files: []string{"b/price.go"}}},
		{"a file beside", "c/price.go", "beside the work", hit.Work{Files: []string{"c/none.go"}}},
		{"changed last", "c/price.go", "recent", hit.Work{Recent: map[string]float64{"c/price.go": 1, "b/price.go": 0.5}}},
		{"changed often", "b/price.go", "churn", hit.Work{Churn: map[string]float64{"b/price.go": 1}}},
		{"no answer", "a/price.go", "", hit.Work{Files: []string{"d/far.go"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := ask(c.work)
			if res.Hits[0].Path != c.first || res.Total != plain.Total {
				t.Errorf("%s first of %d, want %s of %d", res.Hits[0].Path, res.Total, c.first, plain.Total)
			}
			for _, e := range res.Hits[0].Explain {
				if e.Signal == c.signal && e.Score > 0 {
					return
				}
			}
			if c.signal != "" {
				t.Errorf("%v lacks %s", res.Hits[0].Explain, c.signal)
			}
		})
	}
	t.Run("an unknown file is named", func(t *testing.T) {
		notes := strings.Join(ask(hit.Work{Files: []string{"a/price.go", "a/none.go"}}).Notes, "; ")
		if !strings.Contains(notes, "a/none.go") || strings.Contains(notes, "a/price.go") {
			t.Errorf("notes %q", notes)
		}
	})
}
