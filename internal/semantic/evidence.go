package semantic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"espy/internal/embedding"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
	"espy/internal/segment/vec"
	"espy/internal/store"
)

// Evident is a chunk that answers a question by its meaning or by its words. What
// either says of it rests on the question, the chunk and how often words are in the
// whole repository: not on what else was found, nor on filters.
type Evident struct {
	Near  float64 // how far its cosine is above that of unrelated text, 0 to 1; 0 without vectors
	Share float64 // of the weight of the question's words, what it answers: small shares as they are, toward 1 where names answer too

	Segment, File, Chunk int32 // in the segments of the filter
}

// Evidence is the chunks that answer a question.
type Evidence struct {
	Chunks []Evident // the best by either first, those that are as good by place
	Model  string    // that compared meanings, "" where none did
	Notes  []string  // what the reader must know
}

// Gather finds the chunks that answer a text best, at most so many, in the files that
// a filter lets through. No word of the text is a filter. It belongs inside
// segment.Guard.
func Gather(ctx context.Context, f *filter.Filter, text string, most int, models embedding.Models) (*Evidence, error) {
	words := rank.Understand(text, "")
	g := &gathering{asking: &asking{text: text, words: &words, in: corpus.New(f)}, most: most}
	g.Notes = f.Damaged()
	if err := g.compare(ctx, models); err != nil {
		return nil, err
	}
	terms, err := g.telling()
	if err != nil {
		return nil, err
	}
	said, done, err := score.Run(ctx, g.in, terms, score.Ways{})
	if err != nil {
		return nil, err
	}
	defer said.Release()
	g.said = said
	err = g.in.Each(1+g.in.Chunks/chunksPerWorker, func(seg *corpus.Segment) error { g.scan(ctx, seg); return nil })
	if err != nil || ctx.Err() == context.Canceled {
		return nil, cmp.Or(err, ctx.Err())
	}
	if !done || ctx.Err() != nil {
		g.note("the time limit ended the search: chunks may be missing")
	}
	g.cut()
	g.tellPending()
	return &g.Evidence, nil
}

// gathering is the search for the evidence of a text.
type gathering struct {
	*asking
	Evidence
	most  int
	model embedding.Model // nil where none compares
	asked map[*store.Snapshot]*vec.Query
	said  *score.Scores
	floor float64 // the cosine of unrelated text

	least atomic.Uint64 // the bits of a worth that so many chunks reach, which is not negative

	mu sync.Mutex // guards Chunks while segments are scanned
}

func (g *gathering) note(text string) { g.Notes = append(g.Notes, text) }

