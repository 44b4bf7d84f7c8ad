package discover

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWildGlob(t *testing.T) {
	for _, tt := range []struct {
		glob, path string
		want       bool
	}{
		{"*.rs", "a.rs", true},
		{"*.rs", "/src/deep/a.rs", true}, // a star matches slashes
		{"*.rs", "a.rsx", false},
		{"*.RS", "a.rs", false},
		{"**/*", "anything", true},
		{"**/*.pyc", "/a/b.pyc", true},
		{"**/target/**", "/target/x", true},
		{"**/target/**", "/a/target/b/c", true},
		{"**/target/**", "/a/mytarget/c", false},
		{"**/target/**", "/a/mytarget/target/c", true},
		{"src/**/*.ts", "src/a.ts", true},
		{"src/**/*.ts", "src/x/y/a.ts", true},
		{"src/**/*.ts", "lib/src/a.ts", false},
		{"**/test_*.py", "/x/test_a.py", true},
		{"**/test_*.py", "/x/mytest_a.py", false},
		{"src/*.go", "src/deep/a.go", true},
		{"a?c", "a/c", true},
		{"[abc].go", "b.go", true},
		{"[!abc].go", "b.go", false},
		{"[!abc].go", "d.go", true},
		{"[]].go", "].go", true},
		{"[a-c-].go", "-.go", true},
		{"a.b", "axb", false},
		{"{a,b}", "a", false},
		{"{a,b}", "{a,b}", true},
	} {
		g, err := CompileWild(tt.glob)
		if err != nil {
			t.Errorf("CompileWild(%q): %v", tt.glob, err)
			continue
		}
		if got := g.Match(tt.path); got != tt.want {
			t.Errorf("%q matches %q: %v, want %v", tt.glob, tt.path, got, tt.want)
		}
	}
}

func TestWildGlobErrors(t *testing.T) {
	for glob, want := range map[string]string{
		"[invalid":  "invalid range pattern",
		"[":         "invalid range pattern",
		"[!":        "invalid range pattern",
		"***":       "regular `*` or recursive `**`",
		"a**/b":     "single path component",
		"**b":       "single path component",
		"src/**.go": "single path component",
	} {
		if _, err := CompileWild(glob); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("CompileWild(%q): %v, want %q", glob, err, want)
		}
	}
}

// FuzzWildGlob holds that the quick shapes match what the automaton does.
func FuzzWildGlob(f *testing.F) {
	for _, glob := range []string{"*.go", "**/a/**", "**/*", "[a-c]?", "**/*.x", "**/a/b/**"} {
		f.Add(glob, "a/b.go")
		f.Add(glob, "/x/a/b/c.x")
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		g, err := CompileWild(glob)
		if err != nil || g.kind == wildRegexp {
			return
		}
		text, err := wildRegexpOf(glob)
		if err != nil {
			t.Fatalf("%q has a shape and is malformed: %v", glob, err)
		}
		slow, err := regexp.Compile(text)
		if err != nil || !utf8.ValidString(path) {
			return
		}
		if got, want := g.Match(path), slow.MatchString(path); got != want {
			t.Errorf("%q matches %q by its shape %d: %v, by the automaton: %v", glob, path, g.kind, got, want)
		}
	})
}

func TestWildPolicy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "target", "repo") // an excluded name above the root
	for path, text := range map[string]string{
		"main.go": "package main\n", "sub/a.rs": "fn a() {}\n", "target/x.rs": "x\n", ".hidden": "kept\n", ".cache/y.rs": "y\n",
		".gitignore": "sub/\n", "bad.rs": "\xff\xfe\xfa caf\xe9\n",
	} {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	base := Policy{Dialect: DialectWild, NoGitignore: true, NoEspyignore: true, SkipHiddenFolders: true, Exclude: []string{"**/target/**"}}
	for _, tt := range []struct {
		include []string
		want    []string
	}{
		{nil, []string{".gitignore", ".hidden", "bad.rs", "main.go", "sub/a.rs"}},
		{[]string{"**/*"}, []string{".gitignore", ".hidden", "bad.rs", "main.go", "sub/a.rs"}},
		{[]string{"*.rs"}, []string{"bad.rs", "sub/a.rs"}},
		{[]string{"sub/**"}, []string{"sub/a.rs"}},
		{[]string{dir + "/main.go"}, []string{"main.go"}},
	} {
		p := base
		p.Include = tt.include
		l, err := Walk(context.Background(), root, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range l.Entries {
			got = append(got, e.Path)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("include %q: %q, want %q", tt.include, got, tt.want)
		}
	}
	r, err := NewReader(root, Policy{UTF8Only: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, x, err := r.Read("bad.rs"); err != nil || x == nil || x.Reason != ReasonEncoding && x.Reason != ReasonBinary {
		t.Errorf("bytes that are not UTF-8: %v, %v", x, err)
	}
	if _, x, err := r.Read("main.go"); err != nil || x != nil {
		t.Errorf("plain text: %v, %v", x, err)
	}
	base.Exclude = []string{"[x"}
	if _, err := Walk(context.Background(), root, base, Options{}); err == nil || !strings.Contains(err.Error(), "invalid exclude pattern '[x'") {
		t.Errorf("bad glob: %v", err)
	}
}
