package ranked

import (
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// names finds the files that define a name of the query.
type names struct{}

func (names) find(q *question, in *corpus.Corpus, add func(*corpus.Segment, int, clue)) error {
	for _, n := range q.words.Names {
		found, folded, err := in.Definitions(n.Text)
		if err != nil {
			return err
		}
		for i, definitions := range found {
			s := in.Segments[i]
			for _, d := range definitions {
				chunk, kind, _ := s.DefinitionPlace(d)
				c := newClue(rank.Exact, rank.ExactName(n.Weight, kind, folded))
				c.strong, c.definition, c.tie, c.chunk = true, d, d, chunk
				if rank.Owns(n.Weight, kind) {
					c.shows = showDefinition
				}
				add(s, s.FileOf(chunk), c)
			}
		}
	}
	return nil
}
