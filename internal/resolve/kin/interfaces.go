package kin

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/methodset"
)

// isStructural reports whether the types of a symbol's language satisfy
// interfaces by having their methods.
func (k *Kin) isStructural(r corpus.Ref) bool {
	l := k.language(r)
	return l != nil && l.Structural
}

// satisfying are the types that have every method of an interface.
func (k *Kin) satisfying(iface corpus.Ref) (all []Related) {
	need := k.required(iface)
	name, ok := k.rarest(need)
	if !ok {
		return nil
	}
	seen := map[corpus.Ref]bool{iface: true}
	var queue []corpus.Ref
	for _, m := range k.read.Named(name) {
		if !k.isStructural(m) || !corpus.IsMember(k.symbol(m)) || !k.sees(m, iface) {
			continue
		}
		if t, ok := k.infer.OwnerType(m, infer.Full()); ok && !seen[t] {
			seen[t] = true
			queue = append(queue, t)
		}
	}
	for len(queue) > 0 && len(all) < maxRelated && !k.late() {
		t := queue[0]
		queue = queue[1:]
		if fits, c := k.has(t, need); fits {
			all = append(all, k.satisfies(t, iface, c))
		}
		for _, e := range k.embedding(t) { // it has its methods, too
			if !seen[e] {
				seen[e] = true
				queue = append(queue, e)
			}
		}
	}
	slices.SortFunc(all, func(x, y Related) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Index, y.Index)) })
	return all
}

// satisfied are the interfaces whose every method a type has.
func (k *Kin) satisfied(typ corpus.Ref) (all []Related) {
	seen := map[corpus.Ref]bool{typ: true}
	var queue []corpus.Ref
	for _, m := range k.methodSet(typ) {
		for _, o := range k.read.Named(k.symbol(m).Name) {
			if s := k.symbol(o); s.Flags&facts.Abstract == 0 || s.Owner != "" || !k.isStructural(o) || !k.sees(typ, o) {
				continue
			}
			iface, ok := k.infer.OwnerType(o, infer.Full())
			if ok && !seen[iface] && k.symbol(iface).Kind == code.KindInterface {
				seen[iface] = true
				queue = append(queue, iface)
			}
		}
	}
	for ; len(queue) > 0 && !k.late(); queue = queue[1:] {
		iface := queue[0]
		fits, c := k.has(typ, k.required(iface))
		if !fits {
			continue
		}
		all = append(all, k.satisfies(iface, iface, c))
		for _, e := range k.embedding(iface) { // it may require nothing but what these do
			if !seen[e] && k.symbol(e).Kind == code.KindInterface {
				seen[e] = true
				queue = append(queue, e)
			}
		}
	}
	return all
}

// sees reports whether the repository of one of two symbols imports that of the
// other, or they are of one.
func (k *Kin) sees(a, b corpus.Ref) bool {
	return k.corpus.Sees(a.File, b.File) || k.corpus.Sees(b.File, a.File)
}

// embedding are the types that embed a type.
func (k *Kin) embedding(typ corpus.Ref) (all []corpus.Ref) {
	for _, u := range k.Inheriting(k.infer.Together(typ)) {
		in := k.use(u.Use).In
		if e := (corpus.Ref{File: u.Use.File, Index: in}); in != facts.None && k.symbol(e).Kind.IsType() {
			all = append(all, e)
		}
	}
	return all
}

// methodSet are the methods of a type, those of what it embeds too.
func (k *Kin) methodSet(typ corpus.Ref) (all []corpus.Ref) {
	for _, t := range k.embedded(typ) {
		if k.symbol(t).Kind == code.KindInterface {
			all = append(all, k.declaredBy(t)...)
		} else {
			all = append(all, k.methodsOf(t)...)
		}
	}
	return all
}

