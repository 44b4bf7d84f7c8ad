package resolve

import (
	"slices"

	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Constructors are the members that a call of a type runs, its own or those that
// it inherits, in languages where their name says that they are constructors. It
// has none where they bear the name of their type: there a call means them.
func (q *Question) Constructors(typ corpus.Ref) []corpus.Ref {
	l := q.language(typ)
	if l == nil || l.Constructor == "" {
		return nil
	}
	return q.Members(typ, l.Constructor)
}

// MadeBy returns the type whose values a member makes that Constructors lists.
func (q *Question) MadeBy(member corpus.Ref) (typ corpus.Ref, ok bool) {
	l, s := q.language(member), q.Symbol(member)
	if l == nil || l.Constructor == "" || s.Name != l.Constructor || !corpus.IsMember(s) {
		return corpus.Ref{}, false
	}
	return q.infer.OwnerType(member, infer.Full())
}

// Makes reports whether a symbol is a constructor of a type that bears its name.
func (q *Question) Makes(r, typ corpus.Ref) bool {
	return q.isConstructor(r) && q.Symbol(r).Name == q.Symbol(typ).Name
}

// Functions are the functions that a type declares, also those written outside of
// it in its folder.
func (q *Question) Functions(typ corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	f := q.read.File(typ.File)
	end := f.Symbol(typ.Index).End
	for i := typ.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		if s := f.Symbol(i); s.Parent == typ.Index && s.Kind.IsFunc() {
			all = append(all, corpus.Ref{File: typ.File, Index: i})
		}
	}
	if q.language(typ) == nil {
		return all
	}
	for _, m := range q.methodsOf(typ) {
		if q.Symbol(m).Kind.IsFunc() && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
