// Package likeness compares questions with the chunks of files by meaning: by vectors that
// the index has of them.
package likeness

import (
	"context"
	"fmt"

	"espy/internal/embedding"
	"espy/internal/ranked/corpus"
	"espy/internal/segment/vec"
	"espy/internal/store"
)

// Questions returns the vector of a question to the files of each repository, as
// the adapter of that one turns it; nil for a question that says nothing.
func Questions(ctx context.Context, model embedding.Model, text string, in *corpus.Corpus) (map[*store.Snapshot]*vec.Query, error) {
	v, err := model.Query(ctx, text)
	if err == nil && len(v) != model.Dims() {
		err = fmt.Errorf("a vector of %d numbers instead of %d", len(v), model.Dims())
	}
	if err != nil {
		return nil, err
	}
	all := map[*store.Snapshot]*vec.Query{}
	for _, seg := range in.Segments {
		if all[seg.Snap] != nil {
			continue
		}
		q, err := vec.NewQuery(seg.Snap.Adapter.Turn(model.Identity(), v))
		if err != nil || q == nil {
			return nil, err
		}
		all[seg.Snap] = q
	}
	return all, nil
}

// VectorsOf returns the vectors that a model gives a segment, nil for none, and the
// name of the part where they are kept elsewhere.
func VectorsOf(seg *corpus.Segment, model string) (part *vec.Reader, away string) {
	for i := range seg.Snap.Segments {
		if of := &seg.Snap.Segments[i]; of.Reader == seg.Reader {
			if c := of.Away[model]; c != nil {
				away = c.Part
			}
			return of.VectorsOf(model), away
		}
	}
	return nil, ""
}

// Nearest returns the cosine of a question and the chunk of [first, end) that is nearest
// to it; known is false where the part has no vectors of these.
func Nearest(part *vec.Reader, question *vec.Query, first, end int) (cosine float64, known bool) {
	if part == nil || first == end || !part.Knows(first, end) {
		return 0, false
	}
	part.Cosines(question, first, end, func(_ int, c float64) bool {
		cosine = max(cosine, c)
		return true
	})
	return cosine, true
}
