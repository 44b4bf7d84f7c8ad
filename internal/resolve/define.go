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
	l := q.language(at)
	var all []Meaning
	for _, r := range slices.Concat(q.constructors(l, u, a.Refs), a.Refs) {
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
func (q *Question) constructors(l *infer.Language, u *facts.Use, types []corpus.Ref) []corpus.Ref {
	if u.Role != facts.RoleCall || l == nil || !l.NamedConstructors {
		return nil
	}
	var all []corpus.Ref
	for _, t := range types {
		if q.Symbol(t).Kind.IsType() {
			all = append(all, q.infer.Declared(t, u.Name, infer.Full())...)
		}
	}
	if fit := q.infer.Fitting(all, u); len(fit) > 0 {
		return fit
	}
	return all
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
