package ranked_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/proof"
	"espy/internal/rank"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
)

// sampleQueries has every kind of query.
var sampleQueries = []hit.Request{
	{Query: "how are redirects followed by the client"},
	{Query: "ServeMux"},
	{Query: "servemux"},
	{Query: "http.Server.ListenAndServe"},
	{Query: "tests of json decoding"},
	{Query: "net/url parse query escape"},
	{Query: "cookie AND (jar OR session) NOT test"},
	{Query: `"bad request" header`},
	{Query: `"connection reset"`},
	{Query: "symbol:Decoder buffer"},
	{Query: "write kind:interface,method"},
	{Query: "Decoder.Decode"},
	{Query: "Close"},
	{Query: "NOT func"},
	{Query: "parse -url path:net/**"},
	{Query: "read line", Paths: []string{"bufio/**"}},
	{Query: "mutex", Scope: code.ScopeTest},
	{Query: "", Paths: []string{"strings/*.go"}},
	{Query: "the of and"},
	{Query: "zzznothing"},
	{Query: "ServeMxu"},
	{Query: "symbol:ListenAnd"},
	{Query: "closeNotifier of a respnseWriter and its newReadr"},
	{Query: "write header body", Offset: 7, Limit: 5, MaxTokens: 200},
	{Query: "error value", Limit: 5000, Detail: hit.DetailLocate},
	{Query: "gob encode", Detail: hit.DetailFull},
	{Query: "http: wrote more than the declared Content-Length"},
	{Query: "panic: reflect: call of Value.Elem on a string value\n\tnet/http/server.go:2109 superfluous response.WriteHeader call"},
	{Query: "redirect", Mode: hit.ModeLiteral, IgnoreCase: true, Offset: 30, Limit: 90},
	{Query: `func \(\w+ \*?Decoder\) \w+`, Mode: hit.ModeRegex, Detail: hit.DetailLocate},
}

// answers runs all queries and prints what came out, times aside.
func answers(t *testing.T, snaps ...*store.Snapshot) string {
	t.Helper()
	var out strings.Builder
	for _, req := range sampleQueries {
		req.Explain = true
		res := searchtest.Must(t, snaps, req)
		res.Duration = 0
		text, err := json.MarshalIndent(res, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	return out.String()
}

func TestSegmentsDoNotShow(t *testing.T) {
	files := sample.GoSources(t)
	want := answers(t, sample.GoSnapshot(t)...)
	spreads := []struct {
		segments int
		dead     bool
	}{{7, true}, {2, false}}
	for _, c := range spreads[:proof.Rounds(len(spreads))] {
		t.Run(fmt.Sprintf("%d segments, dead files %v", c.segments, c.dead), func(t *testing.T) {
			got := answers(t, searchtest.Spread(t, files, c.segments, c.dead))
			if got != want {
				t.Errorf("%d segments, dead files %v: other answers than from one segment (-want +got)\n%s", c.segments, c.dead, firstDifference(want, got))
			}
		})
	}
}

func TestRepositoriesTogether(t *testing.T) {
	files := sample.GoSources(t)
	a, b := map[string]string{}, map[string]string{}
	for p, text := range files {
		if strings.HasPrefix(p, "net/") {
			a[p] = text
		} else {
			b[p] = text
		}
	}
	both := []*store.Snapshot{sample.Repository(t, "a", a), sample.Repository(t, "b", b)}
	want, got := answers(t, both...), answers(t, both...)
	if got != want {
		t.Errorf("the same query twice (-want +got)\n%s", firstDifference(want, got))
	}
	for _, c := range []struct{ query, want string }{
		{"ServeMux", "a"},
		{"gob decoder", "b"},
		{"decode repo:a", "a"},
		{"decode repo:b", "b"},
		{"decode NOT gob", "b"},
		{"decode NOT (json OR xml OR gob OR hex) repo:a", "a"},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, both, hit.Request{Query: c.query, Limit: 1})
			if len(res.Hits) != 1 || res.Hits[0].Repo != c.want {
				t.Errorf("%q: first hit %v, want one in %s", c.query, sample.Places(res), c.want)
			}
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			from := max(0, i-12)
			return cmp.Diff(w[from:min(i+3, len(w))], g[from:min(i+3, len(g))])
		}
	}
	return fmt.Sprintf("%d lines, then %d lines", len(w), len(g))
}

