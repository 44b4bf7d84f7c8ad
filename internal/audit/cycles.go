package audit

import (
	"fmt"

	"espy/internal/modules"
)

// cycles lists files and packages that import each other, the largest groups first,
// each with a shortest way round.
func (a *auditor) cycles() (found []Finding, t Total, err error) {
	g := modules.Of(a.ask)
	t.AtLeast = g.Left > 0
	a.Left = max(a.Left, g.Left)
	if g.Files == 0 || a.Judged == 0 {
		t.None = "no file is in a language whose imports are known"
		return nil, t, nil
	}
	units := g.Units(a.ask, modules.ByLoad(a.ask))
	t.AtLeast = t.AtLeast || units.Cut
	under := map[int32]bool{}
	for _, f := range a.under {
		if a.judges(f) {
			under[units.Of[f]] = true
		}
	}
	atOnce := func(l *modules.Link) bool { return !l.Later }
	for _, c := range units.Cycles(nil) {
		if !inside(c, under) {
			continue
		}
		one := Finding{Report: Cycles, Members: len(c.Units)}
		way := c.Shortest
		one.Reason = fmt.Sprintf("%d files or packages import each other", len(c.Units))
		if strict := atOnceWithin(units, c, atOnce); strict != nil {
			way = strict
		} else {
			one.Reason += "; one import of each way round runs later, within a function"
		}
		for _, l := range way {
			e := &g.Edges[l.Edge]
			one.Places = append(one.Places, Place{Path: a.ask.Corpus.Path(e.From), Line: int(e.Line), EndLine: int(e.Line), Text: units.Names[l.To]})
		}
		one.Path, one.Line, one.EndLine = one.Places[0].Path, one.Places[0].Line, one.Places[0].EndLine
		found = append(found, one)
	}
	return found, t, nil
}

// inside reports whether a unit of a cycle is one of some.
func inside(c modules.Cycle, under map[int32]bool) bool {
	for _, u := range c.Units {
		if under[u] {
			return true
		}
	}
	return false
}

// atOnceWithin is a shortest way round in a cycle whose imports all run at once, nil for none.
func atOnceWithin(u *modules.Units, c modules.Cycle, atOnce func(*modules.Link) bool) []modules.Link {
	member := map[int32]bool{}
	for _, n := range c.Units {
		member[n] = true
	}
	for _, one := range u.Cycles(atOnce) {
		if member[one.Units[0]] {
			return one.Shortest
		}
	}
	return nil
}
