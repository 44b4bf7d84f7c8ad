package structure

import (
	"iter"
	"slices"
	"strings"

	"espy/internal/facts/tree"
	"espy/internal/nearest"
)

// stepsPerNode bounds the work on a tree: a pattern with several holes for any number
// of nodes may be compared in many ways.
const stepsPerNode = 200

// minSteps is the least bound of the work on a tree.
const minSteps = 100_000

// Find returns the places that match, in the order of their starts. With all false
// the work on the text reached its bound before its end.
func (m *Matcher) Find(t *tree.Tree, src string) (found []Match, all bool) {
	f := finder{t: t, src: src, steps: max(minSteps, stepsPerNode*len(t.Nodes))}
	for i := range t.Nodes {
		if m.kind != noKind {
			if n := t.Nodes[i]; int(n.Kind) == m.kind {
				found = append(found, Match{Start: n.Start, End: n.End})
			}
			continue
		}
		for _, shapes := range m.shapes {
			if match, ok := f.at(shapes, i); ok {
				found = append(found, match)
				break
			}
		}
		if f.steps <= 0 {
			return found, false
		}
	}
	slices.SortStableFunc(found, func(a, b Match) int { return int(a.Start) - int(b.Start) })
	return found, true
}

// finder compares shapes with the nodes of a tree.
type finder struct {
	t     *tree.Tree
	src   string
	holes []Hole // bound so far
	steps int    // that are left
}

// at compares a pattern with the tree at a node: itself, or with it the nodes behind it.
func (f *finder) at(shapes []shape, i int) (Match, bool) {
	f.holes = f.holes[:0]
	n := f.t.Nodes[i]
	if len(shapes) == 1 {
		ok := f.node(&shapes[0], i)
		return Match{Start: n.Start, End: n.End, Holes: slices.Clone(f.holes)}, ok
	}
	if n.Parent < 0 || !f.mayBegin(&shapes[0], n) {
		return Match{}, false
	}
	var row []int
	for c := range children(f.t, int(n.Parent)) {
		if c >= i && !f.comment(c) {
			row = append(row, c)
		}
	}
	end, ok := f.row(shapes, row, false)
	if !ok || end == 0 {
		return Match{}, false
	}
	return Match{Start: n.Start, End: f.t.Nodes[row[end-1]].End, Holes: slices.Clone(f.holes)}, true
}

// mayBegin reports whether a row of nodes may begin with a node, as far as its kind tells.
func (f *finder) mayBegin(s *shape, n tree.Node) bool {
	return s.hole != "" && named(f.t, n) || s.kind == n.Kind
}

// node compares one shape with one node.
func (f *finder) node(s *shape, i int) bool {
	f.steps--
	n := f.t.Nodes[i]
	if s.hole != "" {
		return (s.many || named(f.t, n)) && f.bind(s, n.Start, n.End)
	}
	if s.leaf {
		return f.leaf(s, i)
	}
	if s.kind != n.Kind || s.gap != gap(f.t, i, f.src) {
		return false
	}
	var row []int
	for c := range children(f.t, i) {
		if !f.comment(c) {
			row = append(row, c)
		}
	}
	held := len(f.holes)
	if _, ok := f.row(s.children, row, true); ok {
		return true
	}
	f.holes = f.holes[:held]
	return false
}

// leaf compares a node without children: a name may be of several kinds, as that of a
// type and that of a value are.
func (f *finder) leaf(s *shape, i int) bool {
	n := f.t.Nodes[i]
	if n.Next != int32(i)+1 {
		return false
	}
	text := f.src[n.Start:n.End]
	if text == s.text {
		return s.kind == n.Kind || !s.word && named(f.t, n)
	}
	return s.kind == n.Kind && s.gap != "" && strings.Trim(s.text, signs) == "" && s.gap == gap(f.t, i, f.src)
}

// signs are what a node that is only brackets is made of.
const signs = "(){}[]<> \t\r\n,;"

