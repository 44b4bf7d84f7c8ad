package ranked_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/ranked/past"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestCommits holds that commits whose messages speak of a question lead to the files that
// they changed, further where a change is asked for, and not that of a name; and that the
// answer to a report says where older ones were not read.
func TestCommits(t *testing.T) {
	const text = "package zz\n\n// Run runs the night shift.\nfunc Run() {}\n"
	snaps := []*store.Snapshot{sample.Repository(t, "go", map[string]string{
		"zz/lamp.go": text, "zz/shelf.go": text, "zz/shelf_test.go": text, "zz/b.go": text + "\n// The depot.\nvar n int\n",
	})}
	ask := func(t *testing.T, query string, commits past.Reader) (first string, notes []string) {
		q, err := search.Compile(hit.Request{Query: query, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		res, err := q.Run(t.Context(), snaps, search.Means{Past: commits})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range res.Notes {
			if strings.Contains(n, "commit") {
				notes = append(notes, n)
			}
		}
		sum := 0.0
		for _, c := range res.Hits[0].Explain {
			if c.Signal == "commits" {
				notes = append(notes, strings.Join(res.Hits[0].Why, ", "))
			}
			sum += c.Score
		}
		if math.Abs(1/(1+math.Exp(-sum))-res.Hits[0].Score) > 1e-9 {
			t.Errorf("the score %v is explained by %v", res.Hits[0].Score, res.Hits[0].Explain)
		}
		return res.Hits[0].Path, notes
	}
	log := func(n int, path string) past.Reader {
		steps := slices.Repeat([]git.Step{{Message: "count the crates", Paths: []string{"crates.go"}}}, n-1)
		steps = append([]git.Step{{Message: "start the night shift again after a restart of the router", Paths: []string{path}}}, steps...)
		return func(context.Context, string) (*past.Log, error) { return past.New(steps), nil }
	}
	const spoken = "commits about this changed it"
	for _, c := range []struct {
		name, query string
		commits     past.Reader
		first, note string
	}{
		{"lamp", complaint, log(past.MaxCommits, "zz/lamp.go"), "zz/lamp.go", ""},
		{"shelf", complaint, log(past.MaxCommits, "zz/shelf.go"), "zz/shelf.go", ""},
		{"a longer history", complaint, log(past.MaxCommits+1, "zz/lamp.go"), "zz/lamp.go", "the messages of the newest 3000 commits of go are evidence; older ones were not read"},
		{"a history that cannot be read to its end", complaint, func(context.Context, string) (*past.Log, error) {
			return past.Decode(past.Encode([]git.Step{{Message: "start the night shift again after a restart of the router", Paths: []string{"zz/lamp.go"}}}, past.Unread, nil))
		}, "zz/lamp.go", "the message of the newest commit of go is evidence; git could not read older ones"},
		{"commits of other files", complaint, log(past.MaxCommits+1, "gone.go"), "", ""},
		{"a question", "how does the night shift restart", log(past.MaxCommits+1, "zz/shelf.go"), "zz/shelf.go", spoken},
		{"another", "how does the night shift restart", log(past.MaxCommits+1, "zz/lamp.go"), "zz/lamp.go", spoken},
		{"its words say more", "how does the night shift of the depot start", log(past.MaxCommits+1, "zz/lamp.go"), "zz/b.go", ""},
		{"a change", "fix: start the night shift of the depot", log(past.MaxCommits+1, "zz/lamp.go"), "zz/lamp.go", spoken},
		{"tests", "how does the night shift restart", log(past.MaxCommits+1, "zz/shelf_test.go"), "", ""},
		{"tests asked for", "tests of the night shift restart", log(past.MaxCommits+1, "zz/shelf_test.go"), "zz/shelf_test.go", spoken},
		{"a name", "depot", log(past.MaxCommits+1, "zz/lamp.go"), "zz/b.go", ""},
		{"a question, unread", "how does the night shift restart", func(context.Context, string) (*past.Log, error) {
			return nil, errors.New("git's objects lie elsewhere")
		}, "", ""},
		{"unread", complaint, func(context.Context, string) (*past.Log, error) { return nil, errors.New("no time is left") }, "", "the commits of go were not looked at: no time is left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, notes := ask(t, c.query, c.commits)
			if c.first != "" && first != c.first {
				t.Errorf("first is %s, want %s", first, c.first)
			}
			if got := strings.Join(notes, "\n"); got != c.note {
				t.Errorf("notes %q, want %q", got, c.note)
			}
		})
	}
}

// TestChangeLog holds that a change log stands behind code where a change is asked for, and
// not where it is asked for itself or a question is about it.
func TestChangeLog(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "go", map[string]string{
		"CHANGELOG.md": "# Changelog\n\n## 1.2\n\n- Add the night shift to the depot\n- Fix the night shift of the depot at the night shift\n",
		"depot.go":     "package depot\n\n// Run runs the shift at night, in the depot, until the morning.\nfunc Run() {}\n",
		"history.go":   "package depot\n\n// History is of the night shift of the depot.\ntype History struct{}\n",
	})}
	for _, c := range []struct {
		query   string
		lowered bool
	}{
		{"add night shift to the depot", true},
		{"what is the night shift of the depot", false},
		{"fix the night shift of the depot in the changelog", false},
	} {
		res := searchtest.Must(t, snaps, hit.Request{Query: c.query, Explain: true})
		lowered := ""
		for _, h := range res.Hits {
			sum := 0.0
			for _, e := range h.Explain {
				sum += e.Score
				if e.Signal == "change log" {
					lowered += h.Path
				}
			}
			if math.Abs(1/(1+math.Exp(-sum))-h.Score) > 1e-9 {
				t.Errorf("%q: the score %v of %s is explained by %v", c.query, h.Score, h.Path, h.Explain)
			}
		}
		if lowered == "CHANGELOG.md" != c.lowered || lowered != "" && res.Hits[len(res.Hits)-1].Path != lowered {
			t.Errorf("%q lowers %q", c.query, lowered)
		}
	}
}
