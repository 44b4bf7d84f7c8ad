package search

import (
	"espy/internal/rank"
)

// judge is what all candidates of one query are judged by.
type judge struct {
	*selection
	known     map[string]bool // terms of the query, compounds aside
	pathTerms []string        // primary terms that are sought in paths
	spelled   []rank.Name     // names of the query, spelled as rank.Spelling does
}

func newJudge(x *selection) *judge {
	j := &judge{selection: x, known: map[string]bool{}}
	for _, t := range x.query.Terms {
		if !t.Compound() {
			j.known[t.Text] = true
		}
		if t.Primary() && len(t.Text) > 2 {
			j.pathTerms = append(j.pathTerms, t.Text)
		}
	}
	for _, n := range x.query.Names {
		j.spelled = append(j.spelled, rank.Name{Text: rank.Spelling(n.Text), Weight: n.Weight})
	}
	return j
}

// signals returns all that is known of a match.
func (j *judge) signals(m *match) rank.Signals {
	path := rank.SplitPath(m.path())
	stem := float64(m.stem[m.file]) / j.mass
	first, end := m.seg.ChunksOf(m.file)
	s := rank.Signals{
		Chunks:      m.chunks,
		SecondChunk: float64(m.second / j.best),
		Coverage:    m.coverage(j.collection),
		Stem:        stem,
		PathWords:   path.PathWords(j.pathTerms),
		Prefix:      path.Prefix(j.query.Words),
		TypeName:    float64(m.typeNames[m.file].value),
		FuncName:    float64(m.funcNames[m.file].value),
		Exact:       m.exact[m.file].value,
		Depth:       path.Depth,
		NumChunks:   end - first,
		Class:       m.seg.Class(m.file),
		Content:     rank.ContentOf(m.seg.Language(m.file)),
	}
	if stem > 0 {
		s.StemFull = stem * path.Explained(func(t string) bool { return j.known[t] })
	}
	for _, n := range j.spelled {
		if n.Weight > s.ExactStem && rank.SpellsName(path.Spell, n.Text) {
			s.ExactStem = n.Weight
		}
	}
	return s
}

// place chooses the chunk that is shown for a match: the one that defines a
// name the query is sure of, the one where a condition is met, or the best.
func (m *match) place() {
	if e, ok := m.exact[m.file]; ok && e.owns {
		m.chunk, _, _ = m.seg.DefinitionPlace(e.definition)
	} else if chunk, ok := m.places[m.file]; ok {
		m.chunk = chunk
	}
}
