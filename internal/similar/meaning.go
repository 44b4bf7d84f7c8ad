package similar

import (
	"context"
	"fmt"
	"slices"

	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/parallel"
	"espy/internal/segment/vec"
)

// nearest are the chunks that mean what the code means.
type nearest struct {
	filter  *filter.Filter
	list    []candidate // by their cosines, the nearest first
	pending int         // files that have no vectors yet
}

// leastCosine is the lowest cosine of a chunk that is alike, maxAlike how many of
// them are listed.
const (
	leastCosine = 0.65
	maxAlike    = 10
)

// meant compares the code with every chunk by the vectors of a model, nil for none.
// With an error the result is that without a model.
func meant(ctx context.Context, f *filter.Filter, model embedding.Model, a *asked) (*nearest, error) {
	n := &nearest{filter: f}
	if model == nil {
		return n, nil
	}
	q, err := vectorOf(ctx, model, a)
	if q == nil || err != nil {
		return n, err
	}
	lists := make([][]candidate, len(f.Segments))
	pending := make([]int, len(f.Segments))
	err = parallel.Each(ctx, len(lists), len(lists), func() func(int) error {
		return func(i int) error {
			lists[i], pending[i] = scan(f.Segments[i], i, model.Identity(), q)
			return nil
		}
	})
	if err != nil {
		return n, err
	}
	for i := range lists {
		n.list = append(n.list, lists[i]...)
		n.pending += pending[i]
	}
	n.list = best(f, n.list, most[byMeaning])
	return n, nil
}

// vectorOf returns the vector of the code, nil where the model knows nothing of it.
func vectorOf(ctx context.Context, model embedding.Model, a *asked) (q *vec.Query, err error) {
	vectors, err := model.Documents(ctx, []embedding.Document{{Path: a.Path, Text: string(a.text)}})
	if err == nil && (len(vectors) != 1 || len(vectors[0]) != model.Dims()) {
		err = fmt.Errorf("%d vectors instead of one of %d numbers", len(vectors), model.Dims())
	}
	if err == nil {
		q, err = vec.NewQuery(vectors[0])
	}
	if err != nil {
		return nil, fmt.Errorf("embed the code by %s: %w", model.Identity(), err)
	}
	return q, nil
}

// scan returns the chunks of a segment that are near, and how many files have no
// vectors.
func scan(s *filter.Segment, index int, model string, q *vec.Query) (list []candidate, pending int) {
	part := vectorsOf(s, model)
	for file := range s.NumFiles() {
		if !s.Allows(file) {
			continue
		}
		first, end := s.ChunksOf(file)
		if part == nil || !part.Knows(first, end) {
			pending++
			continue
		}
		part.Cosines(q, first, end, func(chunk int, cosine float64) bool {
			if cosine >= leastCosine {
				list = append(list, candidate{index, chunk, float32(cosine)})
			}
			return true
		})
	}
	return list, pending
}

// vectorsOf returns the vectors that a model gives a segment, nil for none.
func vectorsOf(s *filter.Segment, model string) *vec.Reader {
	for i := range s.Snap.Segments {
		if of := &s.Snap.Segments[i]; of.Reader == s.Reader {
			return of.VectorsOf(model)
		}
	}
	return nil
}

// alike returns the best chunk of each file that is neither the place itself nor
// overlaps what was found.
func (n *nearest) alike(a *asked, places []found) (out []found) {
	for _, c := range n.list {
		p := n.place(c)
		own := func() bool {
			first, last := a.own(p.seg, p.path)
			return first > 0 && p.first <= last && first <= p.last
		}
		known := func(o found) bool {
			same := o.seg == p.seg && o.file == p.file
			return same && (o.grade == Alike || p.start < o.end && o.start < p.end)
		}
		if len(out) == maxAlike {
			break
		}
		if !own() && !slices.ContainsFunc(places, known) && !slices.ContainsFunc(out, known) {
			out = append(out, p)
		}
	}
	return out
}

// place is a chunk as a place.
func (n *nearest) place(c candidate) found {
	s := n.filter.Segments[c.seg]
	i := s.Chunk(c.chunk)
	return found{
		seg: s, file: i.File, path: s.Path(i.File), first: int(i.StartLine), last: int(i.EndLine), start: int(i.Start), end: int(i.End), at: int(i.Start),
		grade: Alike, score: float64(c.score),
	}
}
