package structure

import (
	"iter"
	"slices"
	"sort"
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
	for i, n := range t.Nodes {
		if f.comment(i) {
			f.comments = append(f.comments, n)
		}
	}
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

	comments []tree.Node // in order
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
	end, ok := f.row(shapes, row, place{at: n.Start, open: true})
	if !ok {
		return Match{}, false
	}
	return Match{Start: n.Start, End: end, Holes: slices.Clone(f.holes)}, true
}

// mayBegin reports whether a row of nodes may begin with a node, as far as its kind tells.
func (f *finder) mayBegin(s *shape, n tree.Node) bool {
	return s.hole != "" && named(f.t, n) || s.kind == n.Kind
}

// node compares one shape with one node.
func (f *finder) node(s *shape, i int) bool {
	f.steps--
	n := f.t.Nodes[i]
	switch {
	case s.hole != "":
		return (s.many || named(f.t, n)) && (!s.own || s.kind == n.Kind) && f.bind(s, n.Start, n.End)
	case s.leaf && n.Next == int32(i)+1:
		return f.leaf(s, n)
	case s.kind != n.Kind || s.leaf && s.after == "":
		return false
	}
	var row []int
	for c := range children(f.t, i) {
		if !f.comment(c) {
			row = append(row, c)
		}
	}
	held := len(f.holes)
	p := place{at: n.Start, end: n.End, after: s.after, full: s.whole || s.list && !(s.call && s.isBare())}
	if s.isBare() && f.bracketed(n, row) {
		p.at, p.end = p.at+1, p.end-1
	}
	if _, ok := f.row(s.children, row, p); ok {
		return true
	}
	f.holes = f.holes[:held]
	return false
}

// isBare reports whether a list stands without brackets, as the arguments of a call of
// Ruby and Elixir may.
func (s *shape) isBare() bool {
	return s.list && len(s.children) > 0 && s.children[0].before+s.after == ""
}

// bracketed reports whether a list stands in round brackets of its own.
func (f *finder) bracketed(n tree.Node, row []int) bool {
	return len(row) > 0 && f.src[n.Start] == '(' && f.src[n.End-1] == ')' &&
		f.t.Nodes[row[0]].Start > n.Start && f.t.Nodes[row[len(row)-1]].End < n.End
}

// leaf compares a node without children: a name may be of several kinds, as that of a
// type and that of a value are.
func (f *finder) leaf(s *shape, n tree.Node) bool {
	text := f.src[n.Start:n.End]
	if text == s.text {
		return s.kind == n.Kind || !s.word && named(f.t, n)
	}
	if s.word && s.kind == n.Kind { // as in # define
		return s.text == squeezed(text)
	}
	return s.kind == n.Kind && strings.Trim(s.text, "(){}[]<> \t\r\n,;") == "" && signs(s.text) == signs(text)
}

// place is how far a row of nodes was compared.
type place struct {
	at, end uint32 // what stands behind the last node, and the end of what holds the row
	signs   string // of the pattern since then
	after   string // the signs that must stand at the end
	full    bool   // no other nodes may stand at the end
	open    bool   // the row ends with the pattern: nothing holds it
}

// row compares shapes with nodes that follow each other, and the signs between them.
// Words of the grammar and modifiers may stand between, and where the pattern has no sign at the end
// other nodes behind it, as an else behind an if, but in a list that is no call without
// brackets. It returns where the last node ends.
func (f *finder) row(shapes []shape, row []int, p place) (end uint32, ok bool) {
	if f.steps--; f.steps <= 0 {
		return 0, false
	}
	if len(shapes) == 0 {
		return p.at, f.ends(row, p)
	}
	s := &shapes[0]
	p.signs += s.before
	if s.many {
		return f.several(s, shapes[1:], row, p)
	}
	held := len(f.holes)
	for k, i := range row {
		f.holes = f.holes[:held]
		n := f.t.Nodes[i]
		if f.between(row[:k], p.at, n.Start) == p.signs && f.node(s, i) {
			next := p
			next.at, next.signs = n.End, ""
			if end, ok := f.row(shapes[1:], row[k+1:], next); ok {
				return end, true
			}
		}
		if p.open || !f.mayStand(n) {
			break
		}
	}
	f.holes = f.holes[:held]
	return 0, false
}

