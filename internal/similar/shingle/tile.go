package shingle

import (
	"cmp"
	"slices"
)

// Tile is a run of tokens that two texts share: those from A of the one and from
// B of the other.
type Tile struct {
	A, B, Len int
	Shape     bool // its tokens are alike, not all of them equal

	worth int // its tokens, those that are equal twice
}

// Pattern is a text that others are compared with. It may be used from several
// goroutines.
type Pattern struct {
	Tokens []Token
	exact  index
	shape  index
}

// The fewest tokens of a tile. Runs of alike tokens are common where they are
// short: f(x, y) is everywhere.
const (
	minExact = 6
	minShape = 12
)

// NewPattern makes a pattern of tokens. They must not be changed afterwards.
func NewPattern(tokens []Token) *Pattern {
	p := &Pattern{Tokens: tokens}
	p.exact = newIndex(tokens, min(minExact, len(tokens)), exactOf)
	if len(tokens) >= minShape {
		p.shape = newIndex(tokens, minShape, shapeOf)
	}
	return p
}

func exactOf(t *Token) uint64 { return t.Exact }
func shapeOf(t *Token) uint64 { return t.Shape }

// index knows where the shingles of a text are.
type index struct {
	size  int              // tokens of a shingle; 0 where the text has too few
	drop  uint64           // what the first token of a shingle has been multiplied by
	first map[uint64]int32 // by hash: where it occurs first
	next  []int32          // by place: where the same shingle occurs again, -1 for nowhere
	of    func(*Token) uint64
}

// base is the multiplier of the rolling hash of a shingle (Karp and Rabin 1987).
const base = 0x9E3779B97F4A7C15

func newIndex(tokens []Token, size int, of func(*Token) uint64) index {
	x := index{size: size, drop: 1, of: of}
	for range size {
		x.drop *= base
	}
	if size == 0 {
		return x
	}
	n := len(tokens) - size + 1
	x.first, x.next = make(map[uint64]int32, n), make([]int32, n)
	hashes := x.hashes(tokens)
	for i := n - 1; i >= 0; i-- {
		x.next[i] = -1
		if j, ok := x.first[hashes[i]]; ok {
			x.next[i] = j
		}
		x.first[hashes[i]] = int32(i)
	}
	return x
}

// hashes returns the hash of the shingle at each place.
func (x *index) hashes(tokens []Token) []uint64 {
	if x.size == 0 || len(tokens) < x.size {
		return nil
	}
	out := make([]uint64, 0, len(tokens)-x.size+1)
	h := uint64(0)
	for i := range tokens {
		h = h*base + x.of(&tokens[i])
		if i >= x.size {
			h -= x.drop * x.of(&tokens[i-x.size])
		}
		if i >= x.size-1 {
			out = append(out, h)
		}
	}
	return out
}

// maxAgain bounds how many places of one shingle a text is compared with, so that
// a table of a thousand equal rows costs no million comparisons.
const maxAgain = 32

// runs returns the longest runs that the pattern shares with a text, as they
// begin in it. They may overlap each other.
func (x *index) runs(pattern, text []Token) (runs []Tile) {
	reached := make([]int32, len(pattern)+len(text)) // by diagonal: the place in the text up to which it was followed
	for b, h := range x.hashes(text) {
		a, ok := x.first[h]
		for n := 0; ok && a >= 0 && n < maxAgain; a, n = x.next[a], n+1 {
			diagonal := len(pattern) + b - int(a)
			if int(reached[diagonal]) > b {
				continue
			}
			length := x.follow(pattern[a:], text[b:])
			if length >= x.size {
				runs = append(runs, Tile{A: int(a), B: b, Len: length})
			}
			reached[diagonal] = int32(b + max(length, 1))
		}
	}
	return runs
}

// follow returns how many tokens two texts share at their starts.
func (x *index) follow(a, b []Token) int {
	n := min(len(a), len(b))
	for i := range n {
		if x.of(&a[i]) != x.of(&b[i]) {
			return i
		}
	}
	return n
}

