package resolve

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Overridden returns the members that a member overrides in the types that its own
// one names as bases. Where overriding is nothing but having the name of an
// inherited member, these are the nearest ones.
func (q *Question) Overridden(member corpus.Ref) []corpus.Ref {
	l, s := q.language(member), q.Symbol(member)
	if all := q.overridden(member); len(all) > 0 || l == nil || l.Hierarchy || l.Structural || s.Flags&facts.Static != 0 {
		return all
	}
	owner, ok := q.infer.OwnerType(member, infer.Full())
	if !ok {
		return nil
	}
	var all []corpus.Ref
	for _, base := range q.Bases(owner) {
		for _, m := range q.Members(base.Ref, s.Name) {
			if q.Symbol(m).Kind.IsFunc() && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// TypesOf returns the types of the repository that values of a variable, a field or
// a parameter are of. A type that is guessed is left out.
func (q *Question) TypesOf(value corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	for _, t := range q.infer.ThingsOf(value, infer.Full()) {
		if t.Kind == infer.AValue && !t.Unnamed && !t.Guess && !t.Supposed && !slices.Contains(all, t.Ref) {
			all = append(all, t.Ref)
		}
	}
	return all
}
