package score

import (
	"cmp"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// Bounds of a long text.
const (
	maxTerms   = 64  // terms that count
	maxWeighed = 512 // terms that are looked up to find those
)

// Telling keeps the most telling terms of a query that has many: by their weight
// and how rare they are among live chunks. They stay in their order.
func Telling(all []rank.Term, in *corpus.Corpus) ([]rank.Term, error) {
	if len(all) <= maxTerms {
		return all, nil
	}
	type weighed struct {
		term  rank.Term
		worth float64
	}
	terms := slices.Clone(all)
	slices.SortStableFunc(terms, func(a, b rank.Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(len(b.Text), len(a.Text)))
	})
	var found []weighed
	for _, t := range terms[:min(len(terms), maxWeighed)] {
		n, err := in.ChunksWith(t.Text)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			found = append(found, weighed{t, t.Weight * rank.IDF(n, in.Chunks)})
		}
	}
	slices.SortStableFunc(found, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.term.Text, b.term.Text))
	})
	kept := make([]rank.Term, 0, maxTerms)
	for _, w := range found[:min(len(found), maxTerms)] {
		kept = append(kept, w.term)
	}
	if len(kept) == 0 { // none occurs: the answer says so of these
		kept = append(kept, terms[:maxTerms]...)
	}
	slices.SortFunc(kept, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
	return kept, nil
}
