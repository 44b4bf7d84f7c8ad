package rustcode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
)

func TestSearch(t *testing.T) {
	sheet.Proves(t, "search.layout search.symbol search.impl search.lines search.trailer rrf.k path.absolute")
	needGrammars(t)
	c := newClient(t, setup{files: demo})
	const want = `Found 3 results for 'token bucket':

1. Score: 0.0164 | File: /repo/src/limit.rs | Symbol: TokenBucket (struct)
   Lines: 9-18
   Doc: Refills at a fixed rate.
   Preview:
   /// Refills at a fixed rate.
   pub struct TokenBucket {
       tokens: u64,

2. Score: 0.0161 | File: /repo/src/limit.rs | Symbol: impl TokenBucket (impl)
   Lines: 20-41
   Preview:
   impl TokenBucket {
       pub fn new(cap: u64) -> Self {
           Self { tokens: cap, capacity: cap, rate: 1, last: 0, denied: 0 }

3. Score: 0.0079 | File: /repo/src/main.rs | Symbol: main.rs (file)
   Lines: 3-3
   Preview:
   use demo::limit::TokenBucket;


--- Indexing stats: 5 files indexed (5 chunks), 0 unchanged, 0 skipped ---`
	c.is("search", object{"keyword": "token bucket", "directory": c.root}, want)
	again := strings.Replace(want, "5 files indexed (5 chunks), 0 unchanged", "0 files indexed (0 chunks), 5 unchanged", 1)
	for range 5 {
		c.is("search", object{"keyword": "token bucket", "directory": c.root}, again)
	}
}

func TestKinds(t *testing.T) {
	sheet.Proves(t, "search.symbol search.impl search.languages")
	needGrammars(t)
	pad := strings.Repeat("// filler line that says nothing about it\n", 60)
	c := newClient(t, setup{files: map[string]string{
		"a.rs": "enum Orange { A }\n" + pad + "trait Banana { fn peel(&self); }\n" + pad + "static CHERRY: u8 = 1;\n" + pad + "const DATE: u8 = 1;\n" + pad + "type Elder = u8;\n" + pad +
			"mod figs { pub fn gather() { let mut many = 1; many += 2; } }\n" + pad + "unsafe impl<T: Fn() -> u8> Send for Grape<T> where T: Copy {\n    fn peel(&self) {}\n}\n" + pad + "macro_rules! hazel { () => {} }\n",
		"b.go": "package b\n\n// Iris is one.\ntype Iris struct{}\n\n// Bloom opens.\nfunc (i Iris) Bloom() {}\n",
		"c.md": "# Juniper berries\n\nText about juniper.\n",
	}})
	for word, want := range map[string]string{
		"orange": "Orange (enum)", "banana": "Banana (trait)", "cherry": "CHERRY (static)", "date": "DATE (const)", "elder": "Elder (type)", "figs": "figs (module)",
		"grape": "impl Send for Grape<T> (impl)", "hazel": "hazel (macro)", "iris": "Iris (struct)", "bloom": "Bloom (method)",
	} {
		t.Run(word, func(t *testing.T) {
			c.on(t).has("search", object{"keyword": word, "directory": "."}, "1. Score: ", "| Symbol: "+want+"\n")
		})
	}
	c.has("search", object{"keyword": "juniper", "directory": "."}, "No results found for 'juniper'.")
}

