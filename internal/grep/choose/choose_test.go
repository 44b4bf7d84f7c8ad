package choose

import (
	"testing"

	"espy/internal/glob"
)

func TestKeep(t *testing.T) {
	types := NewTypes()
	if err := types.Select("go", false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		o       Options
		dir     string // the folder that is searched
		path    string
		folder  bool
		ignored glob.Verdict
		want    bool
	}{
		{"plain", Options{MaxDepth: -1}, "", "a/b.go", false, glob.Undecided, true},
		{"ignored", Options{MaxDepth: -1}, "", "a/b.go", false, glob.Ignored, false},
		{"hidden", Options{MaxDepth: -1}, "", "a/.b", false, glob.Undecided, false},
		{"hidden and wanted", Options{MaxDepth: -1, Hidden: true}, "", "a/.b", false, glob.Undecided, true},
		{"hidden and kept by an ignore file", Options{MaxDepth: -1}, "", "a/.b", false, glob.Kept, true},
		{"glob wins over ignore files", Options{MaxDepth: -1, Globs: []string{"*.log"}}, "", "x.log", false, glob.Ignored, true},
		{"glob leaves others out", Options{MaxDepth: -1, Globs: []string{"*.log"}}, "", "x.go", false, glob.Undecided, false},
		{"glob lets folders in", Options{MaxDepth: -1, Globs: []string{"*.log"}}, "", "a", true, glob.Undecided, true},
		{"last glob wins", Options{MaxDepth: -1, Globs: []string{"*.go", "!b.go"}}, "", "b.go", false, glob.Undecided, false},
		{"glob in another case", Options{MaxDepth: -1, IGlobs: []string{"*.GO"}}, "", "b.go", false, glob.Undecided, true},
		{"alternatives", Options{MaxDepth: -1, Globs: []string{"*.{rs,go}"}}, "", "b.go", false, glob.Undecided, true},
		{"alternatives in a class", Options{MaxDepth: -1, Globs: []string{"[{a,b}].go"}}, "", ",.go", false, glob.Undecided, true},
		{"an empty alternative", Options{MaxDepth: -1, Globs: []string{"b.{,go}"}}, "", "b.", false, glob.Undecided, false},
		{"class without names", Options{MaxDepth: -1, Globs: []string{"*[[:space:]]*"}}, "", "a b", false, glob.Undecided, false},
		{"class with a backslash", Options{MaxDepth: -1, Globs: []string{`a[\]]`}}, "", `a\]`, false, glob.Undecided, true},
		{"class with a bracket first", Options{MaxDepth: -1, Globs: []string{"[!]a]b"}}, "", "]b", false, glob.Undecided, false},
		{"range that goes on", Options{MaxDepth: -1, Globs: []string{"[a-c-z]"}}, "", "x", false, glob.Undecided, true},
		{"range over a slash", Options{MaxDepth: -1, Globs: []string{"[--a]"}}, "", "b/a", false, glob.Undecided, true},
		{"class in another case", Options{MaxDepth: -1, IGlobs: []string{"[--a]"}}, "", "b", false, glob.Undecided, true},
		{"class of letters", Options{MaxDepth: -1, Globs: []string{"[é]*"}}, "", "é", false, glob.Undecided, true},
		{"letters in another case", Options{MaxDepth: -1, IGlobs: []string{"É"}}, "", "é", false, glob.Undecided, false},
		{"letters in the same case", Options{MaxDepth: -1, IGlobs: []string{"é"}}, "", "é", false, glob.Undecided, true},
		{"a glob of nothing", Options{MaxDepth: -1, Globs: []string{"/"}}, "", "a", false, glob.Undecided, false},
		{"a comment", Options{MaxDepth: -1, Globs: []string{"# a"}}, "", "a", false, glob.Undecided, true},
		{"type", Options{MaxDepth: -1, Types: types}, "", "b.py", false, glob.Undecided, false},
		{"type of a folder", Options{MaxDepth: -1, Types: types}, "", "b", true, glob.Undecided, true},
		{"too deep", Options{MaxDepth: 1}, "", "a/b.go", false, glob.Undecided, false},
		{"depth below a folder", Options{MaxDepth: 1}, "a", "a/b.go", false, glob.Undecided, true},
		{"above the folder", Options{MaxDepth: -1}, "a/b", "a", true, glob.Undecided, true},
		{"beside the folder", Options{MaxDepth: -1}, "a/b", "a/c", true, glob.Undecided, false},
		{"like the folder", Options{MaxDepth: -1}, "a", "ab", true, glob.Undecided, false},
		{"named ignore file", Options{MaxDepth: -1, Ignores: []string{"*.md\n"}}, "", "a.md", false, glob.Undecided, false},
		{"later named ignore file", Options{MaxDepth: -1, Ignores: []string{"*.md\n", "!a.md\n"}}, "", "a.md", false, glob.Undecided, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := New(&tt.o, tt.dir, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Keep(tt.path, tt.folder, tt.ignored); got != tt.want {
				t.Errorf("Keep(%q) = %v, want %v", tt.path, got, tt.want)
			}
		})
	}
}

// TestBadGlobs holds that a glob that is none is refused, and a comment is not.
func TestBadGlobs(t *testing.T) {
	for p, want := range map[string]bool{"[a": true, "[]": true, "[!]": true, "{a": true, "a}": true, `a\`: true, "[b-a]": true, "#[": false, `\[`: false, "[]]": false, "[!]]": false, "[-a]": false, "[a-]": false, `a\}`: false} {
		if _, err := New(&Options{Globs: []string{p}}, "", ""); (err != nil) != want {
			t.Errorf("%q: %v, refused should be %v", p, err, want)
		}
	}
}
