package hierarchy

import (
	"espy/internal/facts"
	"espy/internal/graph"
)

// show puts the page of a request into its answer.
func (f *finder) show(trees []*tree) error {
	var err error
	for _, t := range trees {
		t.walk(func(at int) {
			b := &t.branches[at]
			f.count(t, b)
			n := f.answer.Total
			f.answer.Total++
			if err != nil || n < f.request.Offset || n >= f.request.Offset+f.request.Limit {
				return
			}
			if n == f.request.Offset && n > 0 {
				f.answer.Through = t.through(at)
			}
			var l Line
			if l, err = t.show(at); err == nil {
				f.answer.Lines = append(f.answer.Lines, l)
			}
		})
	}
	return err
}

func (f *finder) count(t *tree, b *branch) {
	switch {
	case b.related.Confidence == facts.Possible:
		f.answer.Possible++
	case b.depth == 1 && t.direction == Up:
		f.answer.Up++
	case b.depth == 1:
		f.answer.Down++
	}
}

// walk visits the branches, each before those that continue it.
func (t *tree) walk(visit func(at int)) {
	graph.Walk(t.roots, func(at int) []int { return t.branches[at].children }, visit)
}

// through names the symbols above a branch, from depth 1 on.
func (t *tree) through(at int) (names []string) {
	for at = t.branches[at].above; at != facts.None; at = t.branches[at].above {
		names = append([]string{t.ID(t.branches[at].node)}, names...)
	}
	return names
}

// show describes a branch.
func (t *tree) show(at int) (l Line, err error) {
	b := &t.branches[at]
	l = Line{
		Depth: b.depth, Direction: t.direction, Name: b.related.Outside, Relation: b.relation,
		Confidence: b.related.Confidence, Reason: b.related.Reason, Above: t.ID(t.root), Cycle: t.isCycle(at),
	}
	if b.above != facts.None {
		l.Above = t.ID(t.branches[b.above].node)
	}
	if b.node.Index != facts.None {
		s := t.Symbol(b.node)
		l.ID, l.Path, l.Kind, l.Line = t.ID(b.node), t.Corpus.Path(b.node.File), s.Kind, int(s.Line)
		l.Again = !l.Cycle && !b.followed && t.grown[b.node]
	}
	l.At, err = t.site(b)
	return l, err
}

// isCycle reports whether the node of a branch is among those above it.
func (t *tree) isCycle(at int) bool {
	n := t.branches[at].node
	if n.Index == facts.None {
		return false
	}
	for up := t.branches[at].above; up != facts.None; up = t.branches[up].above {
		if t.branches[up].node == n {
			return true
		}
	}
	return t.root == n
}

// site is the place that proves a branch.
func (t *tree) site(b *branch) (s Site, err error) {
	p := t.proof(b)
	s = Site{Path: t.Corpus.Path(p.File), Line: int(t.File(p.File).Line(p.at))}
	s.Text, err = t.Line(p.File, p.at)
	return s, err
}
