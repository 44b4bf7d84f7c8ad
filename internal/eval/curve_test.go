package eval

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/seen"
)

func TestCurve(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", mice)
	questions := []Question{
		{ID: "1", Repo: "mice", Query: "Ripen", Targets: []Target{{Path: "src/cheese.go"}}},
		{ID: "2", Repo: "mice", Query: "where is the trap closed", Targets: []Target{{Path: "src/trap.go", Lines: [][2]int{{1, 1}}}}},
		{ID: "3", Repo: "mice", Query: "scope:nowhere trap", Targets: []Target{{Path: "README.md"}}},
	}
	// One line of the first hit, where there is room for it.
	one := func(res *hit.Result, _ *hit.Request, maxTokens int) Written {
		w := Written{Tokens: maxTokens, Hits: 1}
		if maxTokens > 500 {
			w.Lines = []seen.File{{Path: res.Hits[0].Path, Runs: []seen.Run{{First: 4, Last: 4}}}}
		}
		return w
	}
	run := evaluateIn(t, Options{Questions: questions, Corpora: corpora, Write: one})
	for i, p := range run.Curve() {
		lines := 0.0
		if p.Budget > 500 {
			lines = 0.5
		}
		if p.Budget != budgets[i] || p.Files < 0.66 || p.Files > 0.67 || p.Known != 2 || p.Lines != lines {
			t.Errorf("within %d: %+v", budgets[i], p)
		}
	}
}
