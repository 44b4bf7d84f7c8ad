package ranked

import (
	"cmp"
	"slices"
	"sort"

	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/rank"
	"espy/internal/ranked/score"
	"espy/internal/segment"
	"espy/internal/token"
)

// excerptLines is how many lines of a hit DetailLines shows.
const excerptLines = 12

// The worth of a line that defines something, as a part of the weight of all
// terms of the query.
const (
	nameEmphasis       = 1    // its name answers the query
	definitionEmphasis = 0.15 // it is a type or function
)

// excerpts cuts what is shown of the hits of one answer.
type excerpts struct {
	req         *hit.Request
	highlighter *excerpt.Highlighter
	named       map[string]bool // terms that are sought in names
	cache       segment.TextCache
	snippets    []*excerpt.Snippet // by hit; nil where there is no chunk; none where places alone are shown
	sole        string             // the term of the name that a brief answer shows the definition and the uses of; "" for none
	chances     []float64          // by hit, of sole
}

func newExcerpts(req *hit.Request, scores *score.Scores) *excerpts {
	e := &excerpts{req: req, highlighter: excerpt.NewHighlighter(heaviest(scores)), named: map[string]bool{}}
	for _, t := range scores.Terms {
		if !t.Compound() && !t.Hint() {
			e.named[t.Text] = true
		}
	}
	return e
}

// heaviest returns the terms of the query that occur and their weights, the
// heaviest first.
func heaviest(scores *score.Scores) (texts []string, weights []float64) {
	var terms []score.Term
	for _, t := range scores.Terms {
		if t.Files > 0 {
			terms = append(terms, t)
		}
	}
	slices.SortStableFunc(terms, func(a, b score.Term) int { return cmp.Compare(b.ChunkWeight, a.ChunkWeight) })
	for _, t := range terms {
		texts = append(texts, t.Text)
		weights = append(weights, t.ChunkWeight)
	}
	return texts, weights
}

// add reads the text of the next hit, ranks its lines and names the hit by the
// most telling one.
func (e *excerpts) add(h *hit.Hit, at spot) error {
	if at.chunk < 0 {
		e.snippets = append(e.snippets, nil)
		e.chances = append(e.chances, 0)
		return nil
	}
	m, c := at.match, at.lines
	n := namer{match: m, chunk: at.chunk, info: c, cache: &e.cache}
	if e.req.Detail == hit.DetailLocate && n.sole(h) {
		return nil
	}
	source, err := excerpt.Read(m.in.seg.Reader, m.file, c, e.req.ShowSecrets, &e.cache)
	if err != nil {
		return err
	}
	s := excerpt.New(excerpt.Chunk{Source: source, FirstLine: int(c.StartLine), Worth: e.worth(m, c)}, e.highlighter)
	if err := n.name(h, s); err != nil || e.req.Detail == hit.DetailLocate {
		return err
	}
	if e.req.Detail == hit.DetailLines && !e.req.Brief {
		s.Keep(excerptLines)
	}
	e.snippets = append(e.snippets, s)
	if e.sole != "" {
		e.define(m, s)
	}
	return nil
}

// beyondImports lets a spot that nothing but words leads to be the chunk of its file that
// scores best where imports do not count.
func (e *excerpts) beyondImports(at *spot) error {
	m := at.match
	for c := range m.in.clues.Of(m.file) {
		if c.Shows > 0 || c.Signal == rank.Mentioned {
			return nil
		}
	}
	if at.chunk < 0 {
		return nil
	}
	score := func(chunk int) float64 { return float64(m.in.seg.Scores[chunk]) }
	part, err := e.beside(at)
	if part == 1 || err != nil {
		return err
	}
	most, others := float64(score(at.chunk)*part), m.chunksThatScore()
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	for _, chunk := range others[:min(len(others), maxBeside)] {
		if score(chunk) <= most {
			break
		}
		next := spot{match: m, chunk: chunk, lines: m.in.seg.Chunk(chunk)}
		if part, err = e.beside(&next); err != nil {
			return err
		}
		if worth := float64(score(chunk) * part); worth > most {
			*at, most = next, worth
		}
	}
	return nil
}

// maxBeside bounds the chunks of a file that are read for what they say beside imports.
const maxBeside = 8

// beside returns the part of what a spot says that it says beside imports.
func (e *excerpts) beside(at *spot) (float64, error) {
	text, err := at.in.seg.Reader.TextRange(at.file, int(at.lines.Start), int(at.lines.End), &e.cache)
	if err != nil {
		return 0, err
	}
	return e.highlighter.Beside(text), nil
}

// worth returns what lines of a chunk are worth beside their words: those that
// clues speak of, and those that define something.
func (e *excerpts) worth(m *match, chunk segment.ChunkInfo) map[int]float64 {
	seg, worth := m.in.seg, map[int]float64{}
	defined := -1
	for c := range m.in.clues.Of(m.file) {
		if c.Emphasis > 0 {
			worth[c.Line] = max(worth[c.Line], c.Emphasis)
		}
		for _, line := range c.Also {
			worth[line] = max(worth[line], c.Emphasis)
		}
		defined = max(defined, c.Definition)
	}
	first, end := seg.DefinitionsOf(m.file)
	first += sort.Search(end-first, func(i int) bool {
		line, _ := seg.DefinitionLine(first + i)
		return line >= chunk.StartLine
	})
	for i := first; i < end; i++ {
		d := seg.Definition(i)
		if d.Line > chunk.EndLine {
			break
		}
		switch line := int(d.Line); {
		case label.IsNamespace(seg.Language(m.file), d.Kind):
		case i == defined, e.answers(d.Name):
			worth[line] = max(worth[line], nameEmphasis)
		case d.Kind.IsType() || d.Kind.IsFunc():
			worth[line] = max(worth[line], definitionEmphasis)
		}
	}
	return worth
}

// answers reports whether a term that is sought in names is in one.
func (e *excerpts) answers(name string) bool {
	return slices.ContainsFunc(token.Split(name), func(word string) bool {
		return slices.ContainsFunc(token.Analyze(word).Terms, func(t string) bool { return e.named[t] })
	})
}

// show fills in the lines of the hits within the budget of the request.
func (e *excerpts) show(hits []hit.Hit) {
	if e.req.Detail == hit.DetailLocate {
		return
	}
	if e.req.Brief && e.req.Detail == hit.DetailLines {
		excerpt.Brief(hits, e.snippets, e.chances, e.req.MaxTokens)
		return
	}
	excerpt.Fill(hits, e.snippets, e.req.MaxTokens)
}
