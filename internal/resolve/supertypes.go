package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Supertypes returns the types that a type inherits from, embeds or implements,
// and theirs, nearest first. Those from elsewhere are left out.
func (q *Question) Supertypes(typ corpus.Ref) []Related {
	return q.closure(typ, q.supertypes)
}

func (q *Question) supertypes(typ corpus.Ref) []Related {
	if all, ok := q.super[typ]; ok {
		return all
	}
	all := q.Bases(typ)
	if q.isStructural(typ) && q.Symbol(typ).Kind != code.KindInterface {
		all = append(all, q.satisfied(typ)...)
	}
	if q.super == nil {
		q.super = map[corpus.Ref][]Related{}
	}
	q.super[typ] = all
	return all
}

// isAbove reports whether values of one type can be used as the other.
func (q *Question) isAbove(typ, sub corpus.Ref) bool {
	if !q.isStructural(typ) {
		return slices.ContainsFunc(q.Supertypes(sub), func(r Related) bool { return r.Ref == typ })
	}
	if q.Symbol(typ).Kind != code.KindInterface {
		return false
	}
	b := infer.Full()
	methods, _ := q.methods(typ, b)
	return q.has(sub, methods, b)
}
