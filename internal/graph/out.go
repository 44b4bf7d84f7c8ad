package graph

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Unknown counts the calls that Out of a node leaves out because it is not known
// what they mean.
func (g *Graph) Unknown(n corpus.Ref) int {
	g.Out(n)
	return g.unknown[n]
}

// Out returns the edges that lead from a node, in the order of their uses.
func (g *Graph) Out(n corpus.Ref) []Edge {
	if all, ok := g.out[n]; ok {
		return all
	}
	var l list
	for _, d := range g.declarations(n) {
		first, last := g.uses(d)
		for i := first; i < last && !g.ask.Late(); i++ {
			if u := g.ask.Use(d.File, i); g.matters(d.File, u) && g.Holder(d.File, u.In) == n {
				g.mean(&l, n, corpus.Ref{File: d.File, Index: int32(i)})
			}
		}
	}
	g.out[n] = l.all
	return l.all
}

// matters reports whether a use is walked: of calls what may run something or name what
// runs.
func (g *Graph) matters(f corpus.FileID, u *facts.Use) bool {
	switch {
	case u.Role == facts.RoleImport:
		return false
	case !g.Calls || u.Role == facts.RoleCall:
		return true
	case u.Role == facts.RoleRead || u.Role == facts.RoleWrite:
		return g.ask.Corpus.Language(f) != "c" || !g.isOfValue(f, u) // in C a member that is not called is data
	}
	return false
}

// isOfValue reports whether a use names a member of a value.
func (g *Graph) isOfValue(f corpus.FileID, u *facts.Use) bool {
	return u.Bind == facts.BindMember && (u.Target == facts.None || g.ask.File(f).Expr(int(u.Target)).Op != facts.OpTop)
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
func (g *Graph) mean(l *list, from, use corpus.Ref) {
	for _, e := range g.Proven(from, use, g.told(g.ask.Use(use.File, int(use.Index)).Role, from, use)) {
		l.add(e)
	}
}

// Proven are the edges from a node that one use proves, given what it is told to
// mean.
func (g *Graph) Proven(from, use corpus.Ref, told []resolve.Meaning) []Edge {
	u := g.ask.Use(use.File, int(use.Index))
	var to list
	meant := g.meant(u.Role, told)
	if g.Calls && !slices.ContainsFunc(meant, func(m resolve.Meaning) bool { return runsCode(u.Role, g.ask.Symbol(m.Ref)) }) {
		return nil
	}
	for _, m := range meant {
		s := g.ask.Symbol(m.Ref)
		if s.Flags&facts.Local != 0 && !s.Kind.IsFunc() {
			continue
		}
		to.add(Edge{
			From: from, To: g.Node(m.Ref), Role: u.Role, Runs: g.runs(use, s), Generated: isGenerated(u, s), Confidence: m.Confidence, Reason: m.Reason,
			Use: use, Line: int(g.ask.File(use.File).Line(u.At)), Times: 1,
		})
	}
	for i := range to.all {
		e := &to.all[i]
		for _, o := range to.all {
			if o.Confidence == e.Confidence && g.isCallable(o.To) == g.isCallable(e.To) {
				e.Among++
			}
			e.Holds = e.Holds || g.isCallable(o.To) && !g.isCallable(e.To)
		}
		e.Times = 1
	}
	return to.all
}

// runsCode reports whether a use of a symbol may run code: a call also what a value holds that
// is not local.
func runsCode(role facts.Role, s *facts.Symbol) bool {
	return s.Kind.IsFunc() || s.Kind.IsType() || s.Flags&facts.Accessor != 0 || role == facts.RoleCall && s.Flags&facts.Local == 0
}

// isCallable tells a function or type from a variable that holds one.
func (g *Graph) isCallable(n corpus.Ref) bool {
	return n.Index != facts.None && (g.ask.Symbol(n).Kind.IsFunc() || g.ask.Symbol(n).Kind.IsType())
}

// meant are what a use may mean, of a call of a type the constructors that it
// declares, of one of a variable also the function that it holds. A constructor that a
// type inherits is not named by the call.
func (g *Graph) meant(role facts.Role, all []resolve.Meaning) []resolve.Meaning {
	if role != facts.RoleCall {
		return all
	}
	var run []resolve.Meaning
	for _, m := range all {
		if s := g.ask.Symbol(m.Ref); !s.Kind.IsType() {
			run = append(run, m)
			if !s.Kind.IsFunc() {
				run = append(run, g.ask.Held(m.Ref)...)
			}
			continue
		}
		made := slices.DeleteFunc(slices.Clone(g.Makers(m.Ref)), func(n corpus.Ref) bool { return !g.declares(m.Ref, n) })
		for _, n := range made {
			run = append(run, resolve.Meaning{Ref: n, Confidence: m.Confidence, Reason: m.Reason})
		}
		if len(made) == 0 && !slices.ContainsFunc(all, func(o resolve.Meaning) bool { return g.ask.Makes(o.Ref, m.Ref) }) {
			run = append(run, m)
		}
	}
	return run
}

// told are what a use means, without what is merely possible unless that is asked for.
func (g *Graph) told(role facts.Role, from, use corpus.Ref) []resolve.Meaning {
	if g.Possible {
		return g.ask.Define(use.File, int(use.Index))
	}
	all, maybe := g.ask.Tell(use.File, int(use.Index))
	if maybe && role == facts.RoleCall {
		g.unknown[from]++
	}
	return all
}

// declares reports whether a type is the one that declares a constructor.
func (g *Graph) declares(typ, constructor corpus.Ref) bool {
	owner, ok := g.ask.MadeBy(constructor)
	return ok && g.Node(owner) == g.Node(typ)
}
