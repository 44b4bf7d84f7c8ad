package ranked

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"espy/internal/filter"
	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/segment"
)

// collection is what one ranked query scores: the segments of all snapshots
// as one. Counts, frequencies and lengths are over live files of all of them,
// and sums run term by term in the order of the terms, so that the same files
// score the same however they are spread over segments. Filters do not change
// frequencies: they say what may be found, not how rare a word is.
type collection struct {
	query     rank.Query
	sources   []*source
	largest   []*source // the same, those with most chunks first
	norms     rank.Norms
	files     int
	chunks    int
	plain     bool // what is found does not depend on conditions or kinds
	settled   bool // the ranges know what is found in them
	bar       atomic.Uint32
	terms     []termWeight // of query.Terms, in their order
	ranges    []fileRange  // all files
	mass      float64      // of the primary terms together by files, never 0
	chunkMass float64      // and by chunks
	*desk
}

// termWeight is how often one term is among live files, and what it is worth.
type termWeight struct {
	chunks, files int
	chunk         float64 // weight times inverse frequency over chunks
	file          float64 // weight times inverse frequency over files
}

// source is one segment as a query sees it.
type source struct {
	repo    string
	spelled string // its repository's name, as rank.Spelling does
	order   int    // of its snapshot
	seg     *filter.Segment
	content []rank.Content // by language of its segment
	traits  []segment.FileTraits
	*scratch
	exact  map[int]exactMatch // by file: its definitions of names in the query
	found  segment.Bitmap     // files that meet the conditions of the query; nil where it has none
	places map[int]int        // by file: the chunk where a condition of the query is met
	asked  map[int]asked      // by file: the declaration that the query asks for

	filesOfKind, chunksOfKind segment.Bitmap // what has a symbol of the kinds that the query asks for; nil where it does not

	taken segment.Bitmap // the files that strong returned

	mentions map[int]mentioned // by file: how the query mentions it
	quotes   map[int]quoted    // by file: what it holds of a pasted text
}

// sourceTerm is one term in one source.
type sourceTerm struct {
	segment.Term      // without postings where the segment does not have it
	chunks, files int // live ones that hold it
}

// newCollection returns the segments that a filter looks at. A repository that
// it leaves out as a whole counts for nothing.
func newCollection(f *filter.Filter) *collection {
	c := &collection{desk: desks.Get().(*desk)}
	var stats segment.Stats
	for _, s := range f.Snaps {
		stats.Add(s.Stats())
	}
	for _, seg := range f.Segments {
		c.sources = append(c.sources, &source{
			repo: seg.Snap.Name, spelled: rank.Spelling(seg.Snap.Name), order: slices.Index(f.Snaps, seg.Snap),
			seg: seg, content: contents(seg.Languages()), scratch: takeScratch(seg.Reader),
		})
	}
	c.largest = slices.Clone(c.sources)
	slices.SortStableFunc(c.largest, func(a, b *source) int { return cmp.Compare(b.seg.NumChunks(), a.seg.NumChunks()) })
	c.files, c.chunks = stats.Files, stats.Chunks
	c.norms = rank.NewNorms(rank.Sums{
		rank.FieldBody: {Tokens: stats.BodyTokens, Documents: int64(stats.Chunks)},
		rank.FieldType: {Tokens: stats.DefTypeTokens, Documents: int64(stats.Chunks)},
		rank.FieldFunc: {Tokens: stats.DefFuncTokens, Documents: int64(stats.Chunks)},
		rank.FieldStem: {Tokens: stats.StemTokens, Documents: int64(stats.Files)},
		rank.FieldDir:  {Tokens: stats.DirTokens, Documents: int64(stats.Files)},
	})
	return c
}

// contents returns what files of each language are written for.
func contents(languages []string) []rank.Content {
	all := make([]rank.Content, len(languages))
	for i, l := range languages {
		all[i] = rank.ContentOf(l)
	}
	return all
}

// prepare makes room for the terms of the query.
func (c *collection) prepare() {
	c.terms = make([]termWeight, len(c.query.Terms))
	for _, s := range c.sources {
		s.terms = sized(s.terms, len(c.query.Terms))
	}
}

// release gives the memory of the collection back. Nothing of it is used afterwards.
func (c *collection) release() {
	clear(c.desk.found) // of sources
	for i := range c.ranges {
		c.ranges[i] = fileRange{top: c.ranges[i].top[:0]}
	}
	desks.Put(c.desk)
	c.desk = nil
	for _, s := range c.sources {
		s.scratch.release()
		s.scratch = nil
	}
}

