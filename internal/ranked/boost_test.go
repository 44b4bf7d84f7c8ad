package ranked_test

import (
	"fmt"
	"testing"

	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestBoost holds that a query which asks for tests does not demote them, unless
// ordinary files use the word as well.
func TestBoost(t *testing.T) {
	for _, c := range []struct {
		query string
		uses  int     // ordinary files of 8 that have the word
		want  float64 // what speaks against the test
	}{
		{"zebra", 0, 1},
		{"tests of zebra", 0, 0},
		{"tests of zebra", 1, 0.25},
		{"tests of zebra", 3, 0.75},
		{"tests of zebra", 4, 1},
		{"antelope tests", 0, 0},
		{"antelope tests", 4, 1},
	} {
		t.Run(fmt.Sprintf("%s, used in %d", c.query, c.uses), func(t *testing.T) {
			files := map[string]string{
				"zoo_test.go": "package zoo\n\n// zebra antelope\n",
				"README.md":   "test test\n", // not ordinary, as is the next
				"vendor/a.go": "package a // test\n",
			}
			for i := range 8 {
				text := "package zoo\n"
				if i < c.uses {
					text += "\n// test\n"
				}
				files[fmt.Sprintf("f%d.go", i)] = text
			}
			snap := sample.Repository(t, "zoo", files)
			res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Explain: true, Limit: 20})
			found, got := false, 0.0
			for _, h := range res.Hits {
				found = found || h.Path == "zoo_test.go"
				for _, e := range h.Explain {
					if h.Path == "zoo_test.go" && e.Signal == rank.Test.String() {
						got = e.Value
					}
				}
			}
			if !found || got != c.want {
				t.Errorf("found %v with %v against it, want %v", found, got, c.want)
			}
		})
	}
}
