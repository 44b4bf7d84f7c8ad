package lines_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
)

func TestHits(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{
		"a.go":     sample.GoFile,
		"notes.md": "# Install\n\nrun it\n\n## Use\n\nclose it\n",
	})
	for _, c := range []struct {
		req  hit.Request
		want []hit.Hit
	}{
		{hit.Request{Query: "open(name)", Mode: hit.ModeLiteral}, []hit.Hit{{
			Path: "a.go", StartLine: 10, EndLine: 10, Column: 3, Symbol: "Open", Kind: "func", SymbolLine: 4, Language: "go",
			Lines: []hit.Line{{Number: 10, Text: []byte("\t\topen(name)"), Matches: [][2]int{{2, 12}}}},
		}}},
		{hit.Request{Query: `^type (\w+)`, Mode: hit.ModeRegex, After: 2, Before: 1}, []hit.Hit{{
			Path: "a.go", StartLine: 14, EndLine: 14, Column: 1, Symbol: "Server", Kind: "struct", SymbolLine: 14, Language: "go",
			Lines: []hit.Line{
				{Number: 13, Text: nil, Matches: nil},
				{Number: 14, Text: []byte("type Server struct {"), Matches: [][2]int{{0, 11}}},
				{Number: 15, Text: []byte("\tName string"), Matches: nil},
				{Number: 16, Text: []byte("}"), Matches: nil},
			},
		}}},
		{hit.Request{Query: "Empty\n\t} else {\n\t\topen", Mode: hit.ModeLiteral}, []hit.Hit{{
			Path: "a.go", StartLine: 8, EndLine: 10, Column: 13, Symbol: "Open", Kind: "func", SymbolLine: 4, Language: "go",
			Lines: []hit.Line{
				{Number: 8, Text: []byte("\t\treturn errEmpty"), Matches: [][2]int{{12, 17}}},
				{Number: 9, Text: []byte("\t} else {"), Matches: [][2]int{{0, 9}}},
				{Number: 10, Text: []byte("\t\topen(name)"), Matches: [][2]int{{0, 6}}},
			},
		}}},
		{hit.Request{Query: "close it", Mode: hit.ModeLiteral, Detail: hit.DetailLocate}, []hit.Hit{{
			Path: "notes.md", StartLine: 7, EndLine: 7, Column: 1, Symbol: "Use", Kind: "heading", SymbolLine: 5, Language: "markdown", Class: code.ClassDocs,
		}}},
		{hit.Request{Query: "NAME", Mode: hit.ModeLiteral, IgnoreCase: true, Word: true, Detail: hit.DetailLocate, Limit: 2, Offset: 1}, []hit.Hit{
			{Path: "a.go", StartLine: 7, EndLine: 7, Column: 5, Symbol: "Open", Kind: "func", SymbolLine: 4, Language: "go"},
			{Path: "a.go", StartLine: 10, EndLine: 10, Column: 8, Symbol: "Open", Kind: "func", SymbolLine: 4, Language: "go"},
		}},
	} {
		t.Run(fmt.Sprintf("%s %q", c.req.Mode, c.req.Query), func(t *testing.T) {
			res := searchtest.Must(t, []*store.Snapshot{snap}, c.req)
			for i := range c.want {
				c.want[i].Repo = "demo"
			}
			for i := range res.Hits { // an empty line may have nil or empty text
				for j := range res.Hits[i].Lines {
					if l := &res.Hits[i].Lines[j]; len(l.Text) == 0 {
						l.Text = nil
					}
				}
			}
			if diff := cmp.Diff(c.want, res.Hits); diff != "" {
				t.Errorf("%+v: %s", c.req, diff)
			}
		})
	}
}

