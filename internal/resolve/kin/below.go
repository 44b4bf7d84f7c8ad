package kin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Subtypes returns the types that inherit from, embed or implement a type, and
// theirs, nearest first. Those from elsewhere and those without a name are left out.
func (k *Kin) Subtypes(typ corpus.Ref) []Related {
	all, _ := k.closure(typ, k.Below)
	return all
}

// Below returns the types that name a type as their base, embed it, or have its
// methods, by path and place. Do not change them. One without a name, and one from
// elsewhere, has no Ref: what Outside is empty of stands where By does.
func (k *Kin) Below(typ corpus.Ref) []Related {
	if all, ok := k.sub[typ]; ok {
		return all
	}
	var all []Related
	for _, u := range k.Inheriting(k.infer.Together(typ)) {
		if r, ok := k.subtype(typ, u); ok {
			all = append(all, r)
		}
	}
	if k.isStructural(typ) && k.symbol(typ).Kind == code.KindInterface {
		all = append(all, k.satisfying(typ)...)
	}
	if !k.late() { // all of them
		k.sub[typ] = all
	}
	return all
}

// Naming is a use that names a type as a base.
type Naming struct {
	Use        corpus.Ref
	Confidence facts.Confidence
	Reason     string
}

// Inheriting are the uses that name one of a group of types as a base, by path and
// place.
func (k *Kin) Inheriting(group []corpus.Ref) (all []Naming) {
	for _, name := range k.names(group) {
		for _, u := range k.read.Uses(name) {
			if k.corpus.Family(u.File) != k.corpus.Family(group[0].File) || !k.corpus.Sees(u.File, group[0].File) || !isBase(k.use(u).Role) || k.late() {
				continue
			}
			if n, ok := k.inherits(u, group); ok {
				all = append(all, n)
			}
		}
	}
	return all
}

// inherits says how a use means one of a group. One of which nothing is known means
// the only type of its name.
func (k *Kin) inherits(u corpus.Ref, group []corpus.Ref) (n Naming, ok bool) {
	a := k.infer.Meaning(u, infer.Full())
	n = Naming{u, a.Confidence, a.Reason}
	if k.corpus.Family(u.File) == corpus.C {
		a.Refs = k.infer.Shapes().Specialized(u, a.Refs)
	}
	if slices.ContainsFunc(group, func(r corpus.Ref) bool { return slices.Contains(a.Refs, r) }) {
		if slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return !slices.Contains(group, r) }) {
			n.Confidence = max(n.Confidence, facts.Likely)
		}
		return n, n.Confidence != facts.Possible
	}
	if a.State != infer.Unknown || k.use(u).Name != k.symbol(group[0]).Name || k.symbol(group[0]).Flags&facts.Local != 0 {
		return n, false
	}
	for _, o := range k.read.Named(k.use(u).Name) {
		if k.symbol(o).Kind.IsType() && k.corpus.Family(o.File) == k.corpus.Family(u.File) && !slices.Contains(group, o) {
			return n, false
		}
	}
	n.Confidence, n.Reason = facts.Likely, "the only type of that name"
	return n, true
}

// maxNames bounds the names that a type is looked for by.
const maxNames = 100

// names are the name of a group and those that imports give it.
func (k *Kin) names(group []corpus.Ref) []string {
	all := []string{k.symbol(group[0]).Name}
	for i := 0; i < len(all) && len(all) < maxNames; i++ {
		for r, m := range k.read.Imports(all[i]) {
			if m.Name != all[i] || m.Local == "" || slices.Contains(all, m.Local) {
				continue
			}
			if a := k.infer.Imported(r, infer.Full()); slices.ContainsFunc(group, func(g corpus.Ref) bool { return slices.Contains(a.Refs, g) }) {
				all = append(all, m.Local)
			}
		}
	}
	return all
}

// isBase reports whether a use in a role names the base of a type.
func isBase(r facts.Role) bool { return r == facts.RoleInherit || r == facts.RoleImplement }

// subtype is the type whose base is named.
func (k *Kin) subtype(typ corpus.Ref, u Naming) (r Related, ok bool) {
	by, use := u.Use, k.use(u.Use)
	name := k.symbol(typ).Name
	if use.In != facts.None && k.read.File(by.File).Symbol(use.In).Kind.IsType() {
		sub := corpus.Ref{File: by.File, Index: use.In}
		return Related{Ref: sub, Confidence: u.Confidence, Reason: "names " + name, By: by}, true
	}
	if l := k.language(typ); l != nil && l.Bases == infer.InFile {
		return k.implements(by, u.Confidence, name)
	}
	return Related{Ref: none, Confidence: u.Confidence, Reason: "names " + name, By: by}, true
}
