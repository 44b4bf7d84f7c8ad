package ranked

import (
	"strings"

	"espy/internal/excerpt"
	"espy/internal/facts"
	"espy/internal/query"
	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/token"
)

// What a brief answer leaves out.
const (
	alwaysNamed = 10   // hits from which on all were asked for
	farBelow    = 0.01 // part of the best score below which a hit is not named: of 423 such hits of the questions of docs/quality.md none answered
)

// worthNaming returns how many of the best matches a brief answer names: those up to
// where the scores fall far below the best one, unless more were asked for than usual.
func worthNaming(best []spot) int {
	n := len(best)
	if n == 0 || n > alwaysNamed {
		return n
	}
	least := float64(rank.Logistic(best[0].score) * farBelow)
	for n > 1 && rank.Logistic(best[n-1].score) < least {
		n--
	}
	return n
}

// What a brief answer shows for a name.
const (
	usesShown   = 2   // lines of each file that uses it
	usesChances = 0.2 // room of each, beside 1 of its definition
)

// soleName returns the term of a query that is nothing but a name whose declaration
// is among the matches, "" for another query.
func soleName(q *question, ordered []spot) string {
	word, ok := q.root.(query.Word)
	if !ok || len(ordered) == 0 || ordered[0].declares() == nil {
		return ""
	}
	parts := facts.SplitName(strings.TrimSuffix(word.Text, "()"))
	if len(parts) == 0 {
		return ""
	}
	name := token.Analyze(parts[len(parts)-1])
	if name.Compound == "" && len(name.Terms) > 0 {
		return name.Terms[0]
	}
	return name.Compound
}

// declares returns the clue of the declaration that is all a query asks for, or of the
// line that passes its name on, nil where the match has none.
func (m *match) declares() *clue.Clue {
	for c := range m.in.clues.Of(m.file) {
		if c.First && (c.Symbol.Name != "" || c.Passes != "") {
			return c
		}
	}
	return nil
}

// define limits a snippet of an answer about one name to its definition, else to the
// lines that use it or pass it on, and returns its chances.
func (e *excerpts) define(m *match, s *excerpt.Snippet) float64 {
	c := m.declares()
	if c == nil {
		s.Uses(e.sole, usesShown)
		return usesChances
	}
	if c.Passes != "" {
		s.Uses(e.sole, usesShown)
		return 1
	}
	var others []int
	for i, end := m.in.seg.DefinitionsOf(m.file); i < end; i++ {
		if d := m.in.seg.Definition(i); d.Name != c.Symbol.Name { // overloads belong together
			others = append(others, int(d.Line))
		}
	}
	s.Define(c.Line, others)
	return 1
}
