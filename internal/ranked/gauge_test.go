package ranked_test

import (
	"math"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestSharesOfLanguageAndFolder holds what the files of an answer say of each
// other: the share of a file's language, and that of the others in its folder.
func TestSharesOfLanguageAndFolder(t *testing.T) {
	const text = "needle in the hay\n"
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{"a/x.go": text, "a/y.go": text, "b/z.py": text})}
	res := searchtest.Must(t, snaps, hit.Request{Query: "needle hay", Explain: true})
	value := map[string]float64{}
	for _, h := range res.Hits {
		for _, c := range h.Explain {
			value[h.Path+" "+c.Signal] = c.Value
		}
	}
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"all languages", value["a/x.go language"] + value["b/z.py language"], 1},
		{"files of one language", value["a/x.go language"], value["a/y.go language"]},
		{"others of a folder", value["a/x.go folder"] + value["a/y.go folder"], value["a/x.go language"]},
		{"alone in a folder", value["b/z.py folder"], 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if math.Abs(tt.got-tt.want) > 1e-6 || value["a/x.go folder"] <= 0 {
				t.Errorf("%v, want %v; all signals are %v", tt.got, tt.want, value)
			}
		})
	}
}
