// Package pack chooses which lines of which files fit into a budget.
//
// A Piece is a run of lines that may be shown for a reason, in steps that each
// show more of it: one line, the telling lines, the whole. Choose takes the step
// that is worth most for its size again and again, as long as one fits. Lines
// that two pieces have in common are shown and paid for once; pieces whose shown
// lines touch become one Span.
package pack

import (
	"cmp"
	"slices"
)

// Range is a run of lines, from First to Last.
type Range struct{ First, Last int }

// Piece is a run of lines that may be shown.
type Piece struct {
	Path        string
	First, Last int    // lines of the whole
	Name        string // of the declaration, as shown; empty for none
	Reason      string // why it is shown
	Order       int    // spans of lower orders are shown first
	Whole       bool   // it is a whole file, which is only named
	Steps       []Step
}

// Step shows lines of a piece, those of the steps before it included. It may have
// none: then the piece is only named.
type Step struct {
	Lines []Range // in order, apart from each other
	Worth float64 // beyond that of the steps before
}

// Sizes are the bytes of the parts of an answer.
type Sizes struct {
	Heading func(p *Piece) int
	Line    func(path string, line int) int
	Run     int // what a run of lines takes beside its lines
}

// Question is what there is to choose from.
type Question struct {
	Pieces []Piece // the most important first
	Bytes  int     // bound of all that is shown
	Least  float64 // worth a byte below which nothing is shown behind the first bytes, though it fits
	First  int     // bytes that are filled whatever the pieces are worth
	Sizes  Sizes
	Held   func(path string, line int) bool // lines that the reader has; nil for none
}

// Span is what is shown of some lines that belong together.
type Span struct {
	Path        string
	First, Last int      // lines of its pieces
	Pieces      []*Piece // the most important first
	Runs        []Range  // lines that are shown
	Held        []Range  // lines within that the reader has
}

// Choice is what is shown.
type Choice struct {
	Spans []Span
	Left  []*Piece // of which nothing is shown, the most important first
	Held  []*Piece // which the reader has whole
	Cut   []*Piece // of which not all is shown, the most important first
}

// Choose packs pieces into the bound. The same question gives the same choice.
func Choose(q *Question) *Choice {
	n := len(q.Pieces)
	c := &chooser{Question: q, shown: map[string]map[int]bool{}, taken: make([]int, n), headed: make([]bool, n), closed: make([]bool, n), known: make([]price, n)}
	left := q.Bytes
	for {
		i, size := c.best(left)
		if i < 0 {
			break
		}
		left -= size
		c.take(i)
	}
	return c.choice()
}

type chooser struct {
	*Question
	shown  map[string]map[int]bool
	taken  []int   // steps done with of each piece
	headed []bool  // pieces of which something is shown
	closed []bool  // pieces of which no more is shown
	known  []price // of the next steps; forgotten where lines of their files are taken
}

// price is what a step takes and which share of its lines is new to the reader.
type price struct {
	size  int
	share float64
	known bool
}

// best returns the piece whose next step is worth most for its size, and that
// size; -1 where none fits.
func (c *chooser) best(left int) (at, size int) {
	at, best := -1, 0.0
	for i := range c.Pieces {
		n, worth := c.next(i)
		if worth > 0 && n > left {
			c.closed[i] = true
		}
		if c.closed[i] || worth <= 0 {
			continue
		}
		if value := worth / float64(n+1); value > best && (value >= c.Least || c.Bytes-left+n <= c.First) {
			at, size, best = i, n, value
		}
	}
	return at, size
}

// next returns what the next step of a piece takes and is worth, which is nothing
// where there is none. It passes over steps whose lines the reader has.
func (c *chooser) next(i int) (size int, worth float64) {
	for p := &c.Pieces[i]; !c.closed[i] && c.taken[i] < len(p.Steps); c.taken[i]++ {
		if !c.known[i].known {
			c.known[i].size, c.known[i].share = c.price(i)
			c.known[i].known = true
		}
		if worth := p.Steps[c.taken[i]].Worth * c.known[i].share; worth > 0 {
			return c.known[i].size, worth
		}
		c.known[i] = price{}
	}
	return 0, 0
}

// price returns what the next step of a piece takes, and which share of its
// lines is new to the reader.
func (c *chooser) price(i int) (size int, share float64) {
	p := &c.Pieces[i]
	shown := c.shown[p.Path]
	if !c.headed[i] {
		size = c.Sizes.Heading(p)
	}
	fresh, held := 0, 0
	for _, r := range p.Steps[c.taken[i]].Lines {
		before := false
		for n := r.First; n <= r.Last; n++ {
			switch {
			case c.Held != nil && c.Held(p.Path, n):
				held++
				before = false
			case shown[n]:
				before = true
			default:
				fresh++
				size += c.Sizes.Line(p.Path, n)
				if !before {
					size += c.Sizes.Run
				}
				before = true
			}
		}
	}
	if fresh+held == 0 {
		return size, 1
	}
	return size, float64(fresh) / float64(fresh+held)
}

