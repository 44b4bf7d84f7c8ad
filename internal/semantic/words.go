package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
	"espy/internal/segment/vec"
	"espy/internal/store"
)

// evident are the chunks that answer a question by their meaning or by its words.
// What either says of a chunk rests on the question, the chunk and how often words
// are in the whole repository: not on what else was found, nor on filters.
type evident struct {
	*asking
	model embedding.Model // nil where none compares
	asked map[*store.Snapshot]*vec.Query
	words *score.Scores
	floor float64 // the cosine of unrelated text

	mu      sync.Mutex
	found   []passage // the best, guarded by mu
	least   float64   // worth of the last of them, where more than are asked for were found, guarded by mu
	total   int       // guarded by mu
	seen    int       // files that have text, guarded by mu
	pending int       // of them, those without vectors, guarded by mu
}

// evidence answers a request for passages by meaning and by words. Its hits are
// chunks, the best by either first, those that are as good by place.
func evidence(ctx context.Context, q *asking, models embedding.Models, res *hit.Result) error {
	e := &evident{asking: q}
	if err := e.compare(ctx, models, res); err != nil {
		return err
	}
	terms, err := q.said()
	if err != nil {
		return err
	}
	words, done, err := score.Run(ctx, q.in, terms, score.Ways{})
	if err != nil {
		return err
	}
	defer words.Release()
	e.words = words
	err = q.in.Each(1+q.in.Chunks/chunksPerWorker, func(seg *corpus.Segment) error { e.scan(ctx, seg); return nil })
	if err != nil || ctx.Err() == context.Canceled {
		return cmp.Or(err, ctx.Err())
	}
	if !done || ctx.Err() != nil {
		res.Partial = true
		res.Notes = append(res.Notes, "the time limit ended the search: chunks may be missing")
	}
	e.cut()
	if e.pending > 0 && e.model != nil {
		res.Notes = append(res.Notes, notCompared(e.pending, e.seen))
	}
	if e.pending == e.seen {
		res.Model = ""
	}
	res.Total, res.Files = e.total, (&chunks{found: e.found}).files()
	return q.show(e.found[min(q.req.Offset, len(e.found)):], res)
}

// said are the terms that count: the words of the question, and of what is guessed
// from them that which occurs. So a guess that is wrong takes nothing from a share.
func (q *asking) said() ([]rank.Term, error) {
	terms, err := score.Telling(q.words.Terms, score.MaxTerms, q.in)
	if err != nil {
		return nil, err
	}
	var kept []rank.Term
	for _, t := range terms {
		n := 0
		if t.Weight < 1 {
			if n, err = q.in.ChunksWith(t.Text); err != nil {
				return nil, err
			}
		}
		if t.Weight >= 1 || n > 0 {
			kept = append(kept, t)
		}
	}
	return kept, nil
}

// compare chooses the model that compares: the one on another machine where it
// answers and every file has its vectors, else that of the program. Where none
// knows a word of the question, words alone tell.
func (e *evident) compare(ctx context.Context, models embedding.Models, res *hit.Result) error {
	if far := models.Remote; far != nil {
		s, err := e.near(ctx, far, true, &hit.Result{})
		if ctx.Err() == context.Canceled {
			return ctx.Err()
		}
		if err == nil && s != nil && s.pending == 0 {
			e.floor = s.floor(&s.spread)
			return e.use(ctx, far, res)
		}
		res.Notes = append(res.Notes, "the model of the program answers: the other one does not, or has not seen every file")
	}
	e.floor = leastCosine
	if models.Local == nil {
		return nil
	}
	err := e.use(ctx, models.Local, res)
	if errors.Is(err, context.DeadlineExceeded) {
		res.Partial = true
		return nil
	}
	return err
}

// use has a model compare.
func (e *evident) use(ctx context.Context, model embedding.Model, res *hit.Result) (err error) {
	if e.asked, err = questions(ctx, model, e.text, e.in); err != nil {
		return fmt.Errorf("embed the question by %s: %w", model.Identity(), err)
	}
	e.model, res.Model = model, model.Identity()
	return nil
}

// scan looks at the chunks of a segment.
func (e *evident) scan(ctx context.Context, seg *corpus.Segment) {
	var part *vec.Reader
	if e.model != nil {
		part = vectorsOf(seg, e.model.Identity())
	}
	own := evident{asking: e.asking}
	shares, near := e.words.Segments[seg.Index].Scores, []float64(nil) // near: of the file, by chunk
	for file := range seg.NumFiles() {
		if file%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		if !seg.Allows(file) {
			continue
		}
		first, end := seg.ChunksOf(file)
		if first == end {
			continue
		}
		own.seen++
		near = slices.Grow(near[:0], end-first)[:end-first]
		clear(near)
		if part == nil || !part.Knows(first, end) {
			own.pending++
		} else if q := e.asked[seg.Snap]; q != nil {
			part.Cosines(q, first, end, func(chunk int, cosine float64) bool {
				near[chunk-first] = cosine
				return true
			})
		}
		for chunk := first; chunk < end; chunk++ {
			p := passage{in: seg, file: file, chunk: chunk, cosine: near[chunk-first]}
			p.near = max(0, (p.cosine-e.floor)/(1-e.floor))
			p.share = math.Tanh(float64(shares[chunk]) / e.words.ChunkWeight)
			if p.near > 0 || p.share > 0 {
				own.add(p)
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.found = append(e.found, own.found...)
	e.total, e.seen, e.pending = e.total+own.total, e.seen+own.seen, e.pending+own.pending
}

// add keeps a chunk that may be among the best.
func (e *evident) add(p passage) {
	e.total++
	if p.worth() < e.least {
		return
	}
	keep := e.req.Offset + e.req.Limit
	if e.found == nil {
		e.found = make([]passage, 0, 2*keep)
	}
	if e.found = append(e.found, p); len(e.found) == 2*keep {
		best(e.found, keep)
		e.found = e.found[:keep]
		e.least = 1
		for i := range e.found {
			e.least = min(e.least, e.found[i].worth())
		}
	}
}

// cut keeps the best chunks, in order.
func (e *evident) cut() {
	if keep := e.req.Offset + e.req.Limit; keep < len(e.found) {
		best(e.found, keep)
		e.found = e.found[:keep]
	}
	slices.SortFunc(e.found, compareWorth)
}

// best brings the n best chunks of more to the front, in no order.
func best(all []passage, n int) {
	for from, to := 0, len(all); to-from > 1; {
		middle := from + (to-from)/2
		all[from], all[middle] = all[middle], all[from]
		at := from // of the chunk that was in the middle, behind those that are better
		for i := from + 1; i < to; i++ {
			if compareWorth(all[i], all[from]) < 0 {
				at++
				all[at], all[i] = all[i], all[at]
			}
		}
		all[from], all[at] = all[at], all[from]
		switch {
		case at == n || at == n-1:
			return
		case at > n:
			to = at
		default:
			from = at + 1
		}
	}
}

// compareWorth orders by how well chunks answer, then by place.
func compareWorth(a, b passage) int {
	if c := cmp.Compare(b.worth(), a.worth()); c != 0 {
		return c // without a look at the places
	}
	return comparePlaces(&a, &b)
}

// worth is how well a chunk answers.
func (p *passage) worth() float64 { return max(p.near, p.share) }
