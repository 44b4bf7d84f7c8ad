package score

import (
	"cmp"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// Terms of a text that count.
const (
	MaxTerms       = 64  // of a question
	MaxReportTerms = 128 // of a report
)

// maxWeighed is how many terms are looked up to find those.
const maxWeighed = 512

// Telling keeps at most so many of the most telling terms of a query: by their
// weight and how rare they are among live chunks. They stay in their order.
func Telling(all []rank.Term, most int, in *corpus.Corpus) ([]rank.Term, error) {
	if len(all) <= most {
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
	kept := make([]rank.Term, 0, most)
	for _, w := range found[:min(len(found), most)] {
		kept = append(kept, w.term)
	}
	if len(kept) == 0 { // none occurs: the answer says so of these
		kept = append(kept, terms[:most]...)
	}
	slices.SortFunc(kept, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
	return kept, nil
}
