package semantic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/store"
	"espy/internal/usage"
)

var model = &embeddingtest.Words{Same: [][]string{{"delete", "remove", "erase"}, {"fetch", "download", "get"}}}

// ask answers a request in mode semantic.
func ask(t *testing.T, snaps []*store.Snapshot, req hit.Request) *hit.Result {
	t.Helper()
	res, err := try(t.Context(), snaps, req, embedding.Models{Local: model})
	if err != nil {
		t.Fatal(err)
	}
	res.Duration = 0
	return res
}

func try(ctx context.Context, snaps []*store.Snapshot, req hit.Request, models embedding.Models) (*hit.Result, error) {
	req.Mode = hit.ModeSemantic
	q, err := search.Compile(req)
	if err != nil {
		return nil, err
	}
	return q.Run(ctx, snaps, search.Means{Models: models})
}

// paths are those of the hits, in order.
func paths(res *hit.Result) string {
	var all []string
	for _, h := range res.Hits {
		all = append(all, h.Path)
	}
	return strings.Join(all, " ")
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

// zoo has files of several kinds, all about the same.
func zoo(t *testing.T) []*store.Snapshot {
	t.Helper()
	files := map[string]string{}
	for _, path := range []string{
		"README.md", "cage.go", "cage_test.go", "sub/keeper.py", "sub/test_keeper.py", "vendor/x/lib.go", "web/app.ts", "other.go",
	} {
		files[path] = "feed the zebra at noon\n"
	}
	files["other.go"] = "package other\n\nfunc paint() {}\n"
	return []*store.Snapshot{sample.WithVectors(t, sample.Repository(t, "zoo", files), model)}
}

// TestFilters holds that filters are part of the scan: what passes is found
// however far behind it stands.
func TestFilters(t *testing.T) {
	snaps := zoo(t)
	for _, c := range []struct {
		query string
		req   hit.Request
		want  string
		total int
	}{
		{"zebra", hit.Request{Limit: 2}, "cage.go sub/keeper.py", 7},
		{"zebra", hit.Request{Limit: 1, Languages: []string{"typescript"}}, "web/app.ts", 1},
		{"zebra", hit.Request{Limit: 1, Scope: code.ScopeDocs}, "README.md", 1},
		{"zebra", hit.Request{Limit: 1, Paths: []string{"vendor"}}, "vendor/x/lib.go", 1},
		{"zebra scope:deps", hit.Request{Limit: 1}, "vendor/x/lib.go", 1},
		{"zebra lang:python -path:test_*", hit.Request{}, "sub/keeper.py", 1},
		{"path:sub zebra repo:zoo", hit.Request{Scope: code.ScopeTest}, "sub/test_keeper.py", 1},
		{"zebra lang:go", hit.Request{Languages: []string{"!python"}, Scope: code.ScopeTest}, "cage_test.go", 1},
		{"zebra", hit.Request{Languages: []string{"java"}}, "", 0},
	} {
		t.Run(fmt.Sprint(c.query, c.req.Paths, c.req.Languages, c.req.Scope), func(t *testing.T) {
			c.req.Query = c.query
			res := ask(t, snaps, c.req)
			if paths(res) != c.want || res.Total != c.total || len(res.Notes) > 0 {
				t.Errorf("%q of %d, notes %q; want %q of %d", paths(res), res.Total, res.Notes, c.want, c.total)
			}
		})
	}
}

// TestKinds holds that files of a kind which seldom is meant have something
// against them, unless the question asks for them.
func TestKinds(t *testing.T) {
	snaps := zoo(t)
	for _, c := range []struct{ query, path, against string }{
		{"zebra", "cage.go", ""},
		{"zebra", "cage_test.go", "test"},
		{"tests of zebra", "cage_test.go", ""},
		{"zebra", "vendor/x/lib.go", "vendor"},
		{"zebra", "README.md", "docs prose"},
		{"documentation of zebra", "README.md", ""},
	} {
		t.Run(c.query+" "+c.path, func(t *testing.T) {
			for _, h := range ask(t, snaps, hit.Request{Query: c.query, Explain: true}).Hits {
				var against []string
				for _, x := range h.Explain[1:] {
					if x.Score < 0 {
						against = append(against, x.Signal)
					}
				}
				if got := strings.Join(against, " "); h.Path == c.path && got != c.against {
					t.Errorf("against it: %q, want %q", got, c.against)
				}
			}
		})
	}
}

// TestPages holds that pages are parts of one order.
func TestPages(t *testing.T) {
	snaps := zoo(t)
	all := ask(t, snaps, hit.Request{Query: "zebra", Limit: 100})
	var got []hit.Hit
	for offset := range all.Total + 2 {
		res := ask(t, snaps, hit.Request{Query: "zebra", Limit: 1, Offset: offset})
		got = append(got, res.Hits...)
		if res.Total != all.Total || res.Files != all.Total {
			t.Errorf("offset %d: %d of %d files, want %d", offset, res.Files, res.Total, all.Total)
		}
	}
	if diff := cmp.Diff(all.Hits, got); diff != "" {
		t.Errorf("(-whole +pages):\n%s", diff)
	}
}

// TestSpread holds that the answer is the same however files are spread over
// segments, and whatever dead files stand among them.
func TestSpread(t *testing.T) {
	files := sample.GoSources(t)
	some := map[string]string{}
	for path, text := range files {
		if strings.HasPrefix(path, "net/http/") {
			some[path] = text
		}
	}
	want := []*store.Snapshot{sample.WithVectors(t, searchtest.Spread(t, some, 1, false), model)}
	for _, n := range []int{2, 5} {
		snaps := []*store.Snapshot{sample.WithVectors(t, searchtest.Spread(t, some, n, true), model)}
		for _, query := range []string{"follow redirects of a response", "parse a cookie header", "close idle connections lang:go"} {
			t.Run(fmt.Sprint(n, " ", query), func(t *testing.T) {
				req := hit.Request{Query: query, Limit: 30, Explain: true}
				if diff := cmp.Diff(ask(t, want, req), ask(t, snaps, req)); diff != "" {
					t.Errorf("(-one segment +%d):\n%s", n, diff)
				}
			})
		}
	}
}

// TestExplain holds that the parts of a score add up to it, and that scores lie
// between 0 and 1 and do not rise.
func TestExplain(t *testing.T) {
	res := ask(t, zoo(t), hit.Request{Query: "zebra at noon", Explain: true, Limit: 100})
	last := 1.0
	for _, h := range res.Hits {
		t.Run(h.Path, func(t *testing.T) {
			sum := 0.0
			for _, c := range h.Explain {
				sum += c.Score
			}
			if h.Explain[0].Signal != "cosine" || rank.Logistic(sum)-h.Score > 1e-12 || h.Score-rank.Logistic(sum) > 1e-12 {
				t.Errorf("score %v of %+v", h.Score, h.Explain)
			}
			if h.Score <= 0 || h.Score > last {
				t.Errorf("score %v behind %v", h.Score, last)
			}
			last = h.Score
		})
	}
}

// TestNotes holds that an answer tells what it could not compare.
func TestNotes(t *testing.T) {
	files := map[string]string{"a.go": "package a\n", "b.go": "package b\n", "empty.go": ""}
	none := sample.Repository(t, "none", files)
	half := sample.WithVectors(t, sample.Repository(t, "half", map[string]string{"c.go": "package c\n"}), model)
	half.Segments = append(half.Segments, sample.Repository(t, "half", files).Segments...)
	for _, c := range []struct {
		name  string
		query string
		snaps []*store.Snapshot
		total int
		want  string
	}{
		{"nothing", "package", []*store.Snapshot{none}, 0, "no file has been embedded yet"},
		{"some", "package", []*store.Snapshot{half}, 1, "2 of 3 files have not been embedded yet"},
		{"unknown words", "12 + 34", []*store.Snapshot{half}, 0, "the model knows no word"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := ask(t, c.snaps, hit.Request{Query: c.query})
			if len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0], c.want) || res.Total != c.total || res.Model != "words" {
				t.Errorf("%d found by %q, notes %q; want %d and %q", res.Total, res.Model, res.Notes, c.total, c.want)
			}
		})
	}
}

