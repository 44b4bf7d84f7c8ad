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
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store"
)

// scan compares a question with every chunk that the filters let through.
type scan struct {
	in    *corpus.Corpus
	model string
	asked map[*store.Snapshot]*vec.Query
	score *scorer
	keep  int                              // files that are kept
	far   bool                             // by a model on another machine, whose cosines only compare with each other
	only  map[*corpus.Segment]map[int]bool // the files to look at; nil for all

	away   map[*corpus.Segment]map[int][]vec.Best // by file: what was asked elsewhere
	unsure int                                    // chunks that an index chose from; 0 where each was compared
	failed error                                  // why vectors elsewhere were not asked

	ended atomic.Bool // the time was over

	mu      sync.Mutex
	best    []*match // the best files, guarded by mu
	least   float64  // the logit that a file needs to be one of them, guarded by mu
	total   int      // files that are at all like the question, guarded by mu
	seen    int      // files that the filters let through and that have text, guarded by mu
	pending int      // of seen, those without vectors, guarded by mu

	left   map[*corpus.Segment]map[int]bool // the pending files, guarded by mu
	spread spread                           // of the cosines of files, guarded by mu
}

// match is a file and its best chunk.
type match struct {
	in   *corpus.Segment
	file int
	nearest
	tests nearest // of the chunks of tests behind the code of the file, until it is judged; its cosine is 0 for none
	near  float64 // what the cosine adds to the logit
	logit float64
	trait trait
}

// nearest is the chunk that is nearest to the question, of a cosine above 0.
type nearest struct {
	chunk  int
	cosine float64
}

func (n *nearest) take(chunk int, cosine float64) {
	if cosine > n.cosine {
		*n = nearest{chunk, cosine}
	}
}

// take takes a chunk of a file whose tests begin at another one.
func (m *match) take(chunk, tests int, cosine float64) {
	if chunk >= tests {
		m.tests.take(chunk, cosine)
	} else {
		m.nearest.take(chunk, cosine)
	}
}

func newScan(q *Query, in *corpus.Corpus, model string, asked map[*store.Snapshot]*vec.Query, score *scorer) *scan {
	return &scan{in: in, model: model, asked: asked, keep: q.req.Offset + q.req.Limit, score: score, least: math.Inf(-1), left: map[*corpus.Segment]map[int]bool{}}
}

// lookEvery is after how many files a scan looks whether its time is over.
const lookEvery = 1 << 10

// run fills in the best files, best first.
func (s *scan) run(ctx context.Context) error {
	if err := s.ask(ctx); err != nil {
		return err
	}
	err := s.in.Each(1+s.in.Chunks/chunksPerWorker, func(seg *corpus.Segment) error { s.segment(ctx, seg); return nil })
	if s.far {
		for _, m := range s.best {
			s.judge(m, s.spread.nearness)
		}
	}
	s.cut()
	if cause := ctx.Err(); cause == context.Canceled {
		return cause
	}
	return err
}

// slack is how many files more than twice the wanted ones wait until they are cut.
const slack = 64

// chunksPerWorker is how many chunks are worth another goroutine.
const chunksPerWorker = 64 << 10

// segment compares the chunks of a segment.
func (s *scan) segment(ctx context.Context, seg *corpus.Segment) {
	part, _ := seg.VectorsOf(s.model)
	asked, traits := s.asked[seg.Snap], seg.FileTraits()
	languages, away := seg.Languages(), s.away[seg]
	seen, pending, total := 0, 0, 0
	found := make([]match, 0, seg.NumFiles())
	left, only := map[int]bool{}, s.only[seg]
	for file := range seg.NumFiles() {
		if file%lookEvery == 0 && ctx.Err() != nil {
			s.ended.Store(true)
			break
		}
		if !seg.Allows(file) || s.only != nil && !only[file] {
			continue
		}
		first, end := int(traits[file].FirstChunk), int(traits[file+1].FirstChunk)
		if first == end {
			continue
		}
		seen++
		m, tests := match{in: seg, file: file}, s.score.testsFrom(seg, file)
		switch {
		case away != nil:
			for _, b := range away[file] {
				m.take(b.Chunk, tests, b.Cosine)
			}
		case part == nil || !part.Knows(first, end):
			pending++
			left[file] = true
			continue
		default:
			part.Cosines(asked, first, end, func(chunk int, cosine float64) bool {
				m.take(chunk, tests, cosine)
				return true
			})
		}
		if m.cosine == 0 && m.tests.cosine == 0 {
			continue
		}
		total++
		m.trait = trait{traits[file].Class, rank.ContentOf(languages[traits[file].Language])}
		found = append(found, m)
	}
	s.add(found, func() { s.seen += seen; s.pending += pending; s.total += total; s.left[seg] = left })
}

// add takes what was found in a segment.
func (s *scan) add(found []match, count func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	count()
	for i := range found {
		m := &found[i]
		if s.far { // judged when all cosines are known
			s.spread.add(max(m.cosine, m.tests.cosine))
			s.best = append(s.best, m)
			continue
		}
		if s.judge(m, nearness); m.logit < s.least {
			continue
		}
		if len(s.best) == 2*s.keep+slack {
			s.cut()
			s.least = s.best[s.keep-1].logit
		}
		s.best = append(s.best, m)
	}
}

// testsNearer is how much more the nearest chunk of tests must add to the logit of a file
// than the nearest one of the code that they stand behind, to be shown in its place: tests
// say what code is about in words, and often.
const testsNearer = 1

// judge scores a file by its nearest chunk, and chooses the one that is shown.
func (s *scan) judge(m *match, near func(cosine float64) float64) {
	if t := m.tests; t.cosine > m.cosine {
		if m.cosine > 0 && near(t.cosine)-near(m.cosine) < testsNearer {
			t.chunk = m.chunk
		}
		m.nearest = t
	}
	m.near = near(m.cosine)
	m.logit = s.score.logit(m.near, m.trait)
}

// join adds what another scan found, of other files.
func (s *scan) join(o *scan) {
	s.best, s.total, s.seen = append(s.best, o.best...), s.total+o.total, o.seen
	s.unsure, s.failed = s.unsure+o.unsure, errors.Join(s.failed, o.failed)
	s.ended.Store(s.ended.Load() || o.ended.Load())
	s.cut()
}

// cut keeps the best files, in order.
func (s *scan) cut() {
	slices.SortFunc(s.best, compare)
	s.best = s.best[:min(len(s.best), s.keep)]
}

// compare orders by score, the higher first, then by place.
func compare(a, b *match) int {
	if c := cmp.Compare(b.logit, a.logit); c != 0 {
		return c // without a look at the places
	}
	return corpus.ComparePlaces(a.in, a.file, b.in, b.file)
}

// info returns all about the best chunk of a match.
func (m *match) info() segment.ChunkInfo { return m.in.Chunk(m.chunk) }

// notCompared says that files have no vectors yet.
func notCompared(pending, seen int) string {
	if pending == seen {
		return "no file has been embedded yet, so that none could be compared: indexing does that, and status shows how far it is"
	}
	return fmt.Sprintf("%d of %d files have not been embedded yet and were not compared: status shows how far that is", pending, seen)
}

// questions returns the vector of a question to the files of each repository, as
// the adapter of that one turns it; nil for a question that says nothing.
func questions(ctx context.Context, model embedding.Model, text string, in *corpus.Corpus) (map[*store.Snapshot]*vec.Query, error) {
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
