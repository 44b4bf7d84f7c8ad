package ranked

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/bits"
	"slices"

	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/segment"
)

const (
	topChunks     = 50  // chunks that count as evidence for their file
	maxCandidates = 100 // files that are judged by all signals
)

// match is one file that may be shown.
type match struct {
	*source
	file   int
	best   float32 // score of its best chunk, 0 for none
	second float32 // and of the one after it
	chunk  int     // the one that is shown, see place; -1 for a file without chunks
	chunks float64 // evidence of its chunks among the top ones
	score  float64 // a logit: until the match is judged a guess without the signals that cost most
	judged *judged // nil where the guess stands
	first  bool    // it has the definition that is all the query asks for
}

// judged is what is known of a match that is looked at in full.
type judged struct {
	folder  *rank.FileFolder
	signals rank.Signals
}

// match returns a file with the scores of its two best chunks. Which these are
// cannot be foretold, so that a branch for each chunk would often be a wrong
// guess: scores are compared as numbers in the order of their bits, without one.
func (s *source) match(file int) match {
	first, end, kinds := int(s.traits[file].FirstChunk), int(s.traits[file+1].FirstChunk), s.chunksOfKind
	var best, second uint32
	for i, score := range s.scores[first:end] {
		if kinds != nil && !kinds.Has(first+i) {
			continue
		}
		bits := math.Float32bits(score)
		second = max(second, min(best, bits))
		best = max(best, bits)
	}
	return match{
		source: s, file: file, first: s.asked[file].first,
		best: math.Float32frombits(best), second: math.Float32frombits(second),
	}
}

// matches appends the files of a set to dst, in order, with guesses of their scores.
func (j *judge) matches(dst []match, s *source, files segment.Bitmap) []match {
	dst = slices.Grow(dst, files.Count())
	var known rank.Some
	for file := range members(files) {
		dst = append(dst, s.match(file))
		m := &dst[len(dst)-1]
		j.cheap(m, &known)
		m.score = j.scorer.Guess(&known)
	}
	return dst
}

// selection is the files that the filters and the conditions let through.
type selection struct {
	*collection
	best float32 // score of the best chunk of all
}

// allows reports whether the conditions and filters let a file through.
func (c *collection) allows(s *source, file int) bool {
	return (s.found == nil || s.found.Has(file)) && s.seg.Allows(file)
}

// matching returns the files of a source that hold a term or, with conditions, meet them.
func (x *selection) matching(s *source) segment.Bitmap {
	set := s.found.Clone()
	if set == nil {
		set = bitmapOf(s.marks)
	}
	x.keepAllowed(s, set)
	return set
}

// bitmapOf returns the places of the values that are not zero.
func bitmapOf[T comparable](values []T) segment.Bitmap {
	set := make(segment.Bitmap, (len(values)+63)/64)
	var zero T
	for i := range set {
		for k, v := range values[64*i : min(64*(i+1), len(values))] {
			bit := uint64(0)
			if v != zero {
				bit = 1
			}
			set[i] |= bit << k
		}
	}
	return set
}

// keepAllowed takes out of a set what the conditions and filters do not let through.
func (x *selection) keepAllowed(s *source, set segment.Bitmap) {
	if s.found == nil && s.seg.AllowsAll() {
		return
	}
	for f := range members(set) {
		if !x.allows(s, f) {
			set.Clear(f)
		}
	}
}

// count returns how many files match.
func (x *selection) count() int {
	n := 0
	if x.settled {
		for i := range x.ranges {
			n += x.ranges[i].matched
		}
		return n
	}
	for _, s := range x.sources {
		n += x.matching(s).Count()
	}
	return n
}

// members yields the numbers in a bitmap in order.
func members(set segment.Bitmap) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range set {
			for ; w != 0; w &= w - 1 {
				if n := i*64 + bits.TrailingZeros64(w); !yield(n) {
					return
				}
			}
		}
	}
}

// chunksPerWorker is how many chunks are worth another goroutine to find the
// best ones, or the strong files, among them.
const chunksPerWorker = 256 << 10

