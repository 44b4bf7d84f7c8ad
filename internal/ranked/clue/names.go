package clue

import (
	"slices"
	"strings"

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
		only := !folded && len(slices.Concat(found...)) == 1 && q.opensWith(n.Text)
		for i, definitions := range found {
			s := in.Segments[i]
			for _, d := range definitions {
				chunk, kind, _ := s.DefinitionPlace(d)
				c := newClue(rank.Exact, rank.ExactName(n.Weight, kind, folded))
				c.Strong, c.Definition, c.Tie, c.Chunk = true, d, d, chunk
				c.First = only && kind.IsFunc() && s.Class(s.FileOf(chunk))&beside == 0
				if rank.Owns(n.Weight, kind) {
					c.Shows = showDefinition
				}
				add(s, s.FileOf(chunk), c)
			}
		}
	}
	return nil
}

// opensWith reports whether a text of one line is about a name, as messages of commits and of
// programs are that begin with the function which they are of: "name: what of it".
func (q *Query) opensWith(name string) bool {
	rest, ok := strings.CutPrefix(q.Text, name)
	return ok && (strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, "(): ")) && !strings.Contains(strings.TrimSpace(rest), "\n")
}
