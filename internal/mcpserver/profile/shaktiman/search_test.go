package shaktiman

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/code"
	"espy/internal/filetest"
)

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s (%v) differs:\n%s", name, err, got)
	}
}

// TestLayouts holds the answers of every tool to the byte.
func TestLayouts(t *testing.T) {
	sheet.Proves(t, "search.locate search.full search.none search.header search.explain search.examples context.layout context.none symbols.shape symbols.null symbols.referenced symbols.signature deps.shape status.enrichment status.summary diff.none")
	c := newClient(t, setup{files: shop})
	var b strings.Builder
	for _, tt := range []struct {
		tool string
		args object
	}{
		{"search", object{"query": "verify token"}},
		{"search", object{"query": "verify token", "mode": "full", "path": "internal/auth/", "explain": true, "max_results": 5}},
		{"search", object{"query": "verify token", "scope": "test"}},
		{"search", object{"query": "exponential backoff", "explain": true}},
		{"search", object{"query": "exponential backoff", "mode": "full", "max_results": 1}},
		{"search", object{"query": "zebra unicorn"}},
		{"search", object{"query": "zebra unicorn", "mode": "full"}},
		{"search", object{"query": "go.mod module", "scope": "all"}},
		{"context", object{"query": "verify token"}},
		{"context", object{"query": "zebra unicorn"}},
		{"symbols", object{"name": "VerifyToken"}},
		{"symbols", object{"name": "Claims", "kind": "type"}},
		{"symbols", object{"name": "TestVerifyToken", "scope": "test"}},
		{"symbols", object{"name": "nothing_at_all"}},
		{"symbols", object{"name": "New"}},
		{"dependencies", object{"symbol": "VerifyToken"}},
		{"dependencies", object{"symbol": "decodeClaims", "direction": "callers", "depth": 1}},
		{"dependencies", object{"symbol": "nothing_at_all"}},
		{"diff", object{"since": "-1h"}},
		{"enrichment_status", nil},
		{"summary", nil},
	} {
		c.connect() // a session of its own
		t.Run(fmt.Sprintf("%s %v", tt.tool, tt.args), func(t *testing.T) {
			res := c.on(t).result(tt.tool, tt.args)
			text := res.Content[0].(*mcp.TextContent).Text
			fmt.Fprintf(&b, "== %s %v, result_count %v\n%s\n", tt.tool, tt.args, res.Meta["result_count"], strings.TrimSuffix(text, "\n"))
		})
	}
	golden(t, "layouts.txt", b.String())
}

