package kin

import "espy/internal/resolve/corpus"

// Served is the type through which values of a type may have the members of another
// one: that itself where it is below the first, as a test at run time need not be seen,
// else the nearest that is below both, as classes are into which two modules are mixed.
func (k *Kin) Served(typ, owner corpus.Ref) (by corpus.Ref, ok bool) {
	if k.IsAbove(typ, owner) {
		return owner, true
	}
	by, ok = k.mixedInto(typ)[owner]
	return by, ok
}

// mixedInto are the types above those below a type, each by the nearest of these. It is
// worked out once for a type: a question asks it of all that have a member of a name.
func (k *Kin) mixedInto(typ corpus.Ref) map[corpus.Ref]corpus.Ref {
	if all, ok := k.mixed[typ]; ok {
		return all
	}
	all := map[corpus.Ref]corpus.Ref{}
	below, whole := k.closure(typ, k.Below)
	for _, sub := range below {
		for above := range k.above(sub.Ref) {
			if _, ok := all[above]; !ok {
				all[above] = sub.Ref
			}
		}
	}
	if whole {
		k.mixed[typ] = all
	}
	return all
}

// above is the set of Supertypes.
func (k *Kin) above(typ corpus.Ref) map[corpus.Ref]bool {
	if all, ok := k.tops[typ]; ok {
		return all
	}
	all := map[corpus.Ref]bool{}
	types, whole := k.closure(typ, k.Above)
	for _, r := range types {
		all[r.Ref] = true
	}
	if whole {
		k.tops[typ] = all
	}
	return all
}
