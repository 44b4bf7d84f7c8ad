package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
	"espy/internal/hit"
)

// ranked is an answer in keyword mode.
func ranked() *hit.Result {
	return &hit.Result{
		Query: "where are ignore rules applied", Mode: hit.ModeKeyword, Detail: hit.DetailLines, Total: 57, Files: 57,
		Repos: []hit.Searched{fresh("espy", 3)}, Duration: 1234567 * time.Nanosecond,
		Hits: []hit.Hit{
			{Repo: "espy", Path: "internal/discover/ignore.go", StartLine: 40, EndLine: 72, Score: 12.5, Symbol: "Matcher", Kind: "type", Language: "go",
				Lines: []hit.Line{line(40, "// Matcher applies ignore rules."), line(41, "type Matcher struct {"), line(60, "\treturn m.rules")}, Cut: true},
			{Repo: "espy", Path: "third_party/ignore.js", StartLine: 1, EndLine: 1, Score: 3.25, Class: code.ClassVendor | code.ClassMinified, Stale: true,
				Lines: []hit.Line{line(1, "ignore=function(){}")}},
		},
		Notes: []string{"1 file could not be read: a.bin"},
	}
}

// accompanied is an answer with files beside the hits, reranked.
func accompanied() *hit.Result {
	res := ranked()
	res.Reranked = &hit.Reranked{Model: "bge-reranker-v2-m3", Host: "localhost:8080", Places: 14, Took: 184 * time.Millisecond}
	res.Companions = []hit.Companion{
		{Repo: "espy", Path: "internal/discover/walk.go", With: "internal/discover/ignore.go", Together: 14, Of: 20, Score: 0.6},
		{Repo: "espy", Path: "internal/ignore/gitignore.go", Rank: 4, Score: 0.5},
		{Repo: "espy", Path: "internal/discover/ignore_test.go", With: "internal/discover/ignore.go", Together: 9, Of: 20, Named: true, Score: 0.5},
	}
	return res
}

// TestCompanionsLeaveRoom holds that files beside the hits never take the room of one.
func TestCompanionsLeaveRoom(t *testing.T) {
	t.Parallel()
	all := Search{Result: accompanied()}
	plain := Search{Result: ranked()}
	plain.Reranked = all.Reranked
	whole := code.Tokens(len(all.Text(Options{MaxTokens: 1000})))
	for tokens := whole - 40; tokens <= whole; tokens += 8 {
		t.Run(fmt.Sprint(tokens), func(t *testing.T) {
			o := Options{MaxTokens: tokens}
			text, hits := all.text(o)
			if _, want := plain.text(o); hits != want || code.Tokens(len(text)) > tokens {
				t.Errorf("%d hits in %d tokens, want %d", hits, code.Tokens(len(text)), want)
			}
			var v, w searchJSON
			for s, into := range map[*Search]*searchJSON{&all: &v, &plain: &w} {
				if err := json.Unmarshal(s.JSON(o), into); err != nil {
					t.Fatal(err)
				}
			}
			if len(v.Hits) != len(w.Hits) {
				t.Errorf("%d hits in JSON, want %d", len(v.Hits), len(w.Hits))
			}
		})
	}
}

// matched is an answer in literal mode with context lines that overlap.
func matched() *hit.Result {
	return &hit.Result{
		Query: "Errorf(", Mode: hit.ModeLiteral, Detail: hit.DetailLines, Total: 7, Files: 2,
		Repos: []hit.Searched{fresh("espy", 3)},
		Hits: []hit.Hit{
			{Repo: "espy", Path: "a.go", StartLine: 10, EndLine: 10, Column: 6, Symbol: "Run", Kind: "func", Lines: []hit.Line{line(9, "\tif err != nil {"), line(10, "\tfmt.Errorf(x)\r", [2]int{5, 12}), line(11, "\t}")}},
			{Repo: "espy", Path: "a.go", StartLine: 12, EndLine: 12, Column: 2, Symbol: "Run", Kind: "func", Lines: []hit.Line{line(11, "\t}"), line(12, "\tErrorf(1); Errorf(2)", [2]int{1, 8}, [2]int{12, 19}), line(13, "}")}},
			{Repo: "espy", Path: "a.go", StartLine: 30, EndLine: 30, Column: 1, Symbol: "Stop", Kind: "method", Lines: []hit.Line{line(30, "Errorf(\x1b[31m\u202e)", [2]int{0, 7})}},
			{Repo: "espy", Path: "a.go", StartLine: 40, EndLine: 40, Column: 6, Symbol: "Errorf", Kind: "func", SymbolLine: 40, Lines: []hit.Line{line(40, "func Errorf() {", [2]int{5, 11})}},
			{Repo: "espy", Path: "a.go", StartLine: 41, EndLine: 41, Column: 6, Symbol: "Errorf", Kind: "func", Lines: []hit.Line{line(41, "\tErr()")}},
			{Repo: "espy", Path: "odd\nname.go", StartLine: 1, EndLine: 1, Column: 1, Lines: []hit.Line{line(1, "Errorf(", [2]int{0, 7})}},
		},
	}
}