// Match is a place of a text that is like the pattern.
type Match struct {
	Tiles  []Tile // in the order of the text
	Equal  int    // tokens of the pattern that are equal there
	Alike  int    // tokens that are equal or, names with one and the same other name in each place, renamed
	Start  int    // tokens of the text, [Start, End)
	End    int
	Common int // tokens of the pattern in tiles
}

// Matches finds the places of a text that are like the pattern, the likest first.
// Places do not overlap. Those with fewer than least alike tokens are left out.
func (p *Pattern) Matches(text []Token, least int) (found []Match) {
	t := tiling{pattern: p, text: text}
	t.runs = p.exact.runs(p.Tokens, text)
	for _, r := range p.shape.runs(p.Tokens, text) {
		r.Shape = true
		t.runs = append(t.runs, r)
	}
	if total(t.runs) < least {
		return nil
	}
	for i := range t.runs {
		t.runs[i].worth = t.worth(t.runs[i])
	}
	slices.SortFunc(t.runs, func(a, b Tile) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.worth, a.worth), cmp.Compare(a.B, b.B), cmp.Compare(a.A, b.A), cmp.Compare(b.Len, a.Len))
	})
	t.free, t.mates = make([]bool, len(text)), make([]int, len(p.Tokens))
	for i := range t.free {
		t.free[i] = true
	}
	for {
		m, ok := t.best()
		if !ok {
			return found
		}
		if m.Alike >= least && m.Alike > 0 {
			found = append(found, m)
		}
	}
}

func total(runs []Tile) (n int) {
	for _, r := range runs {
		n += r.Len
	}
	return n
}

// tiling lays tiles over a text.
type tiling struct {
	pattern *Pattern
	text    []Token
	runs    []Tile // those that are worth most first
	free    []bool // by token of the text: no place that was found has it
	mates   []int  // by token of the pattern: that of the text which it shares in the place at work, none for none
}

const none = -1

// rank orders runs: long equal ones come before all others, so that none of these
// takes a token of theirs.
func (r Tile) rank() int {
	if !r.Shape && r.Len >= minShape {
		return 0
	}
	return 1
}

// worth counts the tokens of a tile, those that are equal twice.
func (t *tiling) worth(r Tile) int {
	if !r.Shape {
		return 2 * r.Len
	}
	n := r.Len
	for i := range r.Len {
		if t.pattern.Tokens[r.A+i].Exact == t.text[r.B+i].Exact {
			n++
		}
	}
	return n
}

// best returns the place round the best run that is left, and takes it out of the
// text.
func (t *tiling) best() (Match, bool) {
	for a := range t.mates {
		t.mates[a] = none
	}
	anchor, ok := t.anchor()
	if !ok {
		return Match{}, false
	}
	from, to := t.window(anchor)
	m := Match{}
	for _, r := range t.runs {
		t.lay(&m, r, from, to)
	}
	slices.SortFunc(m.Tiles, func(a, b Tile) int { return cmp.Compare(a.B, b.B) })
	t.trim(&m)
	last := m.Tiles[len(m.Tiles)-1]
	m.Start, m.End = m.Tiles[0].B, last.B+last.Len
	for i := m.Start; i < m.End; i++ {
		t.free[i] = false
	}
	t.weigh(&m)
	return m, true
}

// trim takes tiles off the ends of a match that stand further from the next one
// than they are long: they belong to something else.
func (t *tiling) trim(m *Match) {
	gap := func(i int) int { return m.Tiles[i+1].B - m.Tiles[i].B - m.Tiles[i].Len }
	for n := len(m.Tiles); n > 1; n-- {
		switch {
		case m.Tiles[0].Len < gap(0):
			t.drop(m, 0)
		case m.Tiles[n-1].Len < gap(n-2):
			t.drop(m, n-1)
		default:
			return
		}
	}
}

