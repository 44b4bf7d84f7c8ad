package similar_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/similar"
	"espy/internal/store"
	"espy/internal/usage"
)

// retry is code that the files of the tests copy.
const retry = `func retry(attempts int, call func() error) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = call(); err == nil {
			return nil
		}
		time.Sleep(backoff(i))
	}
	return fmt.Errorf("gave up after %d attempts: %w", attempts, err)
}
`

// files hold copies of retry, and code that is none.
var files = map[string]string{
	"net/retry.go":      "package net\n\n// retry does it again.\n" + retry,
	"net/copy.go":       "package net\n\nvar x = 1\n\n" + strings.ReplaceAll(retry, "\t", "  ") + "\nfunc other() {}\n",
	"net/copy_test.go":  "package net\n\n" + strings.Replace(retry, "var err error", "var err error // the last", 1),
	"db/again.go":       "package db\n\n" + strings.NewReplacer("retry", "again", "attempts", "limit", "call", "work", "(i)", "(n)", "i :=", "n :=", "i <", "n <", "i++", "n++").Replace(retry),
	"db/logged.go":      "package db\n\n" + strings.Replace(retry, "\t\ttime.Sleep", "\t\tlog.Printf(\"attempt %d\", i)\n\t\ttime.Sleep", 1),
	"db/query.go":       "package db\n\nfunc query(db *sql.DB, text string) (rows *sql.Rows, err error) {\n\treturn db.Query(text, 1, 2, 3)\n}\n",
	"web/retry.ts":      "export function show(name: string): void {\n  console.log(name, name.length)\n}\n",
	"docs/retry.md":     "# Retry\n\n```go\n" + retry + "```\n",
	"vendor/a/retry.go": "package a\n\n" + retry,
}

