// Package graph walks between declarations: who uses one, and what it uses.
//
// A node is a symbol that other code can call or name: a function, also one
// within another, a type, a top-level variable; or the top of a file. Symbols
// that are declared in several places are one node. An edge joins two nodes
// and has the use that proves it. Edges are worked out when they are asked for,
// from the facts of the files that a question reaches.
package graph

import (
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

// Graph walks for one question. It belongs to the goroutine of its Ask.
type Graph struct {
	ask   *locate.Ask
	nodes map[corpus.Ref]corpus.Ref
	in    map[corpus.Ref][]Edge
	out   map[corpus.Ref][]Edge
}

// Edge joins a node with one that it uses.
type Edge struct {
	From, To   corpus.Ref // the index of a node that is the top of a file is facts.None
	Role       facts.Role // of its first use
	Confidence facts.Confidence
	Reason     string
	Use        corpus.Ref // the first use that proves it, in a file of From
	Line       int        // of that use
	Times      int        // uses of the same confidence or better
	Among      int        // nodes that the use may mean with this confidence
	Dispatch   bool       // a call of a member that the target overrides, which may run it
}

// New returns a graph of the index of a question.
func New(a *locate.Ask) *Graph {
	return &Graph{a, map[corpus.Ref]corpus.Ref{}, map[corpus.Ref][]Edge{}, map[corpus.Ref][]Edge{}}
}

// Node returns the node of a symbol: itself, or the first of its declarations.
func (g *Graph) Node(r corpus.Ref) corpus.Ref {
	if r.Index == facts.None {
		return r
	}
	if n, ok := g.nodes[r]; ok {
		return n
	}
	all := g.ask.Likeliest(r)
	first := slices.MinFunc(all, g.ask.Order)
	for _, d := range all {
		g.nodes[d] = first
	}
	g.nodes[r] = first
	return first
}

// Holder returns the node whose code holds a symbol or a use of a file that
// stands in symbol in, which may be facts.None.
func (g *Graph) Holder(f corpus.FileID, in int32) corpus.Ref {
	for in != facts.None {
		s := g.ask.Symbol(corpus.Ref{File: f, Index: in})
		if s.Kind.IsFunc() || s.Flags&facts.Local == 0 && (s.Kind.IsType() || locate.IsBlock(s)) {
			return g.Node(corpus.Ref{File: f, Index: in})
		}
		in = s.Parent
	}
	return corpus.Ref{File: f, Index: facts.None}
}

// In returns the edges that lead to a node, by path and line of their uses. Uses
// of its own within it are among them.
func (g *Graph) In(n corpus.Ref) []Edge {
	if all, ok := g.in[n]; ok || n.Index == facts.None {
		return all
	}
	var all []Edge
	for _, r := range g.ask.References(g.ask.Likeliest(n)) {
		if r.Use == facts.None {
			continue
		}
		u := g.ask.File(r.File).Use(int(r.Use))
		if u.Role == facts.RoleImport {
			continue
		}
		all = join(all, Edge{
			From: g.Holder(r.File, u.In), To: n, Role: u.Role, Confidence: r.Confidence, Reason: r.Reason,
			Use: corpus.Ref{File: r.File, Index: r.Use}, Line: int(u.Line), Times: 1, Among: 1, Dispatch: r.Dispatch,
		})
	}
	g.in[n] = all
	return all
}

// Out returns the edges that lead from a node, in the order of their uses.
func (g *Graph) Out(n corpus.Ref) []Edge {
	if all, ok := g.out[n]; ok {
		return all
	}
	var all []Edge
	for _, d := range g.declarations(n) {
		first, last := g.uses(d)
		for i := first; i < last && !g.ask.Late(); i++ {
			if u := g.ask.Use(d.File, i); u.Role != facts.RoleImport && g.Holder(d.File, u.In) == n {
				all = g.mean(all, n, corpus.Ref{File: d.File, Index: int32(i)})
			}
		}
	}
	g.out[n] = all
	return all
}

// declarations are those of a node.
func (g *Graph) declarations(n corpus.Ref) []corpus.Ref {
	if n.Index == facts.None {
		return []corpus.Ref{n}
	}
	return g.ask.Likeliest(n)
}

// uses are the numbers of the uses in the text of a declaration.
func (g *Graph) uses(d corpus.Ref) (first, last int) {
	file := g.ask.File(d.File)
	if d.Index == facts.None {
		return 0, file.NumUses()
	}
	s := g.ask.Symbol(d)
	return file.UsesFrom(s.Start), file.UsesFrom(s.End)
}

// mean adds the edges of one use.
func (g *Graph) mean(all []Edge, from, use corpus.Ref) []Edge {
	meanings := g.ask.Define(use.File, int(use.Index))
	var to []Edge
	for _, m := range meanings {
		if s := g.ask.Symbol(m.Ref); s.Flags&facts.Local != 0 && !s.Kind.IsFunc() {
			continue
		}
		u := g.ask.File(use.File).Use(int(use.Index))
		to = join(to, Edge{
			From: from, To: g.Node(m.Ref), Role: u.Role, Confidence: m.Confidence, Reason: m.Reason,
			Use: use, Line: int(u.Line), Times: 1,
		})
	}
	for _, e := range to {
		e.Among, e.Times = len(to), 1
		all = join(all, e)
	}
	return all
}

// join adds an edge to a list, or counts it with one between the same nodes, whose
// use then is the first of the most certain.
func join(all []Edge, e Edge) []Edge {
	i := slices.IndexFunc(all, func(o Edge) bool { return o.From == e.From && o.To == e.To })
	if i < 0 {
		return append(all, e)
	}
	times := all[i].Times + e.Times
	if cmp.Compare(e.Confidence, all[i].Confidence) < 0 {
		all[i] = e
	}
	all[i].Times = times
	return all
}
