package glob

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWild(t *testing.T) {
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
		t.Run(tt.glob+" "+tt.path, func(t *testing.T) {
			g, err := CompileWild(tt.glob)
			if err != nil {
				t.Errorf("CompileWild(%q): %v", tt.glob, err)
				return
			}
			if got := g.Match(tt.path); got != tt.want {
				t.Errorf("%q matches %q: %v, want %v", tt.glob, tt.path, got, tt.want)
			}
		})
	}
}

func TestWildErrors(t *testing.T) {
	for glob, want := range map[string]string{
		"[invalid":  "invalid range pattern",
		"[":         "invalid range pattern",
		"[!":        "invalid range pattern",
		"***":       "regular `*` or recursive `**`",
		"a**/b":     "single path component",
		"**b":       "single path component",
		"src/**.go": "single path component",
	} {
		t.Run(glob, func(t *testing.T) {
			if _, err := CompileWild(glob); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("CompileWild(%q): %v, want %q", glob, err, want)
			}
		})
	}
}

// FuzzWild holds that the quick shapes match what the automaton does.
func FuzzWild(f *testing.F) {
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

// TestEndings holds that looking an ending up tells what matching each glob does.
func TestEndings(t *testing.T) {
	var globs []*Wild
	for _, text := range []string{"*.go", "**/*.rs", "*.tar.gz", "*.", "*go", "**/*_x.c", "**/target/**", "src/*.ts", "**/*"} {
		g, err := CompileWild(text)
		if err != nil {
			t.Fatal(err)
		}
		globs = append(globs, g)
	}
	endings, rest := Endings(globs)
	if len(endings) != 3 || len(endings)+len(rest) != len(globs) {
		t.Errorf("%d endings and %d others, want 3 and %d", len(endings), len(rest), len(globs)-3)
	}
	for _, path := range []string{"a.go", "a.b.go", ".go", "go", "a.gox", "d.go/a", "x.rs", "a.tar.gz", "a.", "a", "a.GO"} {
		t.Run(path, func(t *testing.T) {
			for _, g := range globs[:4] {
				if g.kind != wildSuffix || !endings[g.literal] {
					continue
				}
				if dot := strings.LastIndexByte(path, '.'); g.Match(path) != (dot >= 0 && path[dot:] == g.literal) {
					t.Errorf("%s and %q: the ending tells otherwise", g, path)
				}
			}
		})
	}
}
