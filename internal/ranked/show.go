package ranked

import (
	"context"

	"espy/internal/hit"
	"espy/internal/parallel"
	"espy/internal/rank"
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

// hitsPerWorker is how many hits are worth a goroutine.
const hitsPerWorker = 3

// show makes the hits of an answer, some side by side.
func show(req *hit.Request, j *judge, ordered []spot) ([]hit.Hit, error) {
	hits := make([]hit.Hit, len(ordered))
	e := newExcerpts(req, j, ordered)
	err := parallel.Each(context.Background(), 1+len(ordered)/hitsPerWorker, len(ordered), func() func(int) error {
		c := e.cutter()
		return func(i int) (err error) {
			hits[i], err = c.hit(i, ordered[i])
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	e.show(hits)
	return hits, nil
}

// hit makes the hit at a place of the answer.
func (c *cutter) hit(at int, s spot) (hit.Hit, error) {
	s, chunk, err := c.choose(s)
	if err != nil {
		return hit.Hit{}, err
	}
	m := s.match
	h := hit.Hit{
		Repo: m.in.seg.Repo, Path: m.path(), StartLine: 1, EndLine: 1, Score: rank.Logistic(m.score),
		Language: m.in.seg.Language(m.file), Class: m.in.seg.Class(m.file),
	}
	if c.req.Explain {
		h.Explain = c.judge.explain(m)
	}
	if chunk != nil {
		h.StartLine, h.EndLine = int(s.lines.StartLine), int(s.lines.EndLine)
		err = c.rank(&h, at, s, chunk)
	}
	h.Why = c.judge.why(&s, h.Symbol)
	return h, err
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
