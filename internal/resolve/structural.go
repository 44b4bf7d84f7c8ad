package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// isStructural reports whether the types of a symbol's language satisfy
// interfaces by having their methods.
func (q *Question) isStructural(r corpus.Ref) bool {
	l := q.language(r)
	return l != nil && l.Structural
}

// maxEmbedded bounds the interfaces that one interface embeds, directly or not.
const maxEmbedded = 100

// methods are the methods that an interface requires, in itself and in those it
// embeds. whole is false where one of these is from elsewhere.
func (q *Question) methods(iface corpus.Ref, b infer.Budget) (all []corpus.Ref, whole bool) {
	return q.methodsUnseen(iface, map[corpus.Ref]bool{}, b)
}

func (q *Question) methodsUnseen(iface corpus.Ref, seen map[corpus.Ref]bool, b infer.Budget) (all []corpus.Ref, whole bool) {
	if seen[iface] || len(seen) > maxEmbedded {
		return nil, true
	}
	seen[iface] = true
	f := q.read.File(iface.File)
	end := f.Symbol(iface.Index).End
	for i := iface.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		if s := f.Symbol(i); s.Parent == iface.Index && s.Kind == code.KindMethod {
			all = append(all, corpus.Ref{File: iface.File, Index: i})
		}
	}
	bases, whole := q.infer.Bases(iface, b)
	for _, base := range bases {
		embedded, ok := base.Symbol()
		if !ok {
			whole = false
			continue
		}
		more, w := q.methodsUnseen(embedded, seen, b)
		all, whole = append(all, more...), whole && w
	}
	return all, whole
}

// satisfying are the types that have every method of an interface.
func (q *Question) satisfying(iface corpus.Ref) []Related {
	b := infer.Full()
	methods, whole := q.methods(iface, b)
	if len(methods) == 0 {
		return nil
	}
	rarest := slices.MinFunc(methods, func(x, y corpus.Ref) int {
		return len(q.Named(q.Symbol(x).Name)) - len(q.Named(q.Symbol(y).Name))
	})
	var all []Related
	for _, m := range q.Named(q.Symbol(rarest).Name) {
		if q.Symbol(m).Owner == "" || !q.isStructural(m) || !q.related(m, iface) {
			continue
		}
		if t, ok := q.infer.OwnerType(m, b); ok && q.has(t, methods, b) {
			all = append(all, q.satisfies(t, iface, whole))
		}
	}
	return all
}

// satisfied are the interfaces whose every method a type has.
func (q *Question) satisfied(typ corpus.Ref) []Related {
	var all []Related
	seen := map[corpus.Ref]bool{}
	for _, m := range q.methodsOf(typ) {
		for _, o := range q.Named(q.Symbol(m).Name) {
			b := infer.Full()
			iface, ok := q.infer.OwnerType(o, b)
			if !ok || seen[iface] || !q.related(typ, iface) || !q.isStructural(iface) || q.Symbol(iface).Kind != code.KindInterface {
				continue
			}
			seen[iface] = true
			if methods, whole := q.methods(iface, b); q.has(typ, methods, b) {
				r := q.satisfies(iface, iface, whole)
				all = append(all, r)
			}
		}
	}
	return all
}

// related reports whether the repository of one of two symbols imports that of the
// other, or they are of one.
func (q *Question) related(a, b corpus.Ref) bool {
	return q.corpus.Sees(a.File, b.File) || q.corpus.Sees(b.File, a.File)
}

// satisfies relates a type to an interface whose methods it has.
func (q *Question) satisfies(typ, iface corpus.Ref, whole bool) Related {
	r := Related{typ, facts.Likely, "has the methods of " + q.Symbol(iface).Name, facts.None}
	if !whole {
		r.Confidence = facts.Possible
		r.Reason += " that are known here"
	}
	return r
}

// methodsOf are the methods that are declared on a type.
func (q *Question) methodsOf(typ corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	name := q.Symbol(typ).Name
	l := q.language(typ)
	for _, id := range q.corpus.Of(typ.File).In(q.corpus.Folder(typ.File)) {
		f := q.read.File(id)
		for i := range f.Facts.NumSymbols() {
			m := corpus.Ref{File: id, Index: int32(i)}
			if f.Symbol(m.Index).Owner == name && l.Owns(typ, m, infer.Full()) {
				all = append(all, m)
			}
		}
	}
	return all
}

// has reports whether a type has methods that take and return as many values.
func (q *Question) has(typ corpus.Ref, methods []corpus.Ref, b infer.Budget) bool {
	for _, m := range methods {
		want := q.Symbol(m)
		found, state := q.infer.Member(infer.ValueOf(typ), want.Name, b)
		if state != infer.Found {
			return false
		}
		s := q.Symbol(found[0].Ref)
		if !s.Kind.IsFunc() || s.MinArgs != want.MinArgs || s.MaxArgs != want.MaxArgs ||
			q.infer.NumResults(found[0].Ref) != q.infer.NumResults(m) {
			return false
		}
	}
	return true
}
