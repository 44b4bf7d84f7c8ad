package search

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"espy/internal/rank"
)

const (
	topChunks     = 50  // chunks that count as evidence for their file
	maxCandidates = 256 // files that are judged by all signals
)

// match is one file that may be shown.
type match struct {
	*source
	file   int
	best   float32 // score of its best chunk
	second float32 // and of the one after it
	chunk  int     // the best chunk; -1 for a file without chunks
	chunks float64 // evidence of its chunks among the top ones
	guess  float64 // its score without the signals that cost most
	score  float64
	line   uint32 // where the chunk starts, once it is judged
}

// matches returns every file that the filters and the conditions let through
// and that holds a term, or, with conditions, meets them.
func (c *collection) matches(f *filter) []match {
	var found []match
	for _, s := range c.sources {
		for file := range s.seg.NumFiles() {
			if m, ok := s.match(file); ok && f.allows(s, file) {
				found = append(found, m)
			}
		}
	}
	return found
}

// match returns the file's two best chunks, and false where nothing speaks for the file.
func (s *source) match(file int) (match, bool) {
	if s.found != nil && !s.found.Has(file) {
		return match{}, false
	}
	m := match{source: s, file: file, chunk: -1}
	first, end := s.seg.ChunksOf(file)
	for c := first; c < end; c++ {
		switch score := s.scores[c]; {
		case m.chunk < 0 || score > m.best:
			m.best, m.second, m.chunk = score, m.best, c
		case score > m.second:
			m.second = score
		}
	}
	return m, s.found != nil || m.best > 0 || s.stem[file] > 0
}

// scored is one chunk with its score.
type scored struct {
	score float32
	match int // of its file
	chunk int
}

// top returns the best chunks of the matches, best first.
func (c *collection) top(found []match) []scored {
	h := &worstFirst{found: found}
	for i := range found {
		m := &found[i]
		if m.best == 0 || len(h.chunks) == topChunks && m.best < h.chunks[0].score {
			continue
		}
		first, end := m.seg.ChunksOf(m.file)
		for chunk := first; chunk < end; chunk++ {
			if score := m.scores[chunk]; score > 0 {
				h.offer(scored{score, i, chunk}, topChunks)
			}
		}
	}
	slices.SortFunc(h.chunks, h.compare)
	return h.chunks
}

// worstFirst is a heap of chunks with the one that ranks last on top.
type worstFirst struct {
	found  []match
	chunks []scored
}

// compare is the order of chunks: by score, then by place.
func (h *worstFirst) compare(a, b scored) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Or(comparePlaces(&h.found[a.match], &h.found[b.match]), cmp.Compare(a.chunk, b.chunk))
}

// comparePlaces orders files by repository and path.
func comparePlaces(a, b *match) int {
	return cmp.Or(cmp.Compare(a.repo, b.repo), cmp.Compare(a.order, b.order), cmp.Compare(a.path(), b.path()))
}

func (m *match) path() string { return m.seg.Path(m.file) }

func (h *worstFirst) Len() int           { return len(h.chunks) }
func (h *worstFirst) Less(i, j int) bool { return h.compare(h.chunks[i], h.chunks[j]) > 0 }
func (h *worstFirst) Swap(i, j int)      { h.chunks[i], h.chunks[j] = h.chunks[j], h.chunks[i] }
func (h *worstFirst) Push(x any)         { h.chunks = append(h.chunks, x.(scored)) }
func (h *worstFirst) Pop() any           { panic("a heap that only grows or replaces") }

// offer keeps the chunk if it is among the n best.
func (h *worstFirst) offer(s scored, n int) {
	switch {
	case len(h.chunks) < n:
		heap.Push(h, s)
	case h.compare(s, h.chunks[0]) < 0:
		h.chunks[0] = s
		heap.Fix(h, 0)
	}
}

// evidence gives each match the evidence of its chunks among the top ones,
// relative to the match with most, and returns the best score of a chunk.
func (c *collection) evidence(found []match) float32 {
	top := c.top(found)
	if len(top) == 0 {
		return 1
	}
	best := top[0].score
	most := 0.0
	for rankOf, s := range top {
		m := &found[s.match]
		m.chunks += rank.Evidence(float64(s.score/best), rankOf)
		most = max(most, m.chunks)
	}
	for _, s := range distinctMatches(top) {
		found[s].chunks /= most
	}
	return best
}

func distinctMatches(top []scored) []int {
	all := make([]int, len(top))
	for i, s := range top {
		all[i] = s.match
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// estimate guesses the score of a match from what is at hand without looking at its path.
func (m *match) estimate(c *collection, best float32) {
	s := rank.Signals{
		Chunks:      m.chunks,
		SecondChunk: float64(m.second / best),
		Coverage:    m.coverage(c),
		Stem:        float64(m.stem[m.file]) / c.mass,
		TypeName:    float64(m.names.types[m.file].value),
		FuncName:    float64(m.names.funcs[m.file].value),
		Exact:       m.exact[m.file].value,
		Class:       m.seg.Class(m.file),
		Content:     rank.ContentOf(m.seg.Language(m.file)),
	}
	s.StemFull = s.Stem / 2
	s.Exact += float64(m.best/best) / 100 // parts files that nothing else tells apart
	m.guess = s.Score(c.query.Lift)
}

func (m *match) coverage(c *collection) float64 {
	return math.Min(1, float64(m.cover[m.file])/c.mass)
}

// selectBest moves the n matches with the best guesses to the front.
func selectBest(found []match, n int) {
	better := func(a, b *match) bool {
		if a.guess != b.guess {
			return a.guess > b.guess
		}
		return comparePlaces(a, b) < 0
	}
	selectFirst(found, n, better)
}

// selectFirst partially orders a slice so that its first n elements are those
// that come first, in any order: Hoare's selection with the middle as pivot.
func selectFirst(all []match, n int, before func(a, b *match) bool) {
	for low, high := 0, len(all)-1; low < high && n < len(all); {
		pivot := all[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for before(&all[i], &pivot) {
				i++
			}
			for before(&pivot, &all[j]) {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			high = j
		case n >= i:
			low = i
		default:
			return
		}
	}
}