// Work that is worth another goroutine.
const (
	postingsPerWorker = 32 << 10
	namesPerWorker    = 256 << 10
	termsPerWorker    = 128 // to find, at 0.5 to 4 us each
)

// gather finds the terms of the query and scores the chunks. It returns false
// when the time was up first; what was read until then is scored.
func (c *collection) gather(ctx context.Context) (bool, error) {
	postings, err := c.lookUp()
	if err != nil {
		return false, err
	}
	c.weigh()
	c.desk.saturated.prepare(c.norms.Of(rank.FieldBody))
	workers := min(1+postings/postingsPerWorker, runtime.GOMAXPROCS(0))
	c.setRanges(workers)
	c.bar.Store(leastScore)
	// Every range is scored, so that no memory of an earlier query shows.
	err = parallel.Each(context.WithoutCancel(ctx), workers, len(c.ranges), func() func(int) error {
		return func(i int) error {
			w := takeScorer(c, &c.ranges[i])
			err := w.score(ctx)
			w.release()
			return err
		}
	})
	c.settled = c.plain
	if errors.Is(err, context.DeadlineExceeded) {
		return false, nil
	}
	return true, err
}

// lookUp finds the terms in each source and returns how many postings they have.
func (c *collection) lookUp() (postings int, err error) {
	err = c.eachSource(1+len(c.sources)*len(c.query.Terms)/termsPerWorker, func(s *source) error {
		for i, t := range c.query.Terms {
			found, _, err := s.seg.Lookup(t.Text)
			if err != nil {
				return err
			}
			chunks, files := s.seg.Frequency(found)
			s.terms[i] = sourceTerm{found, chunks, files}
		}
		return nil
	})
	for _, s := range c.sources {
		for i := range s.terms {
			t := &s.terms[i]
			c.terms[i].chunks += t.chunks
			c.terms[i].files += t.files
			postings += t.BodyDF + t.SymbolDF
		}
	}
	return postings, err
}

// weigh sets the weights of the terms from how many chunks and files hold them.
func (c *collection) weigh() {
	for i, t := range c.query.Terms {
		w := &c.terms[i]
		w.chunk, w.file = t.Weight*rank.IDF(w.chunks, c.chunks), t.Weight*rank.IDF(w.files, c.files)
		if t.Primary() {
			c.mass += w.file
			c.chunkMass += w.chunk
		}
	}
	if c.mass == 0 {
		c.mass = 1
	}
	if c.chunkMass == 0 {
		c.chunkMass = 1
	}
}

// fileRange is batches of a source side by side, which one worker scores.
type fileRange struct {
	*source
	scoring *segment.Scoring
	batches []segment.Batch
	top     worstFirst // the best chunks
	matched int        // files that hold a term
}

// setRanges deals the batches of all sources in ranges of about as many chunks,
// two for each worker so that a slow one has less to do.
func (c *collection) setRanges(workers int) {
	most := c.chunks
	if workers > 1 {
		most /= 2 * workers
	}
	c.ranges = c.desk.ranges[:0]
	for _, s := range c.largest {
		scoring := s.seg.Scoring()
		for batches := scoring.Batches; len(batches) > 0; {
			n, first := 1, batches[0].Chunk
			for n < len(batches) && batches[n].ChunkEnd-first <= most {
				n++
			}
			c.ranges = append(c.ranges, fileRange{
				source: s, scoring: scoring, batches: batches[:n], top: c.desk.heap(len(c.ranges)),
			})
			batches = batches[n:]
		}
	}
	c.desk.ranges = c.ranges
}

// saturated knows the saturated frequencies of terms in texts of chunks: there
// are few different ones, and two divisions cost more than looking one up.
type saturated struct {
	norm  rank.Norm
	table [knownTimes << segment.TokenBits]float32 // by times and tokens
}

// knownTimes is below what a term occurs in a chunk.
const knownTimes = 8

// prepare fills the table for a norm.
func (s *saturated) prepare(norm rank.Norm) {
	if s.norm == norm {
		return
	}
	s.norm = norm
	for i := range uint32(len(s.table)) {
		s.table[i] = rank.Saturate(norm.Frequency(i>>segment.TokenBits, i&(1<<segment.TokenBits-1)))
	}
}

// eachSource calls work for every source, the largest first, so that all
// workers end together.
func (c *collection) eachSource(workers int, work func(*source) error) error {
	return parallel.Each(context.Background(), workers, len(c.largest), func() func(int) error {
		return func(i int) error { return work(c.largest[i]) }
	})
}
