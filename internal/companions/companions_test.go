package companions_test

import (
	"fmt"
	"testing"

	"espy/internal/companions"
	"espy/internal/filter"
	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/past"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestOf holds which files are told beside a hit, and why.
func TestOf(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{"src/jar.c", "src/jar.h", "src/lid.c", "src/pot.c", "test/jar_test.c", "third_party/a.c", "docs/jar.md"} {
		files[p] = "x\n"
	}
	snaps := []*store.Snapshot{sample.Repository(t, "c", files)}
	times := func(n int, paths ...string) (all []git.Step) {
		for range n {
			all = append(all, git.Step{Paths: paths})
		}
		return all
	}
	many := []string{"src/jar.c", "src/lid.c"}
	for i := range 50 {
		many = append(many, fmt.Sprintf("gen/%d.c", i))
	}
	for name, tt := range map[string]struct {
		past  []git.Step
		next  []hit.Companion
		score float64 // of the hit
		paths []string
		want  string
	}{
		"often together":           {times(7, "src/jar.c", "src/lid.c"), nil, 1, nil, "[src/lid.c changes with src/jar.c: 7 of 7 commits 0.90]"},
		"once in many":             {append(times(1, "src/jar.c", "src/lid.c"), times(30, "src/jar.c")...), nil, 1, nil, "[]"},
		"an unsure hit":            {times(7, "src/jar.c", "src/lid.c"), nil, 0.05, nil, "[]"},
		"commits of many files":    {times(20, many...), nil, 1, nil, "[]"},
		"with its test":            {times(1, "src/jar.c", "test/jar_test.c"), nil, 1, nil, "[test/jar_test.c changes with src/jar.c: 1 of 1 commits, named like it 0.43]"},
		"what is gone":             {times(7, "src/jar.c", "src/gone.c"), nil, 1, nil, "[]"},
		"what a filter leaves out": {times(7, "src/jar.c", "src/lid.c"), nil, 1, []string{"docs/**"}, "[]"},
		"third-party":              {times(7, "src/jar.c", "third_party/a.c"), nil, 1, nil, "[]"},
		"the surer first":          {append(times(4, "src/jar.c", "src/lid.c"), times(2, "src/jar.c", "src/pot.c")...), nil, 1, nil, "[src/lid.c changes with src/jar.c: 4 of 6 commits 0.58 src/pot.c changes with src/jar.c: 2 of 6 commits 0.29]"},
		"by its words":             {nil, []hit.Companion{{Repo: snaps[0].Name, Path: "src/pot.c", Rank: 4, Score: 0.3}, {Repo: snaps[0].Name, Path: "src/lid.c", Rank: 5, Score: 0.01}}, 1, nil, "[src/pot.c file 4 by its words 0.30]"},
		"by both":                  {times(1, "src/jar.c", "src/pot.c"), []hit.Companion{{Repo: snaps[0].Name, Path: "src/pot.c", Rank: 4, Score: 0.3}}, 1, nil, "[src/pot.c file 4 by its words; changes with src/jar.c: 1 of 1 commits 0.53]"},
	} {
		t.Run(name, func(t *testing.T) {
			rules, err := filter.Compile(&hit.Request{Paths: tt.paths}, query.Filters{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := rules.Over(snaps)
			if err != nil {
				t.Fatal(err)
			}
			hits := []hit.Hit{{Repo: snaps[0].Name, Path: "src/jar.c", Score: tt.score}}
			all, err := companions.Of(f, &hit.Result{Hits: hits, Companions: tt.next}, func(string) *past.Log { return past.New(tt.past) })
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, c := range all {
				got = append(got, fmt.Sprintf("%s %s %.2f", c.Path, c.Reason(c.With), c.Score))
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("%v, want %s", got, tt.want)
			}
		})
	}
}