// TestOtherModel holds that vectors of another model are as none.
func TestOtherModel(t *testing.T) {
	res, err := try(t.Context(), zoo(t), hit.Request{Query: "zebra"}, embedding.Models{Local: &embeddingtest.Words{Name: "other"}})
	if err != nil || len(res.Hits) > 0 || len(res.Notes) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestRefused(t *testing.T) {
	local := embedding.Models{Local: model}
	for _, c := range []struct {
		name   string
		req    hit.Request
		models embedding.Models
		want   string
	}{
		{"empty", hit.Request{Query: " "}, local, "query: empty"},
		{"filters alone", hit.Request{Query: "lang:go path:x"}, local, "query: empty"},
		{"no model", hit.Request{Query: "zebra"}, embedding.Models{}, "no model"},
		{"another repository", hit.Request{Query: "zebra repo:farm"}, local, "not among"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := try(t.Context(), zoo(t), c.req, c.models)
			if !errors.As(err, new(*usage.Error)) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestText holds that a question is text but for its filters: quotes, operators
// and prefixes that cannot be are words of it.
func TestText(t *testing.T) {
	snaps := zoo(t)
	want := ask(t, snaps, hit.Request{Query: "feed zebra"})
	for _, query := range []string{`"feed zebra`, "feed AND zebra", "(feed) -zebra", "feed:zebra", "feed   zebra lang:", "feed zebra path:"} {
		t.Run(query, func(t *testing.T) {
			got := ask(t, snaps, hit.Request{Query: query})
			if got.Total != want.Total || len(got.Notes) > 0 {
				t.Errorf("%d files, notes %q; want %d", got.Total, got.Notes, want.Total)
			}
		})
	}
}

// TestTime holds that an answer whose time is over says so, and that one nobody
// waits for is none.
func TestTime(t *testing.T) {
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	slow := &slow{Words: model}
	for name, m := range map[string]embedding.Model{"while it is embedded": model, "while files are compared": slow} {
		t.Run(name, func(t *testing.T) {
			if res, err := try(late, zoo(t), hit.Request{Query: "zebra"}, embedding.Models{Local: m}); err != nil || !res.Partial || len(res.Notes) != 1 {
				t.Errorf("%+v, %v; want a partial answer", res, err)
			}
		})
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := try(gone, zoo(t), hit.Request{Query: "zebra"}, embedding.Models{Local: slow}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v of a question that nobody waits for", err)
	}
}

// slow answers whatever the time.
type slow struct{ *embeddingtest.Words }

func (s *slow) Query(_ context.Context, text string) (embedding.Vector, error) {
	return s.Words.Query(context.Background(), text)
}
