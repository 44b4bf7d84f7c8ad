package score

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
)

// MaxBest is how many of the best chunks Best returns.
const MaxBest = 50

// fileRange is batches of a segment side by side, which one worker scores.
type fileRange struct {
	seg     *Segment
	scoring *segment.Scoring
	batches []segment.Batch
	best    worstFirst // its best chunks
	matched int        // files that hold a term and pass the filters; of an early search
}

// threshold is the bits of a score that no chunk among the best of all is below:
// what the last of MaxBest chunks of some range scores. The workers share it.
type threshold struct{ bits atomic.Uint32 }

// leastScore is the least threshold: the bits of the smallest score above 0.
const leastScore = 1

func (t *threshold) reset() { t.bits.Store(leastScore) }

// Chunk is one chunk with its score.
type Chunk struct {
	Segment     *Segment
	Score       float32
	Chunk, File int
}

// Only says by segment which files, and which of their chunks, may be found.
// A nil set is no limit.
type Only struct{ Files, Chunks []segment.Bitmap }

// offer offers the chunks of a batch that reach the threshold, and are in the
// sets, to the best ones of their range.
func (t *threshold) offer(r *fileRange, b *segment.Batch, in, among segment.Bitmap) {
	scores, files := r.seg.Scores[b.Chunk:b.ChunkEnd], r.scoring.Files[b.Chunk:b.ChunkEnd]
	for i := 0; ; i++ {
		least := t.bits.Load()
		if i = nextAtLeast(scores, i, math.Float32frombits(least)); i == len(scores) {
			return
		}
		file := b.File + int(files[i])
		if !in.Has(file) || !among.Has(b.Chunk+i) || !r.seg.Allows(file) {
			continue
		}
		r.best.offer(bestChunk{math.Float32bits(scores[i]), uint32(b.Chunk + i)}, MaxBest)
		if len(r.best) == MaxBest {
			for worst := r.best[0].bits; worst > least && !t.bits.CompareAndSwap(least, worst); {
				least = t.bits.Load()
			}
		}
	}
}

// compareChunks is the order of chunks: by score, then by place.
func compareChunks(a, b *Chunk) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Or(corpus.ComparePlaces(a.Segment.Segment, a.File, b.Segment.Segment, b.File), cmp.Compare(a.Chunk, b.Chunk))
}

// bestChunk is one of the best chunks of a range.
type bestChunk struct {
	bits  uint32 // of its score
	chunk uint32
}

// better reports whether a stands before b: chunks are numbered in the order of
// their places.
func (a bestChunk) better(b bestChunk) bool {
	return a.bits > b.bits || a.bits == b.bits && a.chunk < b.chunk
}

// worstFirst is a heap of chunks with the one that ranks last on top.
type worstFirst []bestChunk

// offer keeps the chunk if it is among the n best.
func (h *worstFirst) offer(c bestChunk, n int) {
	if len(*h) < n {
		*h = append(*h, c)
		h.up(len(*h) - 1)
	} else if c.better((*h)[0]) {
		(*h)[0] = c
		h.down()
	}
}

// up moves the last chunk to its place.
func (h worstFirst) up(i int) {
	for i > 0 && h[(i-1)/2].better(h[i]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

// down moves the first chunk to its place.
func (h worstFirst) down() {
	for i := 0; ; {
		worst := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(h) && h[worst].better(h[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		h[i], h[worst] = h[worst], h[i]
		i = worst
	}
}

// File is a file with the score of its whole text.
type File struct {
	Segment *Segment
	Score   float32
	File    int
}

// BestFiles returns the n files whose whole text scores best among those allowed, the
// best first.
func (s *Scores) BestFiles(n int, allowed func(*Segment, int) bool) []File {
	var all []File
	for _, seg := range s.Segments {
		var best worstFirst
		for i := 0; ; i++ {
			least := math.Float32frombits(leastScore)
			if len(best) == n {
				least = math.Float32frombits(best[0].bits)
			}
			if i = nextAtLeast(seg.Whole, i, least); i == len(seg.Whole) {
				break
			}
			if allowed(seg, i) {
				best.offer(bestChunk{math.Float32bits(seg.Whole[i]), uint32(i)}, n)
			}
		}
		for _, b := range best {
			all = append(all, File{seg, math.Float32frombits(b.bits), int(b.chunk)})
		}
	}
	slices.SortFunc(all, func(a, b File) int {
		if a.Score != b.Score {
			return cmp.Compare(b.Score, a.Score)
		}
		return corpus.ComparePlaces(a.Segment.Segment, a.File, b.Segment.Segment, b.File)
	})
	return all[:min(len(all), n)]
}

// Evidence is what the best chunks of a file add to it: 1 for the file with most.
type Evidence struct {
	Segment *Segment
	File    int
	Worth   float64
}

// EvidenceOf returns what the best chunks of all add to their files, the best chunk first.
func EvidenceOf(best []Chunk) []Evidence {
	all, most := make([]Evidence, 0, len(best)), 0.0
	for at, c := range best {
		i := slices.IndexFunc(all, func(e Evidence) bool { return e.Segment == c.Segment && e.File == c.File })
		if i < 0 {
			i = len(all)
			all = append(all, Evidence{Segment: c.Segment, File: c.File})
		}
		all[i].Worth += rank.Evidence(float64(c.Score/best[0].Score), at)
		most = max(most, all[i].Worth)
	}
	for i := range all {
		all[i].Worth /= most
	}
	return all
}

// Select partially orders values so that the n first ones in the order of compare stand
// first, in any order: Hoare's selection with the middle as pivot.
func Select[T any](all []T, n int, compare func(a, b T) int) {
	for low, high := 0, len(all)-1; low < high; {
		pivot := all[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for compare(all[i], pivot) < 0 {
				i++
			}
			for compare(pivot, all[j]) < 0 {
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
