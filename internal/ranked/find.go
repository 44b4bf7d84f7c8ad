package ranked

import "espy/internal/ranked/corpus"

// finder finds files by something other than the score of their terms. It adds
// a clue to each; more than one to a file where the best is to be kept.
type finder interface {
	find(q *question, in *corpus.Corpus, add func(s *corpus.Segment, file int, c clue)) error
}

// finders are all sources of evidence, in the order of their signals.
var finders = []finder{names{}, places{}, quotes{}, declarations{}, messages{}}

// byMessage is the finder of messages.
var byMessage = len(finders) - 1

// find asks all finders.
func find(q *question, in *corpus.Corpus) (clues, error) {
	found := newClues(in)
	for i, f := range finders {
		err := f.find(q, in, func(s *corpus.Segment, file int, c clue) { found[s.Index].add(i, file, c) })
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
