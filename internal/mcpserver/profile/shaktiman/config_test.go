package shaktiman

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/locate"
	"espy/internal/progress"
)

// TestConfig reads settings, good and bad ones.
func TestConfig(t *testing.T) {
	sheet.Proves(t, "config.keys config.bad config.rules config.unknown config.embedding config.env")
	for _, tt := range []struct {
		text string
		env  map[string]string
		want string // settings, or an error; then how many notices
	}{
		{"", nil, "10 locate 0.15 true 4096 [] 0"},
		{"[search]\nmax_results = 200\ndefault_mode = \"full\"\nmin_score = 0\n[context]\nenabled = false\nbudget_tokens = 256\n[test]\npatterns = [\"*_check.go\", \"proofs/\"]\n", nil, "200 full 0 false 256 [*_check.go proofs/] 0"},
		{"[embedding]\nenabled = true\ntimeout = \"120s\"\n[watcher]\nenabled = false\n[nonsense]\na = 1\n", nil, "10 locate 0.15 true 4096 [] 0"},
		{"[embedding]\nollama_url = \"http://elsewhere\"\n", nil, "10 locate 0.15 true 4096 [] 1"},
		{"[vector]\nbackend = \"hnsw\"\n", nil, "10 locate 0.15 true 4096 [] 1"},
		{"[database]\nbackend = \"postgres\"\n[vector]\nbackend = \"pgvector\"\n", map[string]string{"SHAKTIMAN_POSTGRES_URL": "postgres://u:p@db"}, "10 locate 0.15 true 4096 [] 3"},
		{"", map[string]string{"SHAKTIMAN_QDRANT_API_KEY": "k", "SHAKTIMAN_LOG_LEVEL": "loud"}, "10 locate 0.15 true 4096 [] 2"},
		{"[search]\nmax_results = 0\n", nil, "config: search.max_results must be between 1 and 200"},
		{"[search]\nmax_results = 201\n", nil, "config: search.max_results must be between 1 and 200"},
		{"[search]\ndefault_mode = \"short\"\n", nil, "config: search.default_mode must be 'locate' or 'full'"},
		{"[search]\nmin_score = 1.1\n", nil, "config: search.min_score must be between 0.0 and 1.0"},
		{"[search]\nmin_score = nan\n", nil, "config: search.min_score must be between 0.0 and 1.0"},
		{"[context]\nbudget_tokens = 255\n", nil, "config: context.budget_tokens must be between 256 and 32768"},
		{"[context]\nbudget_tokens = 32769\n", nil, "config: context.budget_tokens must be between 256 and 32768"},
		{"[database]\nbackend = \"mysql\"\n", nil, "config: database.backend must be sqlite or postgres"},
		{"[postgres]\nmax_open_conns = 0\n", nil, "config: postgres.max_open_conns must be at least 1"},
		{"[postgres]\nmax_idle_conns = -1\n", nil, "config: postgres.max_idle_conns must be at least 0"},
		{"[vector]\nbackend = \"faiss\"\n", nil, "config: vector.backend must be brute_force, hnsw, qdrant or pgvector"},
		{"[embedding]\ndims = 0\n", nil, "config: embedding.dims must be between 1 and 4096"},
		{"[embedding]\nbatch_size = 0\n", nil, "config: embedding.batch_size must be at least 1"},
		{"[embedding]\ntimeout = \"soon\"\n", nil, "config: embedding.timeout must be a duration such as 120s"},
		{"[test]\npatterns = [\"[\"]\n", nil, "config: test.patterns must be globs of names, or folders that end in a slash"},
		{"[vector]\nbackend = \"pgvector\"\n", nil, "config: vector.backend must be brute_force, hnsw or qdrant unless database.backend is postgres"},
		{"[vector]\nbackend = \"qdrant\"\n", nil, "config: qdrant.url must be set for vector.backend qdrant"},
		{"[database]\nbackend = \"postgres\"\n[vector]\nbackend = \"pgvector\"\n", nil, "config: postgres.connection_string must be set for database.backend postgres"},
		{"[database]\nbackend = \"postgres\"\n[postgres]\nconnection_string = \"x\"\n", nil, "config: vector.backend must be qdrant or pgvector for database.backend postgres"},
		{"[search\n", nil, "config: .shaktiman/shaktiman.toml: "},
	} {
		t.Run(strings.ReplaceAll(tt.text, "\n", " "), func(t *testing.T) {
			root := t.TempDir()
			filetest.Write(t, root, map[string]string{configFile: tt.text})
			c, err := LoadConfig(root, tt.env)
			if err != nil {
				if !strings.HasPrefix(err.Error(), tt.want) {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			got := fmt.Sprint(c.MaxResults, " ", c.Mode, " ", c.MinScore, " ", c.ContextEnabled, " ", c.Budget, " ", c.TestPatterns, " ", len(c.Notices))
			if got != tt.want || strings.Contains(fmt.Sprint(c.Notices), "u:p@") {
				t.Errorf("%s, want %s; %v", got, tt.want, c.Notices)
			}
		})
	}
	t.Run("a link that leads outside", func(t *testing.T) {
		root, outside := t.TempDir(), t.TempDir()
		filetest.Write(t, outside, map[string]string{"shaktiman.toml": "[search]\nmax_results = 3\n"})
		filetest.Link(t, root, outside, ".shaktiman")
		if c, err := LoadConfig(root, nil); err == nil {
			t.Errorf("%+v", c)
		}
	})
}

// TestReload changes the settings while the server runs.
func TestReload(t *testing.T) {
	sheet.Proves(t, "config.fresh config.patterns")
	c := newClient(t, setup{files: shop})
	for _, tt := range []struct {
		name, config string
		args         object
		want         string
	}{
		{"at first", "", object{"scope": "test"}, "internal/auth/token_test.go internal/auth/testdata/token.go"},
		{"other patterns", "[test]\npatterns = [\"token.go\"]\n", object{"scope": "test"}, "internal/auth/token.go internal/auth/testdata/token.go"},
		{"one result", "[search]\nmax_results = 1\n", object{}, "internal/auth/token.go"},
		{"wrong", "[search]\nmax_results = 0\n", object{"scope": "test"}, "internal/auth/token_test.go internal/auth/testdata/token.go"},
		{"none", "", object{"max_results": 1}, "internal/auth/token.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			filetest.Write(t, c.root, map[string]string{configFile: tt.config})
			tt.args["query"] = "VerifyToken"
			c := c.on(t)
			c.connect()
			got := files(c.locate(tt.args))
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestCommands runs every command, in both forms.
func TestCommands(t *testing.T) {
	sheet.Proves(t, "cli.init cli.index cli.reindex cli.status cli.search cli.zero cli.context cli.symbols cli.deps cli.diff cli.stats cli.lock")
	c := newClient(t, setup{files: shop})
	c.call("summary", nil) // a server works beside
	sh := NewShell(c.options)
	for _, tt := range []struct {
		name   string
		values map[string]any
		text   string // a regular expression
		value  string
	}{
		{"init", nil, `^Wrote \.shaktiman/shaktiman\.toml\n$`, "true"},
		{"init", nil, `is there already`, "false"},
		{"index", map[string]any{"embed": true}, `^Indexed: 10 files \| \d+ chunks \| \d+ symbols\n  go: 4 files\n  python: 2 files\n`, "10"},
		{"reindex", map[string]any{"force": true}, `^Indexed: 10 files \| \d+ chunks \| \d+ symbols\n  go: 4 files\n`, "10"},
		{"status", nil, `^Files:   10\nChunks:  \d+\nSymbols: \d+\nErrors:  0\nStale:   0\nLanguages:\n  go: 4 files\n`, "10"},
		{"search", map[string]any{"query": "VerifyToken", "max": "1"}, `^1 results:\ninternal/auth/token\.go:1-20  VerifyToken \(function\)  score:\d\.\d\d  ~\d+ tokens\n$`, "VerifyToken"},
		{"search", map[string]any{"query": "VerifyToken", "max": "1", "mode": "full", "explain": true, "scope": "test"}, `session:off\]\) ---\n`, "TestVerifyToken"},
		{"search", map[string]any{"query": "VerifyToken zebra okapi lion", "min-score": "0", "scope": "all"}, `^[2-9] results:`, "VerifyToken"},
		{"search", map[string]any{"query": "VerifyToken", "path": "web"}, `^No results found\.\n$`, `[]`},
		{"context", map[string]any{"query": "VerifyToken", "budget": "300"}, `^\[context\] \d chunks, \d+ tokens, strategy: hybrid_l0\n\n--- `, "hybrid_l0"},
		{"symbols", map[string]any{"name": "VerifyToken"}, `^1 symbols:\n  VerifyToken  function  internal/auth/token\.go:12  \(raw string\): \(\*Claims, error\)  \[exported\]\n$`, "VerifyToken"},
		{"symbols", map[string]any{"name": "none"}, `^No symbols found\.\n$`, "[]"},
		{"deps", map[string]any{"symbol": "VerifyToken", "direction": "callers", "depth": "1"}, `^1 dependencies:\n  handle  function  cmd/api/main\.go:9\n$`, "handle"},
		{"deps", map[string]any{"symbol": "none"}, `^No dependencies found\.\n$`, "[]"},
		{"diff", map[string]any{"since": "-1h"}, `^No diffs found\.\n$`, "[]"},
		{"diff", map[string]any{"since": "1h", "limit": "1"}, `^1 diffs:\n  \S+  \w+  \+\d+ -\d+  20`, "modify"},
		{"enrichment-status", nil, `^Chunks:   \d+\nEmbedded: \d+ \(100\.0%\)\nPending:  0\nCircuit:  closed\nFiles:    10\nSymbols:  \d+\n$`, "closed"},
		{"summary", nil, `^Files:   10\n`, "go"},
	} {
		t.Run(fmt.Sprint(tt.name, tt.values), func(t *testing.T) {
			a, err := sh.Run(t.Context(), command(tt.name), tt.values, func(progress.Report) {})
			if err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(tt.text).MatchString(a.Text) || !strings.Contains(fmt.Sprintf("%+v", a.Value), tt.value) {
				t.Errorf("%s\n%+v", a.Text, a.Value)
			}
		})
	}
	text, err := os.ReadFile(filepath.Join(c.root, configFile))
	if err != nil || string(text) != sampleConfig {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := sh.Run(context.Background(), command("deps"), map[string]any{"symbol": "x", "depth": "9"}, nil); err == nil || err.Error() != "depth must be between 1 and 5" {
		t.Errorf("%v", err)
	}
}

// TestDefinitions finds those of languages without a grammar in the test.
func TestDefinitions(t *testing.T) {
	sheet.Proves(t, "bug.rust symbols.signature status.errors")
	c := newClient(t, setup{files: map[string]string{
		"src/lib.rs":  "pub mod shapes;\n\nmod tests {\n    pub fn area_of_test() -> u32 { 1 }\n}\n\npub struct Square { side: u32 }\n\npub fn area(s: &Square) -> u32 { s.side }\n",
		"src/calc.go": "package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc (c Calc) Sum(n ...int) (total int, err error) { return 0, nil }\n\ntype Calc struct{}\n\nfunc Nothing() {}\n",
		"broken.go":   "package broken\n\nfunc (\n",
	}})
	for name, want := range map[string]string{
		"area": `"signature":"(s: &Square): u32"`, "Square": `"kind":"type"`, "area_of_test": `"name":"area_of_test"`,
		"Add": `"signature":"(a, b int): int"`, "Sum": `"signature":"(n ...int): (total int, err error)"`, "Nothing": `"signature":"()"`, "Calc": `"kind":"type","line":7,"visibility"`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.on(t).call("symbols", object{"name": name}); !strings.Contains(got, want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestVisibility holds what is said of declarations by their signatures.
func TestVisibility(t *testing.T) {
	sheet.Proves(t, "symbols.visibility symbols.signature")
	for _, tt := range []struct {
		d                     locate.Definition
		visibility, signature string
	}{
		{locate.Definition{Path: "J.java", Name: "a", Kind: code.KindField, Signature: "private int a"}, "private", ""},
		{locate.Definition{Path: "J.java", Name: "A", Kind: code.KindConst, Exported: true, Signature: "public static final int A = 1"}, "public", ""},
		{locate.Definition{Path: "J.java", Name: "a", Kind: code.KindField, Exported: true, Signature: "protected int a"}, "internal", ""},
		{locate.Definition{Path: "J.java", Name: "m", Kind: code.KindMethod, Exported: true, Signature: "public int m(int a)"}, "exported", "(int a)"},
		{locate.Definition{Path: "a.rb", Name: "m", Kind: code.KindMethod, Signature: "def m(a) end"}, "internal", "(a)"},
		{locate.Definition{Path: "a.go", Name: "M", Kind: code.KindFunc, Exported: true, Signature: "func M(a func(int) bool) error"}, "exported", "(a func(int) bool): error"},
	} {
		t.Run(tt.d.Signature, func(t *testing.T) {
			if v, s := visibility(&tt.d), signatureOf(&tt.d); v != tt.visibility || s != tt.signature {
				t.Errorf("%q, %q", v, s)
			}
		})
	}
}