func TestFirstHit(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	for _, c := range []struct{ query, want, symbol string }{
		{"ServeMux", "net/http/server.go", "ServeMux"},
		{"servemux", "net/http/servemux121.go", ""},
		{"cookie jar", "net/http/cookiejar/jar.go", ""},
		{"http/cookiejar/punycode.go", "net/http/cookiejar/punycode.go", ""},
		{"how is a percent encoded url parsed", "net/url/url.go", ""},
		{"DrainBody", "net/http/httputil/dump.go", ""},
		{"csv reader", "encoding/csv/reader.go", ""},
		{"tests of the csv reader", "encoding/csv/reader_test.go", ""},
		{"symbol:NewReplacer", "strings/replace.go", "NewReplacer"},
		{"WaitGroup", "sync/waitgroup.go", "WaitGroup"},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: c.query})
			if len(res.Hits) == 0 {
				t.Fatalf("nothing found, want %s", c.want)
			}
			if h := res.Hits[0]; h.Path != c.want || c.symbol != "" && h.Symbol != c.symbol {
				t.Errorf("%s (symbol %q), want %s (%q) first", sample.Places(res), h.Symbol, c.want, c.symbol)
			}
			for i := 1; i < len(res.Hits); i++ {
				if res.Hits[i].Score > res.Hits[i-1].Score {
					t.Errorf("hit %d has a higher score than the one before", i)
				}
			}
		})
	}
}

// TestGeneratedBehindSource holds that what a program wrote comes behind what it was
// made of, wherever its name stands, and that it comes first where the source says nothing.
func TestGeneratedBehindSource(t *testing.T) {
	const rule = "token string starts a quote and ends it\n"
	made := "/* A lexical scanner generated by flex */\n" + strings.Repeat("/* "+strings.TrimSpace(rule)+" */\nint yy_token_string(void);\n", 3)
	snaps := []*store.Snapshot{sample.Repository(t, "scan", map[string]string{
		"src/lexer.l": "%%\n" + rule + "%%\nand a quote in a quote is a token of the string too\n", "src/lexer.c": made,
		"src/other.c": "int other(void) { return 0; }\n",
		"lib/deep.c":  "/* Generated by re2c 3.0 */\nint shelf_of_states;\n", "lib/deep.re": "int unrelated;\n",
	})}
	for query, want := range map[string]string{"token string quote": "src/lexer.l src/lexer.c", "shelf of states": "lib/deep.c"} {
		t.Run(query, func(t *testing.T) {
			var got []string
			for _, h := range searchtest.Must(t, snaps, hit.Request{Query: query}).Hits {
				got = append(got, h.Path)
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("found %s, want %s", got, want)
			}
		})
	}
}

func TestPagesAgree(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	all := searchtest.Must(t, snaps, hit.Request{Query: "error reader", Limit: 5000, Detail: hit.DetailLocate})
	if len(all.Hits) != all.Total || all.Total < 200 {
		t.Fatalf("%d hits of %d; the test wants all of some hundred", len(all.Hits), all.Total)
	}
	if all.Partial || len(all.Notes) > 0 {
		t.Errorf("partial %v, notes %q of a whole answer", all.Partial, all.Notes)
	}
	seen := map[string]bool{}
	for i, h := range all.Hits {
		if seen[h.Path] {
			t.Fatalf("%s is there twice", h.Path)
		}
		seen[h.Path] = true
		if i > 0 && h.Score > all.Hits[i-1].Score {
			t.Fatalf("hit %d has a higher score than the one before", i)
		}
	}
	for offset := 0; offset < all.Total+10; offset += 33 {
		page := searchtest.Must(t, snaps, hit.Request{Query: "error reader", Offset: offset, Limit: 33, Detail: hit.DetailLocate})
		want := all.Hits[min(offset, all.Total):min(offset+33, all.Total)]
		if diff := cmp.Diff(want, page.Hits); diff != "" && len(want)+len(page.Hits) > 0 {
			t.Fatalf("page at %d (-want +got)\n%s", offset, diff)
		}
		if page.Total != all.Total {
			t.Fatalf("page at %d: total %d, want %d", offset, page.Total, all.Total)
		}
	}
}

// TestPhrasesAreRelaxed holds that a phrase beside words is searched for as words
// only where no file has it, and that a note says so only where that finds one.
func TestPhrasesAreRelaxed(t *testing.T) {
	snaps := []*store.Snapshot{sample.Repository(t, "r", map[string]string{
		"a.txt": "the server closes late\n", "b.txt": "the server is late, it closes\n", "c.txt": "nothing\n",
	})}
	const note = `no matching file contains "late server": searched for its words instead`
	for _, tt := range []struct {
		query, want string
		total       int
	}{
		{`closes "closes late"`, "[]", 1},
		{`closes "late server"`, "[" + note + "]", 2},
	} {
		t.Run(tt.query, func(t *testing.T) {
			res := searchtest.Must(t, snaps, hit.Request{Query: tt.query})
			if fmt.Sprint(res.Notes) != tt.want || res.Total != tt.total {
				t.Errorf("%d files, notes %q, want %d, %s", res.Total, res.Notes, tt.total, tt.want)
			}
		})
	}
	res := searchtest.Must(t, snaps, hit.Request{Query: `zebra "late server"`, Paths: []string{"c.txt"}})
	if res.Total != 0 || strings.Contains(fmt.Sprint(res.Notes), "searched for its words") {
		t.Errorf("%d files, notes %q, want none that says what was searched for", res.Total, res.Notes)
	}
}

