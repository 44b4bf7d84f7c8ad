package clue

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// names finds the files that define a name of the query, and those that pass it on from
// elsewhere.
type names struct{}

func (names) find(q *Query, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) error {
	for _, n := range q.Words.Names {
		found, folded, err := in.Definitions(n.Text)
		if err != nil {
			return err
		}
		passed, err := addPassing(n, folded, in, add)
		if err != nil {
			return err
		}
		if passed && folded {
			continue
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

// addPassing adds the files that pass a name on, and reports whether there are some. What
// passes on a name that nothing is called here (foreign) is as good as its definition; beside
// that it tells the name by which others have it.
func addPassing(n rank.Name, foreign bool, in *corpus.Corpus, add func(*corpus.Segment, int, Clue)) (bool, error) {
	kind := code.KindConst
	if foreign {
		kind = code.KindType
	}
	all, err := in.PassesOn(n.Text)
	for _, p := range all {
		c := passing(n.Text, &p, rank.Exact, rank.ExactName(n.Weight, kind, false))
		if rank.Owns(n.Weight, kind) {
			c.Shows = showDefinition
		}
		add(p.Segment, p.File, c)
	}
	return len(all) > 0, err
}

// passing returns the clue of a line that passes on a name of the query.
func passing(name string, p *corpus.PassedOn, signal rank.Signal, value float64) Clue {
	c := newClue(signal, value)
	c.Strong, c.Tie, c.Line, c.Emphasis = true, p.Line, p.Line, declarationEmphasis
	c.Passes = name + " from " + p.From
	return c
}
