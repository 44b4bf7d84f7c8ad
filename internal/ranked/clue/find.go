package clue

import (
	"fmt"
	"slices"

	"espy/internal/place"
	"espy/internal/ranked/conditions"
	"espy/internal/ranked/corpus"
	"espy/internal/usage"
)

// finders are all sources of evidence, in the order of their signals.
var finders = []finder{names{}, diagnostics{}, standing{}, frames{}, places{}, quotes{}, declarations{}, messages{}}

// The finder of messages, and those of the clues that conditions give, behind all
// of finders.
var (
	byMessage = len(finders) - 1
	bySymbol  = len(finders)
	byPhrase  = len(finders) + 1
)

// Find asks all finders. The notes say which place a text names in vain.
func Find(q *Query, in *corpus.Corpus) (found Found, notes []string, err error) {
	found, q.named = newFound(in), q.diagnostics()
	for i, f := range finders {
		err := f.find(q, in, func(s *corpus.Segment, file int, c Clue) { found[s.Index].add(i, file, c) })
		if err != nil {
			return nil, nil, err
		}
	}
	return found, found.elsewhere(q), nil
}

// elsewhere says which place tools name first, where none that they name is here.
func (f Found) elsewhere(q *Query) (notes []string) {
	if len(q.named) == 0 || f.LeadsToLines() {
		return nil
	}
	first := q.named[0]
	return []string{fmt.Sprintf("%s is not here as the text shows it", place.Place{Path: usage.Shorten(first.Path, shownPath), First: first.Line, Last: first.Line})}
}

// shownPath is how many bytes of such a path are shown.
const shownPath = 120

// any reports whether some clue is such.
func (f Found) any(is func(l listed) bool) bool {
	return slices.ContainsFunc(f, func(in Files) bool { return slices.ContainsFunc(in.all, is) })
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
