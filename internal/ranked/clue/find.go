package clue

import (
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/corpus"
)

// finders are all sources of evidence, in the order of their signals.
var finders = []finder{names{}, diagnostics{}, frames{}, places{}, quotes{}, declarations{}, messages{}}

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
