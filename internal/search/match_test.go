package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/lang"
	outliner "espy/internal/outline"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
)

// partOf builds a segment of files, by path, and reads it back.
func partOf(t testing.TB, files map[string]string) *segment.Reader {
	t.Helper()
	b := segment.NewBuilder()
	for _, p := range slices.Sorted(maps.Keys(files)) {
		text := []byte(files[p])
		f := segment.File{Path: p, Size: int64(len(text)), Class: lang.Classify(p), Text: text}
		l := lang.Detect(p, text)
		if l != nil {
			f.Language = l.Name
		}
		outline := outliner.Parse(l, text)
		f.Definitions, f.Chunks = outline.Definitions, outline.Chunks
		if err := b.Add(&f); err != nil {
			t.Fatal(err)
		}
	}
	return readBack(t, b)
}

// readBack writes what a builder holds and opens it.
func readBack(t testing.TB, b *segment.Builder) *segment.Reader {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	r, err := segment.Open(out.Bytes(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// repository makes a snapshot of one segment per map of files.
func repository(t testing.TB, name string, parts ...map[string]string) *store.Snapshot {
	t.Helper()
	s := &store.Snapshot{Repo: code.RepoID(name), Name: name}
	for _, files := range parts {
		s.Segments = append(s.Segments, segment.Live{Reader: partOf(t, files)})
	}
	return s
}

func mustSearch(t testing.TB, snaps []*store.Snapshot, req Request) *Result {
	t.Helper()
	res, err := Search(t.Context(), snaps, req)
	if err != nil {
		t.Fatalf("Search(%+v): %v", req, err)
	}
	return res
}

// places prints hits as path:line.
func places(res *Result) string {
	var out []string
	for _, h := range res.Hits {
		out = append(out, fmt.Sprintf("%s:%d", h.Path, h.StartLine))
	}
	return strings.Join(out, " ")
}

const goFile = `package demo

// Open opens.
func Open(name string,
	more int,
) error {
	if name == "" {
		return errEmpty
	} else {
		open(name)
	}
}

type Server struct {
	Name string
}

func (s *Server) Close() error { return nil }

var errEmpty = errors.New("empty name")
`

func TestHits(t *testing.T) {
	snap := repository(t, "demo", map[string]string{
		"a.go":     goFile,
		"notes.md": "# Install\n\nrun it\n\n## Use\n\nclose it\n",
	})
	for _, c := range []struct {
		req  Request
		want []Hit
	}{
		{Request{Query: "open(name)", Mode: ModeLiteral}, []Hit{{
			Path: "a.go", StartLine: 10, EndLine: 10, Column: 3, Symbol: "Open", Kind: "func", Language: "go",
			Lines: []Line{{10, []byte("\t\topen(name)"), [][2]int{{2, 12}}}},
		}}},
		{Request{Query: `^type (\w+)`, Mode: ModeRegex, After: 2, Before: 1}, []Hit{{
			Path: "a.go", StartLine: 14, EndLine: 14, Column: 1, Symbol: "Server", Kind: "struct", Language: "go",
			Lines: []Line{
				{13, nil, nil},
				{14, []byte("type Server struct {"), [][2]int{{0, 11}}},
				{15, []byte("\tName string"), nil},
				{16, []byte("}"), nil},
			},
		}}},
		{Request{Query: "Empty\n\t} else {\n\t\topen", Mode: ModeLiteral}, []Hit{{
			Path: "a.go", StartLine: 8, EndLine: 10, Column: 13, Symbol: "Open", Kind: "func", Language: "go",
			Lines: []Line{
				{8, []byte("\t\treturn errEmpty"), [][2]int{{12, 17}}},
				{9, []byte("\t} else {"), [][2]int{{0, 9}}},
				{10, []byte("\t\topen(name)"), [][2]int{{0, 6}}},
			},
		}}},
		{Request{Query: "close it", Mode: ModeLiteral, Detail: DetailLocate}, []Hit{{
			Path: "notes.md", StartLine: 7, EndLine: 7, Column: 1, Symbol: "Use", Kind: "heading", Language: "markdown", Class: code.ClassDocs,
		}}},
		{Request{Query: "NAME", Mode: ModeLiteral, IgnoreCase: true, Word: true, Detail: DetailLocate, Limit: 2, Offset: 1}, []Hit{
			{Path: "a.go", StartLine: 7, EndLine: 7, Column: 5, Symbol: "Open", Kind: "func", Language: "go"},
			{Path: "a.go", StartLine: 10, EndLine: 10, Column: 8, Symbol: "Open", Kind: "func", Language: "go"},
		}},
	} {
		res := mustSearch(t, []*store.Snapshot{snap}, c.req)
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
	}
}

func TestFullDetailShowsTheChunk(t *testing.T) {
	snap := repository(t, "demo", map[string]string{"a.go": goFile})
	res := mustSearch(t, []*store.Snapshot{snap}, Request{Query: "errEmpty\n", Mode: ModeLiteral, Detail: DetailFull})
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
	for _, snap := range []*store.Snapshot{repository(t, "r", files), repository(t, "r", spread...)} {
		snaps := []*store.Snapshot{snap}
		res := mustSearch(t, snaps, Request{Query: "needle", Mode: ModeLiteral})
		if got := places(res); got != want || res.Total != 14 || res.Files != 7 || res.Partial {
			t.Fatalf("%s (%d lines, %d files), want %s", got, res.Total, res.Files, want)
		}
		var pages []string
		for offset := 0; offset < res.Total; offset += 3 {
			page := mustSearch(t, snaps, Request{Query: "needle", Mode: ModeLiteral, Offset: offset, Limit: 3})
			if page.Total != 14 || page.More() != (offset+3 < 14) {
				t.Fatalf("page at %d: total %d, more %v", offset, page.Total, page.More())
			}
			pages = append(pages, places(page))
		}
		if got := strings.Join(pages, " "); got != want {
			t.Fatalf("pages: %s, want %s", got, want)
		}
	}
	other := repository(t, "q", map[string]string{"z.go": "needle"})
	for _, snaps := range [][]*store.Snapshot{{repository(t, "r", files), other}, {other, repository(t, "r", files)}} {
		if got := places(mustSearch(t, snaps, Request{Query: "needle", Mode: ModeLiteral})); got != "z.go:1 "+want {
			t.Fatalf("two repositories: %s", got)
		}
	}
}

func TestDeadFilesAreNotFound(t *testing.T) {
	snap := repository(t, "r", map[string]string{"a.go": "needle", "b.go": "needle"})
	snap.Segments[0].Live = segment.NewBitmap(2)
	snap.Segments[0].Live.Clear(0)
	for _, mode := range []Mode{ModeLiteral, ModeRegex} {
		res := mustSearch(t, []*store.Snapshot{snap}, Request{Query: "needle", Mode: mode})
		if places(res) != "b.go:1" || res.Total != 1 || res.Repos[0].Files != 1 {
			t.Fatalf("%s: %s, total %d, searched %d", mode, places(res), res.Total, res.Repos[0].Files)
		}
	}
}

func TestLongLinesAreCut(t *testing.T) {
	long := strings.Repeat("é", 5000) + "needle" + strings.Repeat("日本", 5000)
	snap := repository(t, "r", map[string]string{"a.txt": long + "\n", "b.txt": strings.Repeat("x", 3000), "c.txt": "ab" + strings.Repeat("c", 2000)})
	hit := mustSearch(t, []*store.Snapshot{snap}, Request{Query: "needle", Mode: ModeLiteral}).Hits[0]
	l := hit.Lines[0]
	if len(l.Text) > MaxLineBytes || len(l.Text) < MaxLineBytes-4 || !bytes.Equal(bytes.ToValidUTF8(l.Text, nil), l.Text) {
		t.Errorf("line of %d bytes %q", len(l.Text), l.Text)
	}
	if m := l.Matches[0]; string(l.Text[m[0]:m[1]]) != "needle" || hit.Column != 10001 {
		t.Errorf("matches %v, column %d in %q", l.Matches, hit.Column, l.Text)
	}
	l = mustSearch(t, []*store.Snapshot{snap}, Request{Query: "x+", Mode: ModeRegex}).Hits[0].Lines[0]
	if len(l.Text) != MaxLineBytes || fmt.Sprint(l.Matches) != "[[0 500]]" {
		t.Errorf("a match longer than the line shown: %d bytes, %v", len(l.Text), l.Matches)
	}
	l = mustSearch(t, []*store.Snapshot{snap}, Request{Query: "c$", Mode: ModeRegex}).Hits[0].Lines[0]
	if fmt.Sprint(l.Matches) != "[[499 500]]" {
		t.Errorf("a match at the end: %v", l.Matches)
	}
}

func TestLineSearchLimits(t *testing.T) {
	snap := []*store.Snapshot{repository(t, "r", map[string]string{"a.go": strings.Repeat("a needle\n", 1000)})}
	var use *usage.Error
	for _, req := range []Request{
		{Mode: ModeLiteral},
		{Mode: ModeLiteral, Query: strings.Repeat("a", MaxQueryBytes+1)},
		{Mode: ModeRegex, Query: strings.Repeat("a", 1001)},
		{Mode: ModeRegex, Query: "a("},
	} {
		if _, err := Search(t.Context(), snap, req); !errors.As(err, &use) || use.Hint == "" {
			t.Errorf("%s %.20q: %v, want a usage error with a hint", req.Mode, req.Query, err)
		}
	}
	res := mustSearch(t, snap, Request{Mode: ModeLiteral, Query: "needle", MaxTokens: 100})
	if len(res.Hits) == 0 || len(res.Hits) > 20 || res.Total != 1000 || !res.More() {
		t.Errorf("100 tokens: %d hits of %d", len(res.Hits), res.Total)
	}
	res = mustSearch(t, snap, Request{Mode: ModeLiteral, Query: "needle", MaxTokens: 1})
	if len(res.Hits) != 1 {
		t.Errorf("1 token: %d hits, want one", len(res.Hits))
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if res, err := Search(late, snap, Request{Mode: ModeRegex, Query: "needle"}); err != nil || !res.Partial || len(res.Notes) == 0 {
		t.Errorf("after the deadline: %+v, %v, want a partial result with a note", res, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Search(gone, snap, Request{Mode: ModeLiteral, Query: "needle"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestDamagedPartsAreTold(t *testing.T) {
	snap := repository(t, "r", map[string]string{"a.go": "needle"})
	snap.Damaged = []store.Damage{{Part: "x", Err: errors.New("part x is damaged")}}
	res := mustSearch(t, []*store.Snapshot{snap}, Request{Mode: ModeLiteral, Query: "needle"})
	if !res.Partial || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "part x is damaged") {
		t.Fatalf("partial %v, notes %q", res.Partial, res.Notes)
	}
}

// TestSymbolOfLine asks for every line, and for some of them, of a text in
// pages of so many lines.
func TestSymbolOfLine(t *testing.T) {
	text := "class A:\n  def f(self):\n    x = 1\n    if x:\n\n      y()\n  z = 2\ntop()\ndef g(\n  a,\n):\n  pass\n"
	definitions := []code.Definition{{Name: "A", Kind: code.KindClass, Line: 1}, {Name: "f", Kind: code.KindMethod, Line: 2}, {Name: "g", Kind: code.KindFunc, Line: 9}}
	want := []string{"A", "f", "f", "f", "", "f", "A", "", "g", "g", "g", "g"}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	for size := 1; size <= len(lines); size++ {
		var pages []string
		for page := range slices.Chunk(lines, size) {
			pages = append(pages, strings.Join(page, ""))
		}
		for asked := range 1 << len(lines) {
			if asked >= 1<<6 && asked != 1<<len(lines)-1 && asked%37 != 0 {
				continue
			}
			o := &outline{definitions: definitions, number: 1}
			o.above = func(region int) ([]byte, int, error) { return []byte(pages[region]), 1 + region*size, nil }
			for i, line := range lines {
				if i%size == 0 {
					o.turn([]byte(pages[i/size]), i/size)
				}
				if asked>>i&1 == 0 {
					continue
				}
				start := len(strings.Join(lines[i/size*size:i], ""))
				d, err := o.at(i+1, start, start+len(strings.TrimSuffix(line, "\n")))
				got := ""
				if d != nil {
					got = d.Name
				}
				if got != want[i] || err != nil {
					t.Fatalf("pages of %d lines, lines %b: line %d %q is in %q, %v, want %q", size, asked, i+1, line, got, err, want[i])
				}
			}
		}
	}
}

// bigFile has functions of many lines, so that regions end within them, and a
// line longer than a region.
func bigFile() (text string, symbols []string) {
	var b strings.Builder
	line := func(symbol, format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		symbols = append(symbols, symbol)
	}
	line("", "package big")
	for i := range 6 {
		name := fmt.Sprintf("Func%d", i)
		line(name, "func %s() {", name)
		for k := range 900 {
			line(name, "\tcall%d(%d, needle%d)", k, i*k, k%50)
		}
		if i == 3 {
			line(name, "\tlong(needle7, %s)", strings.Repeat("1, ", 20_000))
		}
		line(name, "}")
		line("", "")
	}
	return b.String(), symbols
}

// TestRegions holds that hits of a file of many regions are as those of one text.
func TestRegions(t *testing.T) {
	text, symbols := bigFile()
	snap := repository(t, "r", map[string]string{"a.go": "package a // needle7", "big.go": text, "c.go": "needle7"})
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
	for _, req := range []Request{
		{Query: "needle7", Mode: ModeLiteral},
		{Query: "NEEDLE7", Mode: ModeLiteral, IgnoreCase: true, Before: 1, After: 2},
		{Query: "needle7", Mode: ModeLiteral, Detail: DetailFull},
		{Query: `needle[7](\b|x)`, Mode: ModeRegex, Detail: DetailLocate},
		{Query: "needle7\\b", Mode: ModeRegex, Word: true, After: 1},
	} {
		for _, page := range []int{1, 7, 100, 1000} {
			var got []string
			for req.Offset = 0; req.Offset < len(want); req.Offset += page {
				req.Limit = page
				res := mustSearch(t, snaps, req)
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
func checkLines(t *testing.T, h Hit, lines []string, req Request) {
	t.Helper()
	if h.Path != "big.go" || req.Detail == DetailLocate {
		return
	}
	if req.Detail != DetailFull && len(h.Lines) != 1+req.Before+req.After {
		t.Fatalf("%+v: hit on line %d has %d lines", req, h.StartLine, len(h.Lines))
	}
	for _, l := range h.Lines {
		if want := lines[l.Number-1]; len(want) <= MaxLineBytes && string(l.Text) != want || !strings.Contains(want, string(l.Text)) {
			t.Fatalf("%+v: line %d is %q, want %q", req, l.Number, l.Text, want)
		}
	}
}

// TestLiteralAcrossRegions looks for texts round the ends of regions.
func TestLiteralAcrossRegions(t *testing.T) {
	text, _ := bigFile()
	snap := repository(t, "r", map[string]string{"a.go": "x", "big.go": text, "c.go": ")\n\tcall"})
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
				req := Request{Query: query, Mode: ModeLiteral, IgnoreCase: fold, Paths: []string{"big.go"}}
				if fold {
					req.Query = strings.ToUpper(query)
				}
				res := mustSearch(t, []*store.Snapshot{snap}, req)
				if res.Total != want || want == 0 {
					t.Errorf("%q round the end of region %d (fold %v): %d lines, want %d", query, i, fold, res.Total, want)
				}
			}
		}
	}
}

func TestFilters(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{
		"net/http/server.go", "net/http/server_test.go", "net/dial.go", "vendor/golang.org/x/net/a.go",
		"README.md", "web/app.ts", "web/app.css", "internet/x.py",
	} {
		files[p] = "needle"
	}
	snap := repository(t, "r", files)
	for _, c := range []struct {
		paths, languages []string
		scope            code.Scope
		want             string
	}{
		{want: "internet/x.py net/dial.go net/http/server.go web/app.css web/app.ts README.md net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"net/**"}, want: "net/dial.go net/http/server.go net/http/server_test.go"},
		{paths: []string{"/net"}, want: "net/dial.go net/http/server.go net/http/server_test.go"},
		{paths: []string{"net"}, want: "net/dial.go net/http/server.go net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"net/"}, want: "net/dial.go net/http/server.go net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"dial.go/"}, want: ""},
		{paths: []string{"./net/http"}, want: "net/http/server.go net/http/server_test.go"},
		{paths: []string{"*_test.go"}, want: "net/http/server_test.go"},
		{paths: []string{"*.{ts,css}"}, want: "web/app.css web/app.ts"},
		{paths: []string{"net/*.go"}, want: "net/dial.go"},
		{paths: []string{"net/**", "!*_test.go", "!net/dial.go"}, want: "net/http/server.go"},
		{paths: []string{"!vendor", "!net", "!internet"}, want: "web/app.css web/app.ts README.md"},
		{languages: []string{"py", "typescript"}, want: "internet/x.py web/app.ts"},
		{languages: []string{"!go", "!css"}, want: "internet/x.py web/app.ts README.md"},
		{scope: code.ScopeTest, want: "net/http/server_test.go"},
		{scope: code.ScopeCode, paths: []string{"net"}, want: "net/dial.go net/http/server.go"},
		{scope: code.ScopeDeps, want: "vendor/golang.org/x/net/a.go"},
	} {
		req := Request{Query: "needle", Mode: ModeLiteral, Paths: c.paths, Languages: c.languages, Scope: c.scope}
		res := mustSearch(t, []*store.Snapshot{snap}, req)
		var got []string
		for _, h := range res.Hits {
			got = append(got, h.Path)
		}
		if strings.Join(got, " ") != c.want || res.Repos[0].Files != len(got) {
			t.Errorf("paths %q, languages %q, scope %q: %q of %d searched, want %q", c.paths, c.languages, c.scope, got, res.Repos[0].Files, c.want)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	snap := []*store.Snapshot{repository(t, "r", map[string]string{path.Join("a", "b.go"): "needle"})}
	for _, c := range []struct {
		req  Request
		want string
	}{
		{Request{Languages: []string{"pyhton"}}, `lang "pyhton": unknown language (did you mean python?)`},
		{Request{Languages: []string{"!nolang"}}, `lang "nolang": unknown language`},
		{Request{Paths: []string{"a["}}, `path "a[": malformed glob`},
		{Request{Paths: []string{"!"}}, `path: empty glob`},
		{Request{Paths: []string{strings.Repeat("*", 1001)}}, "the limit is 1000"},
		{Request{Scope: "tests"}, `scope "tests": unknown scope`},
	} {
		c.req.Query, c.req.Mode = "needle", ModeLiteral
		_, err := Search(t.Context(), snap, c.req)
		var use *usage.Error
		if !errors.As(err, &use) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.req, err, c.want)
		}
	}
}