func (c *chooser) take(i int) {
	p := &c.Pieces[i]
	if c.shown[p.Path] == nil {
		c.shown[p.Path] = map[int]bool{}
	}
	for _, r := range p.Steps[c.taken[i]].Lines {
		for n := r.First; n <= r.Last; n++ {
			if c.Held == nil || !c.Held(p.Path, n) {
				c.shown[p.Path][n] = true
			}
		}
	}
	c.taken[i]++
	c.headed[i] = true
	for k := range c.Pieces {
		if c.Pieces[k].Path == p.Path {
			c.known[k] = price{}
		}
	}
}

// group is a span in the making.
type group struct {
	span        Span
	order, rank int
	first, last int // shown lines
}

// choice makes spans of what was taken.
func (c *chooser) choice() *Choice {
	res := &Choice{}
	var all []group
	for i := range c.Pieces {
		p := &c.Pieces[i]
		first, last, lines := c.extent(p, i)
		switch {
		case !c.headed[i] && c.taken[i] == len(p.Steps):
			res.Held = append(res.Held, p)
			continue
		case !c.headed[i]:
			res.Left = append(res.Left, p)
			continue
		case lines < p.Last-p.First+1 && lines > 0:
			res.Cut = append(res.Cut, p)
		}
		all = append(all, group{Span{Path: p.Path, First: p.First, Last: p.Last, Pieces: []*Piece{p}}, p.Order, i, first, last})
	}
	all = merged(all)
	for i := range all {
		c.fill(&all[i])
	}
	arrange(all)
	for _, g := range all {
		res.Spans = append(res.Spans, g.span)
	}
	return res
}

// extent returns the first and last line that a piece shows by its own steps, and
// how many of all its lines are shown.
func (c *chooser) extent(p *Piece, i int) (first, last, lines int) {
	shown := c.shown[p.Path]
	for k := range c.taken[i] {
		for _, r := range p.Steps[k].Lines {
			for n := r.First; n <= r.Last; n++ {
				if !shown[n] {
					continue
				}
				if first == 0 || n < first {
					first = n
				}
				last = max(last, n)
			}
		}
	}
	for n := p.First; n <= p.Last; n++ {
		if shown[n] {
			lines++
		}
	}
	if first == 0 {
		lines = 0
	}
	return first, last, lines
}

// merged joins groups of a file whose shown lines overlap or touch.
func merged(all []group) []group {
	byLine := slices.Clone(all)
	slices.SortStableFunc(byLine, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.span.Path, b.span.Path), cmp.Compare(a.first, b.first), cmp.Compare(a.rank, b.rank))
	})
	var out []group
	for _, g := range byLine {
		last := len(out) - 1
		if last >= 0 && out[last].span.Path == g.span.Path && out[last].first > 0 && g.first <= out[last].last+1 {
			out[last].join(&g)
			continue
		}
		out = append(out, g)
	}
	return out
}

func (g *group) join(o *group) {
	s := &g.span
	s.First, s.Last = min(s.First, o.span.First), max(s.Last, o.span.Last)
	s.Pieces = append(s.Pieces, o.span.Pieces...)
	if o.rank < g.rank {
		s.Pieces[0], s.Pieces[len(s.Pieces)-1] = s.Pieces[len(s.Pieces)-1], s.Pieces[0]
	}
	g.order, g.rank = min(g.order, o.order), min(g.rank, o.rank)
	g.first, g.last = min(g.first, o.first), max(g.last, o.last)
}

// fill sets the runs of a span.
func (c *chooser) fill(g *group) {
	s := &g.span
	for n := g.first; n <= g.last && g.first > 0; n++ {
		switch {
		case c.shown[s.Path][n]:
			s.Runs = extend(s.Runs, n)
		case c.Held != nil && c.Held(s.Path, n):
			s.Held = extend(s.Held, n)
		}
	}
}

// extend adds a line behind runs.
func extend(runs []Range, n int) []Range {
	if k := len(runs) - 1; k >= 0 && runs[k].Last == n-1 {
		runs[k].Last = n
		return runs
	}
	return append(runs, Range{n, n})
}

// arrange orders spans: by order, then by what is most important, those of a file
// together.
func arrange(all []group) {
	type key struct {
		order int
		path  string
	}
	best := map[key]int{}
	for _, g := range all {
		k := key{g.order, g.span.Path}
		if r, ok := best[k]; !ok || g.rank < r {
			best[k] = g.rank
		}
	}
	slices.SortStableFunc(all, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(best[key{a.order, a.span.Path}], best[key{b.order, b.span.Path}]), cmp.Compare(a.first, b.first))
	})
}