// ask answers a request over the files.
func ask(t *testing.T, snap *store.Snapshot, req similar.Request) *similar.Result {
	t.Helper()
	q, err := similar.Compile(req)
	if err != nil {
		t.Fatal(err)
	}
	res, err := q.Run(t.Context(), snap, []*store.Snapshot{snap}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// places prints the hits of an answer with their grades.
func places(res *similar.Result) string {
	var out []string
	for i, h := range res.Hits {
		out = append(out, fmt.Sprintf("%s:%d-%d %s", h.Path, h.StartLine, h.EndLine, res.Likeness[i].Grade))
	}
	return strings.Join(out, ", ")
}

func TestSimilar(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", files))
	const edited = "db/logged.go:3-13 near, db/again.go:3-12 near"
	for _, c := range []struct {
		name string
		req  similar.Request
		want string
	}{
		{"a line of a definition", similar.Request{Place: &similar.Place{Path: "net/retry.go", First: 6, Last: 6}}, "docs/retry.md:4-13 same, net/copy.go:5-14 same, net/copy_test.go:3-12 same, vendor/a/retry.go:3-12 same, " + edited},
		{"a symbol", similar.Request{Place: &similar.Place{Path: "net/retry.go", Symbol: "retry"}, Request: hit.Request{Scope: code.ScopeTest}}, "net/copy_test.go:3-12 same"},
		{"lines", similar.Request{Place: &similar.Place{Path: "./net/retry.go", First: 6, Last: 11}, Request: hit.Request{Paths: []string{"net"}}}, "net/copy.go:7-12 same, net/copy_test.go:5-10 same"},
		{"the other end", similar.Request{Place: &similar.Place{Path: "db/again.go", First: 3, Last: 12}, Request: hit.Request{Paths: []string{"db"}}}, "db/logged.go:3-13 near"},
		{"a snippet", similar.Request{Snippet: retry, Request: hit.Request{Paths: []string{"net/**"}}}, "net/copy.go:5-14 same, net/copy_test.go:3-12 same, net/retry.go:4-13 same"},
		{"a snippet on one line", similar.Request{Snippet: strings.Join(strings.Fields(retry), " "), Request: hit.Request{Paths: []string{"db"}}}, edited},
		{"a few tokens", similar.Request{Snippet: "db.Query(text"}, "db/query.go:4-4 same"},
		{"a page", similar.Request{Snippet: retry, Request: hit.Request{Limit: 2, Offset: 6}}, "db/again.go:3-12 near"},
		{"another language", similar.Request{Snippet: retry, Request: hit.Request{Languages: []string{"ts"}}}, ""},
		{"nothing like it", similar.Request{Snippet: "while (true) { launch(missiles); }"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := places(ask(t, snap, c.req)); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAnswer(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", files))
	res := ask(t, snap, similar.Request{Place: &similar.Place{Path: "net/retry.go", First: 4, Last: 4}, Request: hit.Request{Paths: []string{"db"}}})
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"source", res.Of, similar.Source{Repo: "r", Path: "net/retry.go", First: 4, Last: 13, Symbol: "net/retry.go#retry", Tokens: 68}},
		{"totals", []int{res.Total, res.Same, res.Near, res.Files}, []int{2, 0, 2, 2}},
		{"all was compared", []bool{res.AtLeast, res.Cut, res.Partial}, []bool{false, false, false}},
		{"symbol", res.Hits[0].SymbolID, "db/logged.go#retry"},
		{"shared lines", res.Likeness[0].Shared, []similar.Shared{{First: 3, Last: 8, OwnFirst: 4, OwnLast: 9}, {First: 10, Last: 13, OwnFirst: 10, OwnLast: 13}}},
		{"lines that differ", sample.Shown(res.Hits[0].Lines), "9"},
		{"renamed lines", res.Likeness[1].Shared, []similar.Shared{
			{First: 3, Last: 3, OwnFirst: 4, OwnLast: 4, Renamed: true}, {First: 4, Last: 4, OwnFirst: 5, OwnLast: 5},
			{First: 5, Last: 6, OwnFirst: 6, OwnLast: 7, Renamed: true}, {First: 7, Last: 8, OwnFirst: 8, OwnLast: 9},
			{First: 9, Last: 12, OwnFirst: 10, OwnLast: 13, Renamed: true},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	if res.Hits[0].Score <= res.Hits[1].Score || res.Hits[0].Score >= 1 {
		t.Errorf("scores %v and %v", res.Hits[0].Score, res.Hits[1].Score)
	}
}

// TestSecrets holds that a key in a line that differs is not shown unless it is
// asked for.
func TestSecrets(t *testing.T) {
	key := "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	snap := sample.Repository(t, "r", map[string]string{"a.go": "package a\n\n" + strings.Replace(retry, "var err error", "var err error\n\ttoken := \""+key+"\"", 1)})
	for _, c := range []struct {
		all  bool
		want string
	}{{false, "\ttoken := \"[secret: github-pat]\""}, {true, "\ttoken := \"" + key + "\""}} {
		t.Run(fmt.Sprintf("show all %v", c.all), func(t *testing.T) {
			res := ask(t, snap, similar.Request{Snippet: retry, Request: hit.Request{ShowSecrets: c.all}})
			if len(res.Hits) != 1 || len(res.Hits[0].Lines) != 1 || string(res.Hits[0].Lines[0].Text) != c.want {
				t.Errorf("%+v, want the line %q", res.Hits, c.want)
			}
		})
	}
}

// TestSpread holds that an answer does not depend on how files are spread over
// segments, and which of them have dead versions.
func TestSpread(t *testing.T) {
	req := similar.Request{Snippet: retry}
	want := places(ask(t, sample.Repository(t, "r", files), req))
	for _, n := range []int{1, 2, 5} {
		t.Run(fmt.Sprintf("%d segments", n), func(t *testing.T) {
			if got := places(ask(t, searchtest.Spread(t, files, n, n > 1), req)); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

func TestRepositories(t *testing.T) {
	home := sample.Repository(t, "home", map[string]string{"a.go": "package a\n\n" + retry})
	other := sample.Repository(t, "other", map[string]string{"a.go": "package a\n\n" + retry})
	q, err := similar.Compile(similar.Request{Place: &similar.Place{Path: "a.go", First: 3, Last: 12}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		snaps []*store.Snapshot
		want  string
	}{
		{"its own", []*store.Snapshot{home}, ""},
		{"another", []*store.Snapshot{other}, "other"},
		{"both", []*store.Snapshot{home, other}, "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := q.Run(t.Context(), home, c.snaps, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range res.Hits {
				got = append(got, h.Repo)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("found in %q, want %q", got, c.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	snap := sample.Repository(t, "r", files)
	for _, c := range []struct {
		name string
		req  similar.Request
		want string // of the error and its hint
	}{
		{"nothing", similar.Request{}, "neither a snippet nor a place"},
		{"blank", similar.Request{Snippet: " \n\t"}, "neither a snippet nor a place"},
		{"both", similar.Request{Snippet: "a", Place: &similar.Place{Path: "net/retry.go"}}, "both a snippet and a place"},
		{"punctuation", similar.Request{Snippet: "}}}\n{("}, "only punctuation"},
		{"binary", similar.Request{Snippet: "a\x00b"}, "binary"},
		{"a megabyte", similar.Request{Snippet: strings.Repeat("x ", 1<<20)}, "more than the limit of 1048576"},
		{"lines backwards", similar.Request{Place: &similar.Place{Path: "net/retry.go", First: 9, Last: 3}}, "write net/retry.go:3-9"},
		{"lines past the end", similar.Request{Place: &similar.Place{Path: "net/retry.go", First: 900, Last: 901}}, "net/retry.go has 13 lines, not 900 (write net/retry.go:1-13)"},
		{"blank lines", similar.Request{Place: &similar.Place{Path: "net/retry.go", First: 2, Last: 3}}, "no code in net/retry.go:2-3"},
		{"no such file", similar.Request{Place: &similar.Place{Path: "net/retri.go"}}, "did you mean net/retry.go"},
		{"a file elsewhere", similar.Request{Place: &similar.Place{Path: "again.go"}}, "did you mean db/again.go"},
		{"outside", similar.Request{Place: &similar.Place{Path: "../x.go"}}, "no file ../x.go"},
		{"a folder", similar.Request{Place: &similar.Place{Path: "net"}}, "net is a folder"},
		{"no such symbol", similar.Request{Place: &similar.Place{Path: "net/retry.go", Symbol: "retri"}}, "did you mean net/retry.go#retry?"},
		{"scope", similar.Request{Snippet: "a", Request: hit.Request{Scope: "tests"}}, "unknown scope"},
		{"limit", similar.Request{Snippet: "a", Request: hit.Request{Limit: -1}}, "negative"},
		{"language", similar.Request{Snippet: "a", Request: hit.Request{Languages: []string{"pyhton"}}}, "did you mean python?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := similar.Compile(c.req)
			if err == nil {
				_, err = q.Run(t.Context(), snap, []*store.Snapshot{snap}, nil)
			}
			var refused *usage.Error
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want a usage error with %q", err, c.want)
			}
		})
	}
}

// TestLargeSnippets holds that code is compared up to a bound, which is said.
func TestLargeSnippets(t *testing.T) {
	snap := sample.Repository(t, "r", files)
	for _, c := range []struct {
		lines int
		note  string
	}{{300, ""}, {100_000, "only lines 1-2000 of 1-100000 are compared"}} {
		t.Run(fmt.Sprint(c.lines), func(t *testing.T) {
			res := ask(t, snap, similar.Request{Snippet: strings.Repeat("a = f()\n", c.lines)[:c.lines*8]})
			if got := strings.Join(res.Notes, "; "); !strings.HasPrefix(got, c.note) || (got == "") != (c.note == "") {
				t.Errorf("notes %q, want %q", got, c.note)
			}
		})
	}
}

func TestLate(t *testing.T) {
	snap := sample.Repository(t, "r", files)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	q, err := similar.Compile(similar.Request{Snippet: retry})
	if err != nil {
		t.Fatal(err)
	}
	res, err := q.Run(late, snap, []*store.Snapshot{snap}, nil)
	if err != nil || !res.Partial || !res.AtLeast || !res.Cut || len(res.Notes) == 0 {
		t.Errorf("%+v, error %v, want a partial answer that says so", res, err)
	}
}

func TestParsePlace(t *testing.T) {
	files := []string{"a.go", "a.go:10", "a#b.go", "new\nline.go"}
	for _, c := range []struct {
		text string
		want similar.Place
	}{
		{"a.go", similar.Place{Path: "a.go"}},
		{"a.go:3", similar.Place{Path: "a.go", First: 3, Last: 3}},
		{"a.go:3-5", similar.Place{Path: "a.go", First: 3, Last: 5}},
		{"a.go:3-", similar.Place{Path: "a.go", First: 3}},
		{"a.go:10", similar.Place{Path: "a.go:10"}},
		{"a.go:10:3", similar.Place{Path: "a.go", First: 10, Last: 10}},
		{"a.go#T.f", similar.Place{Path: "a.go", Symbol: "T.f"}},
		{"a#b.go", similar.Place{Path: "a#b.go"}},
		{"a#b.go#f", similar.Place{Path: "a#b.go", Symbol: "f"}},
		{"a#b.go:2", similar.Place{Path: "a#b.go", First: 2, Last: 2}},
		{`"new\nline.go":1-2`, similar.Place{Path: "new\nline.go", First: 1, Last: 2}},
		{"nope.go:7", similar.Place{Path: "nope.go", First: 7, Last: 7}},
		{"nope.go#f", similar.Place{Path: "nope.go", Symbol: "f"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := similar.ParsePlace(c.text, func(name string) bool {
				for _, f := range files {
					if f == name {
						return true
					}
				}
				return false
			})
			if diff := cmp.Diff(&c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
