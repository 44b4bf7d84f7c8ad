package kin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Overriding returns the members that replace or fulfil a member, in the types below
// its own, by path and place.
func (k *Kin) Overriding(member corpus.Ref) []Related {
	return k.Replacing(k.infer.Together(member))
}

// Replacing returns the members that override or fulfil one of a group, which are
// declarations of one member.
func (k *Kin) Replacing(group []corpus.Ref) (all []Related) {
	if k.isStructural(group[0]) {
		for _, r := range group {
			all = append(all, k.fulfilling(r)...)
		}
		return all
	}
	for _, r := range k.read.Named(k.symbol(group[0]).Name) {
		if k.corpus.Family(r.File) != k.corpus.Family(group[0].File) || !k.corpus.Sees(r.File, group[0].File) || slices.Contains(group, r) || k.late() {
			continue
		}
		above := k.overridden(r)
		if i := slices.IndexFunc(group, func(g corpus.Ref) bool { return slices.Contains(above, g) }); i >= 0 {
			all = append(all, k.overrides(r, group[i]))
		} else if i := slices.IndexFunc(group, func(g corpus.Ref) bool { return k.isInherited(g, r) }); i >= 0 {
			all = append(all, k.overrides(r, group[i]))
		}
	}
	return all
}

// overrides relates a member to one that it overrides.
func (k *Kin) overrides(member, above corpus.Ref) Related {
	r := Related{Ref: member, By: none, Reason: "overrides it"}
	owner, ok := k.infer.OwnerType(member, infer.Full())
	base, ok2 := k.infer.OwnerType(above, infer.Full())
	if !ok || !ok2 {
		return r
	}
	r.Reason = k.symbol(owner).Name + " is below " + k.symbol(base).Name
	for _, t := range k.Supertypes(owner) {
		if t.Ref == base {
			r.Confidence = t.Confidence
		}
	}
	return r
}

// fulfilling are the methods of types that have the methods of the interface that a
// method is of.
func (k *Kin) fulfilling(method corpus.Ref) (all []Related) {
	owner, ok := k.infer.OwnerType(method, infer.Full())
	if !ok || k.symbol(owner).Kind != code.KindInterface {
		return nil
	}
	seen := map[corpus.Ref]bool{method: true}
	for _, t := range k.Subtypes(owner) {
		m, state := k.methodNamed(t.Ref, k.symbol(method).Name, method)
		if state == infer.Found && !seen[m] {
			seen[m] = true
			all = append(all, Related{Ref: m, Confidence: t.Confidence, Reason: k.symbol(t.Ref).Name + " " + t.Reason, By: t.By})
		}
	}
	return all
}

// isInherited reports whether a member is one of a type above that of another
// member, in languages where overriding is nothing but that.
func (k *Kin) isInherited(above, member corpus.Ref) bool {
	if l := k.language(member); l == nil || l.Hierarchy || !k.isReplaceable(member) {
		return false
	}
	owner, ok := k.infer.OwnerType(member, infer.Full())
	base, ok2 := k.infer.OwnerType(above, infer.Full())
	return ok && ok2 && base != owner && k.IsAbove(base, owner)
}

// isReplaceable reports whether types below may have another member of the name of
// one: a method, or an attribute that the type declares.
func (k *Kin) isReplaceable(member corpus.Ref) bool {
	s := k.symbol(member)
	return corpus.IsMember(s) && !s.Kind.IsType() && (s.Kind.IsFunc() || !k.infer.IsSetThrough(member))
}

// Replaced returns the members that a member overrides or fulfils, those of the
// nearest types only: not what these override in turn.
func (k *Kin) Replaced(member corpus.Ref) (all []Related) {
	owner, ok := k.infer.OwnerType(member, infer.Full())
	if !ok {
		return nil
	}
	if k.isStructural(member) {
		return k.fulfilled(member, owner)
	}
	above := k.overridden(member)
	if l := k.language(member); l != nil && !l.Hierarchy {
		above = slices.Concat(above, k.inherited(member, owner))
	}
	for i, r := range above {
		if r == member || slices.Contains(above[:i], r) || slices.ContainsFunc(above, func(o corpus.Ref) bool { return o != r && k.isReplacing(o, r) }) {
			continue
		}
		o := k.overrides(member, r)
		o.Ref = r
		all = append(all, o)
	}
	return all
}

func (k *Kin) overridden(member corpus.Ref) []corpus.Ref {
	return k.infer.Overridden(member, infer.Full())
}

// isReplacing reports whether a member overrides another.
func (k *Kin) isReplacing(member, above corpus.Ref) bool {
	return slices.Contains(k.overridden(member), above) || k.isInherited(above, member)
}

// inherited are the members of the name of another in the types above its own, where
// overriding is nothing but that.
func (k *Kin) inherited(member, owner corpus.Ref) (all []corpus.Ref) {
	if !k.isReplaceable(member) {
		return nil
	}
	for _, t := range k.Supertypes(owner) {
		for _, m := range k.infer.Declared(t.Ref, k.symbol(member).Name, infer.Full()) {
			if k.isReplaceable(m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// fulfilled are the methods of interfaces that a method fulfils for its type.
func (k *Kin) fulfilled(method, owner corpus.Ref) (all []Related) {
	seen := map[corpus.Ref]bool{method: true}
	for _, t := range k.Above(owner) {
		if t.Index == facts.None || k.symbol(t.Ref).Kind != code.KindInterface {
			continue
		}
		for _, m := range k.required(t.Ref).methods {
			if k.symbol(m).Name == k.symbol(method).Name && !seen[m] {
				seen[m] = true
				all = append(all, Related{Ref: m, Confidence: t.Confidence, Reason: k.symbol(owner).Name + " " + t.Reason, By: t.By})
			}
		}
	}
	return all
}

// OwnerType returns the type that a member belongs to.
func (k *Kin) OwnerType(member corpus.Ref) (typ corpus.Ref, ok bool) {
	return k.infer.OwnerType(member, infer.Full())
}
