package resolve

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Bases returns the types of the repository that the declaration of a type names as
// its bases: what it extends, embeds or implements.
func (q *Question) Bases(typ corpus.Ref) []Related {
	var all []Related
	bases, _ := q.infer.Bases(typ, infer.Full())
	for _, b := range bases {
		if s, ok := b.Symbol(); ok && !b.Unnamed {
			all = append(all, Related{s, facts.Certain, "named by " + q.Symbol(typ).Name, facts.None})
		}
	}
	return all
}

// Satisfying returns the types that have every method of an interface, in languages
// where that is all it takes; none in others. It takes less time than asking each
// type for the interfaces that it satisfies.
func (q *Question) Satisfying(iface corpus.Ref) []Related {
	if !q.isStructural(iface) || q.late() {
		return nil
	}
	return q.satisfying(iface)
}

// Required returns the methods that an interface requires, in itself and in those
// that it embeds, in languages where types satisfy interfaces by their methods.
func (q *Question) Required(iface corpus.Ref) []corpus.Ref {
	all, _ := q.methods(iface, infer.Full())
	return all
}

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