func TestFullDetailShowsTheChunk(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{"a.go": sample.GoFile})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "errEmpty\n", Mode: hit.ModeLiteral, Detail: hit.DetailFull})
	var chunk code.Chunk
	for i := range snap.Segments[0].NumChunks() {
		if c := snap.Segments[0].Chunk(i); c.StartLine <= 8 && 8 <= c.EndLine {
			chunk = c.Chunk
		}
	}
	lines := res.Hits[0].Lines
	if lines[0].Number != int(chunk.StartLine) || lines[len(lines)-1].Number != int(chunk.EndLine) {
		t.Fatalf("lines %d to %d, want the chunk's %d to %d", lines[0].Number, lines[len(lines)-1].Number, chunk.StartLine, chunk.EndLine)
	}
}

// TestOrder holds the order of hits and that it does not depend on how files
// are spread over segments, in which order snapshots come, or on paging.
func TestOrder(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{"b/b.go", "a/a.go", "a/a_test.go", "vendor/x/x.go", "docs/a.md", "c.go", "examples/e.go"} {
		files[p] = "needle\nhay\nneedle\n"
	}
	want := "a/a.go:1 a/a.go:3 b/b.go:1 b/b.go:3 c.go:1 c.go:3" +
		" a/a_test.go:1 a/a_test.go:3 docs/a.md:1 docs/a.md:3 examples/e.go:1 examples/e.go:3" +
		" vendor/x/x.go:1 vendor/x/x.go:3"
	spread := []map[string]string{{}, {}, {}}
	for i, p := range slices.Sorted(maps.Keys(files)) {
		spread[i%3][p] = files[p]
	}
	for _, snap := range []*store.Snapshot{sample.Repository(t, "r", files), sample.Repository(t, "r", spread...)} {
		snaps := []*store.Snapshot{snap}
		res := searchtest.Must(t, snaps, hit.Request{Query: "needle", Mode: hit.ModeLiteral})
		if got := sample.Places(res); got != want || res.Total != 14 || res.Files != 7 || res.Partial {
			t.Fatalf("%s (%d lines, %d files), want %s", got, res.Total, res.Files, want)
		}
		var pages []string
		for offset := 0; offset < res.Total; offset += 3 {
			page := searchtest.Must(t, snaps, hit.Request{Query: "needle", Mode: hit.ModeLiteral, Offset: offset, Limit: 3})
			if page.Total != 14 || len(page.Hits) != min(3, 14-offset) {
				t.Fatalf("page at %d: total %d, %d hits", offset, page.Total, len(page.Hits))
			}
			pages = append(pages, sample.Places(page))
		}
		if got := strings.Join(pages, " "); got != want {
			t.Fatalf("pages: %s, want %s", got, want)
		}
	}
	other := sample.Repository(t, "q", map[string]string{"z.go": "needle"})
	for _, snaps := range [][]*store.Snapshot{{sample.Repository(t, "r", files), other}, {other, sample.Repository(t, "r", files)}} {
		if got := sample.Places(searchtest.Must(t, snaps, hit.Request{Query: "needle", Mode: hit.ModeLiteral})); got != "z.go:1 "+want {
			t.Fatalf("two repositories: %s", got)
		}
	}
}