func TestSearchTexts(t *testing.T) {
	sheet.Proves(t, "search.none search.nothing search.dir search.empty similar.none similar.empty similar.dir similar.limit path.relative")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n", "nothing/.env": "A=b\n"}})
	c.has("search", object{"keyword": "zqxv", "directory": "."}, "No results found for 'zqxv'.\nIndexed 1 files (1 chunks), 0 unchanged, 1 skipped")
	c.has("search", object{"keyword": "zqxv", "directory": "."}, "No results found for 'zqxv'.\nIndexed 0 files (0 chunks), 1 unchanged, 1 skipped")
	c.is("search", object{"keyword": "x", "directory": "nothing"}, "No Rust files suitable for indexing were found in 'nothing'.\nSkipped files: 1")
	c.has("get_similar_code", object{"query": "zqxv", "directory": "."}, "No similar code found for query: 'zqxv'")
	for _, tt := range []struct {
		tool string
		args object
		want string
	}{
		{"search", object{"keyword": "x", "directory": "nope"}, "The specified path 'nope' is not a directory"},
		{"search", object{"keyword": "x", "directory": "a.go"}, "The specified path 'a.go' is not a directory"},
		{"search", object{"keyword": "x", "directory": ""}, "The specified path '' is not a directory"},
		{"search", object{"keyword": " \t", "directory": "."}, "Search keyword is empty. Please enter a valid keyword."},
		{"get_similar_code", object{"query": "x", "directory": "nope"}, "The specified path 'nope' is not a directory"},
		{"get_similar_code", object{"query": " ", "directory": "."}, "Search query is empty. Please enter a valid query."},
		{"get_similar_code", object{"query": "x", "directory": ".", "limit": 0}, "limit must be at least 1"},
		{"get_similar_code", object{"query": "x", "directory": ".", "limit": -3}, "limit must be at least 1"},
		{"search", object{"keyword": "x", "directory": "/"}, "Search failed: / is the top of the file system"},
	} {
		t.Run(fmt.Sprint(tt.tool, tt.args), func(t *testing.T) {
			_, err := c.on(t).Try(tt.tool, tt.args)
			if err == nil || err.Code != -32602 || !strings.HasPrefix(err.Message, tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// TestShapes finds files that are empty, have no line end, or hold nothing but blanks.
func TestShapes(t *testing.T) {
	sheet.Proves(t, "search.layout")
	c := newClient(t, setup{files: map[string]string{"reader.go": "", "reader/a.go": "package reader", "reader/b.txt": "reader", "reader/c.md": "\n\n\n", "reader/d.py": "\n# reader\n\n", "x/crlf.go": "package x\r\n\r\n// Reader reads the file.\r\nfunc Reader() {}\r\n"}})
	for tool, query := range map[string]string{"search": "keyword", "get_similar_code": "query"} {
		t.Run(tool, func(t *testing.T) {
			text := c.on(t).has(tool, object{query: "reader reads the file", "directory": "."}, "Found ", "File: /repo/x/crlf.go | Symbol: Reader (function)\n   Lines: 3-4\n", "   // Reader reads the file.\n   func Reader() {}\n")
			if strings.Contains(text, "\r") {
				t.Errorf("%q", text)
			}
		})
	}
}

// TestPlain searches texts that are no queries.
func TestPlain(t *testing.T) {
	sheet.Proves(t, "search.plain bug.query")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\n// Alpha reads std::io and foo:bar.\nfunc Alpha(lang string) { std::io; not := `\"open` }\n"}})
	for _, keyword := range []string{"std::io", "foo:bar", "\"open", "alpha (", "[alpha", "alpha)", "-alpha", "NOT alpha", "AND", "OR alpha", "alpha AND", "lang:go alpha", "path:nope alpha", "/alpha/", "alpha*", "^alpha~2", "{", "::", "a:b:c alpha", `\alpha`} {
		t.Run(keyword, func(t *testing.T) {
			text := c.on(t).call("search", object{"keyword": keyword, "directory": "."})
			if !strings.HasPrefix(text, "Found 1 results for '"+keyword+"':\n") && keyword != "AND" && keyword != "::" {
				t.Error(text)
			}
		})
	}
}

var scored = regexp.MustCompile(`(?m)^([0-9]+)\. Score: ([0-9.]+) \| File: (\S+)`)

// many are files that say the same in other places.
func many(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("p%03d/a.go", i)] = fmt.Sprintf("package p\n\n// Sum%d adds the prices of a cart.\nfunc Sum%d() {}\n", i, i)
	}
	return files
}

func TestOrder(t *testing.T) {
	sheet.Proves(t, "search.top rrf.ties rrf.candidates bug.order similar.limit similar.score similar.layout")
	c := newClient(t, setup{files: many(130)})
	first := c.call("search", object{"keyword": "prices of a cart", "directory": "."})
	hits := scored.FindAllStringSubmatch(first, -1)
	if len(hits) != 10 {
		t.Fatalf("%d hits:\n%s", len(hits), first)
	}
	before := 1.0
	for i, h := range hits {
		score, err := strconv.ParseFloat(h[2], 64)
		if err != nil || score > before || h[1] != fmt.Sprint(i+1) || score < 0.5/160 || score > 1.0/61 {
			t.Errorf("hit %d: %v", i, h)
		}
		before = score
	}
	second := c.call("search", object{"keyword": "prices of a cart", "directory": "."})
	if cut(first) != cut(second) {
		t.Errorf("another order:\n%s\n%s", first, second)
	}
	for _, tt := range []struct{ limit, want int }{{0, 5}, {1, 1}, {7, 7}, {100, 100}, {101, 100}, {5000, 100}} {
		t.Run(fmt.Sprint(tt.limit), func(t *testing.T) {
			args := object{"query": "adds the prices of a cart", "directory": "."}
			if tt.limit > 0 {
				args["limit"] = tt.limit
			}
			text := c.on(t).has("get_similar_code", args, fmt.Sprintf("Found %d similar code snippet(s) for query 'adds the prices of a cart':\n\n1. Score: 0.", tt.want), "   Code preview:\n   // Sum")
			hits := scored.FindAllStringSubmatch(text, -1)
			if len(hits) != tt.want || strings.HasSuffix(text, "\nNo more than 100 results are listed.") != (tt.limit > 100) {
				t.Errorf("%d hits:\n%s", len(hits), text)
			}
			if !slices.IsSortedFunc(hits, func(a, b []string) int { return strings.Compare(b[2], a[2]) }) {
				t.Errorf("not by score:\n%s", text)
			}
		})
	}
}

// cut is an answer without its trailer.
func cut(text string) string { return text[:strings.Index(text, "\n---")] }

// TestOneEngine searches without vectors, and without words.
func TestOneEngine(t *testing.T) {
	sheet.Proves(t, "rrf.one")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\nfunc Zqxv() {}\n"}})
	c.has("search", object{"keyword": "Zqxv", "directory": "."}, "1. Score: 0.0082 | File: /repo/a.go | Symbol: Zqxv (function)")
}

func TestFresh(t *testing.T) {
	sheet.Proves(t, "search.fresh search.first similar.first def.edit ref.edit bug.stale bug.restored search.trailer")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\nfunc Alpha() { Beta() }\n", "b.go": "package a\n\nfunc Beta() {}\n"}})
	at := func(want string) {
		t.Helper()
		c.is("find_definition", object{"symbol_name": "Beta", "directory": "."}, want)
	}
	stats := func(want string) {
		t.Helper()
		c.has("search", object{"keyword": "Beta", "directory": "."}, "\n--- Indexing stats: "+want+" ---")
	}
	c.has("get_similar_code", object{"query": "func Alpha Beta", "directory": "."}, "Score: ")
	at("Found 1 definition(s) for 'Beta':\n/repo/b.go:3:6 (Beta)")
	stats("2 files indexed (2 chunks), 0 unchanged, 0 skipped")
	stats("0 files indexed (0 chunks), 2 unchanged, 0 skipped")
	c.write(map[string]string{"b.go": "package a\n\n// Beta is second.\n\nfunc Beta() {}\n"})
	at("Found 1 definition(s) for 'Beta':\n/repo/b.go:5:6 (Beta)")
	c.is("find_references", object{"symbol_name": "Beta", "directory": "."}, "Found 2 reference(s) for 'Beta':\n/repo/a.go:3:16 (reference)\n/repo/b.go:5:6 (Beta)")
	stats("1 files indexed (1 chunks), 1 unchanged, 0 skipped")
	text, err := os.ReadFile(filepath.Join(c.root, "b.go"))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Remove(t, c.root, "b.go")
	at("No definition found for symbol 'Beta'")
	stats("0 files indexed (0 chunks), 1 unchanged, 1 skipped")
	c.has("health_check", object{"directory": "."}, "DEGRADED", "Merkle snapshot not found (first index pending)")
	c.write(map[string]string{"b.go": string(text)})
	stats("1 files indexed (1 chunks), 1 unchanged, 0 skipped")
	at("Found 1 definition(s) for 'Beta':\n/repo/b.go:5:6 (Beta)")
}

// TestSecretNames holds that names of folders above the root, and words in tests, hide
// nothing.
func TestSecretNames(t *testing.T) {
	sheet.Proves(t, "bug.secret bug.password path.same bug.raw bug.health")
	c := newClient(t, setup{files: map[string]string{
		"secret-app/credentials/.cargo/a.go": "package a\n\nfunc Alpha() { password = \"hunter2hunter2\" }\n",
	}})
	dir := "secret-app/credentials/.cargo"
	filetest.Link(t, c.root, dir, "link")
	c.has("search", object{"keyword": "alpha", "directory": dir}, "Symbol: Alpha (function)", "1 files indexed")
	for _, same := range []string{dir + "/", c.root + "/" + dir, "./" + dir, "link"} {
		t.Run(same, func(t *testing.T) {
			c.on(t).has("search", object{"keyword": "hunter2hunter2", "directory": same}, "Symbol: Alpha (function)", "0 files indexed (0 chunks), 1 unchanged")
		})
	}
	repos, err := c.ws.Repos(t.Context())
	if err != nil || len(repos) != 1 {
		t.Errorf("%d indexes, %v", len(repos), err)
	}
	c.call("index_codebase", object{"directory": dir + "/"})
	c.has("health_check", object{"directory": "link"}, "System Status: HEALTHY\n", "(1 vectors)", "Checked project: link")
}

// TestSideBySide asks about several directories at once.
func TestSideBySide(t *testing.T) {
	sheet.Proves(t, "bug.locks")
	files := map[string]string{}
	for i := range 4 {
		files[fmt.Sprintf("d%d/a.go", i)] = fmt.Sprintf("package a\n\nfunc Alpha%d() {}\n", i)
	}
	c := newClient(t, setup{files: files})
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			text, err := c.Try("search", object{"keyword": fmt.Sprintf("Alpha%d", i%4), "directory": fmt.Sprintf("d%d", i%4)})
			if err != nil || !strings.Contains(text, fmt.Sprintf("Symbol: Alpha%d (function)", i%4)) {
				t.Errorf("%s %v", text, err)
			}
		})
	}
	group.Wait()
}

