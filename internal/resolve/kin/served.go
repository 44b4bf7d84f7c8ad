package kin

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

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

// MayRun reports whether a use of a member of a value may run one of several others that take
// its place: a type that the value may be of is served by the type of one. Where nothing is
// known of the value it may.
func (k *Kin) MayRun(use corpus.Ref, members []corpus.Ref) bool {
	u := k.use(use)
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return true
	}
	values := k.infer.Eval(infer.Expr{File: k.infer.File(use.File), At: u.Target}, infer.Full())
	return len(values) == 0 || slices.ContainsFunc(values, func(v infer.Thing) bool {
		return v.Kind != infer.AValue && v.Kind != infer.AType || v.Extends || v.Unnamed || v.Supposed || v.Open || v.Super || v.Partly != "" ||
			slices.ContainsFunc(members, func(m corpus.Ref) bool { return k.mayHold(v.Ref, m) })
	})
}

// mayHold reports whether a value of a type may be one whose type has a member.
func (k *Kin) mayHold(typ, member corpus.Ref) bool {
	owner, ok := k.OwnerType(member)
	if !ok || owner == typ || k.IsAbove(owner, typ) {
		return true
	}
	_, ok = k.Served(typ, owner)
	return ok
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
