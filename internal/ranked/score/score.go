// Package score scores the chunks of a corpus for the terms of a query by BM25F
// (rank/bm25.go). It is the hot path of ranked search and written for speed:
//
//   - All terms go over the files of a batch, whose tables fit the nearest cache,
//     before the next batch begins (chunks.go).
//   - Batches side by side make ranges, which workers score side by side.
//   - The loops over postings have no branch that cannot be predicted.
//   - Scores are not negative, so that their bits, as integers, are in their
//     order: the best chunks are found by comparing bits (best.go).
//   - All memory of a query is one Scores, which goes back to a pool (Release).
//
// Sums run term by term in the order of the terms, so that a chunk scores the
// same in whatever segment it is and by however many workers.
package score

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// Scores is what the terms of one query score in a corpus. Whoever runs the
// query owns it until Release.
type Scores struct {
	Corpus      *corpus.Corpus
	Terms       []Term     // in the order of the query
	Segments    []*Segment // as in the corpus
	Weight      float64    // of the primary terms together, by files; above 0
	ChunkWeight float64    // the same by chunks
	Long        float64    // how long the query is: 0 for up to fewWords primary terms, then toward 1

	how       Ways
	threshold threshold
	late      bool // the time was up before all was scored
	ranges    []fileRange

	// Memory for the next query.
	segments  []*Segment
	workers   []*worker
	saturated saturated
}

// Work that is worth another goroutine.
const (
	postingsPerWorker = 32 << 10
	termsPerWorker    = 128       // to look up, at 0.5 to 4 us each
	chunksPerWorker   = 256 << 10 // to find the best ones among
)

var pool = sync.Pool{New: func() any { return new(Scores) }}

// Ways say how a corpus is scored.
type Ways struct {
	Early bool  // find the best chunks on the way, which no conditions beside the filters of the corpus must limit
	Whole Whole // score whole files too
	Tests bool  // chunks of tests in files of other code count as others do
}

// Whole says when whole files are scored.
type Whole uint8

const (
	WholeNever  Whole = iota
	WholeLong         // of a query that is long, which is answered by them the more the longer it is
	WholeAlways       // of every query: what that says is the caller's to weigh
)

// WholeOf says when whole files are scored of a report, which weighs them by itself, or
// of a question.
func WholeOf(report bool) Whole {
	if report {
		return WholeAlways
	}
	return WholeLong
}

// Run looks up the terms and scores the chunks of the corpus. When ctx reaches its deadline first it returns done
// false and the scores so far; what is not scored then scores nothing.
func Run(ctx context.Context, in *corpus.Corpus, terms []rank.Term, how Ways) (s *Scores, done bool, err error) {
	s = pool.Get().(*Scores)
	s.begin(in, terms, how)
	if err := s.run(ctx); err != nil {
		return nil, false, err // s may be in the middle of a term: it does not go back to the pool
	}
	return s, !s.late, nil
}

// Release gives all memory of the scores back. Nothing of it is used afterwards.
func (s *Scores) Release() {
	for _, seg := range s.Segments {
		seg.Segment = nil
		clear(seg.terms) // of readers
	}
	for _, w := range s.workers {
		w.release()
	}
	for i := range s.ranges {
		s.ranges[i] = fileRange{best: s.ranges[i].best[:0]}
	}
	s.Corpus, s.Segments = nil, nil
	pool.Put(s)
}

// begin makes room for a query.
func (s *Scores) begin(in *corpus.Corpus, terms []rank.Term, how Ways) {
	s.Corpus, s.how, s.Weight, s.ChunkWeight, s.Long = in, how, 0, 0, 0
	s.threshold.reset()
	s.ranges = s.ranges[:0]
	s.Terms = sized(s.Terms, len(terms))
	for i, t := range terms {
		s.Terms[i] = Term{Term: t}
	}
	for len(s.segments) < len(in.Segments) {
		s.segments = append(s.segments, new(Segment))
	}
	s.Segments = s.segments[:len(in.Segments)]
	for i, seg := range in.Segments {
		s.Segments[i].begin(seg, len(terms))
	}
}

func (s *Scores) run(ctx context.Context) error {
	postings, err := s.lookUp()
	if err != nil {
		return err
	}
	s.weigh()
	s.saturated.prepare(s.Corpus.Norms.Of(rank.FieldBody))
	workers := min(1+postings/postingsPerWorker, runtime.GOMAXPROCS(0))
	s.setRanges(workers)
	if err := s.scoreRanges(ctx, workers); err != nil {
		return err
	}
	if late := ctx.Err(); s.late && !errors.Is(late, context.DeadlineExceeded) {
		return late
	}
	return nil
}

// lookUp finds the terms in each segment and returns how many postings they have.
func (s *Scores) lookUp() (postings int, err error) {
	workers := 1 + len(s.Segments)*len(s.Terms)/termsPerWorker
	err = s.Corpus.Each(workers, func(c *corpus.Segment) error { return s.Segments[c.Index].lookUp(s.Terms) })
	for _, seg := range s.Segments {
		for i := range seg.terms {
			t := &seg.terms[i]
			s.Terms[i].Chunks += t.chunks
			s.Terms[i].Files += t.files
			postings += t.BodyDF + t.SymbolDF
		}
	}
	return postings, err
}