// TestModels asks where models do not work.
func TestModels(t *testing.T) {
	sheet.Proves(t, "health.vectors")
	files := map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"}
	for _, tt := range []struct {
		name   string
		models embedding.Models
		status string
		vector string
		found  string
	}{
		{"works", embedding.Models{Local: static.BuiltIn()}, "System Status: HEALTHY\n", `"status": "healthy",` + "\n" + `    "message": "Vector store operational (1 vectors)"`, "Score: 0.0164"},
		{"none", embedding.Models{}, "System Status: DEGRADED (some components unavailable but system functional)\n", `"status": "degraded",` + "\n" + `    "message": "Vector store not configured"`, "Score: 0.0082"},
		{"one of two", embedding.Models{Local: static.BuiltIn(), Remote: down{}}, "System Status: DEGRADED", `"status": "degraded",` + "\n" + `    "message": "Vector store operational (1 vectors); the model of the program answers, since the other one does not: the model is down"`, "Score: 0.0164"},
		{"down", embedding.Models{Local: down{}}, "System Status: DEGRADED", `"status": "unhealthy",` + "\n" + `    "message": "Vector store error: the model is down"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, setup{models: &tt.models, files: files})
			if _, err := c.Try("index_codebase", object{"directory": "."}); err != nil && tt.found != "" {
				t.Fatal(err)
			}
			c.has("health_check", object{"directory": "."}, tt.status, tt.vector)
			if tt.found != "" {
				c.has("search", object{"directory": ".", "keyword": "alpha"}, tt.found)
			}
		})
	}
}

// down is a model that does not answer.
type down struct{}

func (down) Identity() string { return "down" }
func (down) Host() string     { return "nowhere" }
func (down) Dims() int        { return 4 }
func (down) Failure() error   { return embeddingtest.ErrDown }
func (down) Documents(context.Context, []embedding.Document) ([]embedding.Vector, error) {
	return nil, embeddingtest.ErrDown
}
func (down) Query(context.Context, string) (embedding.Vector, error) {
	return nil, embeddingtest.ErrDown
}
