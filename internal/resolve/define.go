package resolve

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/kin"
)

// Define says which symbols a use may mean, the likeliest first.
func (q *Question) Define(id corpus.FileID, use int) []Meaning {
	all, known := q.define(id, use)
	if !known {
		return q.suppose(id, q.Use(id, use))
	}
	return all
}

// Tell is Define without what is merely possible. maybe reports whether something
// is possible where nothing is told. It takes a small part of the time of Define
// where many members have the name of the use.
func (q *Question) Tell(id corpus.FileID, use int) (all []Meaning, maybe bool) {
	all, known := q.define(id, use)
	if known {
		n := len(all)
		all = slices.DeleteFunc(all, func(m Meaning) bool { return m.Confidence == facts.Possible })
		return all, n > 0 && len(all) == 0
	}
	return q.supposeLikely(id, q.Use(id, use))
}

// define says what a use means; known is false where nothing is known of it, or of
// what it is a member of.
func (q *Question) define(id corpus.FileID, use int) (all []Meaning, known bool) {
	at := corpus.Ref{File: id, Index: int32(use)}
	a := q.infer.Meaning(at, infer.Full())
	if a.State == infer.Absent {
		all = q.supposeBelow(q.Use(id, use), a.Lacks)
		return all, len(all) > 0 || !a.Lacking
	}
	if a.State == infer.Unknown {
		return nil, false
	}
	for _, r := range slices.Concat(q.constructors(at, a.Refs), a.Refs) {
		all = append(all, Meaning{r, a.Confidence, a.Reason})
	}
	if l := q.language(at); l != nil && l.Prototypes { // what has a body comes first
		slices.SortStableFunc(all, func(a, b Meaning) int {
			return cmp.Compare(q.Symbol(a.Ref).Flags&facts.Abstract, q.Symbol(b.Ref).Flags&facts.Abstract)
		})
	}
	return all, true
}

// constructors are what a call of types calls, where constructors bear the name
// of their type.
func (q *Question) constructors(use corpus.Ref, types []corpus.Ref) []corpus.Ref {
	l, u := q.language(use), q.Use(use.File, int(use.Index))
	if u.Role != facts.RoleCall || l == nil || !l.NamedConstructors {
		return nil
	}
	var all []corpus.Ref
	for _, t := range types {
		if q.Symbol(t).Kind.IsType() {
			all = append(all, q.infer.Declared(t, u.Name, infer.Full())...)
		}
	}
	return q.infer.Called(use, all, infer.Full())
}

// supposeBelow lists the members of types below those of a receiver, which have
// none of the name, and of what these are mixed from. Where there is another than one and
// what overrides it, either is merely possible.
func (q *Question) supposeBelow(u *facts.Use, lacks []corpus.Ref) []Meaning {
	var all []Meaning
	for _, r := range q.infer.Suited(q.Named(u.Name), u) {
		if why, ok := q.below(r, lacks); ok && corpus.IsMember(q.Symbol(r)) {
			all = append(all, Meaning{r, facts.Likely, why})
		}
	}
	refs := make([]corpus.Ref, len(all))
	for i, m := range all {
		refs[i] = m.Ref
	}
	for i, common := range kin.Common(refs, q.Together, q.overridden) {
		if !common {
			all[i].Confidence, all[i].Reason = facts.Possible, all[i].Reason+", as others are that have one"
		}
	}
	return all
}

// below reports whether a member is one that a receiver of types that lack it may
// mean, and why: the type of the member serves one of them, as Served says.
func (q *Question) below(member corpus.Ref, lacks []corpus.Ref) (why string, ok bool) {
	l := q.language(member)
	owner, ok := q.infer.OwnerType(member, infer.Full())
	if l == nil || !ok {
		return "", false
	}
	for _, t := range lacks {
		if t == owner || !l.Dynamic && q.Symbol(t).Kind != code.KindTrait {
			continue
		}
		switch sub, served := q.Served(t, owner); {
		case served && sub == owner:
			return q.Symbol(t).Name + " has no such member, and " + q.Symbol(owner).Name + " is one", true
		case served:
			return q.Symbol(t).Name + " has no such member, and " + q.Symbol(sub).Name + " is one and a " + q.Symbol(owner).Name, true
		}
	}
	return "", false
}
