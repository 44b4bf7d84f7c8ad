package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/workspace"
)

// graphServer returns a server of all tools.
func graphServer(t *testing.T, start string) *Server {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: filepath.Dir(start)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Options{Workspace: w, Start: start, Version: "1.2.3", Toolsets: []string{"all"}})
}

// clamp is code that the files of the tests copy.
const clamp = "func clamp(value, low, high int) int {\n\tif value < low {\n\t\treturn low\n\t}\n\tif value > high {\n\t\treturn high\n\t}\n\treturn value\n}\n"

func TestSimilar(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"a/a.go":    "package a\n\n" + clamp,
		"b/b.go":    "package b\n\n// clamp bounds.\n" + strings.ReplaceAll(clamp, "\t", "    "),
		"c/c.go":    "package c\n\n" + strings.NewReplacer("clamp", "bound", "value", "x", "low", "from", "high", "to").Replace(clamp),
		"blob.bin":  "\x00\x01",
	})
	other := tree(t, "other", map[string]string{"lib.go": "package lib\n\n" + clamp})
	session := connect(t, graphServer(t, root), nil)
	if text, failed := ask(t, session, "index", map[string]any{"path": other, "name": "lib"}); failed {
		t.Fatal(text)
	}
	type args = map[string]any
	for _, c := range []struct {
		name  string
		args  args
		want  []string // parts of the answer, in order
		error bool
	}{
		{"a place", args{"place": "a/a.go:5"}, []string{
			"2 of 2 places like a/a.go:3-11 (1 same, 1 near), repo demo main (no commit found), generation 1, fresh, ",
			"b/b.go:4-12 func clamp", "same, score 1.00: lines 4-12 equal 3-11 of yours\n",
			"c/c.go:3-11 func bound", "near, score 0.82: lines 3-11 rename 3-11 of yours\n3: func bound(x, from, to int) int {\n4: \tif x < from {",
			"next: read(path=\"b/b.go:4-12\")",
		}, false},
		{"a symbol, everywhere", args{"place": "a/a.go#clamp", "repo": "all", "scope": "code", "detail": "locate"}, []string{
			"3 of 3 places like demo: a/a.go:3-11 (2 same, 1 near), 2 repos: demo", "demo: b/b.go:4-12", "lib: lib.go:3-11", "demo: c/c.go:3-11", "next: read(path=\"b/b.go:4-12\", repo=\"demo\")",
		}, false},
		{"a place of another repository", args{"place": filepath.Join(other, "lib.go:3-11")}, []string{"3 of 3 places like lib: lib.go:3-11 (2 same, 1 near), repo demo"}, false},
		{"a snippet", args{"snippet": clamp, "path": "a"}, []string{"1 of 1 place like the snippet of 9 lines (1 same, 0 near), repo demo", "a/a.go:3-11 func clamp", "same, score 1.00: lines 3-11 equal 1-9 of yours"}, false},
		{"a page", args{"snippet": clamp, "limit": 1}, []string{"1 of 3 places", "left out: 2 places; more: same call with cursor="}, false},
		{"nothing", args{"snippet": "clamp(launch, missiles)"}, []string{"0 places like the snippet of 1 line found, repo demo", "nothing like the snippet of 1 line in 3 files", "next: search(query=\"clamp\")"}, false},
		{"json", args{"place": "a/a.go:5", "format": "json"}, []string{
			`{"of":{"repo":"demo","path":"a/a.go","start_line":3,"end_line":11,"symbol_id":"a/a.go#clamp","tokens":31},"total":2,"same":1,"near":1,`,
			`"hits":[{"repo":"demo","path":"b/b.go","start_line":4,"end_line":12,"score":1,"symbol":"clamp","kind":"func"`,
			`"grade":"same","shared":[{"start_line":4,"end_line":12,"own_start_line":3,"own_end_line":11}]}`, `"renamed":true`,
		}, false},
		{"the argument of search", args{"query": clamp}, []string{`unknown argument "query" of similar`, "the argument is called snippet"}, true},
		{"the argument of references", args{"at": "a/a.go:5"}, []string{`unknown argument "at" of similar`, "the argument is called place"}, true},
		{"neither", args{}, []string{"neither a snippet nor a place is given"}, true},
		{"both", args{"snippet": "a", "place": "a/a.go"}, []string{"both a snippet and a place are given"}, true},
		{"no such file", args{"place": "a/b.go:3"}, []string{"no file a/b.go in the index of demo", "hint: did you mean"}, true},
		{"no such symbol", args{"place": "a/a.go#clam"}, []string{`symbol "clam": not declared in a/a.go`, "hint: did you mean a/a.go#clamp?"}, true},
		{"left out of the index", args{"place": "blob.bin"}, []string{"blob.bin is not in the index: ", "not text"}, true},
		{"outside", args{"place": "../other/lib.go:3"}, []string{"is outside repo demo"}, true},
		{"outside, absolute", args{"place": "/etc/passwd"}, []string{"is outside the attached repositories"}, true},
		{"punctuation", args{"snippet": "}\n}\n"}, []string{"only punctuation"}, true},
		{"scope", args{"snippet": "a", "scope": "tests"}, []string{`scope "tests": unknown value`, "did you mean test?"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, failed := ask(t, session, "similar", c.args)
			if failed != c.error {
				t.Fatalf("error %v, want %v:\n%s", failed, c.error, text)
			}
			rest := text
			for _, part := range c.want {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Fatalf("answer lacks %q:\n%s", part, text)
				}
				rest = after
			}
		})
	}
}

// TestSimilarIsFresh asks after an edit, which the answer shows.
func TestSimilarIsFresh(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", map[string]string{"a.go": "package a\n\n" + clamp, "b.go": "package a\n"})
	session := connect(t, graphServer(t, root), nil)
	for _, c := range []struct{ text, want string }{
		{"package a\n", "0 places like a.go:3-11 found"},
		{"package a\n\n" + clamp, "1 of 1 place like a.go:3-11 (1 same, 0 near)"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(root, "b.go"), []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if text, _ := ask(t, session, "similar", map[string]any{"place": "a.go:3-11"}); !strings.HasPrefix(text, c.want) {
				t.Errorf("%s, want %s", text, c.want)
			}
		})
	}
}