func (t *tiling) drop(m *Match, i int) {
	tile := m.Tiles[i]
	for b := tile.B; b < tile.B+tile.Len; b++ {
		t.free[b] = true
	}
	m.Common -= tile.Len
	m.Tiles = slices.Delete(m.Tiles, i, i+1)
}

// anchor returns the stretch of a run that is worth most of what is free.
func (t *tiling) anchor() (best Tile, ok bool) {
	for _, r := range t.runs {
		if r.worth <= best.worth {
			continue
		}
		for _, s := range t.stretches(r, 0, len(t.text)) {
			if s.worth = t.worth(s); s.worth > best.worth {
				best, ok = s, true
			}
		}
	}
	return best, ok
}

// window returns the tokens of the text that a place round a tile may have: as
// many as the pattern on each side of it, and half as many more.
func (t *tiling) window(anchor Tile) (from, to int) {
	n := len(t.pattern.Tokens)
	slack := n/2 + minShape
	return max(anchor.B-anchor.A-slack, 0), min(anchor.B-anchor.A+n+slack, len(t.text))
}

// stretches returns the parts of a run that lie in a window and are free in both
// texts: those that are long enough, or go on from a tile.
func (t *tiling) stretches(r Tile, from, to int) (out []Tile) {
	least := min(minExact, len(t.pattern.Tokens))
	if r.Shape {
		least = minShape
	}
	for i := 0; i < r.Len; {
		if !t.open(r, i, from, to) {
			i++
			continue
		}
		start := i
		for i < r.Len && t.open(r, i, from, to) {
			i++
		}
		if i-start >= least || t.tiled(r, start-1) || t.tiled(r, i) {
			out = append(out, Tile{A: r.A + start, B: r.B + start, Len: i - start, Shape: r.Shape})
		}
	}
	return out
}

func (t *tiling) open(r Tile, i, from, to int) bool {
	b := r.B + i
	return b >= from && b < to && t.free[b] && t.mates[r.A+i] == none
}

// tiled reports whether a tile has token i of a run.
func (t *tiling) tiled(r Tile, i int) bool {
	return i >= 0 && i < r.Len && t.mates[r.A+i] == r.B+i
}

// lay adds to a match what is left of a run in a window.
func (t *tiling) lay(m *Match, r Tile, from, to int) {
	for _, s := range t.stretches(r, from, to) {
		m.Tiles = append(m.Tiles, s)
		m.Common += s.Len
		for i := range s.Len {
			t.mates[s.A+i] = s.B + i
			t.free[s.B+i] = false
		}
	}
}

// weigh counts the tokens that are equal and those that are renamed throughout.
func (t *tiling) weigh(m *Match) {
	names := newRenames()
	t.each(m, func(a, b *Token) { names.see(a, b) })
	t.each(m, func(a, b *Token) {
		switch {
		case a.Exact == b.Exact:
			m.Equal++
			m.Alike++
		case names.holds(a, b):
			m.Alike++
		}
	})
}

func (t *tiling) each(m *Match, do func(a, b *Token)) {
	for _, s := range m.Tiles {
		for i := range s.Len {
			do(&t.pattern.Tokens[s.A+i], &t.text[s.B+i])
		}
	}
}

// renames knows which name stands for another most often.
type renames struct {
	pairs map[[2]uint64]int
	best  map[uint64]uint64
}

func newRenames() *renames {
	return &renames{pairs: map[[2]uint64]int{}, best: map[uint64]uint64{}}
}

func (r *renames) see(a, b *Token) {
	if a.Kind != Name {
		return
	}
	pair := [2]uint64{a.Exact, b.Exact}
	r.pairs[pair]++
	if old, ok := r.best[a.Exact]; !ok || r.pairs[pair] > r.pairs[[2]uint64{a.Exact, old}] {
		r.best[a.Exact] = b.Exact
	}
}

// holds reports whether one token stands for another wherever it can: a name
// that was renamed, or another number or literal.
func (r *renames) holds(a, b *Token) bool {
	return a.Kind != Name || r.best[a.Exact] == b.Exact
}
