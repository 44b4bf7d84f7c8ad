package graph

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// In returns the edges that lead to a node, by path and line of their uses. Uses
// of its own within it are among them.
func (g *Graph) In(n corpus.Ref) []Edge {
	if all, ok := g.in[n]; ok || n.Index == facts.None {
		return all
	}
	var l list
	for _, r := range g.ask.References(g.ask.Likeliest(n)) {
		g.used(&l, n, &r)
	}
	slices.SortStableFunc(l.all, byUse)
	g.in[n] = l.all
	return l.all
}

// used adds the edge of a reference.
func (g *Graph) used(l *list, to corpus.Ref, r *resolve.Reference) {
	if r.Use == facts.None || r.Means == resolve.Beside {
		return
	}
	u := g.ask.Use(r.File, int(r.Use))
	if u.Role == facts.RoleImport {
		return
	}
	use := corpus.Ref{File: r.File, Index: r.Use}
	if r.Means == resolve.Above && !g.ask.MayRun(use, []corpus.Ref{to}) {
		return
	}
	s := g.ask.Symbol(to)
	e := Edge{
		From: g.Holder(r.File, u.In), To: to, Role: u.Role, Runs: g.runs(use, s), Generated: isGenerated(u, s),
		Confidence: r.Confidence, Reason: r.Reason,
		Use: use, Line: int(g.ask.File(r.File).Line(u.At)), Times: 1, Among: 1, Dispatch: r.Dispatch,
	}
	if r.Means == resolve.Above {
		e.Dispatch, e.Confidence = true, min(e.Confidence, facts.Likely)
	}
	l.add(e)
}

// Makers are the nodes of the constructors that a call of a type runs, its own or
// those that it inherits.
func (g *Graph) Makers(t corpus.Ref) []corpus.Ref {
	if all, ok := g.makes[t]; ok {
		return all
	}
	var all []corpus.Ref
	for _, r := range g.ask.Constructors(t) {
		if n := g.Node(r); !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	g.makes[t] = all
	return all
}
