package resolve_test

import (
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestVariationsStay writes down sums of what TestMeaningsStay shows, of the
// same archives with a change: names that nothing declares then, that two things
// declare, or that mean something else. Where a sum changes with the rules, the
// goldens of that test show how.
func TestVariationsStay(t *testing.T) {
	forEachMarked(t, func(t *testing.T, name string, m *marks) {
		var sums strings.Builder
		for _, p := range slices.Sorted(maps.Keys(m.files)) {
			files := maps.Clone(m.files)
			delete(files, p)
			fmt.Fprintf(&sums, "without %s: %s\n", p, sum(t, files))
			for what, text := range variations(m.files[p]) {
				files[p] = text
				fmt.Fprintf(&sums, "%s of %s: %s\n", what, p, sum(t, files))
			}
		}
		checkGolden(t, name+".variations", sums.String())
	})
}

// How far apart the lines and words are that variations change.
const (
	everyLine = 9
	everyWord = 60
)

var identifier = regexp.MustCompile(`[A-Za-z_]\w+`)

// variations yields a text without one of its lines, with one twice, and with
// another of its words in the place of one.
func variations(text string) iter.Seq2[string, string] {
	return func(yield func(what, text string) bool) {
		lines := strings.SplitAfter(text, "\n")
		for i := len(text) % everyLine; i < len(lines); i += everyLine {
			if !yield(fmt.Sprintf("without line %d", i+1), strings.Join(slices.Concat(lines[:i], lines[i+1:]), "")) ||
				!yield(fmt.Sprintf("twice line %d", i+1), strings.Join(slices.Concat(lines[:i+1], lines[i:]), "")) {
				return
			}
		}
		words := identifier.FindAllStringIndex(text, -1)
		for i := len(text) % everyWord; i < len(words); i += everyWord {
			other := words[(i*7+3)%len(words)]
			word := text[other[0]:other[1]]
			if !yield(fmt.Sprintf("%s for word %d", word, i+1), text[:words[i][0]]+word+text[words[i][1]:]) {
				return
			}
		}
	}
}

// TestTogetherStay does so for all archives of a language in one tree, each in a
// folder of its own: many symbols of one name, near and far.
func TestTogetherStay(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	trees := map[string]map[string]string{}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		folder := strings.TrimSuffix(filepath.Base(name), ".txtar")
		language, _, _ := strings.Cut(folder, "_")
		if trees[language] == nil {
			trees[language] = map[string]string{}
		}
		for p, text := range readMarks(a).files {
			trees[language][path.Join(folder, p)] = text
		}
	}
	for language, files := range trees {
		t.Run(language, func(t *testing.T) {
			checkGolden(t, "testdata/"+language+".together", byFolder(meanings(t, index(t, files), true)))
		})
	}
}

// byFolder sums up what meanings prints by the folder that it is about.
func byFolder(text string) string {
	folders := map[string]*strings.Builder{}
	for entry := range strings.Lines(strings.ReplaceAll(text, "\n\t", "\t")) {
		folder, _, _ := strings.Cut(entry, "/")
		if folders[folder] == nil {
			folders[folder] = new(strings.Builder)
		}
		folders[folder].WriteString(entry)
	}
	var sums strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintf(&sums, "%s: %s\n", folder, sumOf(folders[folder].String()))
	}
	return sums.String()
}

func sum(t *testing.T, files map[string]string) string {
	t.Helper()
	if len(files) == 0 {
		return "nothing"
	}
	return sumOf(meanings(t, index(t, files), true))
}

// sumOf counts what is certain, likely and possible in a text, and adds its checksum.
func sumOf(text string) string {
	return fmt.Sprintf("%d certain, %d likely, %d possible, %08x", strings.Count(text, " certain, "),
		strings.Count(text, " likely, "), strings.Count(text, " possible, "), crc32.ChecksumIEEE([]byte(text)))
}
