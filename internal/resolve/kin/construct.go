package kin

import (
	"slices"

	"espy/internal/code"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Members finds what values of a type have under a name, in the type or in one
// above it.
func (k *Kin) Members(owner corpus.Ref, name string) []corpus.Ref {
	found, _ := k.infer.Member(infer.ValueOf(owner), name, infer.Full())
	var refs []corpus.Ref
	for _, m := range found {
		if m.Module == nil && !slices.Contains(refs, m.Ref) {
			refs = append(refs, m.Ref)
		}
	}
	return refs
}

// Constructors are the members that a call of a type runs, its own or those that
// it inherits. It has none in languages where the call itself means them.
func (k *Kin) Constructors(typ corpus.Ref) []corpus.Ref {
	l := k.language(typ)
	switch {
	case l == nil:
		return nil
	case l.Constructor != "":
		return k.Members(typ, l.Constructor)
	case k.corpus.Family(typ.File) != corpus.C:
		return nil
	}
	return k.Making(typ)
}

// MadeBy returns the type whose values a member makes that Constructors lists.
func (k *Kin) MadeBy(member corpus.Ref) (typ corpus.Ref, ok bool) {
	l, s := k.language(member), k.symbol(member)
	if l == nil || s.Kind != code.KindMethod || !corpus.IsMember(s) {
		return corpus.Ref{}, false
	}
	inC := k.corpus.Family(member.File) == corpus.C && corpus.LastName(k.read.Owner(member)) == s.Name
	if !inC && (l.Constructor == "" || s.Name != l.Constructor) {
		return corpus.Ref{}, false
	}
	return k.infer.OwnerType(member, infer.Full())
}

// Made are the types whose values a constructor makes: its own, and those below that
// inherit it. It has none where a call of the type names the constructor itself.
func (k *Kin) Made(constructor corpus.Ref) []corpus.Ref {
	owner, ok := k.MadeBy(constructor)
	if !ok || k.Makes(constructor, owner) {
		return nil
	}
	all, own := []corpus.Ref{owner}, corpus.SetOf(k.infer.Together(constructor))
	for _, t := range k.Subtypes(owner) {
		if corpus.HasAny(k.Constructors(t.Ref), own) {
			all = append(all, t.Ref)
		}
	}
	return all
}

// NamesConstructors reports whether the constructors of a type bear its name.
func (k *Kin) NamesConstructors(typ corpus.Ref) bool {
	l := k.language(typ)
	return l != nil && (l.NamedConstructors || k.corpus.Family(typ.File) == corpus.C)
}

// Makes reports whether a symbol is a constructor that bears the name of its type,
// and that is the name of another one.
func (k *Kin) Makes(r, typ corpus.Ref) bool {
	s := k.symbol(r)
	return k.NamesConstructors(typ) && s.Kind == code.KindMethod && s.Name == k.symbol(typ).Name && corpus.LastName(k.read.Owner(r)) == s.Name
}

// Making are the constructors that a type declares.
func (k *Kin) Making(typ corpus.Ref) []corpus.Ref {
	l := k.language(typ)
	if l == nil {
		return nil
	}
	name := l.Constructor
	if name == "" && k.NamesConstructors(typ) {
		name = k.symbol(typ).Name
	}
	return slices.DeleteFunc(slices.Clone(k.infer.Declared(typ, name, infer.Full())), func(r corpus.Ref) bool {
		return k.symbol(r).Kind != code.KindMethod
	})
}

// Functions are the functions that a type declares, also those written outside of
// it in its folder.
func (k *Kin) Functions(typ corpus.Ref) []corpus.Ref {
	var all []corpus.Ref
	f := k.read.File(typ.File)
	end := f.Symbol(typ.Index).End
	for i := typ.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		if s := f.Symbol(i); s.Parent == typ.Index && s.Kind.IsFunc() {
			all = append(all, corpus.Ref{File: typ.File, Index: i})
		}
	}
	if k.language(typ) == nil {
		return all
	}
	for _, m := range k.methodsOf(typ) {
		if k.symbol(m).Kind.IsFunc() && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}
