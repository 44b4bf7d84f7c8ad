package calls

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/graph"
	"espy/internal/resolve/corpus"
)

// Bounds of a tree.
const (
	maxFollowed = 5_000   // symbols
	maxSteps    = 200_000 // of an answer
)

// branch is a step before it is shown.
type branch struct {
	node     corpus.Ref
	above    int // the branch that it continues, None for none
	depth    int
	edge     graph.Edge
	relation Relation
	children []int // where the node is followed here
	followed bool
}

// tree is what following calls in one direction finds.
type tree struct {
	*finder
	direction Direction
	from      []corpus.Ref // the nodes that it begins with
	branches  []branch
	roots     []int
	seen      map[corpus.Ref]bool // nodes that are followed
	grown     map[corpus.Ref]bool // nodes that were followed: whether to something
}

// follow follows the calls of the request, breadth first, so that each symbol is
// followed where it is nearest.
func (f *finder) follow() []*tree {
	var all []*tree
	for _, d := range []Direction{Callers, Callees} {
		if f.request.Direction == d || f.request.Direction == Both {
			from := f.makers(f.roots)
			if d == Callees {
				from = f.withMembers(f.roots)
			}
			t := f.newTree(d, from)
			t.grow()
			all = append(all, t)
		}
	}
	return all
}

func (f *finder) newTree(d Direction, from []corpus.Ref) *tree {
	return &tree{finder: f, direction: d, from: from, seen: map[corpus.Ref]bool{}, grown: map[corpus.Ref]bool{}}
}

func (t *tree) grow() {
	full := func() bool { return t.Late() || len(t.grown) >= maxFollowed || len(t.branches) >= maxSteps }
	left := graph.Follow(t.request.Depth, full, t.step)
	t.answer.Left += left
	t.answer.Late = t.answer.Late || left > 0 && t.Late()
}

// step adds the branches of one, of the roots for None, and returns those to be
// followed next.
func (t *tree) step(at, depth int) (next []int) {
	from := t.from
	if at != facts.None {
		from = []corpus.Ref{t.branches[at].node}
	}
	for _, n := range from {
		t.seen[n] = true
	}
	var found []branch
	for _, n := range from {
		found = append(found, t.edges(n)...)
	}
	t.sort(found)
	var children []int
	for _, b := range found {
		b.above, b.depth = at, depth
		children = append(children, len(t.branches))
		if t.follows(&b) {
			t.seen[b.node] = true
			b.followed = true
			next = append(next, len(t.branches))
		}
		t.branches = append(t.branches, b)
	}
	for _, n := range from {
		t.grown[n] = len(children) > 0
	}
	if at == facts.None {
		t.roots = children
	} else {
		t.branches[at].children = children
	}
	return next
}

// follows reports whether a branch is continued: from a symbol that is not
// followed elsewhere, by a use that is not merely possible.
func (t *tree) follows(b *branch) bool {
	if t.seen[b.node] || b.edge.Confidence == facts.Possible || b.node.Index == facts.None {
		return false
	}
	s := t.Symbol(b.node)
	return s.Kind.IsFunc() || s.Kind.IsType() || s.Flags&facts.Accessor != 0 || t.direction == Callees
}

// edges are the calls that lead to a node or from it, with what they may run.
func (t *tree) edges(n corpus.Ref) (all []branch) {
	if t.direction == Callees {
		t.answer.Unknown += t.graph.Unknown(n)
	}
	for _, e := range t.graphEdges(n) {
		relation, ok := t.relation(&e)
		if !ok {
			continue
		}
		b := branch{node: e.To, edge: e, relation: relation}
		if t.direction == Callers {
			b.node = e.From
		}
		if e.Confidence == facts.Possible && !t.request.Possible {
			t.answer.Possible++
			continue
		}
		switch {
		case !t.inScope(b.node):
		case !t.isAsked(b.node):
			t.answer.Apart++
		default:
			all = append(all, b)
		}
		if t.direction == Callees && (relation == Call || relation == Access) {
			all = append(all, t.mayRun(&e)...)
		}
	}
	return all
}

// graphEdges are those of a node. What makes a value of a type runs the constructor
// that the type inherits, not the code of its body.
func (t *tree) graphEdges(n corpus.Ref) []graph.Edge {
	if t.direction == Callers {
		return t.graph.In(n)
	}
	if s := t.target(n); s == nil || !s.Kind.IsType() || slices.Contains(t.from, n) {
		return t.graph.Out(n)
	}
	var all []graph.Edge
	for _, m := range t.graph.Makers(n) {
		all = append(all, t.graph.Out(m)...)
	}
	return all
}

// relation says how an edge is a call; ok is false where it is none.
func (f *finder) relation(e *graph.Edge) (r Relation, ok bool) {
	return RelationOf(e, f.target(e.To))
}

// RelationOf says how an edge to a symbol, nil for the top of a file, is a call; ok
// is false where it is none. A call of a value runs the function that it holds.
func RelationOf(e *graph.Edge, s *facts.Symbol) (r Relation, ok bool) {
	switch {
	case e.Dispatch:
		return MayRun, true
	case e.Runs && s != nil && s.Kind.IsType():
		return Makes, true
	case e.Runs && s != nil && (e.Role != facts.RoleCall || e.Generated):
		return Access, true
	case e.Runs:
		return Call, s != nil && (s.Kind.IsFunc() || !e.Holds && s.Flags&facts.Local == 0)
	case e.Role == facts.RoleRead && s != nil && s.Kind.IsFunc():
		return Passed, true
	}
	return "", false
}

func (f *finder) target(n corpus.Ref) *facts.Symbol {
	if n.Index == facts.None {
		return nil
	}
	return f.Symbol(n)
}

// mayRun are the members that a call of one may run instead.
func (t *tree) mayRun(e *graph.Edge) (all []branch) {
	if t.graph.IsFixed(e) {
		return nil
	}
	for _, n := range t.graph.MayRun(e) {
		if t.inScope(n) && t.isAsked(n) {
			o := *e
			o.To, o.Dispatch = n, true
			all = append(all, branch{node: n, edge: o, relation: MayRun})
		}
	}
	return all
}

// inScope reports whether the scope of the request holds the file of a node.
func (f *finder) inScope(n corpus.Ref) bool {
	s := f.request.Scope
	return f.request.own || s == "" || s == code.ScopeAll || filter.InScope(s, f.Corpus.Class(n.File), f.Corpus.Language(n.File))
}

// isAsked reports whether the file of a node is one of those that are asked for.
func (f *finder) isAsked(n corpus.Ref) bool {
	return f.request.Files == nil || f.request.Files.Allows(f.Corpus.Of(n.File).Path(n.File), f.Corpus.Language(n.File))
}

// sort orders the calls of one symbol: code before tests, and by the place of the
// use; what may be something else comes last.
func (t *tree) sort(all []branch) {
	slices.SortStableFunc(all, func(a, b branch) int {
		return cmp.Or(
			cmp.Compare(t.last(&a), t.last(&b)),
			cmp.Compare(a.edge.Use.File, b.edge.Use.File),
			cmp.Compare(a.edge.Use.Index, b.edge.Use.Index),
		)
	})
}

// last orders branches by what they say.
func (t *tree) last(b *branch) int {
	n := 0
	if b.edge.Confidence == facts.Possible {
		n += 2
	}
	if t.direction == Callers && t.Corpus.Class(b.edge.Use.File).Has(code.ClassTest) {
		n++
	}
	return n
}