// row compares shapes with nodes that follow each other, all of them where whole is
// set. It returns how many nodes were taken.
func (f *finder) row(shapes []shape, row []int, whole bool) (taken int, ok bool) {
	if f.steps--; f.steps <= 0 {
		return 0, false
	}
	if len(shapes) == 0 {
		rest := row
		for whole && len(rest) > 0 && !named(f.t, f.t.Nodes[rest[0]]) {
			rest = rest[1:]
		}
		return 0, !whole || len(rest) == 0
	}
	s := &shapes[0]
	held := len(f.holes)
	if s.many {
		for k := 0; k <= len(row); k++ {
			f.holes = f.holes[:held]
			if !f.bind(s, f.spanOf(row, k)...) {
				continue
			}
			if n, ok := f.row(shapes[1:], row[k:], whole); ok {
				return k + n, true
			}
		}
		f.holes = f.holes[:held]
		return 0, false
	}
	for k := 0; k < len(row); k++ {
		f.holes = f.holes[:held]
		if f.node(s, row[k]) {
			if n, ok := f.row(shapes[1:], row[k+1:], whole); ok {
				return k + 1 + n, true
			}
		}
		if !whole || named(f.t, f.t.Nodes[row[k]]) {
			break
		}
	}
	f.holes = f.holes[:held]
	return 0, false
}

// spanOf is where the first k nodes of a row stand.
func (f *finder) spanOf(row []int, k int) []uint32 {
	switch {
	case len(row) == 0:
		return []uint32{0, 0}
	case k == 0:
		at := f.t.Nodes[row[0]].Start
		return []uint32{at, at}
	}
	return []uint32{f.t.Nodes[row[0]].Start, f.t.Nodes[row[k-1]].End}
}

// bind puts a text in a hole. One that has a text already must have the same.
func (f *finder) bind(s *shape, span ...uint32) bool {
	if s.hole == "_" {
		return true
	}
	for _, h := range f.holes {
		if h.Name == s.hole {
			return squeezed(f.src[h.Start:h.End]) == squeezed(f.src[span[0]:span[1]])
		}
	}
	f.holes = append(f.holes, Hole{s.hole, span[0], span[1]})
	return true
}

// squeezed is a text without the blanks that part no words.
func squeezed(s string) string {
	var b []byte
	for _, word := range strings.Fields(s) {
		if len(b) > 0 && ofWord(b[len(b)-1]) && ofWord(word[0]) {
			b = append(b, ' ')
		}
		b = append(b, word...)
	}
	return string(b)
}

func ofWord(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (f *finder) comment(i int) bool {
	n := f.t.Nodes[i]
	return int(n.Kind) < len(f.t.Grammar.Kinds) && strings.Contains(f.t.Grammar.Kinds[n.Kind], "comment")
}

// children yields the children of a node.
func children(t *tree.Tree, i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := i + 1; c < int(t.Nodes[i].Next); c = int(t.Nodes[c].Next) {
			if !yield(c) {
				return
			}
		}
	}
}

// named reports whether a node is more than a word or sign of the grammar.
func named(t *tree.Tree, n tree.Node) bool {
	return int(n.Kind) >= len(t.Grammar.Named) || t.Grammar.Named[n.Kind]
}

// gap is what stands between the children of a node, without what does not count.
// Quotes are alike.
func gap(t *tree.Tree, i int, src string) string {
	n := t.Nodes[i]
	var b []byte
	at := n.Start
	add := func(to uint32) {
		for ; at < to; at++ {
			switch c := src[at]; c {
			case ' ', '\t', '\r', '\n', ',', ';':
			case '\'':
				b = append(b, '"')
			default:
				b = append(b, c)
			}
		}
	}
	for c := range children(t, i) {
		add(t.Nodes[c].Start)
		at = max(at, t.Nodes[c].End)
	}
	add(n.End)
	return string(b)
}

// nearKinds names kinds that were perhaps meant.
func nearKinds(name string, g *tree.Grammar) string {
	var names []string
	for i, k := range g.Kinds {
		if g.Named[i] && !strings.HasPrefix(k, "_") {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	near := nearest.Of(name, slices.Compact(names), 3)
	if len(near) == 0 {
		return ""
	}
	return "; near are " + strings.Join(near, ", ")
}
