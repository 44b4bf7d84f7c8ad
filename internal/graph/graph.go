// Package graph walks between declarations: who uses one, and what it uses.
//
// A node is a symbol that other code can call or name: a function, also one
// within another, a type, a top-level variable; or the top of a file. Symbols
// that are declared in several places are one node. An edge joins two nodes
// and has the use that proves it. Edges are worked out when they are asked for,
// from the facts of the files that a question reaches.
//
// What makes a value of a type runs its constructor: such an edge leads to the
// constructor where the type declares one, else to the type. A call of a member that others
// override leads to the member that is named; what it may run besides are edges
// with Dispatch, which In has and MayRun lists.
package graph

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Graph walks for one question. It belongs to the goroutine of its Ask.
type Graph struct {
	ask    *locate.Ask
	nodes  map[corpus.Ref]corpus.Ref
	in     map[corpus.Ref][]Edge
	out    map[corpus.Ref][]Edge
	mayRun map[corpus.Ref][]corpus.Ref
	makes  map[corpus.Ref][]corpus.Ref // constructors, by type

	// Possible has Out list the edges of uses of which it is not known what they
	// mean, too, one for each node that they may mean. It is set before the first
	// walk, which takes much longer then.
	Possible bool
	// Calls has Out leave out what is no call: uses of what holds no code. It is set
	// before the first walk.
	Calls   bool
	unknown map[corpus.Ref]int
}

// Edge joins a node with one that it uses.
type Edge struct {
	From, To   corpus.Ref // the index of a node that is the top of a file is facts.None
	Role       facts.Role // of its first use
	Runs       bool       // the use runs the target: a call, or an access of a property
	Holds      bool       // of Out: the target is a value, and another edge leads to the function that it holds
	Generated  bool       // the use calls a method that an annotation makes of the target, a field
	Confidence facts.Confidence
	Reason     string
	Use        corpus.Ref   // the first use that proves it, in a file of From
	Line       int          // of that use
	Times      int          // uses that prove it
	more       []corpus.Ref // of these, those besides Use
	Among      int          // nodes that the use may mean with this confidence; of Out only
	Dispatch   bool         // a call of a member that the target overrides, which may run it
}

// New returns a graph of the index of a question.
func New(a *locate.Ask) *Graph {
	return &Graph{
		ask: a, nodes: map[corpus.Ref]corpus.Ref{}, in: map[corpus.Ref][]Edge{}, out: map[corpus.Ref][]Edge{},
		mayRun: map[corpus.Ref][]corpus.Ref{}, makes: map[corpus.Ref][]corpus.Ref{}, unknown: map[corpus.Ref]int{},
	}
}

// Node returns the node of a symbol: itself, or the first of its declarations.
func (g *Graph) Node(r corpus.Ref) corpus.Ref {
	if r.Index == facts.None {
		return r
	}
	if n, ok := g.nodes[r]; ok {
		return n
	}
	all := g.ask.Together(r)
	first := r
	if len(all) > 0 {
		first = slices.MinFunc(all, g.ask.Order)
	}
	for _, d := range all {
		g.nodes[d] = first
	}
	g.nodes[r] = first
	return first
}

// Holder returns the node whose code holds a symbol or a use of a file that
// stands in symbol in, which may be facts.None.
func (g *Graph) Holder(f corpus.FileID, in int32) corpus.Ref {
	file := g.ask.File(f)
	for in != facts.None {
		kind := file.Kind(int(in))
		if kind.IsFunc() || file.Flags(int(in))&facts.Local == 0 && (kind.IsType() || locate.IsBlock(g.ask.Symbol(corpus.Ref{File: f, Index: in}))) {
			return g.Node(corpus.Ref{File: f, Index: in})
		}
		in = int32(file.Parent(int(in)))
	}
	return corpus.Ref{File: f, Index: facts.None}
}

// declarations are those of a node; the top of a file is its own.
func (g *Graph) declarations(n corpus.Ref) []corpus.Ref {
	if n.Index == facts.None {
		return []corpus.Ref{n}
	}
	return g.ask.Likeliest(n)
}

// runs reports whether a use runs a symbol: it calls it, or accesses a property of
// a value.
func (g *Graph) runs(use corpus.Ref, s *facts.Symbol) bool {
	switch r := g.ask.Use(use.File, int(use.Index)).Role; {
	case r == facts.RoleCall:
		return true
	case s.Flags&facts.Accessor == 0 || r != facts.RoleRead && r != facts.RoleWrite:
		return false
	}
	return s.Flags&facts.Static != 0 || !g.ask.NamesType(use)
}

// isGenerated reports whether a use of a field calls a method that an annotation makes of it.
func isGenerated(u *facts.Use, s *facts.Symbol) bool {
	return u.Role == facts.RoleCall && s.Kind == code.KindField && u.Name != s.Name
}

// list gathers edges, one between two nodes for the uses that run and one for
// those that do not.
type list struct {
	all []Edge
	at  map[between]int
}

type between struct {
	from, to corpus.Ref
	runs     bool
}

// add adds an edge, or counts it with one between the same nodes, whose use then
// is the first of the most certain.
func (l *list) add(e Edge) {
	key := between{e.From, e.To, e.Runs}
	i, ok := l.at[key]
	if !ok {
		if l.at == nil {
			l.at = map[between]int{}
		}
		l.at[key] = len(l.all)
		l.all = append(l.all, e)
		return
	}
	old := l.all[i]
	best, other := old, e
	if e.rank() < old.rank() {
		best, other = e, old
	}
	if (old.Confidence == facts.Possible) == (e.Confidence == facts.Possible) { // else those that are possible do not prove it
		best.Times = old.Times + e.Times
	}
	best.more = append(append(old.more, other.Use), e.more...)
	l.all[i] = best
}

// rank orders the uses that prove an edge, the best first.
func (e *Edge) rank() int {
	n := int(e.Confidence) << 1
	if e.Dispatch {
		n++
	}
	return n
}

// byUse orders edges by path and place of their uses.
func byUse(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Use.File, b.Use.File), cmp.Compare(a.Use.Index, b.Use.Index))
}