// telling are the terms that count: the words of the question, and of what is guessed
// from them that which occurs. So a guess that is wrong takes nothing from a share.
func (q *asking) telling() ([]rank.Term, error) {
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
func (g *gathering) compare(ctx context.Context, models embedding.Models) error {
	if far := models.Remote; far != nil {
		s, err := g.near(ctx, far, true, &hit.Result{})
		if ctx.Err() == context.Canceled {
			return ctx.Err()
		}
		if err == nil && s != nil && s.pending == 0 {
			g.floor = s.floor(&s.spread)
			return g.use(ctx, far)
		}
		g.note("the model of the program answers: the other one does not, or has not seen every file")
	}
	g.floor = leastCosine
	if models.Local == nil {
		return nil
	}
	err := g.use(ctx, models.Local)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// use has a model compare.
func (g *gathering) use(ctx context.Context, model embedding.Model) (err error) {
	if g.asked, err = questions(ctx, model, g.text, g.in); err != nil {
		return fmt.Errorf("embed the question by %s: %w", model.Identity(), err)
	}
	g.model, g.Model = model, model.Identity()
	return nil
}

// blockChunks is how many chunks are compared at a time.
const blockChunks = 256

// scan looks at the chunks of a segment. Which files pass is asked for those alone
// that have a chunk among the best so far: most have none.
func (g *gathering) scan(ctx context.Context, seg *corpus.Segment) {
	part, whole := g.vectors(seg)
	asked, traits, shares := g.asked[seg.Snap], seg.FileTraits(), g.said.Segments[seg.Index].Scores
	best := shortlist{gathering: g}
	best.raise(0)
	var cosines [blockChunks]float64
	file := 0
	for first := 0; first < len(shares) && ctx.Err() == nil; first += blockChunks {
		end := min(first+blockChunks, len(shares))
		clear(cosines[:])
		if part != nil && asked != nil {
			part.Cosines(asked, first, end, func(chunk int, cosine float64) bool {
				cosines[chunk-first] = cosine
				return true
			})
		}
		for chunk := first; chunk < end; chunk++ {
			for int(traits[file+1].FirstChunk) <= chunk {
				file++
			}
			e := Evident{Near: max(0, (cosines[chunk-first]-g.floor)/(1-g.floor)), Segment: int32(seg.Index), File: int32(file), Chunk: int32(chunk)}
			raw := float64(shares[chunk]) / g.said.ChunkWeight
			if e.Near < best.least && raw < best.leastRaw || e.Near == 0 && raw == 0 {
				continue
			}
			if e.Share = math.Tanh(raw); e.Near > 0 && !whole && !part.Knows(int(traits[file].FirstChunk), int(traits[file+1].FirstChunk)) {
				e.Near = 0
			}
			if w := e.worth(); w > 0 && w >= best.least && seg.Allows(file) {
				best.add(e)
			}
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Chunks = append(g.Chunks, best.chunks...)
}

// vectors are those of a segment, nil for none, and whether every chunk is known.
func (g *gathering) vectors(seg *corpus.Segment) (part *vec.Reader, whole bool) {
	if g.model != nil {
		part, _ = seg.VectorsOf(g.model.Identity())
	}
	return part, part != nil && part.Stats().Pending() == 0
}

// shortlist keeps the best chunks of a segment.
type shortlist struct {
	*gathering
	chunks   []Evident
	least    float64 // so many chunks are worth at least this
	leastRaw float64 // what is said of a chunk that is worth so much by its words is no less
}

// add keeps a chunk that may be among the best.
func (l *shortlist) add(e Evident) {
	if l.chunks == nil {
		l.chunks = make([]Evident, 0, 2*l.most)
	}
	if l.chunks = append(l.chunks, e); len(l.chunks) < 2*l.most {
		return
	}
	l.best(l.chunks, l.most)
	l.chunks = l.chunks[:l.most]
	least := 1.0
	for i := range l.chunks {
		least = min(least, l.chunks[i].worth())
	}
	l.raise(least)
}

// raise sets the least worth, or that of other segments where it is higher.
func (l *shortlist) raise(least float64) {
	for old := l.gathering.least.Load(); ; old = l.gathering.least.Load() {
		l.least = max(least, math.Float64frombits(old))
		if l.gathering.least.CompareAndSwap(old, math.Float64bits(l.least)) {
			break
		}
	}
	l.leastRaw = min(math.Atanh(l.least), mostRaw) * (1 - 1e-6) // below what rounding can do
}

// mostRaw is below what has a hyperbolic tangent of 1.
const mostRaw = 18

// cut keeps the best chunks, in order.
func (g *gathering) cut() {
	if len(g.Chunks) > g.most {
		g.best(g.Chunks, g.most)
		g.Chunks = g.Chunks[:g.most]
	}
	slices.SortFunc(g.Chunks, g.order)
}

// best brings the n best chunks of more to the front, in no order.
func (g *gathering) best(all []Evident, n int) {
	for from, to := 0, len(all); to-from > 1; {
		middle := from + (to-from)/2
		all[from], all[middle] = all[middle], all[from]
		at := from // of the chunk that was in the middle, behind those that are better
		for i := from + 1; i < to; i++ {
			if g.order(all[i], all[from]) < 0 {
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

// order orders by how well chunks answer, then by place.
func (g *gathering) order(a, b Evident) int {
	if c := cmp.Compare(b.worth(), a.worth()); c != 0 {
		return c // without a look at the places
	}
	x, y := g.in.Segments[a.Segment], g.in.Segments[b.Segment]
	return cmp.Or(corpus.ComparePlaces(x, int(a.File), y, int(b.File)), cmp.Compare(a.Chunk, b.Chunk))
}

// worth is how well a chunk answers.
func (e *Evident) worth() float64 { return max(e.Near, e.Share) }

// tellPending notes how many of the files were not compared. Where none was, no model
// did.
func (g *gathering) tellPending() {
	if len(g.Chunks) > 0 && !slices.ContainsFunc(g.in.Segments, func(seg *corpus.Segment) bool { _, whole := g.vectors(seg); return !whole }) {
		return
	}
	seen, pending := 0, 0
	for _, seg := range g.in.Segments {
		part, whole := g.vectors(seg)
		for file := range seg.NumFiles() {
			first, end := seg.ChunksOf(file)
			if first == end || !seg.Allows(file) {
				continue
			}
			seen++
			if !whole && (part == nil || !part.Knows(first, end)) {
				pending++
			}
		}
	}
	if pending > 0 && g.model != nil {
		g.note(notCompared(pending, seen))
	}
	if pending == seen {
		g.Model = ""
	}
}