// TestScope asks for tests and for what is none.
func TestScope(t *testing.T) {
	sheet.Proves(t, "search.scope search.path search.pathall search.words bug.comments score.filter symbols.scope symbols.kind")
	c := newClient(t, setup{files: shop})
	for _, tt := range []struct {
		name string
		args object
		want string // files, sorted
	}{
		{"impl", object{"query": "VerifyToken"}, "cmd/api/main.go docs/auth.md internal/auth/token.go"},
		{"test", object{"query": "VerifyToken", "scope": "test"}, "internal/auth/testdata/token.go internal/auth/token_test.go"},
		{"python", object{"query": "backoff", "scope": "test"}, "web/test_retry.py"},
		{"path", object{"query": "VerifyToken", "path": "internal/"}, "internal/auth/token.go"},
		{"half a name", object{"query": "VerifyToken", "path": "internal/au"}, "internal/auth/token.go"},
		{"of the whole", object{"query": "VerifyToken", "path": "auth"}, ""},
		{"absolute", object{"query": "VerifyToken", "path": filepath.Join(c.root, "cmd")}, "cmd/api/main.go"},
		{"the root", object{"query": "backoff", "path": c.root}, "web/retry.py"},
		{"absolute elsewhere", object{"query": "VerifyToken", "path": "/nowhere"}, ""},
		{"marks", object{"query": "VerifyToken", "path": "internal/*"}, ""},
		{"a part of a name", object{"query": "settings"}, "web/conf.rb"},
		{"a part of a camelCase name", object{"query": "decode"}, "internal/auth/token.go"},
		{"a comment above a declaration", object{"query": "bears"}, "cmd/api/main.go"},
		{"operators", object{"query": "\"settings\" AND (lang:go OR path:x*) -conf"}, "web/conf.rb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.args["max_results"] = 50
			tt.args["min_score"] = 0.3
			got := files(c.on(t).locate(tt.args))
			slices.Sort(got)
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	t.Run("symbols", func(t *testing.T) {
		c := c.on(t)
		for args, want := range map[string]string{"impl": "null", "test": "internal/auth/token_test.go", "all": "internal/auth/token_test.go"} {
			if got := c.call("symbols", object{"name": "TestVerifyToken", "scope": args}); !strings.Contains(got, want) {
				t.Errorf("%s: %s", args, got)
			}
		}
		if got := c.call("symbols", object{"name": "Claims", "kind": "function"}); got != "null" {
			t.Error(got)
		}
	})
}

// TestPatterns holds which files are tests.
func TestPatterns(t *testing.T) {
	sheet.Proves(t, "search.patterns")
	for _, tt := range []struct {
		file, language string
		class          bool
		want           bool
	}{
		{"a_test.go", "go", false, true}, {"a_test.go.bak", "go", false, false}, {"x/testdata/a.go", "go", false, true}, {"testdata/a.go", "go", false, true}, {"mytestdata/a.go", "go", false, false}, {"internal/test/a.go", "go", true, false},
		{"test_a.py", "python", false, true}, {"a_test.py", "python", false, true}, {"tests/conftest.py", "python", true, false},
		{"a.test.ts", "typescript", false, true}, {"a.spec.tsx", "typescript", false, true}, {"x/__tests__/a.ts", "typescript", false, true}, {"latest.ts", "typescript", false, false},
		{"a.test.js", "javascript", false, true}, {"a.spec.jsx", "javascript", false, true}, {"a.test.mjs", "javascript", false, true}, {"a.spec.mjs", "javascript", false, true}, {"a.test.cjs", "javascript", false, false},
		{"ATest.java", "java", false, true}, {"ATests.java", "java", false, true}, {"x/src/test/A.java", "java", false, true}, {"Testing.java", "java", false, false},
		{"tests/a.rs", "rust", false, true}, {"src/a.rs", "rust", false, false},
		{"test_a.sh", "bash", false, true}, {"a_test.sh", "bash", false, true},
		{"a_test.rb", "ruby", false, true}, {"test_a.rb", "ruby", false, true}, {"a_spec.rb", "ruby", false, true}, {"spec/a.rb", "ruby", false, true}, {"x/test/a.rb", "ruby", false, true},
		{"a_test.cc", "cpp", true, true}, {"a.cc", "cpp", false, false}, {"tests/a.yaml", "yaml", true, true},
	} {
		t.Run(tt.file, func(t *testing.T) {
			var class code.Class
			if tt.class {
				class = code.ClassTest
			}
			if got := defaultConfig().isTest(tt.file, tt.language, class); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			own := &Config{TestPatterns: []string{"*.check", "proofs/"}}
			if own.isTest(tt.file, tt.language, class) || !own.isTest("x/a.check", tt.language, class) || !own.isTest("x/proofs/a.go", tt.language, class) {
				t.Error("patterns of its own do not replace those of its language")
			}
		})
	}
}

// TestWhole finds a function that is cut in several pieces.
func TestWhole(t *testing.T) {
	sheet.Proves(t, "search.whole bug.cut bug.fallback")
	long := "package long\n\n// Feed feeds every zebra.\nfunc Feed(hay int) int {\n" + strings.Repeat("\thay += feedZebra(hay) // feed the zebra once more\n", 200) + "\treturn hay\n}\n\nfunc feedZebra(n int) int { return n }\n"
	files := map[string]string{"long/long.go": long}
	for i := range 30 {
		files[fmt.Sprintf("many/m%d.go", i)] = fmt.Sprintf("package many\n\n// Graze%d lets the okapi graze.\nfunc Graze%[1]d() {}\n", i)
	}
	c := newClient(t, setup{files: files})
	t.Run("once", func(t *testing.T) {
		list := c.on(t).locate(object{"query": "feed the zebra", "max_results": 50})
		n := 0
		for _, h := range list {
			if h.symbol == "Feed" {
				n++
			}
		}
		text := c.on(t).call("search", object{"query": "feed the zebra", "mode": "full", "max_results": 2, "path": "long/"})
		if n != 1 || strings.Count(text, "once more") < 200 {
			t.Errorf("%d times, %d of 200 lines: %v", n, strings.Count(text, "once more"), list)
		}
	})
	for query, want := range map[string]int{"graze okapi": 10, "***": 0, "unicorn": 0, `"`: 0} {
		t.Run(query, func(t *testing.T) {
			if list := c.on(t).locate(object{"query": query}); len(list) != want {
				t.Errorf("%d results, want %d: %v", len(list), want, list)
			}
		})
	}
}

// TestFiles changes, moves and removes files.
func TestFiles(t *testing.T) {
	sheet.Proves(t, "bug.deleted bug.nested bug.network")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\n// Okapi grazes.\nfunc Okapi() {}\n", ".gitignore": "out/\n"}})
	step := func(name, want string, change func()) {
		t.Run(name, func(t *testing.T) {
			change()
			got := files(c.on(t).locate(object{"query": "okapi"}))
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	step("at first", "a.go", func() {})
	step("nested and ignored", "a.go x/y/z/b.go", func() {
		filetest.Write(t, c.root, map[string]string{"x/y/z/b.go": "package b\n\nfunc okapiAgain() {}\n", "out/c.go": "package c\n\nfunc okapiOut() {}\n"})
	})
	step("renamed", "d.go x/y/z/b.go", func() {
		if err := os.Rename(filepath.Join(c.root, "a.go"), filepath.Join(c.root, "d.go")); err != nil {
			t.Fatal(err)
		}
	})
	step("deleted", "d.go", func() { filetest.Remove(t, c.root, "x/y/z/b.go") })
}

// TestSecrets holds that keys and tokens are shown by no tool.
func TestSecrets(t *testing.T) {
	sheet.Proves(t, "bug.secrets")
	token := "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq"
	files := map[string]string{"main.go": "package main\n\n// Deploy uses the deploy token.\nfunc Deploy() { use(deployToken) }\n\nconst deployToken = \"" + token + "\"\n\nfunc use(s string) {}\n"}
	for _, show := range []bool{false, true} {
		c := newClient(t, setup{files: files, secrets: show})
		for _, tt := range []struct {
			tool string
			args object
		}{
			{"search", object{"query": "deploy token", "mode": "full", "scope": "all"}}, {"search", object{"query": token, "min_score": 0}}, {"context", object{"query": "deploy token"}},
			{"symbols", object{"name": "deployToken"}}, {"dependencies", object{"symbol": "Deploy"}}, {"diff", object{}}, {"summary", nil}, {"enrichment_status", nil},
		} {
			t.Run(fmt.Sprintf("%v %s %v", show, tt.tool, tt.args), func(t *testing.T) {
				if text := c.on(t).call(tt.tool, tt.args); !show && strings.Contains(text, token[:20]) || show && strings.Contains(text, "[secret:") {
					t.Error(text)
				}
			})
		}
	}
}

// TestMatchesName holds that names match as path.Match has it.
func TestMatchesName(t *testing.T) {
	names := []string{"", "_test.go", "a_test.go", "test_.py", "test_a.py", "test_py", "a.spec.ts", "Test.java", "x", "a[b]", "a*b", "[z]"}
	for _, p := range []string{"*_test.go", "test_*.py", "*", "x", "?", "a[b]", `a\*b`, "[", "*.*.ts", "[a-z]*", "*[]", ""} {
		t.Run(p, func(t *testing.T) {
			for _, name := range names {
				want, err := path.Match(p, name)
				if got := matchesName(p, name); got != (want && err == nil) {
					t.Errorf("%q matches %q: %v", p, name, got)
				}
			}
		})
	}
}
