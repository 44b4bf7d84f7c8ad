package kin

import (
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Supertypes returns the types that a type inherits from, embeds or implements,
// and theirs, nearest first. Those from elsewhere are left out.
func (k *Kin) Supertypes(typ corpus.Ref) []Related {
	all, _ := k.closure(typ, k.Above)
	return all
}

// Above returns the types that a type names as its bases, embeds, or whose methods it
// has, also those from elsewhere. Do not change them.
func (k *Kin) Above(typ corpus.Ref) []Related {
	if all, ok := k.super[typ]; ok {
		return all
	}
	uses := k.baseUses(typ)
	all := k.named(typ, uses)
	all = append(all, k.outside(uses)...)
	if k.isStructural(typ) {
		all = append(all, k.satisfied(typ)...)
	}
	k.super[typ] = all
	return all
}

// named are the types that a type names as its bases, with the uses that do.
func (k *Kin) named(typ corpus.Ref, uses []corpus.Ref) (all []Related) {
	bases, _ := k.infer.Bases(typ, infer.Full())
	for _, b := range bases {
		if s, ok := b.Symbol(); ok && !b.Unnamed && !k.isBeside(typ, s, uses) {
			c := facts.Certain
			if b.Guess {
				c = facts.Likely
			}
			all = append(all, Related{Ref: s, Confidence: c, Reason: "named by " + k.symbol(typ).Name, By: k.naming(uses, s)})
		}
	}
	return k.specialized(all)
}

// isBeside reports whether a type gets the members of another by custom alone, which
// none of some uses names.
func (k *Kin) isBeside(typ, other corpus.Ref, uses []corpus.Ref) bool {
	l := k.language(typ)
	return l != nil && l.Besides != nil && slices.ContainsFunc(l.Besides(typ), func(t infer.Thing) bool { return t.Ref == other }) &&
		k.naming(uses, other) == none
}

// specialized leaves out the templates that a base does not mean by its arguments.
func (k *Kin) specialized(all []Related) []Related {
	if len(all) < 2 || k.corpus.Family(all[0].File) != corpus.C {
		return all
	}
	by := map[corpus.Ref][]corpus.Ref{}
	for _, r := range all {
		by[r.By] = append(by[r.By], r.Ref)
	}
	return slices.DeleteFunc(all, func(r Related) bool {
		return r.By.Index != facts.None && !slices.Contains(k.infer.Shapes().Specialized(r.By, by[r.By]), r.Ref)
	})
}

// baseUses are the uses that name the bases of a type, in each of its declarations.
func (k *Kin) baseUses(typ corpus.Ref) []corpus.Ref {
	parts := []corpus.Ref{typ}
	if l := k.language(typ); l != nil && l.Reopens {
		parts = k.infer.Together(typ)
	}
	var all []corpus.Ref
	for _, p := range parts {
		for _, i := range k.infer.File(p.File).BaseUses(p.Index) {
			all = append(all, corpus.Ref{File: p.File, Index: i})
		}
	}
	return append(all, k.impls(typ)...)
}

// naming is the use among some that names a symbol.
func (k *Kin) naming(uses []corpus.Ref, s corpus.Ref) corpus.Ref {
	for _, u := range uses {
		if slices.Contains(k.infer.Meaning(u, infer.Full()).Refs, s) {
			return u
		}
	}
	for _, u := range uses { // through another name
		if k.use(u).Name == k.symbol(s).Name {
			return u
		}
	}
	return none
}

// outside are the bases among uses that no file declares.
func (k *Kin) outside(uses []corpus.Ref) (all []Related) {
	for _, u := range uses {
		if o, ok := k.origin.Used(u); ok {
			all = append(all, Related{Ref: none, Outside: cmp.Or(o.From, o.Name), Reason: "no file declares it", By: u})
		}
	}
	return all
}