// nothing is an answer without a hit.
func nothing(mode hit.Mode) *hit.Result {
	return &hit.Result{Query: "fooBarr", Mode: mode, Detail: hit.DetailLines, Repos: []hit.Searched{fresh("espy", 3)}}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	with := func(res *hit.Result, change func(*hit.Result)) *hit.Result {
		change(res)
		return res
	}
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
	for _, tt := range []struct {
		name string
		res  *hit.Result
		o    Options
	}{
		{"ranked", ranked(), Options{}},
		{"ranked_tools", ranked(), tools},
		{"ranked_locate", with(ranked(), func(r *hit.Result) { r.Detail = hit.DetailLocate }), tools},
		{"ranked_full", with(ranked(), func(r *hit.Result) { r.Detail = hit.DetailFull; r.Hits[0].Cut = false; r.Total = 2 }), tools},
		{"ranked_explain", with(ranked(), func(r *hit.Result) {
			r.Hits[0].Explain = []hit.Contribution{{Signal: "body", Value: 10.5, Score: 10.5}, {Signal: "test", Value: 1, Score: -0.7}}
		}), Options{}},
		{"ranked_called", with(ranked(), func(r *hit.Result) {
			for i := range r.Hits {
				h := &r.Hits[i]
				h.SymbolID, h.Calls = h.Path+"#"+h.Symbol, hit.Calls{Known: true, N: i + 3}
			}
		}), tools},
		{"ranked_companions", accompanied(), tools},
		{"ranked_page", with(ranked(), func(r *hit.Result) { r.Offset = 20 }), tools},
		{"ranked_repos", with(ranked(), func(r *hit.Result) {
			r.Repos = append(r.Repos, hit.Searched{Repo: "api", Freshness: code.Freshness{Generation: 9, PendingFiles: 2}})
			r.Hits[1].Repo = "api"
		}), tools},
		{"literal", matched(), tools},
		{"literal_color", matched(), Options{Color: true}},
		{"literal_locate", with(matched(), func(r *hit.Result) { r.Detail = hit.DetailLocate }), Options{}},
		{"literal_partial", with(matched(), func(r *hit.Result) {
			r.Partial = true
			r.Repos[0].Freshness = code.Freshness{Generation: 1, Partial: true, IndexedFiles: 100, TotalFiles: 4000}
			r.Notes = []string{"stopped after 2s"}
		}), tools},
		{"nothing_literal", nothing(hit.ModeLiteral), tools},
		{"nothing_literal_cli", nothing(hit.ModeLiteral), Options{}},
		{"nothing_keyword", with(nothing(hit.ModeKeyword), func(r *hit.Result) { r.Nearest = []string{"fooBar", "foo_baz"} }), tools},
		{"nothing_partial", with(nothing(hit.ModeKeyword), func(r *hit.Result) {
			r.Repos[0].Freshness = code.Freshness{Partial: true, IndexedFiles: 10, TotalFiles: 4000}
		}), tools},
		{"nothing_more", with(nothing(hit.ModeLiteral), func(r *hit.Result) { r.Total, r.Offset = 30, 30 }), tools},
	} {
		t.Run(tt.name, func(t *testing.T) { golden(t, "search_"+tt.name+".txt", Search{Result: tt.res}.Text(tt.o)) })
	}
	t.Run("nothing_filtered", func(t *testing.T) {
		a := Search{nothing(hit.ModeRegex), &hit.Request{Paths: []string{"net/**"}, Languages: []string{"go"}, Scope: code.ScopeTest}}
		golden(t, "search_nothing_filtered.txt", a.Text(Options{Calls: ToolCalls}))
	})
}

func TestSearchJSON(t *testing.T) {
	t.Parallel()
	explained := ranked()
	explained.Hits[0].SymbolID, explained.Hits[0].Calls = "internal/a.go#A.b", hit.Calls{Known: true, N: 3}
	explained.Hits[0].Explain = []hit.Contribution{{Signal: "body", Value: 10.5, Score: 10.5}}
	broken := matched()
	broken.Hits[5].Path = "bad\xff.go"
	for _, tt := range []struct {
		name string
		res  *hit.Result
	}{{"ranked", explained}, {"literal", broken}, {"nothing", nothing(hit.ModeRegex)}} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, "search_"+tt.name+".json", indent(t, Search{Result: tt.res}.JSON(Options{})))
		})
	}
}

