package vocabulary_test

import (
	"fmt"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/vocabulary"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestWords holds which words of a question are names, which of these stand in files, and
// which words stand together there.
func TestWords(t *testing.T) {
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	snap := sample.Repository(t, "shop", map[string]string{
		"till.go": "package till\n\n// The zorbling opens the drawer of the till 404 times.\nfunc openDrawer() {}\n",
	})
	f, err := r.Over([]*store.Snapshot{snap})
	if err != nil {
		t.Fatal(err)
	}
	in := corpus.New(f)
	for _, c := range []struct{ question, want string }{
		{"where is the drawer opened", "lost 0, names 0, pairs 0 of 1"},
		{"opens the drawer", "lost 0, names 0, pairs 1 of 1"},
		{"how openDrawer works", "lost 0, names 0, pairs 0 of 1"},
		{"how closeDrawer and open_window work", "lost 2, names 0, pairs 0 of 2"},
		{"zorbling", "lost 0, names 1, pairs 0 of 0"},
		{"zorblatt", "lost 0, names 0, pairs 0 of 0"},
		{"404", "lost 0, names 0, pairs 0 of 0"},
		{"", "lost 0, names 0, pairs 0 of 0"},
	} {
		t.Run(c.question, func(t *testing.T) {
			words := vocabulary.Of(c.question, in)
			lost, err1 := words.Lost()
			names, err2 := words.Names()
			pairs, near, err3 := words.Pairs()
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatal(err1, err2, err3)
			}
			if got := fmt.Sprintf("lost %d, names %d, pairs %d of %d", lost, names, near, pairs); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
