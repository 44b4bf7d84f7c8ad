package similar

import (
	"cmp"
	"context"
	"slices"

	"espy/internal/filter"
	"espy/internal/lang"
	"espy/internal/parallel"
	"espy/internal/segment"
	"espy/internal/similar/shingle"
)

// found is a place like the code that was asked for.
type found struct {
	seg         *filter.Segment
	file        int
	path        string
	first, last int // lines
	start, end  int // bytes of the text of the file
	at          int // byte where its longest run of shared tokens starts
	grade       Grade
	score       float64
	shared      []Shared
}

// findings is what was found.
type findings struct {
	places []found // in order
	all    bool    // every chunk was compared
	cut    bool    // comparing ended while something was still found
}

// Comparing goes on, batch by batch of the likeliest candidates that are left, as
// long as something is found: after idleBatches without, or maxBatches in all, it
// ends.
const (
	batch       = 128
	idleBatches = 4
	maxBatches  = 16
)

// leastScore is the lowest score of a place that is near.
const leastScore = 0.4

// compare compares the text of candidates with the code. When ctx ends, it returns
// what was found until then with the error.
func compare(ctx context.Context, f *filter.Filter, a *asked, in chosen) (*findings, error) {
	c := &comparison{filter: f, asked: a}
	if in.all {
		err := c.batch(ctx, in.list)
		return &findings{places: c.ordered(), all: err == nil, cut: err != nil}, err
	}
	idle, n := 0, 0
	for list := range slices.Chunk(in.list, batch) {
		if idle == idleBatches || n == maxBatches {
			break
		}
		before := len(c.places)
		if err := c.batch(ctx, list); err != nil {
			return &findings{places: c.ordered(), cut: true}, err
		}
		n++
		if idle++; len(c.places) > before {
			idle = 0
		}
	}
	return &findings{places: c.ordered(), cut: n == maxBatches && idle < idleBatches && len(in.list) > n*batch}, nil
}

// comparison is the work of compare.
type comparison struct {
	filter *filter.Filter
	asked  *asked
	places []found
}

// ordered returns the places that were found, the likest first, without those
// that overlap a better one.
func (c *comparison) ordered() []found {
	slices.SortFunc(c.places, func(x, y found) int { // the words of the grades are in the order of the alphabet
		return cmp.Or(cmp.Compare(y.grade, x.grade), cmp.Compare(y.score, x.score), comparePlaces(c.filter, &x, &y), cmp.Compare(x.start, y.start))
	})
	return c.distinct()
}

// distinct leaves out places that overlap a better one.
func (c *comparison) distinct() (out []found) {
	type file struct {
		seg  *filter.Segment
		file int
	}
	taken := map[file][]*found{}
	for i := range c.places {
		p := &c.places[i]
		key := file{p.seg, p.file}
		overlaps := func(o *found) bool { return p.start < o.end && o.start < p.end }
		if !slices.ContainsFunc(taken[key], overlaps) {
			taken[key] = append(taken[key], p)
			out = append(out, *p)
		}
	}
	return out
}

func comparePlaces(f *filter.Filter, x, y *found) int {
	return cmp.Or(cmp.Compare(slices.Index(f.Snaps, x.seg.Snap), slices.Index(f.Snaps, y.seg.Snap)), cmp.Compare(x.path, y.path))
}

// batch compares candidates.
func (c *comparison) batch(ctx context.Context, list []candidate) error {
	results := make([][]found, len(list))
	err := parallel.Each(ctx, len(list), len(list), func() func(int) error {
		var cache segment.TextCache
		return func(i int) (err error) {
			results[i], err = c.one(list[i], &cache)
			return err
		}
	})
	for _, r := range results {
		c.places = append(c.places, r...)
	}
	return err
}

// one compares a chunk, and what stands round it where the likeness goes on.
func (c *comparison) one(k candidate, cache *segment.TextCache) ([]found, error) {
	s := c.filter.Segments[k.seg]
	r := &region{seg: s, file: s.FileOf(k.chunk), first: k.chunk, end: k.chunk + 1}
	r.pattern = c.asked.pattern(s.Language(r.file))
	r.language, _ = lang.ByName(s.Language(r.file))
	r.path = s.Path(r.file)
	r.ownFirst, r.ownLast = c.asked.own(s, r.path)
	for {
		if err := r.read(cache); err != nil {
			return nil, err
		}
		if len(r.matches) == 0 || !r.grow() {
			break
		}
	}
	return r.places(), nil
}

// region is a run of chunks of a file that is compared.
type region struct {
	pattern           *shingle.Pattern
	seg               *filter.Segment
	file              int
	path              string
	language          *lang.Language
	ownFirst, ownLast int
	first, end        int // chunks
	start             int // byte of the text
	tokens            []shingle.Token
	matches           []shingle.Match
}

// read compares the text of the region.
func (r *region) read(cache *segment.TextCache) error {
	from, to := r.seg.Chunk(r.first), r.seg.Chunk(r.end-1)
	text, err := r.seg.TextRange(r.file, int(from.Start), int(to.End), cache)
	if err != nil {
		return err
	}
	r.start = int(from.Start)
	r.tokens = shingle.Tokens(r.language, text, int(from.StartLine))
	shingle.Hide(r.tokens, r.ownFirst, r.ownLast)
	least := min(len(r.pattern.Tokens), len(r.tokens))
	r.matches = r.pattern.Matches(r.tokens, max(least/3, 1))
	return nil
}

// edge is how near a match comes to the end of a region that it may go on behind.
const edge = 12

// grow widens the region by a chunk where a match may go on, and reports whether
// it did.
func (r *region) grow() bool {
	n := len(r.pattern.Tokens)
	if len(r.tokens) > 3*n+4*edge {
		return false
	}
	first, end := r.seg.ChunksOf(r.file)
	up := r.first > first && slices.ContainsFunc(r.matches, func(m shingle.Match) bool { return m.Common < n && m.Start < edge })
	down := r.end < end && slices.ContainsFunc(r.matches, func(m shingle.Match) bool { return m.Common < n && len(r.tokens)-m.End < edge })
	if up {
		r.first--
	}
	if down {
		r.end++
	}
	return up || down
}

// places returns the matches that are like enough.
func (r *region) places() (out []found) {
	n := float64(len(r.pattern.Tokens))
	for i := range r.matches {
		m := &r.matches[i]
		between := float64(m.End - m.Start - m.Common)
		score := float64(m.Equal+m.Alike) / 2 / (n + float64(between/4))
		if score < leastScore {
			continue
		}
		p := found{seg: r.seg, file: r.file, path: r.path, grade: Near, score: score}
		if m.Equal == len(r.pattern.Tokens) && len(m.Tiles) == 1 {
			p.grade = Same
		}
		from, to := r.tokens[m.Start], r.tokens[m.End-1]
		p.first, p.last = int(from.Line), int(to.LastLine)
		p.start, p.end = r.start+int(from.Start), r.start+int(to.End)
		longest := slices.MaxFunc(m.Tiles, func(a, b shingle.Tile) int { return cmp.Compare(a.Len, b.Len) })
		p.at = r.start + int(r.tokens[longest.B].Start)
		p.shared = shared(r.pattern.Tokens, r.tokens, m)
		out = append(out, p)
	}
	return out
}
