//go:build cgo && !race

package treesitter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/facts/tree"
	"espy/internal/lang"
	"espy/internal/outline"

	"github.com/google/go-cmp/cmp"
)

// TestOutline compares the definitions of functions and types that the outline
// by lines and the grammar see in the samples of both. What only one of them
// sees is listed in testdata/outline.txt, and is at most a quarter of what both see, per
// language: the samples are made of what is hard.
func TestOutline(t *testing.T) {
	var languages []string
	for _, path := range samples(t) {
		languages = append(languages, filepath.Base(filepath.Dir(path)))
	}
	var b strings.Builder
	for _, language := range unique(languages) {
		t.Run(language, func(t *testing.T) {
			both, apart := compareOutlines(t, &b, language)
			fmt.Fprintf(&b, "%s: %d definitions in both, %d in one\n", language, both, apart)
			if both == 0 || apart*4 > both {
				t.Errorf("%d definitions in both, %d in one only, want a quarter at most", both, apart)
			}
		})
	}
	const path = "testdata/outline.txt"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("differences changed (-want +got):\n%s", diff)
	}
}

// compareOutlines writes what only the outline or only the grammar sees in the
// samples of a language, and counts the definitions.
func compareOutlines(t *testing.T, b *strings.Builder, language string) (both, apart int) {
	for _, path := range outlineSamples(t, language) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := factsOf(t, tree.GrammarOf(language, path, text), text)
		lines, seen := outlined(path, text), defined(f, true)
		for _, d := range defined(f, false) {
			if !slices.Contains(lines, d) {
				apart++
				fmt.Fprintf(b, "%s: only the grammar sees %s\n", filepath.Base(path), d)
			}
		}
		for _, d := range lines {
			if slices.Contains(seen, d) {
				both++
				continue
			}
			apart++
			fmt.Fprintf(b, "%s: only the outline sees %s\n", filepath.Base(path), d)
		}
	}
	return both, apart
}

// outlineSamples lists the samples of a language, here and of the outline, without
// those that have many definitions on a line.
func outlineSamples(t *testing.T, language string) (paths []string) {
	for _, pattern := range []string{"../../outline/testdata/", "testdata/"} {
		files, err := filepath.Glob(pattern + language + "/*")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, files...)
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		base, _, _ := strings.Cut(strings.ToLower(filepath.Base(path)), ".")
		return base == "syntax" || base == "more" || lang.Detect(path, nil) == nil
	})
}

func outlined(path string, text []byte) []string {
	var list []string
	for _, d := range outline.Parse(lang.Detect(path, text), text).Definitions {
		if d.Kind.IsFunc() || d.Kind.IsType() {
			list = append(list, fmt.Sprintf("%d %s", d.Line, d.Name))
		}
	}
	return unique(list)
}

// defined lists definitions, those of local names and those without a body
// only when all are wanted: the outline leaves many of them out.
func defined(f *facts.File, all bool) []string {
	var list []string
	for _, y := range f.Symbols {
		if (y.Kind.IsFunc() || y.Kind.IsType()) && (all || y.Flags&(facts.Local|facts.Abstract) == 0) {
			list = append(list, fmt.Sprintf("%d %s", y.Line, strings.TrimPrefix(y.Name, "#")))
		}
	}
	return unique(list)
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