func TestDeadFilesAreNotFound(t *testing.T) {
	snap := sample.Repository(t, "r", map[string]string{"a.go": "needle", "b.go": "needle"})
	snap.Segments[0].Live.Live = segment.NewBitmap(2)
	snap.Segments[0].Live.Live.Clear(0)
	for _, mode := range []hit.Mode{hit.ModeLiteral, hit.ModeRegex} {
		res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "needle", Mode: mode})
		if sample.Places(res) != "b.go:1" || res.Total != 1 || res.Repos[0].Files != 1 {
			t.Fatalf("%s: %s, total %d, searched %d", mode, sample.Places(res), res.Total, res.Repos[0].Files)
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	long := strings.Repeat("é", 5000) + "needle" + strings.Repeat("日本", 5000)
	snap := sample.Repository(t, "r", map[string]string{"a.txt": long + "\n", "b.txt": strings.Repeat("x", 3000), "c.txt": "ab" + strings.Repeat("c", 2000)})
	found := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "needle", Mode: hit.ModeLiteral}).Hits[0]
	l := found.Lines[0]
	if len(l.Text) > hit.MaxLineBytes || len(l.Text) < hit.MaxLineBytes-4 || !bytes.Equal(bytes.ToValidUTF8(l.Text, nil), l.Text) {
		t.Errorf("line of %d bytes %q", len(l.Text), l.Text)
	}
	if m := l.Matches[0]; string(l.Text[m[0]:m[1]]) != "needle" || found.Column != 10001 {
		t.Errorf("matches %v, column %d in %q", l.Matches, found.Column, l.Text)
	}
	l = searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "x+", Mode: hit.ModeRegex}).Hits[0].Lines[0]
	if len(l.Text) != hit.MaxLineBytes || fmt.Sprint(l.Matches) != "[[0 500]]" {
		t.Errorf("a match longer than the line shown: %d bytes, %v", len(l.Text), l.Matches)
	}
	l = searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "c$", Mode: hit.ModeRegex}).Hits[0].Lines[0]
	if fmt.Sprint(l.Matches) != "[[499 500]]" {
		t.Errorf("a match at the end: %v", l.Matches)
	}
}