func TestPhraseShowsItsPlace(t *testing.T) {
	text := strings.Repeat("quick fox, brown fox, quick brown\n\n", 300) + "the quick brown fox\n" + strings.Repeat("\nnothing\n", 500)
	snap := sample.Repository(t, "demo", map[string]string{"a.txt": text})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: `"quick brown fox"`})
	if len(res.Hits) != 1 || res.Hits[0].StartLine > 601 || res.Hits[0].EndLine < 601 {
		t.Fatalf("hits %+v, want the chunk of line 601", res.Hits)
	}
}

func TestNoWords(t *testing.T) {
	snap := []*store.Snapshot{sample.Repository(t, "demo", map[string]string{"a.go": "package a // -> here\n"})}
	res := searchtest.Must(t, snap, hit.Request{Query: "->", Mode: hit.ModeKeyword})
	if res.Total != 0 || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "literal") {
		t.Errorf("keyword ->: total %d, notes %q", res.Total, res.Notes)
	}
	res = searchtest.Must(t, snap, hit.Request{Query: "->"})
	if res.Mode != hit.ModeLiteral || res.Total != 1 {
		t.Errorf("auto ->: mode %s, total %d, want one line by literal search", res.Mode, res.Total)
	}
	for _, query := range []string{"", "   "} {
		t.Run(fmt.Sprintf("%q", query), func(t *testing.T) {
			_, err := search.Search(t.Context(), snap, hit.Request{Query: query}, search.Means{})
			var refused *usage.Error
			if !errors.As(err, &refused) || refused.Hint == "" {
				t.Errorf("query %q: error %v, want a usage error with a hint", query, err)
			}
		})
	}
}

func TestRankedDeadline(t *testing.T) {
	snap := []*store.Snapshot{sample.Repository(t, "demo", map[string]string{"a.go": sample.GoFile})}
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	res, err := search.Search(late, snap, hit.Request{Query: "open file"}, search.Means{})
	if err != nil || !res.Partial || len(res.Notes) == 0 {
		t.Errorf("past deadline: result %+v, error %v, want a partial result", res, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.Search(gone, snap, hit.Request{Query: "open file"}, search.Means{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v, want %v", err, context.Canceled)
	}
}

func TestHugeQuery(t *testing.T) {
	snap := sample.GoSnapshot(t)
	words := strings.Fields(sample.GoSources(t)["net/http/server.go"])
	query := strings.NewReplacer(`"`, " ", "(", " ", ")", " ", ":", " ").Replace(strings.Join(words, " "))[:2000]
	if i := strings.LastIndexByte(query, ' '); i > 0 {
		query = strings.Join(strings.Fields(query[:i])[:250], " ")
	}
	res := searchtest.Must(t, snap, hit.Request{Query: query})
	if len(res.Hits) == 0 || res.Hits[0].Path != "net/http/server.go" {
		t.Errorf("250 words of server.go: first hits %s", sample.Places(res))
	}
	for name, text := range map[string]string{
		"prose": "how does the server mux find the handler of a request and " + strings.Repeat("the words of this go on and on ", 400),
		"words": "ServeMux " + strings.Repeat("lorem ipsum ", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			res := searchtest.Must(t, snap, hit.Request{Query: text[:hit.MaxQueryBytes]})
			if len(res.Hits) == 0 || !strings.HasPrefix(res.Hits[0].Path, "net/http/") {
				t.Errorf("%s of %d bytes: first hits %s", name, hit.MaxQueryBytes, sample.Places(res))
			}
		})
	}
}

func TestFullyDeadSegment(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{"a.go": sample.GoFile}, map[string]string{"b.go": sample.GoFile})
	snap.Segments[1].Live.Live = segment.EmptyBitmap(1)
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "Server"})
	if sample.Places(res) != "a.go:1" && !strings.HasPrefix(sample.Places(res), "a.go:") || res.Total != 1 {
		t.Errorf("found %s, total %d, want a.go alone", sample.Places(res), res.Total)
	}
}

