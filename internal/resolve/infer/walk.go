package infer

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// maxWalk bounds the types that one search for a member visits.
const maxWalk = 200

// typeWalk looks for a name in a type and its bases.
type typeWalk struct {
	e     *Evaluator
	name  string
	want  func(*facts.Symbol) bool // nil for all
	seen  map[corpus.Ref]bool
	types int // visited

	only, static bool // whether only static members, or only the others, are looked for
	skipped      bool // for that reason
}

func (e *Evaluator) walk(name string) *typeWalk {
	return &typeWalk{e: e, name: name, seen: map[corpus.Ref]bool{}}
}

// find looks in a type, then in what it inherits, embeds or is another name of.
func (w *typeWalk) find(t Thing, b Budget) ([]Member, State) {
	if w.types++; w.seen[t.ref] || w.types > maxWalk || b.tooDeep() {
		return nil, Absent
	}
	w.seen[t.ref] = true
	own := w.declared(t, b)
	switch {
	case len(own) > 0 && !w.addsOverloads(own):
		return own, Found
	case t.unnamed:
		return nil, Absent
	}
	more, state := w.above(t, b.Deeper())
	if len(own) == 0 {
		if inner := w.dereferenced(t, state, b.Deeper()); len(inner) > 0 {
			return inner, Found
		}
		return more, state
	}
	for _, m := range more {
		if !slices.ContainsFunc(own, func(o Member) bool { return w.e.replaces(o.Ref, m.Ref, b) }) {
			own = append(own, m)
		}
	}
	return own, Found
}

// dereferenced are the members of what a value gives where it lacks one itself.
func (w *typeWalk) dereferenced(t Thing, state State, b Budget) []Member {
	l := w.e.file(t.ref.File).language
	if l == nil || l.Dereference == "" || state == Found || w.name == l.Dereference || t.kind != aValue {
		return nil
	}
	for _, m := range w.e.walk(l.Dereference).declared(t, b) {
		for _, inner := range w.e.result(m.Ref, m.env, b) {
			if inner.kind != aValue || inner.ref == t.ref {
				continue
			}
			if found, state := w.find(inner, b.Deeper()); state == Found {
				return found
			}
		}
	}
	return nil
}

// addsOverloads reports whether functions of a type stand beside those of its
// bases that take other arguments.
func (w *typeWalk) addsOverloads(own []Member) bool {
	l := w.e.Language(own[0].Ref.File)
	return l != nil && l.InheritsOverloads && w.e.read.Symbol(own[0].Ref).Kind.IsFunc()
}

// declared are the members that stand in the type, or that name it as their owner.
func (w *typeWalk) declared(t Thing, b Budget) []Member {
	f := w.e.file(t.ref.File)
	typ := f.Symbol(t.ref.Index)
	var all []Member
	if t.variant > 0 {
		for i := t.variant; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(t.variant-1).End; i++ {
			if s := f.Symbol(i); s.Parent == t.variant-1 && s.Name == w.name {
				return []Member{{Ref: corpus.Ref{File: t.ref.File, Index: i}, env: t.env, guess: t.guess}}
			}
		}
	}
	add := func(r corpus.Ref) {
		if w.only && !w.wanted(typ, w.e.read.Symbol(r)) {
			w.skipped = true
			return
		}
		if w.want == nil || w.want(w.e.read.Symbol(r)) {
			all = append(all, Member{Ref: r, env: t.env, guess: t.guess})
		}
	}
	if typ.Flags&facts.Local != 0 || t.unnamed {
		for i := t.ref.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < typ.End; i++ {
			if s := f.Symbol(i); s.Parent == t.ref.Index && s.Name == w.name && corpus.CanBeMember(s) {
				add(corpus.Ref{File: t.ref.File, Index: i})
			}
		}
		return all
	}
	for _, r := range w.e.read.NamedNear(w.name, t.ref.File, typ.Name) {
		s := w.e.read.Symbol(r)
		switch {
		case r.File == t.ref.File && s.Parent == t.ref.Index && corpus.CanBeMember(s),
			s.Owner != "" && corpus.LastName(s.Owner) == typ.Name && f.language != nil && f.language.Owns(t.ref, r, b),
			r.File == t.ref.File && s.Parent != facts.None && corpus.CanBeMember(s) && (merged(f.Symbol(s.Parent), typ) || promotes(f.Symbol(s.Parent), t.ref.Index)):
			add(r)
		}
	}
	return all
}