// weigh sets the weights of the terms from how many chunks and files hold them.
func (s *Scores) weigh() {
	primary := 0
	for i := range s.Terms {
		t := &s.Terms[i]
		t.ChunkWeight = t.Term.Weight * rank.IDF(t.Chunks, s.Corpus.Chunks)
		t.FileWeight = t.Term.Weight * rank.IDF(t.Files, s.Corpus.Files)
		if t.Primary() {
			primary++
			s.Weight += t.FileWeight
			s.ChunkWeight += t.ChunkWeight
		}
	}
	if s.how.Whole == WholeLong && primary > fewWords {
		s.Long = 1 - fewWords/float64(primary)
	}
	if s.Weight == 0 {
		s.Weight = 1
	}
	if s.ChunkWeight == 0 {
		s.ChunkWeight = 1
	}
}

// setRanges deals the batches of all segments to ranges of about as many chunks,
// two for each worker so that a slow one has less to do.
func (s *Scores) setRanges(workers int) {
	most := s.Corpus.Chunks
	if workers > 1 {
		most /= 2 * workers
	}
	s.ranges = s.ranges[:0]
	for _, c := range s.Corpus.Largest() {
		scoring := c.Scoring()
		for batches := scoring.Batches; len(batches) > 0; {
			n, first := 1, batches[0].Chunk
			for n < len(batches) && batches[n].ChunkEnd-first <= most {
				n++
			}
			s.addRange(fileRange{seg: s.Segments[c.Index], scoring: scoring, batches: batches[:n]})
			batches = batches[n:]
		}
	}
}

// addRange adds a range, with the memory for best chunks of the one that was at
// its place in an earlier query.
func (s *Scores) addRange(r fileRange) {
	if n := len(s.ranges); n < cap(s.ranges) {
		r.best = s.ranges[:n+1][n].best[:0]
	}
	s.ranges = append(s.ranges, r)
}

// scoreRanges scores every range, also when the time is up, so that no memory of
// an earlier query shows.
func (s *Scores) scoreRanges(ctx context.Context, workers int) error {
	for len(s.workers) < workers {
		s.workers = append(s.workers, new(worker))
	}
	var started atomic.Int32
	err := parallel.Each(context.WithoutCancel(ctx), workers, len(s.ranges), func() func(int) error {
		w := s.workers[started.Add(1)-1]
		w.begin(s.job())
		return func(i int) error {
			w.score(ctx, &s.ranges[i])
			return nil
		}
	})
	s.late = slices.ContainsFunc(s.workers[:started.Load()], func(w *worker) bool { return w.late })
	return err
}

// fewWords is how many words a query has at most that is about one thing: of a longer
// one much is beside the point, so that what a file says as a whole tells more than
// what its name or one of its chunks does.
const fewWords = 6

// job is what the workers are to do.
func (s *Scores) job() job {
	return job{
		terms: s.Terms, weight: float32(s.Weight), norms: &s.Corpus.Norms, saturated: &s.saturated,
		early: s.how.Early, threshold: &s.threshold, tests: s.how.Tests,
		whole: s.Long > 0 || s.how.Whole == WholeAlways, compounds: s.how.Whole == WholeAlways,
		fileSlope: float32(wholeSaturation * wholeLength / max(1, s.Corpus.FileTokens)),
	}
}

// Find returns the number of a term of the query, -1 where it is none.
func (s *Scores) Find(term string) int {
	for i := range s.Terms {
		if s.Terms[i].Text == term {
			return i
		}
	}
	return -1
}

// Best returns the best chunks of the corpus, the best first. Where Run was to
// find them early there must be no limit.
func (s *Scores) Best(only Only) ([]Chunk, error) {
	if !s.how.Early {
		if err := s.findBest(only); err != nil {
			return nil, err
		}
	}
	var all []Chunk
	for i := range s.ranges {
		r := &s.ranges[i]
		for _, c := range r.best {
			if c.bits >= s.threshold.bits.Load() {
				all = append(all, Chunk{r.seg, math.Float32frombits(c.bits), int(c.chunk), r.seg.FileOf(int(c.chunk))})
			}
		}
	}
	slices.SortFunc(all, func(a, b Chunk) int { return compareChunks(&a, &b) })
	return all[:min(len(all), MaxBest)], nil
}

func (s *Scores) findBest(only Only) error {
	s.threshold.reset()
	return parallel.Each(context.Background(), 1+s.Corpus.Chunks/chunksPerWorker, len(s.ranges), func() func(int) error {
		return func(i int) error {
			r := &s.ranges[i]
			r.best = r.best[:0]
			files, chunks := only.Files[r.seg.Index], only.Chunks[r.seg.Index]
			for i := range r.batches {
				s.threshold.offer(r, &r.batches[i], files, chunks)
			}
			return nil
		}
	})
}

// Matched returns how many files hold a term and pass the filters. It is known
// where Run was to find the best chunks early.
func (s *Scores) Matched() (files int, known bool) {
	for i := range s.ranges {
		files += s.ranges[i].matched
	}
	return files, s.how.Early
}
