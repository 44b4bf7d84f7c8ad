package ranked_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestQuotes asks for messages with values in them, by what is quoted alone.
func TestQuotes(t *testing.T) {
	long := strings.Repeat("// one more line about shelves and items\n", 200)
	snap := []*store.Snapshot{sample.Repository(t, "shop", map[string]string{
		"take.go":   "package shop\n\n" + long + "func take() error {\n\treturn fmt.Errorf(\"cannot take %d items from shelf %q: only %d are left\", 1, 2, 3)\n}\n" + long,
		"left.go":   "package shop\n\n// items left: cannot take from shelf what is not there, only what is left\n" + strings.Repeat("var cannotTake, itemsLeft, shelfOnly int\n", 9),
		"twice.go":  "package shop\n\nvar a = \"the door of the shop is locked now\"\n",
		"twice2.go": "package shop\n\nvar b = \"the door of the shop is locked now\"\n",
	})}
	m := &rank.Model{}
	for kind := range m.Curves {
		m.Curves[kind][rank.Quoted] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, 1}}
	}
	for _, c := range []struct {
		name, query string
		want        string // path of the first hit
		line        int    // that it holds
		value       float64
	}{
		{"a message", `error: cannot take 5 items from shelf "left": only 2 are left`, "take.go", 204, 0.25},
		{"a prefix", "shop: only 17 are left", "left.go", 1, 0}, // too short
		{"lines", "2024 12 items from\nthe shelf: only are left behind", "left.go", 1, 0},
		{"two files", "shop: the door of the shop is locked now", "twice.go", 3, 1},
		{"a question", "how can I take items from shelf", "left.go", 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := searchtest.Must(t, snap, hit.Request{Query: c.query, Model: m, Explain: true})
			if len(res.Hits) == 0 {
				t.Fatal("nothing found")
			}
			h, value := res.Hits[0], 0.0
			for _, e := range h.Explain {
				if e.Signal == rank.Quoted.String() {
					value = e.Value
				}
			}
			if h.Path != c.want || c.line < h.StartLine || c.line > h.EndLine || value < c.value-1e-9 || value > c.value+1e-9 {
				t.Errorf("%s:%d-%d with %v first, want %s with line %d and %v", h.Path, h.StartLine, h.EndLine, value, c.want, c.line, c.value)
			}
		})
	}
}