// wanted reports whether a member of a class is as static as the one that is
// looked for. Types have no values of their own, so of a type all is wanted.
func (w *typeWalk) wanted(typ, member *facts.Symbol) bool {
	return typ.Kind != code.KindClass || member.Kind.IsType() || (member.Flags&facts.Static != 0) == w.static
}

// promotes reports whether the constants of an enumeration are members of the type
// around it, too.
func promotes(s *facts.Symbol, typ int32) bool {
	return s.Kind == code.KindEnum && s.Flags&facts.Embedded != 0 && s.Parent == typ
}

// merged reports whether a symbol of the same file is another declaration of a type.
func merged(s, typ *facts.Symbol) bool {
	return s.Name == typ.Name && s.Parent == typ.Parent && s.At != typ.At && s.Kind.IsType() && typ.Kind.IsType()
}

// above looks in what a type inherits or embeds, and in what it is another name of.
func (w *typeWalk) above(t Thing, b Budget) ([]Member, State) {
	l := w.e.file(t.ref.File).language
	alias := w.e.file(t.ref.File).Symbol(t.ref.Index).Kind == code.KindType
	firstWins := l == nil || !l.Merges && !(alias && l.TypesApart) // A | B has the members of both
	state := Absent
	bases, known := w.e.bases(t, b)
	if !known {
		state = Outside
	}
	var all []Member
	for _, base := range bases {
		if base.kind != aType && base.kind != aValue {
			state = Outside
			continue
		}
		base.guess = base.guess || t.guess || base.partly != ""
		found, s := w.find(base, b)
		for i := range found {
			found[i].partly = found[i].partly || base.partly != ""
		}
		if base.partly != "" && s == Absent { // which members it has is not known
			s = Outside
		}
		all = append(all, found...)
		if s == Found && firstWins {
			return all, Found
		}
		if s == Outside || s == Unknown {
			state = Outside
		}
	}
	if len(all) > 0 {
		return all, Found
	}
	return nil, state
}

// Declared returns the members of a name that a type declares itself.
func (e *Evaluator) Declared(typ corpus.Ref, name string, b Budget) []corpus.Ref {
	var all []corpus.Ref
	for _, m := range e.walk(name).declared(TypeOf(typ), b) {
		all = append(all, m.Ref)
	}
	return all
}

// Bases returns what a type inherits from, embeds or is another name of; known
// is false where one of them could not be worked out.
func (e *Evaluator) Bases(typ corpus.Ref, b Budget) (all []Thing, known bool) {
	return e.bases(TypeOf(typ), b)
}

func (e *Evaluator) bases(t Thing, b Budget) (all []Thing, known bool) {
	f := e.file(t.ref.File)
	known = true
	s := f.Symbol(t.ref.Index)
	if s.Kind == code.KindConst && s.Parent != facts.None && f.Symbol(s.Parent).Kind == code.KindEnum { // with a body
		return []Thing{TypeOf(corpus.Ref{File: t.ref.File, Index: s.Parent})}, true
	}
	add := func(things []Thing) {
		known = known && len(things) > 0
		all = append(all, things...)
	}
	x := expr{f, s.Type, t.env}
	if list := x.tuple(); s.Kind != code.KindType && list != nil {
		for _, i := range list {
			if i == facts.None || x.to(i).node().Op != facts.OpFunc {
				add(e.eval(x.to(i), b.Deeper()))
			}
		}
		return all, known
	}
	for _, i := range f.baseUses(t.ref.Index) {
		add(e.evalUse(x.to(i), b.Deeper()))
	}
	if s.Kind == code.KindType && s.Type != facts.None {
		add(e.eval(x, b.Deeper()))
	}
	return all, known
}

// below reports whether a type is below another one, of the repository or from
// elsewhere, and whether all types above it are known.
func (e *Evaluator) below(typ corpus.Ref, above Thing, b Budget) (found, known bool) {
	known = e.read.Symbol(typ).Kind != code.KindEnum
	seen := []corpus.Ref{typ}
	for i := 0; i < len(seen) && i < maxWalk; i++ {
		bases, whole := e.bases(TypeOf(seen[i]), b.Restart())
		known = known && whole
		for _, t := range bases {
			switch {
			case t.isOne(&above):
				return true, known
			case t.kind == outside:
				known = false
			case !slices.Contains(seen, t.ref):
				seen = append(seen, t.ref)
			}
		}
	}
	return false, known
}