func TestLineSearchLimits(t *testing.T) {
	snap := []*store.Snapshot{sample.Repository(t, "r", map[string]string{"a.go": strings.Repeat("a needle\n", 1000)})}
	var use *usage.Error
	for _, req := range []hit.Request{
		{Mode: hit.ModeLiteral},
		{Mode: hit.ModeLiteral, Query: strings.Repeat("a", hit.MaxQueryBytes+1)},
		{Mode: hit.ModeRegex, Query: strings.Repeat("a", 1001)},
		{Mode: hit.ModeRegex, Query: "a("},
	} {
		if _, err := search.Search(t.Context(), snap, req, search.Means{}); !errors.As(err, &use) || use.Hint == "" {
			t.Errorf("%s %.20q: %v, want a usage error with a hint", req.Mode, req.Query, err)
		}
	}
	res := searchtest.Must(t, snap, hit.Request{Mode: hit.ModeLiteral, Query: "needle", MaxTokens: 100})
	if len(res.Hits) == 0 || len(res.Hits) > 20 || res.Total != 1000 {
		t.Errorf("100 tokens: %d hits of %d", len(res.Hits), res.Total)
	}
	res = searchtest.Must(t, snap, hit.Request{Mode: hit.ModeLiteral, Query: "needle", MaxTokens: 1})
	if len(res.Hits) != 1 {
		t.Errorf("1 token: %d hits, want one", len(res.Hits))
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if res, err := search.Search(late, snap, hit.Request{Mode: hit.ModeRegex, Query: "needle"}, search.Means{}); err != nil || !res.Partial || len(res.Notes) == 0 {
		t.Errorf("after the deadline: %+v, %v, want a partial result with a note", res, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.Search(gone, snap, hit.Request{Mode: hit.ModeLiteral, Query: "needle"}, search.Means{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestDamagedPartsAreNoted(t *testing.T) {
	snap := sample.Repository(t, "r", map[string]string{"a.go": "needle"})
	snap.Damaged = []store.Damage{{Part: "x", Err: errors.New("part x is damaged")}}
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Mode: hit.ModeLiteral, Query: "needle"})
	if !res.Partial || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "part x is damaged") {
		t.Fatalf("partial %v, notes %q", res.Partial, res.Notes)
	}
}

// TestRegions holds that hits of a file of many regions are as those of one text.
func TestRegions(t *testing.T) {
	text, symbols := sample.BigFile()
	snap := sample.Repository(t, "r", map[string]string{"a.go": "package a // needle7", "big.go": text, "c.go": "needle7"})
	snaps := []*store.Snapshot{snap}
	lines := strings.Split(text, "\n")
	if n := snap.Segments[0].NumRegions(); n < 8 {
		t.Fatalf("only %d regions: the test proves nothing", n)
	}
	want := []string{"a.go:1:14 "}
	for i, l := range lines {
		if at := strings.Index(l, "needle7"); at >= 0 {
			want = append(want, fmt.Sprintf("big.go:%d:%d %s", i+1, at+1, symbols[i]))
		}
	}
	want = append(want, "c.go:1:1 ")
	pages := []int{1000, 100, 7, 1}
	if proof.Race {
		pages = pages[:2]
	}
	for _, req := range []hit.Request{
		{Query: "needle7", Mode: hit.ModeLiteral},
		{Query: "NEEDLE7", Mode: hit.ModeLiteral, IgnoreCase: true, Before: 1, After: 2},
		{Query: "needle7", Mode: hit.ModeLiteral, Detail: hit.DetailFull},
		{Query: `needle[7](\b|x)`, Mode: hit.ModeRegex, Detail: hit.DetailLocate},
		{Query: "needle7\\b", Mode: hit.ModeRegex, Word: true, After: 1},
	} {
		for _, page := range pages {
			var got []string
			for req.Offset = 0; req.Offset < len(want); req.Offset += page {
				req.Limit = page
				res := searchtest.Must(t, snaps, req)
				if res.Total != len(want) || res.Files != 3 {
					t.Fatalf("%+v: %d lines in %d files, want %d in 3", req, res.Total, res.Files, len(want))
				}
				for _, h := range res.Hits {
					got = append(got, fmt.Sprintf("%s:%d:%d %s", h.Path, h.StartLine, h.Column, h.Symbol))
					checkLines(t, h, lines, req)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%+v by %d (-want +got):\n%s", req, page, diff)
			}
		}
	}
}

// checkLines compares the shown lines of a hit in the big file with its text.
func checkLines(t *testing.T, h hit.Hit, lines []string, req hit.Request) {
	t.Helper()
	if h.Path != "big.go" || req.Detail == hit.DetailLocate {
		return
	}
	if req.Detail != hit.DetailFull && len(h.Lines) != 1+req.Before+req.After {
		t.Fatalf("%+v: hit on line %d has %d lines", req, h.StartLine, len(h.Lines))
	}
	for _, l := range h.Lines {
		if want := lines[l.Number-1]; len(want) <= hit.MaxLineBytes && string(l.Text) != want || !strings.Contains(want, string(l.Text)) {
			t.Fatalf("%+v: line %d is %q, want %q", req, l.Number, l.Text, want)
		}
	}
}

// TestLiteralAcrossRegions looks for texts round the ends of regions.
func TestLiteralAcrossRegions(t *testing.T) {
	text, _ := sample.BigFile()
	snap := sample.Repository(t, "r", map[string]string{"a.go": "x", "big.go": text, "c.go": ")\n\tcall"})
	r := snap.Segments[0].Reader
	for i := range r.NumRegions() {
		g := r.Region(i)
		if r.Path(g.File) != "big.go" || g.End == len(text) {
			continue
		}
		for _, c := range [][2]int{{1, 1}, {1, 2}, {2, 0}, {3, 9}, {12, 1}, {40, 60}} {
			query := text[g.End-c[0] : g.End+c[1]]
			want := 0
			for at := 0; at < len(text); { // lines that it starts on
				k := strings.Index(text[at:], query)
				if k < 0 {
					break
				}
				want++
				at += k + strings.IndexByte(text[at+k:], '\n') + 1
			}
			for _, fold := range []bool{false, true} {
				req := hit.Request{Query: query, Mode: hit.ModeLiteral, IgnoreCase: fold, Paths: []string{"big.go"}}
				if fold {
					req.Query = strings.ToUpper(query)
				}
				res := searchtest.Must(t, []*store.Snapshot{snap}, req)
				if res.Total != want || want == 0 {
					t.Errorf("%q round the end of region %d (fold %v): %d lines, want %d", query, i, fold, res.Total, want)
				}
			}
		}
	}
}
