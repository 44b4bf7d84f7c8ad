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

// What the meaning of a question adds to its words (docs/ranking.md, "Meaning beside words").
const (
	Files = 60  // of the best files may gain
	sure  = 0   // logit of a score from which on a file is likely by the words alone
	worth = 2.0 // logits for a cosine of 1 above that of the file which is least like the question
)

// IsSure reports whether a file of a score, a logit, is likely without a look at meaning.
func IsSure(score float64) bool { return score >= sure }

// File is a file of a segment.
type File struct {
	Segment *corpus.Segment
	File    int
}

// Gains returns what each file gains, in logits, by how much gains its nearest chunk is to a
// question than that of the file which is least like it; 0 for files without vectors here.
// Tests that stand behind the code of a file count where they are asked for.
func Gains(ctx context.Context, model embedding.Model, text string, in *corpus.Corpus, files []File, tests bool) ([]float64, error) {
	gains := make([]float64, len(files))
	asked, err := Questions(ctx, model, text, in)
	if err != nil || asked == nil {
		return gains, err
	}
	known := make([]bool, len(files))
	least := 1.0
	for i, f := range files {
		first, end := f.Segment.ChunksOf(f.File)
		if !tests {
			end = f.Segment.TestsFrom(f.File)
		}
		part, _ := VectorsOf(f.Segment, model.Identity())
		if part == nil || first >= end || !part.Knows(first, end) {
			continue
		}
		nearest := 0.0
		part.Cosines(asked[f.Segment.Snap], first, end, func(_ int, cosine float64) bool {
			nearest = max(nearest, cosine)
			return true
		})
		gains[i], known[i], least = nearest, true, min(least, nearest)
	}
	for i := range gains {
		if known[i] {
			gains[i] = float64(worth * (gains[i] - least))
		}
	}
	return gains, nil
}
