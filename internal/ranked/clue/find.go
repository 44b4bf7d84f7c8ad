package clue

import (
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/report"
)

// Query is what files are looked for by.
type Query struct {
	Root   query.Node     // nil where a query has only filters
	Text   string         // its words, phrases and names that are not negated
	Words  *rank.Query    // the terms, names and places of the text
	Report *report.Report // what the text is taken apart to, nil of a question

	Printed bool // the text may be what a program printed
}

// finder finds files by something other than the score of their terms. It adds
// a clue to each; more than one to a file where the best is to be kept.
type finder interface {
	find(q *Query, in *corpus.Corpus, add func(s *corpus.Segment, file int, c Clue)) error
}

// finders are all sources of evidence, in the order of their signals.
var finders = []finder{names{}, places{}, quotes{}, declarations{}, messages{}}

// The finder of messages, and those of the clues that conditions give, behind all
// of finders.
var (
	byMessage = len(finders) - 1
	bySymbol  = len(finders)
	byPhrase  = len(finders) + 1
)

// Find asks all finders.
func Find(q *Query, in *corpus.Corpus) (Found, error) {
	found := newFound(in)
	for i, f := range finders {
		err := f.find(q, in, func(s *corpus.Segment, file int, c Clue) { found[s.Index].add(i, file, c) })
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// AddMet adds the clues of met conditions. Where a file defines a name that the
// query is sure of, no phrase shows its place.
func (f Found) AddMet(met *conditions.Met) {
	for _, d := range met.Declarations {
		f[d.Segment.Index].add(bySymbol, d.File, declared(&d))
	}
	for _, p := range met.Phrases {
		of := &f[p.Segment.Index]
		if of.shows(p.File, showDefinition) {
			continue
		}
		place := newClue(NoSignal, 1)
		place.Chunk, place.Shows = p.Chunk, showPhrase
		of.add(byPhrase, p.File, place)
	}
}
