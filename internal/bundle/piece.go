package bundle

import (
	"fmt"
	"slices"
	"strings"

	"espy/internal/bundle/pack"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/pattern"
)

// The order in which spans are shown: definitions before uses.
const (
	orderDefinition = iota
	orderBelow      // implementations, subtypes
	orderUsed       // what the definitions use
	orderCaller
	orderTest
	orderMention
)

// Sizes of what is shown of a declaration, in lines.
const (
	shortLines = 14 // a declaration up to this long is shown whole at once
	docLines   = 8  // of its documentation that are shown before its code
	sliceLines = 10 // that are shown at once
	maxTelling = 8
)

// sliceFalls is what a line is worth against one of the lines before.
const sliceFalls = 0.9

// add adds a piece, or its reason and worth to the piece of the same lines.
func (g *gatherer) add(p pack.Piece) {
	key := fmt.Sprintf("%s:%d-%d", p.Path, p.First, p.Last)
	i, ok := g.byBlock[key]
	if !ok {
		g.byBlock[key] = len(g.pieces)
		g.pieces = append(g.pieces, p)
		return
	}
	old := &g.pieces[i]
	if old.Reason != p.Reason && !strings.Contains(old.Reason, p.Reason) && strings.Count(old.Reason, "; ") < 2 {
		old.Reason += "; " + p.Reason
	}
	if old.Name == "" {
		old.Name = p.Name
	}
	old.Order = min(old.Order, p.Order)
	old.Steps = combined(old.Steps, p.Steps)
}

// combined are the steps of two pieces of the same lines: those worth more, and a
// part of the worth of the others.
func combined(a, b []pack.Step) []pack.Step {
	if b[0].Worth > a[0].Worth {
		a, b = b, a
	}
	a = slices.Clone(a)
	for i := range min(len(a), len(b)) {
		a[i].Worth += b[i].Worth / 2
	}
	return a
}

// runs are the runs of some lines, over gaps of one line.
func runs(lines []int) (all []pack.Range) {
	slices.Sort(lines)
	for _, n := range lines {
		if k := len(all) - 1; k >= 0 && n <= all[k].Last+2 {
			all[k].Last = max(all[k].Last, n)
			continue
		}
		all = append(all, pack.Range{First: n, Last: n})
	}
	return all
}

// titled is the kind and name of a block, as shown.
func titled(b locate.Block) string { return b.Kind.String() + " " + b.Name }

// define adds the piece of a declaration that the question is about.
func (g *gatherer) define(s seed) error {
	if s.reason == "" {
		return nil // a hit, which is a piece already
	}
	return g.addBlock(s.block, wanted{reason: s.reason, order: orderDefinition, worth: [3]float64{20 * s.weight, 14 * s.weight, 2 * s.weight}})
}

// wanted says why and how much a block is worth to be shown.
type wanted struct {
	reason string
	order  int
	worth  [3]float64 // of the line that declares it or uses the other, its signature with telling lines, each line of its code
	sites  []int      // lines that use the other
}

// addBlock adds a declaration as a piece.
func (g *gatherer) addBlock(b locate.Block, w wanted) error {
	lines, err := g.lines(b.Path)
	if err != nil || len(lines) == 0 {
		return err
	}
	b.Last = min(b.Last, len(lines))
	if b.Last < b.First || b.First < 1 {
		return nil
	}
	p := pack.Piece{Path: b.Path, First: b.First, Last: b.Last, Name: titled(b), Reason: w.reason, Order: w.order}
	sites := slices.DeleteFunc(slices.Clone(w.sites), func(n int) bool { return n < b.First || n > b.Last })
	one := []int{b.Line}
	if len(sites) > 0 {
		one = sites[:1]
	}
	short := slices.Concat([]int{b.Line}, sites[:min(len(sites), 3)])
	for n := b.Line; n <= min(b.Head, b.Line+5); n++ {
		short = append(short, n)
	}
	short = append(short, g.telling(lines, b)...)
	p.Steps = []pack.Step{{Lines: runs(slices.Clone(one)), Worth: w.worth[0]}}
	if b.Last-b.First+1 > shortLines {
		p.Steps = append(p.Steps, pack.Step{Lines: runs(short), Worth: w.worth[1]})
	}
	p.Steps = append(p.Steps, sliced(max(b.First, b.Line-docLines), b.Last, w.worth[2])...)
	if b.First < b.Line-docLines {
		p.Steps = append(p.Steps, sliced(b.First, b.Line-docLines-1, w.worth[2]/2)...)
	}
	g.add(p)
	return nil
}

// sliced are steps through some lines, each worth less a line than the one before.
func sliced(first, last int, worth float64) (steps []pack.Step) {
	for ; first <= last; first += sliceLines {
		end := min(first+sliceLines-1, last)
		if last-end < sliceLines/2 {
			end = last
		}
		steps = append(steps, pack.Step{Lines: []pack.Range{{First: first, Last: end}}, Worth: worth * float64(end-first+1)})
		if end == last {
			break
		}
		worth *= sliceFalls
	}
	return steps
}

