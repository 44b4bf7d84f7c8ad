package resolve

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Constructors are the members that a call of a type runs, its own or those that
// it inherits. It has none in languages where the call itself means them.
func (q *Question) Constructors(typ corpus.Ref) []corpus.Ref {
	l := q.language(typ)
	switch {
	case l == nil:
		return nil
	case l.Constructor != "":
		return q.Members(typ, l.Constructor)
	case q.corpus.Family(typ.File) != corpus.C:
		return nil
	}
	return q.Making(typ)
}

// MadeBy returns the type whose values a member makes that Constructors lists.
func (q *Question) MadeBy(member corpus.Ref) (typ corpus.Ref, ok bool) {
	l, s := q.language(member), q.Symbol(member)
	if l == nil || s.Kind != code.KindMethod || !corpus.IsMember(s) {
		return corpus.Ref{}, false
	}
	inC := q.corpus.Family(member.File) == corpus.C && corpus.LastName(q.read.Owner(member)) == s.Name
	if !inC && (l.Constructor == "" || s.Name != l.Constructor) {
		return corpus.Ref{}, false
	}
	return q.infer.OwnerType(member, infer.Full())
}

// namesConstructors reports whether the constructors of a type bear its name.
func (q *Question) namesConstructors(typ corpus.Ref) bool {
	l := q.language(typ)
	return l != nil && (l.NamedConstructors || q.corpus.Family(typ.File) == corpus.C)
}

// Makes reports whether a symbol is a constructor that bears the name of its type,
// and that is the name of another one.
func (q *Question) Makes(r, typ corpus.Ref) bool {
	s := q.Symbol(r)
	return q.namesConstructors(typ) && s.Kind == code.KindMethod && s.Name == q.Symbol(typ).Name && corpus.LastName(q.read.Owner(r)) == s.Name
}

// Making are the constructors that a type declares.
func (q *Question) Making(typ corpus.Ref) []corpus.Ref {
	l := q.language(typ)
	if l == nil {
		return nil
	}
	name := l.Constructor
	if name == "" && q.namesConstructors(typ) {
		name = q.Symbol(typ).Name
	}
	return slices.DeleteFunc(slices.Clone(q.infer.Declared(typ, name, infer.Full())), func(r corpus.Ref) bool {
		return q.Symbol(r).Kind != code.KindMethod
	})
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
	for _, m := range q.MethodsOf(typ) {
		if q.Symbol(m).Kind.IsFunc() && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// NamesType reports whether a use is of a member of a type itself, not of a value:
// of a class, or a named argument of a call that makes one.
func (q *Question) NamesType(use corpus.Ref) bool {
	u := q.Use(use.File, int(use.Index))
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return false
	}
	x := q.File(use.File).Expr(int(u.Target))
	if x.Op != facts.OpUse {
		return false
	}
	a := q.infer.Meaning(corpus.Ref{File: use.File, Index: x.X}, infer.Full())
	return slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return q.Symbol(r).Kind.IsType() })
}

// IsSuper reports whether a use asks the types above its own.
func (q *Question) IsSuper(use corpus.Ref) bool {
	u := q.Use(use.File, int(use.Index))
	return u.Bind == facts.BindMember && u.Target != facts.None && q.File(use.File).Expr(int(u.Target)).Op == facts.OpSuper
}
