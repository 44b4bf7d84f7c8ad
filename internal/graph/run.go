package graph

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// MayRun returns the members that the calls of an edge may run instead of its target: those
// that override or fulfil it in types that the receivers may be of, by path and place.
func (g *Graph) MayRun(e *Edge) (all []corpus.Ref) {
	uses := slices.Concat(e.more, []corpus.Ref{e.Use})
	for _, n := range g.replacing(e.To) {
		if slices.ContainsFunc(uses, func(u corpus.Ref) bool { return g.ask.MayRun(u, []corpus.Ref{n}) }) {
			all = append(all, n)
		}
	}
	return all
}

// replacing are the members that override or fulfil a member, by path and place.
func (g *Graph) replacing(n corpus.Ref) []corpus.Ref {
	if all, ok := g.mayRun[n]; ok || n.Index == facts.None {
		return all
	}
	var all []corpus.Ref
	if s := g.ask.Symbol(n); corpus.IsMember(s) && s.Kind.IsFunc() && s.Flags&facts.Static == 0 {
		for _, o := range g.ask.Replacing(g.ask.Likeliest(n)) {
			if m := g.Node(o.Ref); m != n && g.ask.Symbol(o.Ref).Kind.IsFunc() && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	g.mayRun[n] = all
	return all
}

// IsFixed reports whether an edge runs its target and nothing else: a call of super,
// or what makes a value.
func (g *Graph) IsFixed(e *Edge) bool {
	_, constructs := g.ask.MadeBy(e.To)
	return constructs || g.ask.IsSuper(e.Use)
}

// Making are the nodes of the constructors that a type declares.
func (g *Graph) Making(n corpus.Ref) []corpus.Ref {
	if n.Index == facts.None || !g.ask.Symbol(n).Kind.IsType() {
		return nil
	}
	var all []corpus.Ref
	for _, r := range g.ask.Making(n) {
		if m := g.Node(r); !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// Members are the nodes of the functions that a type holds, none of what is no type.
func (g *Graph) Members(n corpus.Ref) []corpus.Ref {
	if n.Index == facts.None || !g.ask.Symbol(n).Kind.IsType() {
		return nil
	}
	var all []corpus.Ref
	for _, d := range g.ask.Likeliest(n) {
		for _, r := range g.ask.Functions(d) {
			if m := g.Node(r); !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}
