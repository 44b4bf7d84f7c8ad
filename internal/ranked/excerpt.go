package ranked

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/segment"
	"espy/internal/token"
)

// excerptLines is how many lines of a hit DetailLines shows.
const excerptLines = 12

// definitionBonus is the worth of a line that defines something, as a part of
// the mass of all query terms; one whose name answers the query is worth all of it.
const definitionBonus = 0.15

// heavy returns the terms of the query that occur, the heaviest first.
func (c *collection) heavy() (terms []string, mass []float64) {
	var order []int
	for i, w := range c.terms {
		if w.files > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.terms[b].chunk, c.terms[a].chunk) })
	for _, i := range order {
		terms = append(terms, c.query.Terms[i].Text)
		mass = append(mass, c.terms[i].chunk)
	}
	return terms, mass
}

// named returns the terms of the query that are sought in names, compounds aside.
func (c *collection) named() map[string]bool {
	named := map[string]bool{}
	for _, t := range c.query.Terms {
		if !t.Compound() && !t.Hint() {
			named[t.Text] = true
		}
	}
	return named
}

// excerpts cuts what is shown of the hits of one answer.
type excerpts struct {
	*plan
	lens     *excerpt.Lens   // nil where nothing is shown
	named    map[string]bool // terms that are sought in names
	cache    segment.TextCache
	passages []*excerpt.Passage // by hit; nil where nothing is shown
}

func (k *keywords) newExcerpts() *excerpts {
	e := &excerpts{plan: k.plan}
	if k.Detail != hit.DetailLocate {
		e.lens, e.named = excerpt.NewLens(k.heavy()), k.named()
	}
	return e
}

// add reads the text of the next hit and ranks its lines.
func (e *excerpts) add(m *match, h *hit.Hit) error {
	if e.Detail == hit.DetailLocate || m.chunk < 0 {
		e.passages = append(e.passages, nil)
		return nil
	}
	c := m.seg.Chunk(m.chunk)
	text, err := m.seg.TextRange(m.file, int(c.Start), int(c.End), &e.cache)
	if err != nil {
		return err
	}
	p := excerpt.NewPassage(bytes.Clone(text), h.StartLine, e.lens, e.worth(m, c))
	if e.Detail == hit.DetailLines {
		p.Keep(excerptLines)
	}
	e.passages = append(e.passages, p)
	return nil
}

// worth returns what the lines of a chunk that define something are worth
// beside their words.
func (e *excerpts) worth(m *match, c segment.ChunkInfo) map[int]float64 {
	worth := map[int]float64{}
	first, end := m.seg.DefinitionsOf(m.file)
	first += sort.Search(end-first, func(i int) bool { return m.seg.Definition(first+i).Line >= c.StartLine })
	if line := m.mentions[m.file].line; line > 0 {
		worth[line] = 2
	}
	if a, ok := m.asked[m.file]; ok && a.chunk == m.chunk {
		worth[int(a.Line)] = 2
	}
	exact, named := m.exact[m.file]
	for i := first; i < end; i++ {
		d := m.seg.Definition(i)
		if d.Line > c.EndLine {
			break
		}
		switch line := int(d.Line); {
		case named && exact.definition == i, e.answers(d.Name):
			worth[line] = max(worth[line], 1)
		case d.Kind.IsType() || d.Kind.IsFunc():
			worth[line] = max(worth[line], definitionBonus)
		}
	}
	return worth
}

// answers reports whether a term that is sought in names is in one.
func (e *excerpts) answers(name string) bool {
	return slices.ContainsFunc(splitWords(name), func(word string) bool {
		return slices.ContainsFunc(token.Analyze(word).Terms, func(t string) bool { return e.named[t] })
	})
}

// show fills in the lines of the hits within the budget of the request.
func (e *excerpts) show(hits []hit.Hit) {
	needs := make([]int, len(hits))
	for i, p := range e.passages {
		if p != nil {
			needs[i] = p.Cost(len(p.Order))
		}
	}
	granted := needs
	if e.MaxTokens > 0 {
		granted = excerpt.Shares(needs, 4*e.MaxTokens)
	}
	for i, p := range e.passages {
		if p != nil {
			hits[i].Lines, hits[i].Cut = p.Show(p.Fit(granted[i]), e.lens)
		}
	}
}
