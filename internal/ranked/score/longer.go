package score

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// Bounds of words that hold one of a query.
const (
	leastHeld  = 4    // bytes of the term
	mostLonger = 40   // words that hold it: one that more do tells nothing
	mostCalled = 100  // files that are called by such a word
	mostAdded  = 16   // words of a query
	mostWorth  = 0.29 // of such a word: it is a hint
)

// WithLonger returns the terms of a query and, as hints, words of the names of files that
// begin or end with one of them: sdio is at the end of mvsdio. In a tree that is not vast
// none are added, for what its files are called is found by its text. Together they are
// worth as much as their square root, each as much as the term that it holds.
func WithLonger(terms []rank.Term, in *corpus.Corpus) ([]rank.Term, error) {
	vast := rank.Vastness(in.Files)
	if vast == 0 {
		return terms, nil
	}
	type longer struct {
		text  string
		worth float64 // by files, as Term.FileWeight
	}
	known := map[string]bool{}
	for _, t := range terms {
		known[t.Text] = true
	}
	var found []longer
	for _, t := range terms {
		if t.Weight < 1 || t.Compound() || len(t.Text) < leastHeld {
			continue
		}
		words := in.Longer(t.Text)
		maps.DeleteFunc(words, func(word string, files int) bool { return known[word] || files > mostCalled })
		if len(words) == 0 || len(words) > mostLonger {
			continue
		}
		files, err := in.FilesWith(t.Text)
		if err != nil {
			return nil, err
		}
		worth := vast * t.Weight * rank.IDF(files, in.Files) / math.Sqrt(float64(len(words)))
		for word := range words {
			found = append(found, longer{word, worth})
		}
	}
	slices.SortFunc(found, func(a, b longer) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.text, b.text)) })
	all := slices.Clone(terms)
	for _, l := range found {
		if known[l.text] {
			continue
		}
		if len(all) == len(terms)+mostAdded {
			break
		}
		known[l.text] = true
		files, err := in.FilesWith(l.text)
		if err != nil {
			return nil, err
		}
		all = append(all, rank.Term{Text: l.text, Weight: min(mostWorth, l.worth/rank.IDF(files, in.Files))})
	}
	slices.SortFunc(all, func(a, b rank.Term) int { return cmp.Compare(a.Text, b.Text) })
	return all, nil
}