// embedded are a type and the types that it embeds, directly or not.
func (k *Kin) embedded(typ corpus.Ref) []corpus.Ref {
	all := []corpus.Ref{typ}
	for i := 0; i < len(all); i++ {
		bases, _ := k.infer.Bases(all[i], infer.Full())
		for _, b := range bases {
			if s, ok := b.Symbol(); ok && !b.Unnamed && len(all) < maxEmbedded && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// satisfies relates a type to an interface whose methods it has.
func (k *Kin) satisfies(typ, iface corpus.Ref, c facts.Confidence) Related {
	r := Related{Ref: typ, Confidence: c, Reason: "has the methods of " + k.symbol(iface).Name, By: none}
	if c == facts.Possible {
		r.Reason += " that are known here"
	}
	return r
}

// methodsOf are the methods that are declared on a type.
func (k *Kin) methodsOf(typ corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	name := k.symbol(typ).Name
	l := k.language(typ)
	for _, id := range k.corpus.Of(typ.File).In(k.corpus.Folder(typ.File)) {
		f := k.read.File(id)
		for i := range f.Facts.NumSymbols() {
			m := corpus.Ref{File: id, Index: int32(i)}
			if f.Symbol(m.Index).Owner == name && l.Owns(typ, m, infer.Full()) {
				all = append(all, m)
			}
		}
	}
	return all
}

// has reports whether a type has what an interface requires, and how certain that is.
func (k *Kin) has(typ corpus.Ref, need *required) (fits bool, c facts.Confidence) {
	if typ == need.of || len(need.methods)+len(need.standard) == 0 {
		return false, c
	}
	for _, m := range need.methods {
		one, known := k.hasOne(typ, m, k.symbol(m).Name, func() (methodset.Signature, bool) { return k.signature(m) })
		if !one {
			return false, c
		}
		if !known {
			c = facts.Likely
		}
	}
	for _, m := range need.standard {
		one, known := k.hasOne(typ, none, m.Name, func() (methodset.Signature, bool) { return m.Signature, true })
		if !one {
			return false, c
		}
		if !known {
			c = facts.Likely
		}
	}
	if need.partial {
		c = facts.Possible
	}
	return true, c
}

// hasOne reports whether a type has a method that an interface requires, and whether
// that is known of all types that it takes and gives.
func (k *Kin) hasOne(typ, required corpus.Ref, name string, want func() (methodset.Signature, bool)) (has, known bool) {
	m, state := k.methodNamed(typ, name, required)
	var got methodset.Signature
	ok := false
	switch {
	case state == infer.Found && m == required: // of an interface that it embeds
		return true, true
	case state == infer.Found:
		if s := k.symbol(m); !s.Kind.IsFunc() || required.Index != facts.None && s.MaxArgs != k.symbol(required).MaxArgs {
			return false, true
		}
		got, ok = k.signature(m)
	default:
		if got, ok = k.standardMethod(typ, name); !ok {
			return false, true
		}
	}
	wanted, read := want()
	if !ok || !read {
		return true, false
	}
	return methodset.Fits(wanted, got)
}

// standardMethod finds a method in the interfaces of the standard library that a type
// embeds.
func (k *Kin) standardMethod(typ corpus.Ref, name string) (methodset.Signature, bool) {
	for _, t := range k.embedded(typ) {
		for _, o := range k.outside(k.baseUses(t)) {
			all, _ := methodset.Standard(o.Outside)
			for _, m := range all {
				if m.Name == name {
					return m.Signature, true
				}
			}
		}
	}
	return methodset.Signature{}, false
}

// methodNamed finds what a type has under a name, in itself or in the nearest of what
// it embeds; Absent where several of these have it. A method that its package does not
// export is the one that is required only within that package. m is none where the
// state is not Found.
func (k *Kin) methodNamed(typ corpus.Ref, name string, required corpus.Ref) (m corpus.Ref, state infer.State) {
	seen := map[corpus.Ref]bool{typ: true}
	for level := []corpus.Ref{typ}; len(level) > 0 && len(seen) < maxEmbedded; {
		found, next := k.levelOf(level, name, seen)
		switch {
		case len(found) > 1 && k.symbol(typ).Kind != code.KindInterface:
			return none, infer.Absent
		case len(found) > 0 && k.isPrivate(found[0], required):
			return none, infer.Absent
		case len(found) > 0:
			return found[0], infer.Found
		}
		level = next
	}
	return none, infer.Absent
}

// levelOf are what some types declare under a name, one for each type as others are
// those of other systems, and the types that these embed.
func (k *Kin) levelOf(types []corpus.Ref, name string, seen map[corpus.Ref]bool) (found, next []corpus.Ref) {
	for _, t := range types {
		for _, m := range k.infer.Declared(t, name, infer.Full()) {
			if k.symbol(m).Flags&facts.Embedded == 0 && !slices.ContainsFunc(found, func(o corpus.Ref) bool { return slices.Contains(k.infer.Together(o), m) }) {
				found = append(found, m)
				break
			}
		}
		isDefined := k.isDefined(t)
		bases, _ := k.infer.Bases(t, infer.Full())
		for _, b := range bases {
			if s, ok := b.Symbol(); ok && !b.Unnamed && !seen[s] && (!isDefined || k.symbol(s).Kind == code.KindInterface) {
				seen[s] = true
				next = append(next, s)
			}
		}
	}
	return found, next
}

// isPrivate reports whether a method is not the one that is required, since only
// another package knows that.
func (k *Kin) isPrivate(m, required corpus.Ref) bool {
	return required.Index != facts.None && k.symbol(required).Flags&facts.Exported == 0 && (k.corpus.Folder(m.File) != k.corpus.Folder(required.File) || k.corpus.Of(m.File) != k.corpus.Of(required.File))
}

// isDefined reports whether a type is made of another one, whose methods it has not:
// type A B, but not type A = B.
func (k *Kin) isDefined(typ corpus.Ref) bool {
	return k.symbol(typ).Kind == code.KindType && !k.IsAlias(typ)
}

// IsAbove reports whether values of one type can be used as the other.
func (k *Kin) IsAbove(typ, sub corpus.Ref) bool {
	if !k.isStructural(typ) {
		return k.above(sub)[typ]
	}
	if k.symbol(typ).Kind != code.KindInterface {
		return false
	}
	fits, _ := k.has(sub, k.required(typ))
	return fits
}