// mayStand reports whether a node may stand between those of a pattern that leaves it out: a
// word of the grammar, a modifier, an annotation.
func (f *finder) mayStand(n tree.Node) bool {
	if !named(f.t, n) {
		return ofWord(f.src[n.Start])
	}
	if int(n.Kind) >= len(f.t.Grammar.Kinds) {
		return false
	}
	kind := f.t.Grammar.Kinds[n.Kind]
	switch kind {
	case "annotation", "attribute_list", "decorator", "marker_annotation", "storage_class_specifier":
		return true
	}
	return (strings.HasSuffix(kind, "modifier") || strings.HasSuffix(kind, "modifiers")) && (ofWord(f.src[n.Start]) || f.src[n.Start] == '@')
}

// several compares a hole for any number of nodes, and the shapes behind it.
func (f *finder) several(s *shape, rest []shape, row []int, p place) (end uint32, ok bool) {
	held := len(f.holes)
	for k := 0; k <= len(row); k++ {
		f.holes = f.holes[:held]
		next, start := p, p.at
		if k > 0 {
			start = f.t.Nodes[row[0]].Start
			if f.between(nil, p.at, start) != p.signs {
				break
			}
			next.at, next.signs = f.t.Nodes[row[k-1]].End, ""
		}
		if !f.bind(s, start, max(start, next.at)) {
			continue
		}
		if end, ok := f.row(rest, row[k:], next); ok {
			return end, true
		}
	}
	f.holes = f.holes[:held]
	return 0, false
}

// ends reports whether nodes that the pattern does not have may stand at the end.
func (f *finder) ends(row []int, p place) bool {
	if p.open {
		return p.signs == ""
	}
	if p.signs+p.after == "" && !p.full {
		return true
	}
	return !slices.ContainsFunc(row, func(i int) bool { return named(f.t, f.t.Nodes[i]) }) && f.between(row, p.at, p.end) == p.signs+p.after
}

// between is what stands in a range as signs, without the nodes of a row in it and
// without comments.
func (f *finder) between(row []int, from, to uint32) string {
	var b strings.Builder
	for _, i := range row {
		n := f.t.Nodes[i]
		b.WriteString(f.signs(from, n.Start))
		from = max(from, n.End)
	}
	b.WriteString(f.signs(from, to))
	return b.String()
}

// signs is what stands in a range that holds no nodes but comments.
func (f *finder) signs(from, to uint32) string {
	if from >= to {
		return ""
	}
	first := sort.Search(len(f.comments), func(i int) bool { return f.comments[i].Start >= from })
	text := ""
	for _, c := range f.comments[first:] {
		if c.End > to {
			break
		}
		if c.Start < from { // within the one before
			continue
		}
		text += signs(f.src[from:c.Start])
		from = c.End
	}
	return text + signs(f.src[from:to])
}

// bind puts a text in a hole. One that has a text already must have the same.
func (f *finder) bind(s *shape, start, end uint32) bool {
	if s.hole == "_" {
		return true
	}
	for _, h := range f.holes {
		if h.Name == s.hole {
			return squeezed(f.src[h.Start:h.End]) == squeezed(f.src[start:end])
		}
	}
	f.holes = append(f.holes, Hole{s.hole, start, end})
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
	return int(n.Kind) < len(f.t.Grammar.Kinds) && extra(f.t.Grammar.Kinds[n.Kind])
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

// extra reports whether nodes of a kind may stand anywhere and mean nothing.
func extra(kind string) bool {
	return strings.Contains(kind, "comment") || kind == "line_continuation"
}
