package clue

import (
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// names finds the files that define a name of the query.
type names struct{}

func (names) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	for _, n := range q.Words.Names {
		found, folded, err := in.Definitions(n.Text)
		if err != nil {
			return err
		}
		for i, definitions := range found {
			s := in.Segments[i]
			for _, d := range definitions {
				chunk, kind, _ := s.DefinitionPlace(d)
				c := newClue(rank.Exact, rank.ExactName(n.Weight, kind, folded))
				c.Strong, c.Definition, c.Tie, c.Chunk = true, d, d, chunk
				if rank.Owns(n.Weight, kind) {
					c.Shows = showDefinition
				}
				add(s, s.FileOf(chunk), c)
			}
		}
	}
	return nil
}
