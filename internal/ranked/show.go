package ranked

import (
	"slices"

	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/likeness"
	"espy/internal/segment"
)

// spot is a place that may be shown: lines of a chunk of a match.
type spot struct {
	*match
	chunk int               // -1 for none
	lines segment.ChunkInfo // of the chunk
}

// spotOf returns the chunk that is shown of a match.
func spotOf(m *match) spot {
	s := spot{match: m, chunk: place(m)}
	if s.chunk >= 0 {
		s.lines = m.in.seg.Chunk(s.chunk)
	}
	return s
}

// maxFurther bounds the further chunks of a match that are shown.
const maxFurther = 3

// spotsOf returns the chunk that is shown of a match, and those of further lines that a tool
// names in it.
func spotsOf(m *match) []spot {
	all := []spot{spotOf(m)}
	for _, line := range m.in.clues.Also(m.file) {
		s := spot{match: m, chunk: m.in.seg.ChunkAt(m.file, line)}
		if len(all) <= maxFurther && s.chunk >= 0 && !slices.ContainsFunc(all, func(o spot) bool { return o.chunk == s.chunk }) {
			s.lines = m.in.seg.Chunk(s.chunk)
			all = append(all, s)
		}
	}
	return all
}

// show makes the hits of an answer.
func show(req *hit.Request, j *judge, ordered []spot) ([]hit.Hit, error) {
	hits := make([]hit.Hit, 0, len(ordered))
	e := newExcerpts(req, j, ordered)
	for i, s := range ordered {
		s, chunk, err := e.beyondImports(s)
		if err != nil {
			return hits, err
		}
		m := s.match
		h := hit.Hit{
			Repo: m.in.seg.Repo, Path: m.path(), StartLine: 1, EndLine: 1, Score: rank.Logistic(m.score),
			Language: m.in.seg.Language(m.file), Class: m.in.seg.Class(m.file),
		}
		if req.Explain {
			h.Explain = j.explain(m)
		}
		if s.chunk >= 0 {
			h.StartLine, h.EndLine = int(s.lines.StartLine), int(s.lines.EndLine)
			if err := e.add(&h, i, s, chunk); err != nil {
				return hits, err
			}
		}
		h.Why = j.why(&s, h.Symbol)
		hits = append(hits, h)
	}
	e.show(hits)
	return hits, nil
}

// explain returns what the score of a match is made of.
func (j *judge) explain(m *match) []hit.Contribution {
	var all []hit.Contribution
	sum := 0.0
	var known rank.Some
	j.gauge.guess(m, &known)
	signals := known.All()
	if m.judged != nil {
		signals = m.judged.signals
	}
	for _, c := range j.gauge.scorer.Explain(&signals) {
		all = append(all, hit.Contribution(c))
		sum += c.Score
	}
	if gained := j.gained(m); gained > 0 && m.judged != nil {
		all = append(all, hit.Contribution{Signal: "commits", Value: j.told.Worth(m.in.seg.Repo, m.pathText()), Score: gained})
		sum += gained
	}
	if m.near > 0 {
		all = append(all, hit.Contribution{Signal: "meaning", Value: m.near / likeness.Worth, Score: m.near})
		sum += m.near
	}
	if less := j.lowered(m); less > 0 && m.judged != nil {
		all = append(all, hit.Contribution{Signal: "change log", Value: 1, Score: -less})
		sum -= less
	}
	for _, c := range j.work.Of(m.path()) {
		all = append(all, c)
		sum += c.Score
	}
	switch {
	case j.asked.report != nil:
		all = append(all, hit.Contribution{Signal: "title, whole file, chunk and commits", Value: 1, Score: m.score - sum})
	case m.score > sum: // see raise
		all = append(all, hit.Contribution{Signal: "the definition asked for", Value: 1, Score: m.score - sum})
	case m.score < sum: // not judged by all signals, and kept below those that are
		all = append(all, hit.Contribution{Signal: "behind judged files", Value: 1, Score: m.score - sum})
	}
	return all
}
