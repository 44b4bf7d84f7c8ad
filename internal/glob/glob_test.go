package glob

import (
	"errors"
	"strings"
	"testing"

	"espy/internal/usage"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		glob, path      string // a folder if the path ends in a slash
		matches, covers bool
	}{
		{"*.go", "a.go", true, true},
		{"*.go", "x/y/a.go", true, true},
		{"*.go", "x.go/a", false, true},
		{"/*.go", "x/a.go", false, false},
		{"/*.go", "a.go", true, true},
		{"./a.go", "a.go", true, true},
		{"./a.go", "x/a.go", true, true},
		{"x/*.go", "x/a.go", true, true},
		{"x/*.go", "x/y/a.go", false, false},
		{"x/*.go", "y/x/a.go", false, false},
		{"x/**", "x/y/a.go", true, true},
		{"**/a.go", "a.go", true, true},
		{"vendor/", "vendor", false, false},
		{"vendor/", "vendor/", true, true},
		{"vendor/", "x/vendor/", true, true},
		{"vendor/", "x/vendor/a", false, true},
		{"x/y", "x/y/z", false, true},
		{"x/y", "x/yz", false, false},
		{"{a,b}/*.s", "b/x.s", true, true},
		{`x/\[a\]`, "x/[a]", true, true},
		{"[ab]", "b", true, true},
		{"é*", "x/éa", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.glob+" on "+tt.path, func(t *testing.T) {
			t.Parallel()
			g, err := Compile(tt.glob)
			if err != nil {
				t.Fatal(err)
			}
			path, folder := strings.CutSuffix(tt.path, "/")
			if got := g.Match(path, folder); got != tt.matches {
				t.Errorf("Match = %v, want %v", got, tt.matches)
			}
			if got := g.Covers(path, folder); got != tt.covers {
				t.Errorf("Covers = %v, want %v", got, tt.covers)
			}
		})
	}
}

func TestReaches(t *testing.T) {
	tests := []struct {
		glob, folder string
		want         bool
	}{
		{"a/b/*.go", "a", true},
		{"a/b/*.go", "a/b", true},
		{"a/b/*.go", "a/b/c", true},
		{"a/b/*.go", "a/bc", false},
		{"a/b/*.go", "ab", false},
		{"*.go", "x/y", true},
		{"**/a", "x/y", true},
		{"/a", "x", false},
		{"/a", "a/b", true},
		{"a/b", "a", true},
		{"a/b", "a/b", true},
		{"a/b", "a/c", false},
		{"/a*", "x", true}, // its base is the root
	}
	for _, tt := range tests {
		t.Run(tt.glob+" below "+tt.folder, func(t *testing.T) {
			t.Parallel()
			g, err := Compile(tt.glob)
			if err != nil {
				t.Fatal(err)
			}
			if got := g.Reaches(tt.folder); got != tt.want {
				t.Errorf("Reaches = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCompileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "empty glob",
		"/":                             "empty glob",
		".":                             "empty glob",
		"./":                            "empty glob",
		"[a":                            "malformed glob",
		"{a":                            "malformed glob",
		strings.Repeat("a", maxBytes+1): "a glob of 1001 bytes; the limit is 1000",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			_, err := Compile(text)
			var bad *usage.Error
			if !errors.As(err, &bad) || bad.Msg != want || bad.Value != text || bad.Hint == "" {
				t.Errorf("Compile(%.20q) = %v, want %s with a hint", text, err, want)
			}
		})
	}
	if _, err := Compile(strings.Repeat("a", maxBytes)); err != nil {
		t.Errorf("a glob of the greatest length: %v", err)
	}
}