// strong returns the files that more speaks for than common words somewhere in
// their text: the best chunks, a name, the stem.
func (j *judge) strong() ([]*match, error) {
	top, err := j.top()
	if err != nil {
		return nil, err
	}
	j.best = 1
	if len(top) > 0 {
		j.best = top[0].score
	}
	err = j.eachSource(1+j.chunks/chunksPerWorker, func(s *source) error {
		s.taken = j.signalled(s, top)
		s.matches = j.matches(s.matches[:0], s, s.taken)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, e := range j.evidence(top) {
		all := e.matches
		i, _ := slices.BinarySearchFunc(all, e.file, func(m match, file int) int { return cmp.Compare(m.file, file) })
		all[i].chunks = e.worth
	}
	found := j.found[:0]
	for _, s := range j.sources {
		found = appendPointers(found, s.matches)
	}
	j.found = found
	return found, nil
}

func appendPointers(dst []*match, all []match) []*match {
	for i := range all {
		dst = append(dst, &all[i])
	}
	return dst
}

// evidence is what the best chunks of a file add to it.
type evidence struct {
	*source
	file  int
	worth float64
}

// evidence returns what the best chunks add to their files, the most being 1.
func (j *judge) evidence(top []scored) []evidence {
	all, most := make([]evidence, 0, len(top)), 0.0
	for rankOf, t := range top {
		i := slices.IndexFunc(all, func(e evidence) bool { return e.source == t.source && e.file == t.file })
		if i < 0 {
			i = len(all)
			all = append(all, evidence{source: t.source, file: t.file})
		}
		all[i].worth += rank.Evidence(float64(t.score/j.best), rankOf)
		most = max(most, all[i].worth)
	}
	for i := range all {
		all[i].worth /= most
	}
	return all
}

// signalled returns the files of a source that are strong.
func (x *selection) signalled(s *source, top []scored) segment.Bitmap {
	set := bitmapOf(s.strong)
	for file := range s.exact {
		set.Set(file)
	}
	for file := range s.mentions {
		set.Set(file)
	}
	for file, a := range s.asked {
		if a.first {
			set.Set(file)
		}
	}
	for file := range s.quotes {
		set.Set(file)
	}
	x.keepAllowed(s, set)
	for _, t := range top {
		if t.source == s {
			set.Set(t.file)
		}
	}
	return set
}

// weak returns the other files that match.
func (j *judge) weak() (found []*match) {
	for _, s := range j.sources {
		rest := j.matching(s)
		for i, taken := range s.taken {
			rest[i] &^= taken
		}
		found = appendPointers(found, j.matches(nil, s, rest))
	}
	return found
}

// scored is one chunk with its score.
type scored struct {
	*source
	score       float32
	chunk, file int
}

// top returns the best chunks, best first.
func (x *selection) top() ([]scored, error) {
	if !x.settled {
		x.bar.Store(leastScore)
		err := parallel.Each(context.Background(), 1+x.chunks/chunksPerWorker, len(x.ranges), func() func(int) error {
			return func(i int) error {
				r := &x.ranges[i]
				r.top = r.top[:0]
				for i := range r.batches {
					x.offer(r, &r.batches[i])
				}
				return nil
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var all []scored
	for i := range x.ranges {
		r := &x.ranges[i]
		for _, t := range r.top {
			if t.bits >= x.bar.Load() {
				all = append(all, scored{r.source, math.Float32frombits(t.bits), int(t.chunk), r.seg.FileOf(int(t.chunk))})
			}
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return compareScored(&a, &b) })
	return all[:min(len(all), topChunks)], nil
}

// leastScore is the least that a chunk must score, as a bar.
const leastScore = 1

// offer offers the chunks of a batch that reach the bar to the best ones of its
// range. The bar, the bits of a number, is what the last of the best of some
// range scores.
func (c *collection) offer(r *fileRange, b *segment.Batch) {
	scores, files := r.scores[b.Chunk:b.ChunkEnd], r.scoring.Files[b.Chunk:b.ChunkEnd]
	for i := 0; ; i++ {
		least := c.bar.Load()
		if i = nextAtLeast(scores, i, math.Float32frombits(least)); i == len(scores) {
			return
		}
		if !c.allows(r.source, b.File+int(files[i])) {
			continue
		}
		r.top.offer(topChunk{math.Float32bits(scores[i]), uint32(b.Chunk + i)}, topChunks)
		if len(r.top) == topChunks {
			for worst := r.top[0].bits; worst > least && !c.bar.CompareAndSwap(least, worst); {
				least = c.bar.Load()
			}
		}
	}
}

// nextAtLeast returns the first index from i on of a score of bar or more, or
// len(scores). Numbers that are not negative are in the order of their bits, so
// that the sign of an AND of differences tells whether eight are all below.
func nextAtLeast(scores []float32, i int, bar float32) int {
	b := math.Float32bits(bar)
	rest := scores[i:]
	for len(rest) >= 8 {
		s := (*[8]float32)(rest)
		below := math.Float32bits(s[0]) - b
		below &= math.Float32bits(s[1]) - b
		below &= math.Float32bits(s[2]) - b
		below &= math.Float32bits(s[3]) - b
		below &= math.Float32bits(s[4]) - b
		below &= math.Float32bits(s[5]) - b
		below &= math.Float32bits(s[6]) - b
		below &= math.Float32bits(s[7]) - b
		if int32(below) >= 0 {
			break
		}
		rest = rest[8:]
	}
	i = len(scores) - len(rest)
	for i < len(scores) && scores[i] < bar {
		i++
	}
	return i
}

// compareScored is the order of chunks: by score, then by place.
func compareScored(a, b *scored) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return cmp.Or(comparePlaces(a.source, a.file, b.source, b.file), cmp.Compare(a.chunk, b.chunk))
}

// comparePlaces orders files by repository and path. Those of one segment are
// numbered in the order of their paths.
func comparePlaces(s *source, file int, t *source, other int) int {
	if s == t {
		return cmp.Compare(file, other)
	}
	return cmp.Or(cmp.Compare(s.repo, t.repo), cmp.Compare(s.order, t.order), s.seg.ComparePaths(file, t.seg.Reader, other))
}

func (m *match) path() string { return m.seg.Path(m.file) }

// topChunk is one of the best chunks of a range.
type topChunk struct {
	bits  uint32 // of its score: those of numbers that are not negative are in their order
	chunk uint32
}

// better reports whether a stands before b: chunks are numbered in the order of
// their places.
func (a topChunk) better(b topChunk) bool {
	return a.bits > b.bits || a.bits == b.bits && a.chunk < b.chunk
}

// worstFirst is a heap of chunks with the one that ranks last on top.
type worstFirst []topChunk

// offer keeps the chunk if it is among the n best.
func (h *worstFirst) offer(t topChunk, n int) {
	if len(*h) < n {
		*h = append(*h, t)
		h.up(len(*h) - 1)
	} else if t.better((*h)[0]) {
		(*h)[0] = t
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

func (m *match) coverage(c *collection) float64 {
	return math.Min(1, float64(m.cover[m.file])/c.mass)
}

// compareMatches orders by score, the higher first, then by place.
func compareMatches(a, b *match) int {
	if a.first != b.first {
		return firstOf(a)
	}
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return comparePlaces(a.source, a.file, b.source, b.file)
}

// firstOf is the order of a beside a match of which one alone stands first.
func firstOf(a *match) int {
	if a.first {
		return -1
	}
	return 1
}

// selectBest partially orders matches so that the n best ones stand first, in
// any order: Hoare's selection with the middle as pivot.
func selectBest(all []*match, n int) {
	for low, high := 0, len(all)-1; low < high && n < len(all); {
		pivot := all[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for compareMatches(all[i], pivot) < 0 {
				i++
			}
			for compareMatches(pivot, all[j]) < 0 {
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
