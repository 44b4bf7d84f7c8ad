package vocabulary_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/vocabulary"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestWords holds which words of a question are names, which of these stand in files, which
// words stand together there, and how many definitions they name.
func TestWords(t *testing.T) {
	snap := sample.Repository(t, "shop", map[string]string{
		"till.go": "package till\n\n// The zorbling opens the drawer of the till 404 times.\nfunc openDrawer() {}\n",
	})
	in := over(t, snap)
	for _, c := range []struct{ question, want string }{
		{"where is the drawer opened", "lost 0, names 0, unknown 0, pairs 0, named 1"},
		{"opens the drawer", "lost 0, names 0, unknown 0, pairs 1, named 1"},
		{"how openDrawer works", "lost 0, names 0, unknown 0, pairs 0, named 1"},
		{"how closeDrawer and open_window work", "lost 2, names 0, unknown 0, pairs 0, named 1"},
		{"zorbling", "lost 0, names 1, unknown 0, pairs 0, named 0"},
		{"fix zorblatt", "change, lost 0, names 0, unknown 1, pairs 0, named 0"},
		{"404", "lost 0, names 0, unknown 0, pairs 0, named 0"},
		{"", "lost 0, names 0, unknown 0, pairs 0, named 0"},
	} {
		t.Run(c.question, func(t *testing.T) {
			words := vocabulary.Of(c.question, in)
			lost, err1 := words.Lost()
			names, unknown, err2 := words.Names()
			near, err3 := words.Pairs()
			named, err4 := words.Named(func(*corpus.Segment, int) bool { return true })
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("lost %d, names %d, unknown %d, pairs %d, named %d", lost, names, unknown, near, named)
			if words.AskForChange() {
				got = "change, " + got
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	none, err := vocabulary.Of("drawer", in).Named(func(*corpus.Segment, int) bool { return false })
	if err != nil || none != 0 {
		t.Errorf("named %d in files that do not count: %v", none, err)
	}
}

// TestCalled holds what is called by a word: a definition in a file that counts, a file and
// a folder, and nothing by a word that stands in text alone.
func TestCalled(t *testing.T) {
	in := over(t, sample.Repository(t, "shop", map[string]string{
		"front/till.go":      "package front\n\n// The zorbling opens it.\nfunc openDrawer() { receipt := 1; _ = receipt }\n",
		"front/till_test.go": "package front\n\ntype fakeCustomer struct{}\n",
	}))
	noTest := func(s *corpus.Segment, file int) bool { return !strings.Contains(s.Path(file), "_test") }
	for question, want := range map[string]bool{
		"drawer": true, "till": true, "front": true, "zorbling": false, "receipt": false, "customer": false, "receipt of the till": true, "window": false, "": false,
	} {
		if got, err := vocabulary.Of(question, in).Called(noTest); err != nil || got != want {
			t.Errorf("something is called %q: %v, want %v: %v", question, got, want, err)
		}
	}
}

// TestAskForType holds which questions are a single word that is written as a type is.
func TestAskForType(t *testing.T) {
	in := over(t, sample.Repository(t, "shop", map[string]string{"a.go": "package a\n"}))
	for question, want := range map[string]bool{"Timeout": true, "the Timeout": true, "timeout": false, "HTTP": false, "Open Timeout": false, "": false} {
		if got := vocabulary.Of(question, in).AskForType(); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

// TestTogether holds that words that share chunks are told from words that do not.
func TestTogether(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("a%d.go", i)] = "package a\n\n// Opens the drawer.\nfunc Open() {}\n"
		files[fmt.Sprintf("b%d.go", i)] = "package b\n\n// Paints a window.\nfunc Paint() {}\n"
	}
	in := over(t, sample.Repository(t, "house", files))
	for question, want := range map[string]float64{
		"open drawer":   0.67, // 20 of 40 chunks, where 10 would by chance: ln 20.3/10.3
		"drawer window": -3.54,
		"drawer":        0,
		"":              0,
	} {
		if got, err := vocabulary.Of(question, in).Together(); err != nil || math.Abs(got-want) > 0.02 {
			t.Errorf("%q: %.2f, want %.2f: %v", question, got, want, err)
		}
	}
}

// over returns a repository as what a query looks at.
func over(t *testing.T, snap *store.Snapshot) *corpus.Corpus {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over([]*store.Snapshot{snap})
	if err != nil {
		t.Fatal(err)
	}
	return corpus.New(f)
}
