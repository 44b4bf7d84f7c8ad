package whole

import (
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestBest holds which whole files speak most of some terms: rare terms say more, a
// long file less, the path counts, and only files that are asked for are named.
func TestBest(t *testing.T) {
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("// one more line about nothing\n", 300)
	snap := sample.Repository(t, "shop", map[string]string{
		"both.go":  "package shop\n\n// shelf and cart\n" + strings.Repeat("// shelf\n", 3),
		"far.go":   "package shop\n\n// shelf\n" + filler + "// cart\n",
		"one.go":   "package shop\n\n// shelf\n",
		"empty.go": "package shop\n",
	}, map[string]string{
		"cart/list.go": "package list\n",
	})
	f, err := r.Over([]*store.Snapshot{snap})
	if err != nil {
		t.Fatal(err)
	}
	in := corpus.New(f)
	for _, c := range []struct{ name, terms, without, want string }{
		{"a rare term", "cart", "", "cart/list.go both.go far.go"},
		{"two terms", "cart shelf", "", "both.go cart/list.go one.go far.go"},
		{"not all files", "cart shelf", "both.go", "cart/list.go one.go far.go"},
		{"no such term", "lorry", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var terms []rank.Term
			for text := range strings.FieldsSeq(c.terms) {
				terms = append(terms, rank.Term{Text: text, Weight: 1})
			}
			scores, err := Score(in, terms)
			if err != nil {
				t.Fatal(err)
			}
			path := func(f File) string { return in.Segments[f.Segment].Path(f.File) }
			var got []string
			for _, f := range scores.Best(in, 9, func(f File) bool { return path(f) != c.without }) {
				got = append(got, path(f))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("best are %q, want %q", got, c.want)
			}
			if n := len(scores.Best(in, 1, func(File) bool { return true })); n > 1 {
				t.Errorf("%d best files, want 1", n)
			}
		})
	}
}