// telling are the lines of a declaration that bear words of the question.
func (g *gatherer) telling(lines []string, b locate.Block) (all []int) {
	words := g.tellingWords()
	if len(words) == 0 {
		return nil
	}
	type scored struct{ line, n int }
	var best []scored
	for n := b.Head + 1; n <= b.Last; n++ {
		lower := strings.ToLower(lines[n-1])
		count := 0
		for _, w := range words {
			if strings.Contains(lower, w) {
				count++
			}
		}
		if count > 0 {
			best = append(best, scored{n, count})
		}
	}
	slices.SortStableFunc(best, func(a, b scored) int { return b.n - a.n })
	for _, s := range best[:min(len(best), maxTelling)] {
		all = append(all, s.line)
	}
	return all
}

// word finds the words of a question.
var word = pattern.New(`[\pL_][\pL\pN_]{3,}`)

// tellingWords are the longer words of a question in lower case.
func (g *gatherer) tellingWords() (words []string) {
	if g.question.kind == KindDiff || g.question.kind == KindPlace {
		return nil
	}
	const most = 24
	for _, w := range word().FindAllString(g.question.text, -1) {
		w = strings.ToLower(w)
		if !slices.Contains(words, w) && len(words) < most {
			words = append(words, w)
		}
	}
	return words
}

// addLines adds lines that are part of no declaration.
func (g *gatherer) addLines(path string, first, last int, reason string, worth float64) {
	p := pack.Piece{Path: path, First: first, Last: last, Reason: reason, Order: orderDefinition}
	p.Steps = []pack.Step{{Lines: []pack.Range{{First: first, Last: last}}, Worth: worth}}
	g.add(p)
}

// hitWorth is what the first hit of a search by words is worth, in the steps of
// a block.
var hitWorth = [3]float64{12, 10, 2}

// leastHit is what the line of a hit is worth however far down it stands.
const leastHit = 0.2

// maxWhole is up to how many lines a declaration that was found is shown from its
// beginning on rather than from the lines that were found.
const maxWhole = 60

// addHit adds what a search found. The piece is the declaration where it has the
// lines of the hit, else the lines.
func (g *gatherer) addHit(h *hit.Hit, b locate.Block, worth float64) error {
	lines, err := g.lines(h.Path)
	if err != nil || len(lines) == 0 {
		return err
	}
	first, last := h.StartLine, min(h.EndLine, len(lines))
	p := pack.Piece{Path: h.Path, First: first, Last: last, Name: h.Symbol, Reason: "matches the question", Order: orderDefinition}
	if h.Symbol != "" && h.Kind != "" && h.Kind != "unknown" {
		p.Name = h.Kind + " " + h.Symbol
	}
	if b.ID != "" && b.First <= last && b.Last >= first {
		p.First, p.Last, p.Name = b.First, min(b.Last, len(lines)), titled(b)
		if first, err = g.declared(h.Path, first, b.First); err != nil {
			return err
		}
	}
	best, matches := first, -1
	var telling []int
	for _, l := range h.Lines {
		if l.Number < first {
			continue
		}
		telling = append(telling, l.Number)
		if len(l.Matches) > matches {
			best, matches = l.Number, len(l.Matches)
		}
	}
	if b.ID != "" && b.Line >= p.First && b.Line <= p.Last {
		telling = append(telling, b.Line)
	}
	p.Steps = []pack.Step{
		{Lines: runs([]int{best}), Worth: hitWorth[0] * max(worth, leastHit)},
		{Lines: runs(telling), Worth: hitWorth[1] * worth},
	}
	start, end := p.First, p.Last
	if end-start > maxWhole { // the part that was found
		start, end = first, last
	}
	p.First, p.Last = min(first, p.First), max(last, p.Last)
	p.Steps = append(p.Steps, sliced(start, end, hitWorth[2]*worth)...)
	p.Steps = append(p.Steps, sliced(first, last, hitWorth[2]*worth/2)...)
	g.add(p)
	return nil
}

// declared returns the first of some lines that is part of a declaration, end for
// none: imports before a declaration tell nothing of it.
func (g *gatherer) declared(path string, first, end int) (int, error) {
	if first >= end {
		return first, nil
	}
	blocks, err := g.blocksOf(change{path: path, first: first, last: end - 1})
	if err != nil {
		return 0, err
	}
	for _, b := range blocks {
		if b.ID != "" && b.Last < end {
			end = max(first, min(end, b.First))
		}
	}
	return end, nil
}

// addFile adds a file that is only named.
func (g *gatherer) addFile(path, reason string, worth float64) {
	lines, err := g.lines(path)
	if err != nil || len(lines) == 0 {
		return
	}
	g.add(pack.Piece{Path: path, First: 1, Last: len(lines), Reason: reason, Order: orderTest, Whole: true, Steps: []pack.Step{{Worth: worth}}})
}

// addMention adds a line that mentions a name.
func (g *gatherer) addMention(h *hit.Hit, reason string, worth float64) {
	lines, err := g.lines(h.Path)
	if err != nil || h.StartLine > len(lines) {
		return
	}
	p := pack.Piece{Path: h.Path, First: h.StartLine, Last: h.StartLine, Reason: reason, Order: orderMention}
	p.Steps = []pack.Step{{Lines: []pack.Range{{First: h.StartLine, Last: h.StartLine}}, Worth: worth}}
	g.add(p)
}
