package resolve

import (
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Meaning is a symbol that a use may mean.
type Meaning struct {
	corpus.Ref
	Confidence facts.Confidence
	Reason     string
}

// Define says which symbols a use may mean, the likeliest first.
func (q *Question) Define(id corpus.FileID, use int) []Meaning {
	at := corpus.Ref{File: id, Index: int32(use)}
	u := q.Use(id, use)
	a := q.infer.Meaning(at, infer.Full())
	if a.State == infer.Unknown || a.State == infer.Absent && a.Lacking {
		return q.suppose(id, u)
	}
	if a.State == infer.Absent {
		return q.supposeBelow(u, a.Lacks)
	}
	l := q.language(at)
	var all []Meaning
	for _, r := range slices.Concat(q.constructors(at, a.Refs), a.Refs) {
		all = append(all, Meaning{r, a.Confidence, a.Reason})
	}
	if l != nil && l.Prototypes { // what has a body comes first
		slices.SortStableFunc(all, func(a, b Meaning) int {
			return cmp.Compare(q.Symbol(a.Ref).Flags&facts.Abstract, q.Symbol(b.Ref).Flags&facts.Abstract)
		})
	}
	return all
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
// none of the name.
func (q *Question) supposeBelow(u *facts.Use, lacks []corpus.Ref) []Meaning {
	var all []Meaning
	for _, r := range q.Named(u.Name) {
		if why, ok := q.below(r, lacks, q.isAbove); ok && corpus.IsMember(q.Symbol(r)) {
			all = append(all, Meaning{r, facts.Likely, why})
		}
	}
	return all
}

// below reports whether a member is of a type below one that lacks it, and why a
// receiver of that one may mean it: a test at run time need not be seen.
func (q *Question) below(member corpus.Ref, lacks []corpus.Ref, isAbove func(typ, sub corpus.Ref) bool) (why string, ok bool) {
	l := q.language(member)
	owner, ok := q.infer.OwnerType(member, infer.Full())
	if l == nil || !l.Dynamic || !ok {
		return "", false
	}
	for _, t := range lacks {
		if t != owner && isAbove(t, owner) {
			return q.Symbol(t).Name + " has no such member, and " + q.Symbol(owner).Name + " is one", true
		}
	}
	return "", false
}

// suppose lists the members that a use with an unknown receiver may mean, the
// likeliest first.
func (q *Question) suppose(id corpus.FileID, u *facts.Use) []Meaning {
	if u.Bind != facts.BindMember {
		return nil
	}
	var all []Meaning
	for _, r := range q.Named(u.Name) {
		if !corpus.IsMember(q.Symbol(r)) || q.corpus.Family(r.File) != q.corpus.Family(id) {
			continue
		}
		if c, reason, ok := q.weigher(q.Together(r)).weigh(id, u); ok {
			all = append(all, Meaning{r, c, reason})
		}
	}
	slices.SortStableFunc(all, func(a, b Meaning) int { return cmp.Compare(a.Confidence, b.Confidence) })
	return all
}
