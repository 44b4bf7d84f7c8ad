package semantic

import (
	"espy/internal/excerpt"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/rank"
	"espy/internal/segment"
)

// excerptLines is how many lines of a hit DetailLines shows.
const excerptLines = 12

// definitionEmphasis is the worth of a line that defines something, as a part of
// the weight of all words of the question: it says best what a chunk is about.
const definitionEmphasis = 0.5

// show makes the hits of an answer.
func (q *Query) show(s *scan, ordered []*match) ([]hit.Hit, error) {
	hits := make([]hit.Hit, 0, len(ordered))
	e := excerpts{req: &q.req, highlighter: newHighlighter(&q.words)}
	for _, m := range ordered {
		info := m.info()
		h := hit.Hit{
			Repo: m.in.Repo, Path: m.in.Path(m.file), StartLine: int(info.StartLine), EndLine: int(info.EndLine),
			Score: rank.Logistic(m.logit), Language: m.in.Language(m.file), Class: m.in.Class(m.file),
		}
		if q.req.Explain {
			h.Explain = s.score.explain(m.cosine, m.near, m.trait)
		}
		if err := e.add(&h, m, info); err != nil {
			return hits, err
		}
		hits = append(hits, h)
	}
	e.show(hits)
	return hits, nil
}

// newHighlighter returns one of the words of the question.
func newHighlighter(words *rank.Query) *excerpt.Highlighter {
	var terms []excerpt.Term
	for _, t := range words.Terms {
		terms = append(terms, excerpt.Term{Text: t.Text, Weight: t.Weight})
	}
	return excerpt.NewHighlighter(terms)
}

// excerpts cuts what is shown of the hits of one answer.
type excerpts struct {
	req         *hit.Request
	highlighter *excerpt.Highlighter
	cache       segment.TextCache
	snippets    []*excerpt.Snippet // by hit
}

// add reads the text of the next hit, ranks its lines and names the hit by the
// most telling one.
func (e *excerpts) add(h *hit.Hit, m *match, info segment.ChunkInfo) error {
	source, err := excerpt.Read(m.in.Reader, m.file, info, e.req.ShowSecrets, &e.cache)
	if err != nil {
		return err
	}
	s := excerpt.NewChunk(source, int(info.StartLine), e.highlighter).Ranked(worth(m, info))
	if err := e.name(h, m, info, s); err != nil {
		return err
	}
	if e.req.Detail == hit.DetailLines && !e.req.Brief {
		s.Keep(excerptLines)
	}
	e.snippets = append(e.snippets, s)
	return nil
}

// worth returns what lines of a chunk are worth beside their words.
func worth(m *match, info segment.ChunkInfo) map[int]float64 {
	lines := map[int]float64{}
	for i, end := m.in.DefinitionsOf(m.file); i < end; i++ {
		line, kind := m.in.DefinitionLine(i)
		if line >= info.StartLine && line <= info.EndLine && (kind.IsType() || kind.IsFunc()) {
			lines[int(line)] = definitionEmphasis
		}
	}
	return lines
}

// name names a hit by its most telling line. Documentation is shown with the line
// that declares what it is about.
func (e *excerpts) name(h *hit.Hit, m *match, info segment.ChunkInfo, s *excerpt.Snippet) error {
	c := label.Chunk{ChunkInfo: info, Segment: m.in.Segment, Cache: &e.cache}
	for spot := range s.Spots() {
		found, err := c.NameBy(h, label.Line{Number: spot.Line, Start: spot.Start, End: spot.End, At: spot.At}, nil)
		if found && h.SymbolLine > spot.Line && h.SymbolLine <= int(info.EndLine) {
			s.Prefer(h.SymbolLine)
		}
		if found {
			s.Prefer(spot.Line)
		}
		return err
	}
	return nil
}

// show fills in the lines of the hits within the budget of the request.
func (e *excerpts) show(hits []hit.Hit) {
	if e.req.Detail == hit.DetailLocate {
		return
	}
	if e.req.Brief && e.req.Detail == hit.DetailLines {
		excerpt.Brief(hits, e.snippets, nil, e.req.MaxTokens)
		return
	}
	excerpt.Fill(hits, e.snippets, e.req.MaxTokens)
}
