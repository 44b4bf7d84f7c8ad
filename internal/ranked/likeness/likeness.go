// Package likeness says what files gain by their meaning, beside the words of a question.
package likeness

import (
	"context"
	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/vectors"
)

// What the meaning of a question adds to its words (docs/ranking.md, "Questions that name no file").
const (
	Files = 30  // of the best files may gain
	sure  = 0   // logit of a score from which on a file is likely by the words alone
	Worth = 1.5 // logits for a likeness of 1 above that of the file which is least like the question
	most  = 3   // chunks of a file, the nearest, that it is like the question by
)

// IsSure reports whether a file of a score, a logit, is likely without a look at meaning.
func IsSure(score float64) bool { return score >= sure }

// File is a file of a segment.
type File struct {
	Segment *corpus.Segment
	File    int
}

// Gains returns what each file gains, in logits, by how much more it is like a question than
// the file which is least like it: by the mean of the cosines of its nearest chunks. Tests
// that stand behind the code of a file count where they are asked for. Vectors that the index lacks are made, so that the
// gains do not depend on what it has.
func Gains(ctx context.Context, model embedding.Model, text string, files []File, tests bool) ([]float64, error) {
	gains := make([]float64, len(files))
	v, err := model.Query(ctx, text)
	if err != nil {
		return gains, err
	}
	asked, err := vec.NewQuery(v)
	if err != nil || asked == nil {
		return gains, err
	}
	var cache segment.TextCache
	least := 1.0
	for i, f := range files {
		first, end := f.Segment.ChunksOf(f.File)
		if !tests {
			end = f.Segment.TestsFrom(f.File)
		}
		var near nearest
		take := func(_ int, cosine float64) bool {
			near.add(cosine)
			return true
		}
		if !known(f.Segment, model.Identity(), asked, first, end, take) {
			if err := made(ctx, model, f, asked, end-first, take, &cache); err != nil {
				return make([]float64, len(files)), err
			}
		}
		gains[i] = near.mean()
		least = min(least, gains[i])
	}
	for i := range gains {
		gains[i] = float64(Worth * (gains[i] - least))
	}
	return gains, nil
}

// nearest are the greatest cosines of a file, the greatest first.
type nearest struct {
	cosines [most]float64
	n       int
}

func (t *nearest) add(cosine float64) {
	at := t.n
	for at > 0 && t.cosines[at-1] < cosine {
		at--
	}
	if at < most {
		copy(t.cosines[at+1:], t.cosines[at:])
		t.cosines[at] = cosine
		t.n = min(t.n+1, most)
	}
}

// mean returns their mean, 0 where there are none or it is below that.
func (t *nearest) mean() float64 {
	sum := 0.0
	for _, c := range t.cosines[:t.n] {
		sum += c
	}
	return max(0, sum/float64(max(t.n, 1)))
}

// known takes the cosines of chunks whose vectors the index has, and reports whether it has
// all of the file.
func known(seg *corpus.Segment, model string, asked *vec.Query, first, end int, take func(chunk int, cosine float64) bool) (has bool) {
	part, _ := seg.VectorsOf(model)
	err := segment.Guard(func() error {
		if has = part != nil && part.Knows(first, end); has {
			part.Cosines(asked, first, end, take)
		}
		return nil
	})
	return has && err == nil
}

// made takes the cosines of the first chunks of a file whose vectors are made.
func made(ctx context.Context, model embedding.Model, f File, asked *vec.Query, chunks int, take func(chunk int, cosine float64) bool, cache *segment.TextCache) error {
	if chunks <= 0 {
		return nil
	}
	key := rowsKey{model.Identity(), vectors.KeyOf(f.Segment.Reader, f.File), chunks}
	rows, known := remembered.get(key)
	if !known {
		var err error
		if rows, err = makeRows(ctx, model, f, chunks, cache); err != nil {
			return err
		}
		remembered.add(key, rows)
	}
	for i := range rows {
		if cosine, ok := rows[i].Cosine(asked); ok {
			take(i, cosine)
		}
	}
	return nil
}

// makeRows makes the vectors of the first chunks of a file.
func makeRows(ctx context.Context, model embedding.Model, f File, chunks int, cache *segment.TextCache) ([]vec.Row, error) {
	docs, err := vectors.Documents(f.Segment.Reader, f.File, cache)
	if err != nil {
		return nil, err
	}
	all, err := model.Documents(ctx, docs[:min(chunks, len(docs))])
	if err != nil {
		return nil, err
	}
	rows := make([]vec.Row, len(all))
	for i, v := range all {
		if rows[i], err = vec.NewRow(code.Hash{}, v); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
