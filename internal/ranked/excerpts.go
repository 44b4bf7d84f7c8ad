package ranked

import (
	"cmp"
	"slices"
	"sort"

	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/rank"
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
	judge       *judge
	highlighter *excerpt.Highlighter
	named       map[string]bool // terms that are sought in names
	cache       segment.TextCache
	snippets    []*excerpt.Snippet // by hit; nil where there is no chunk, or places alone are shown
	sole        string             // the term of the name that a brief answer shows the definition and the uses of; "" for none
	chances     []float64          // by hit, of sole; nil without it
}

func newExcerpts(req *hit.Request, j *judge, ordered []spot) *excerpts {
	e := &excerpts{req: req, judge: j, named: map[string]bool{}, snippets: make([]*excerpt.Snippet, len(ordered))}
	var terms []excerpt.Term
	for _, t := range j.scores.Terms {
		if t.Files > 0 {
			terms = append(terms, excerpt.Term{Text: t.Text, Weight: t.ChunkWeight})
		}
		if !t.Compound() && !t.Hint() {
			e.named[t.Text] = true
		}
	}
	e.highlighter = excerpt.NewHighlighter(terms)
	if req.Brief {
		e.sole = soleName(j.asked, ordered)
	}
	if e.sole != "" {
		e.chances = make([]float64, len(ordered))
	}
	return e
}

// read returns the chunk of a spot.
func (e *excerpts) read(s spot) (*excerpt.Chunk, error) {
	source, err := excerpt.Read(s.in.seg.Reader, s.file, s.lines, e.req.ShowSecrets, &e.cache)
	if err != nil {
		return nil, err
	}
	return excerpt.NewChunk(source, int(s.lines.StartLine), e.highlighter), nil
}

// beyondImports returns the spot that is shown of a file, and its chunk if that was read: a
// spot that nothing but words leads to is the chunk that scores best where imports do not
// count.
func (e *excerpts) beyondImports(s spot) (spot, *excerpt.Chunk, error) {
	m := s.match
	if s.chunk < 0 || e.judge.asked.report != nil {
		return s, nil, nil
	}
	for said := range m.in.clues.Of(m.file) {
		if said.Shows > 0 || said.Signal == rank.Mentioned {
			return s, nil, nil
		}
	}
	chunk, err := e.read(s)
	if err != nil {
		return s, nil, err
	}
	part := chunk.Beside()
	if part == 1 {
		return s, chunk, nil
	}
	score := func(chunk int) float64 { return float64(m.in.seg.Scores[chunk]) }
	most, others := float64(score(s.chunk)*part), m.chunksThatScore()
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	for _, number := range others[:min(len(others), maxBeside)] {
		if score(number) <= most {
			break
		}
		other := spot{match: m, chunk: number, lines: m.in.seg.Chunk(number)}
		read, err := e.read(other)
		if err != nil {
			return s, nil, err
		}
		if worth := float64(score(number) * read.Beside()); worth > most {
			s, chunk, most = other, read, worth
		}
	}
	return s, chunk, nil
}

// maxBeside bounds the chunks of a file that are read for what they say beside imports.
const maxBeside = 8

// add ranks the lines of the hit at a place of the answer and names it by the most telling
// one. The chunk is nil where it was not read yet.
func (e *excerpts) add(h *hit.Hit, at int, s spot, chunk *excerpt.Chunk) (err error) {
	n := namer{match: s.match, chunk: s.chunk, info: s.lines, cache: &e.cache}
	if e.req.Detail == hit.DetailLocate && n.sole(h) {
		return nil
	}
	if chunk == nil {
		if chunk, err = e.read(s); err != nil {
			return err
		}
	}
	lines := chunk.Ranked(e.worth(s.match, s.lines))
	if c := s.match.declares(); c != nil && c.Passes != "" && s.holds(c.Line) {
		lines.Prefer(c.Line)
	}
	if err := n.name(h, lines); err != nil || e.req.Detail == hit.DetailLocate {
		return err
	}
	if e.req.Detail == hit.DetailLines && !e.req.Brief {
		lines.Keep(excerptLines)
	}
	e.snippets[at] = lines
	if e.sole != "" {
		e.chances[at] = e.define(s.match, lines)
	}
	return nil
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