// TestContents holds that the languages that rank knows as prose and data are
// spelled as package lang spells them.
func TestContents(t *testing.T) {
	for name, want := range map[string]rank.Content{
		"README.md": rank.ContentProse, "a.rst": rank.ContentProse, "a.adoc": rank.ContentProse, "a.txt": rank.ContentProse, "a.tex": rank.ContentProse, "a.org": rank.ContentProse,
		"a.yaml": rank.ContentData, "a.toml": rank.ContentData, "a.json": rank.ContentData, "a.xml": rank.ContentData, "a.ini": rank.ContentData, "a.csv": rank.ContentData,
		".env": rank.ContentData, "a.html": rank.ContentData, "a.css": rank.ContentData, "a.scss": rank.ContentData, "a.sass": rank.ContentData, "a.less": rank.ContentData,
		"a.patch": rank.ContentData, "go.mod": rank.ContentData, "a.go": rank.ContentCode, "a.tf": rank.ContentCode, "a.unheardof": rank.ContentData,
	} {
		t.Run(name, func(t *testing.T) {
			language := ""
			if l := lang.Detect(name, nil); l != nil {
				language = l.Name
			}
			if got := rank.ContentOf(language); got != want {
				t.Errorf("%s, language %q: %v, want %v", name, language, got, want)
			}
		})
	}
}

func TestNothingIndexed(t *testing.T) {
	for _, snaps := range [][]*store.Snapshot{nil, {sample.Repository(t, "empty")}, {sample.Repository(t, "empty", map[string]string{})}} {
		for _, query := range []string{"open file", "NOT open", `"open file"`, "symbol:Open", "path:a/**"} {
			res := searchtest.Must(t, snaps, hit.Request{Query: query})
			if res.Total != 0 || len(res.Hits) != 0 || len(res.Nearest) != 0 {
				t.Errorf("%d snapshots, %q: %+v, want nothing", len(snaps), query, res)
			}
		}
	}
}

func FuzzKeyword(f *testing.F) {
	for _, req := range sampleQueries {
		f.Add(req.Query, 10, 0)
	}
	f.Add("\xff\x00 \"a\" -b", 1, 3)
	f.Add("symbol:x/open_file.go#File~2 kind:func,class -kind", 3, 100)
	f.Add("漢字 (é OR ö) __ _a_", 3, 100)
	snaps := []*store.Snapshot{
		sample.Parsed(f, sample.Repository(f, "a", map[string]string{"x/open_file.go": sample.GoFile, "é.txt": "漢字 é\n\xff\xfe\n", "empty": ""})),
		sample.Repository(f, "b", map[string]string{"y.md": "# Open\n\nthe file\n"}, map[string]string{"z.py": "def open_file(a):\n    return a\n"}),
	}
	f.Fuzz(func(t *testing.T, query string, limit, tokens int) {
		req := hit.Request{Query: query, Mode: hit.ModeKeyword, Limit: limit, MaxTokens: tokens, Explain: true}
		res, err := search.Search(t.Context(), snaps, req, search.Means{})
		var refused *usage.Error
		if err != nil {
			if !errors.As(err, &refused) {
				t.Fatalf("%q: %v", query, err)
			}
			return
		}
		if len(res.Hits) > res.Total {
			t.Errorf("%q: %d hits of %d", query, len(res.Hits), res.Total)
		}
		for i, h := range res.Hits {
			if i > 0 && h.Score > res.Hits[i-1].Score {
				t.Errorf("%q: hit %d has a higher score than the one before", query, i)
			}
			for _, l := range h.Lines {
				if l.Number < h.StartLine || l.Number > h.EndLine {
					t.Errorf("%q: line %d of a hit at %d-%d", query, l.Number, h.StartLine, h.EndLine)
				}
				for _, m := range l.Matches {
					if m[0] < 0 || m[0] >= m[1] || m[1] > len(l.Text) {
						t.Errorf("%q: match %v in %q", query, m, l.Text)
					}
				}
			}
		}
	})
}

func TestQueryErrors(t *testing.T) {
	snap := []*store.Snapshot{sample.Repository(t, "demo", map[string]string{"a.go": sample.GoFile})}
	for _, c := range []struct {
		req hit.Request
		arg string
	}{
		{hit.Request{Query: `a AND "b`}, "query"},
		{hit.Request{Query: "a OR (b"}, "query"},
		{hit.Request{Query: "a lang:klingon"}, "lang"},
	} {
		t.Run(c.req.Query, func(t *testing.T) {
			_, err := search.Search(t.Context(), snap, c.req, search.Means{})
			var refused *usage.Error
			if !errors.As(err, &refused) || refused.Arg != c.arg || refused.Hint == "" || len(refused.Error()) > 500 {
				t.Errorf("error %v, want a usage error of %s with a hint", err, c.arg)
			}
		})
	}
}
