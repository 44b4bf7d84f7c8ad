package calls

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/graph"
	"espy/internal/resolve/corpus"
)

// show puts the page of a request into its answer.
func (f *finder) show(trees []*tree) error {
	seen := map[corpus.Ref]bool{}
	var err error
	for _, t := range trees {
		t.walk(func(at int) {
			b := &t.branches[at]
			seen[b.node] = true
			if b.depth == 1 {
				f.answer.Direct++
			}
			n := f.answer.Total
			f.answer.Total++
			if err != nil || n < f.request.Offset || n >= f.request.Offset+f.request.Limit {
				return
			}
			if n == f.request.Offset && n > 0 {
				f.answer.Through = t.through(at)
			}
			var s Step
			if s, err = t.show(at); err == nil {
				f.answer.Steps = append(f.answer.Steps, s)
			}
		})
	}
	f.answer.Symbol = len(seen)
	return err
}

// walk visits the branches, each before those that continue it.
func (t *tree) walk(visit func(at int)) {
	graph.Walk(t.roots, func(at int) []int { return t.branches[at].children }, visit)
}

// through names the symbols above a branch, from depth 1 on.
func (t *tree) through(at int) (names []string) {
	for at = t.branches[at].above; at != facts.None; at = t.branches[at].above {
		names = append([]string{t.id(t.branches[at].node)}, names...)
	}
	return names
}

// show describes a branch.
func (t *tree) show(at int) (s Step, err error) {
	b := &t.branches[at]
	s = Step{
		Depth: b.depth, Direction: t.direction, Relation: b.relation, Confidence: b.edge.Confidence, Reason: b.edge.Reason,
		Times: b.edge.Times, Among: b.edge.Among, Cycle: t.isCycle(at),
	}
	s.Again = !s.Cycle && !b.followed && t.grown[b.node]
	if b.above != facts.None {
		s.Above = t.id(t.branches[b.above].node)
	} else {
		s.Above = t.id(t.root(b))
	}
	t.describe(&s, b.node)
	s.At, err = t.site(b.edge.Use)
	return s, err
}

// root is the node of the question that a branch of depth 1 continues.
func (t *tree) root(b *branch) corpus.Ref {
	if t.direction == Callers {
		return b.edge.To
	}
	return b.edge.From
}

// isCycle reports whether the node of a branch is among those above it.
func (t *tree) isCycle(at int) bool {
	n := t.branches[at].node
	for up := t.branches[at].above; up != facts.None; up = t.branches[up].above {
		if t.branches[up].node == n {
			return true
		}
	}
	return slices.Contains(t.from, n)
}

// describe says which symbol a step leads to.
func (f *finder) describe(s *Step, n corpus.Ref) {
	s.ID, s.Path = f.id(n), f.Corpus.Path(n.File)
	if n.Index == facts.None {
		s.Kind, s.Line = code.KindUnknown, 1
		return
	}
	symbol := f.Symbol(n)
	s.Kind, s.Line = symbol.Kind, int(symbol.Line)
}

// id is the id of a node, the path for the top of a file.
func (f *finder) id(n corpus.Ref) string {
	if n.Index == facts.None {
		return f.Corpus.Path(n.File)
	}
	return f.ID(n)
}

// site is the place of a use.
func (f *finder) site(use corpus.Ref) (s Site, err error) {
	u := f.File(use.File).Use(int(use.Index))
	s = Site{Path: f.Corpus.Path(use.File), Line: int(u.Line)}
	s.Text, err = f.Line(use.File, u.At)
	return s, err
}