// many is an answer of n hits in n files with about bytes of text each.
func many(n, bytes int) *hit.Result {
	res := &hit.Result{Query: "x", Mode: hit.ModeKeyword, Detail: hit.DetailFull, Total: 3 * n, Repos: []hit.Searched{fresh("espy", 1)}}
	for i := range n {
		res.Hits = append(res.Hits, hit.Hit{Repo: "espy", Path: fmt.Sprintf("dir/file%d.go", i), StartLine: 1, EndLine: 2,
			Lines: []hit.Line{line(1, strings.Repeat("é", bytes/4)), line(2, strings.Repeat("y", bytes/2))}})
	}
	return res
}

// TestSearchBound checks that no answer exceeds its bound, that it is cut
// between hits, and that header and cursor agree with what is shown.
func TestSearchBound(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 50} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, bytes := range []int{8, 400, 5_000, 100_000} {
				for _, bound := range []int{200, DefaultTokens, MaxTokens} {
					res := many(n, bytes)
					res.Notes = []string{strings.Repeat("n", 1000)}
					o := Options{Calls: ToolCalls, MaxTokens: bound, Cursor: func(n int) string { return fmt.Sprintf("page-%d", n) }}
					text, shown := Search{Result: res}.text(o)
					if got := code.Tokens(len(text)); got > bound {
						t.Errorf("%d hits of %d bytes: %d tokens, bound %d", n, bytes, got, bound)
					}
					if want := fmt.Sprintf("%d of %d files", shown, 3*n); !strings.HasPrefix(text, want) {
						t.Errorf("%d hits of %d bytes in %d tokens: header %.60q, want %q", n, bytes, bound, text, want)
					}
					if got := strings.Count(text, "dir/file"); got != shown+1 && got != shown { // and once in the next call
						t.Errorf("%d hits of %d bytes in %d tokens: %d paths, %d shown", n, bytes, bound, got, shown)
					}
					data, shown := Search{Result: res}.json(o)
					if got := code.Tokens(len(data)); got > bound && shown > 0 {
						t.Errorf("%d hits of %d bytes as JSON: %d tokens, bound %d", n, bytes, got, bound)
					}
					var v struct {
						Hits   []any
						Cursor string
					}
					if err := json.Unmarshal(data, &v); err != nil || len(v.Hits) != shown || shown > 0 && v.Cursor != fmt.Sprintf("page-%d", shown) {
						t.Errorf("JSON: %d hits, cursor %q, error %v, want %d hits", len(v.Hits), v.Cursor, err, shown)
					}
				}
			}
		})
	}
}

// TestSearchTokens checks that the header counts the tokens of the whole answer.
func TestSearchTokens(t *testing.T) {
	t.Parallel()
	for _, res := range []*hit.Result{ranked(), matched(), nothing(hit.ModeLiteral), many(20, 300)} {
		t.Run(fmt.Sprintf("%d hits in mode %s", len(res.Hits), res.Mode), func(t *testing.T) {
			text := Search{Result: res}.Text(Options{})
			if want := fmt.Sprintf(", %d tokens\n", code.Tokens(len(text))); !strings.Contains(text, want) {
				t.Errorf("header %q does not count %q", strings.SplitN(text, "\n", 2)[0], want)
			}
		})
	}
}

// TestSearchHarmless checks that nothing of a repository disturbs a terminal.
func TestSearchHarmless(t *testing.T) {
	t.Parallel()
	evil := "\x1b]0;x\x07\x1b[31m\x9b\u009b\u202e\r\x00"
	res := matched()
	res.Query, res.Notes, res.Nearest = evil, []string{evil}, []string{evil}
	for i := range res.Hits {
		res.Hits[i].Path, res.Hits[i].Symbol, res.Hits[i].Repo = evil+res.Hits[i].Path, evil, evil
		for j := range res.Hits[i].Lines {
			res.Hits[i].Lines[j].Text = []byte(evil)
		}
	}
	res.Repos[0].Repo = evil
	none := nothing(hit.ModeKeyword)
	none.Query, none.Notes, none.Nearest, none.Repos[0].Repo = evil, []string{evil}, []string{evil}, evil
	for _, r := range []*hit.Result{res, none} {
		t.Run(fmt.Sprintf("%d hits", len(r.Hits)), func(t *testing.T) {
			for _, mode := range hit.Modes {
				for _, o := range []Options{{}, {Calls: ToolCalls}} {
					r.Mode = mode
					text := Search{Result: r}.Text(o)
					if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && harmful(r) }); i >= 0 {
						t.Fatalf("mode %s: harmful character at %d: %q", mode, i, text)
					}
				}
			}
		})
	}
}
