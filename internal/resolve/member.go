package resolve

import (
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
)

// state says what is known of a name.
type state uint8

const (
	stateUnknown state = iota // nothing
	stateFound                // which symbols it means
	stateOutside              // that it means something that the repository does not declare
	stateAbsent               // that there is no such thing
)

// module is a file, a package or a namespace that names are taken from.
type module struct {
	files    []FileID
	dir      string // what tells it from others: its path
	language *language
}

// found is a member, with what it was found by.
type found struct {
	ref   Ref
	mod   *module // a module within a module, instead of ref
	env   *env
	guess bool
}

// Members finds what values of a type have under a name, which a type above it
// may declare.
func (q *Question) Members(owner Ref, name string) []Ref {
	got, _ := q.member(thing{kind: aValue, ref: owner}, name, 0)
	var refs []Ref
	for _, g := range got {
		if g.mod == nil && !slices.Contains(refs, g.ref) {
			refs = append(refs, g.ref)
		}
	}
	return refs
}

// member finds what a thing has under a name.
func (q *Question) member(t thing, name string, depth int) ([]found, state) {
	switch t.kind {
	case aType, aValue:
		w := typeWalk{q: q, name: name, seen: map[Ref]bool{}}
		if t.super {
			return w.supers(t, depth)
		}
		return w.find(t, depth)
	case aFunc:
		return q.namedArgument(t, name, depth)
	case aModule:
		return q.moduleMember(t, name)
	}
	return nil, stateOutside
}

// namedArgument finds what a call of a function names: a parameter, or, of a component,
// a member of the properties that it is given.
func (q *Question) namedArgument(t thing, name string, depth int) ([]found, state) {
	if l := q.file(t.ref.File).language; l != nil && l.family == familyScript {
		for _, p := range q.takes(t, 0, depth+1) {
			if got, st := q.member(p, name, depth+1); st == stateFound {
				return got, st
			}
		}
	}
	return q.parameter(t, name)
}

// parameter finds a parameter that a call names.
func (q *Question) parameter(t thing, name string) ([]found, state) {
	f := q.file(t.ref.File)
	end := f.symbol(t.ref.Index).End
	for i := t.ref.Index + 1; int(i) < f.NumSymbols(); i++ {
		s := f.symbol(i)
		if s.Start >= end {
			break
		}
		if s.Parent == t.ref.Index && s.Kind == code.KindParam && s.Name == name {
			return []found{{ref: Ref{t.ref.File, i}}}, stateFound
		}
	}
	return nil, stateOutside
}

func (q *Question) moduleMember(t thing, name string) ([]found, state) {
	if t.mod.language == nil {
		return nil, stateUnknown
	}
	m := t.mod.language.exported(q, t.mod, name)
	var all []found
	for _, r := range m.refs {
		all = append(all, found{ref: r})
	}
	for _, mod := range m.mods {
		all = append(all, found{mod: mod})
	}
	return all, m.state
}

// typeWalk looks for a name in a type and those it is made of.
type typeWalk struct {
	q     *Question
	name  string
	seen  map[Ref]bool
	steps int
}

// find looks in a type, then in what it inherits, embeds or is another name of.
func (w *typeWalk) find(t thing, depth int) ([]found, state) {
	if w.steps++; w.seen[t.ref] || w.steps > 200 || depth > maxDepth {
		return nil, stateAbsent
	}
	w.seen[t.ref] = true
	if own := w.own(t); len(own) > 0 {
		return own, stateFound
	}
	if t.unnamed {
		return nil, stateAbsent
	}
	return w.supers(t, depth+1)
}

// own are the members that stand in the type, or that say it is theirs.
func (w *typeWalk) own(t thing) []found {
	q := w.q
	f := q.file(t.ref.File)
	typ := f.symbol(t.ref.Index)
	var all []found
	if typ.Flags&facts.Local != 0 || t.unnamed {
		for i := t.ref.Index + 1; int(i) < f.NumSymbols() && f.symbol(i).Start < typ.End; i++ {
			if s := f.symbol(i); s.Parent == t.ref.Index && s.Name == w.name && isMember(s) {
				all = append(all, found{ref: Ref{t.ref.File, i}, env: t.env, guess: t.guess})
			}
		}
		return all
	}
	l := f.language
	for _, r := range q.named(w.name).near(t.ref.File, typ.Name) {
		s := q.Symbol(r)
		switch {
		case r.File == t.ref.File && s.Parent == t.ref.Index && isMember(s),
			lastName(s.Owner) == typ.Name && s.Owner != "" && l != nil && l.same(q, r, t.ref),
			r.File == t.ref.File && s.Parent != facts.None && isMember(s) && w.merged(f, s.Parent, typ):
			all = append(all, found{ref: r, env: t.env, guess: t.guess})
		}
	}
	return all
}

// merged reports whether a symbol of the same file is another declaration of a type.
func (w *typeWalk) merged(f *file, i int32, typ *facts.Symbol) bool {
	s := f.symbol(i)
	return s.Name == typ.Name && s.Parent == typ.Parent && s.At != typ.At && s.Kind.IsType() && typ.Kind.IsType()
}

// lastName is the last name of an owner such as a::B.
func lastName(owner string) string {
	_, last := cutLast(owner, "::")
	return last
}

func isMember(s *facts.Symbol) bool {
	return s.Kind != code.KindTypeParam && s.Kind != code.KindParam
}

// supers looks in what a type inherits or embeds, one level after the other,
// and in what it is another name of.
func (w *typeWalk) supers(t thing, depth int) ([]found, state) {
	q := w.q
	st := stateAbsent
	var all []found
	bases, known := q.bases(t, depth)
	if !known {
		st = stateOutside
	}
	for _, b := range bases {
		if b.kind == aType || b.kind == aValue {
			b.guess = b.guess || t.guess
			got, s := w.find(b, depth)
			all = append(all, got...)
			if s == stateFound && q.inOrder(t.ref) {
				return all, stateFound
			}
			if s == stateOutside || s == stateUnknown {
				st = stateOutside
			}
		} else {
			st = stateOutside
		}
	}
	if len(all) > 0 {
		return all, stateFound
	}
	return nil, st
}

// inOrder reports whether the first base with a name wins.
func (q *Question) inOrder(r Ref) bool {
	l := q.file(r.File).language
	return l == nil || l.family != familyGo
}

// bases are the types that a type inherits from, embeds or is another name of;
// known is false where one of them could not be told.
func (q *Question) bases(t thing, depth int) (all []thing, known bool) {
	f := q.file(t.ref.File)
	known = true
	s := f.symbol(t.ref.Index)
	add := func(things []thing) {
		known = known && len(things) > 0
		for _, t := range things {
			if t.partly != "" { // which members it has is not told
				t = thing{kind: outside, name: t.partly}
			}
			all = append(all, t)
		}
	}
	if list := tuple(f, s.Type); s.Kind != code.KindType && list != nil {
		for _, e := range list {
			if e == facts.None || f.Expr(int(e)).Op != facts.OpFunc {
				add(q.eval(f, e, t.env, depth+1))
			}
		}
		return all, known
	}
	for _, i := range q.baseUses(f, t.ref.Index) {
		add(q.evalUse(f, i, t.env, depth+1))
	}
	if s.Kind == code.KindType && s.Type != facts.None {
		add(q.eval(f, s.Type, t.env, depth+1))
	}
	return all, known
}

// tuple lists the expressions of an OpTuple; nil of another expression.
func tuple(f *file, e int32) []int32 {
	var all []int32
	for e != facts.None {
		x := f.Expr(int(e))
		if x.Op != facts.OpTuple {
			break
		}
		all = append(all, x.X)
		e = x.Y
	}
	return all
}

// baseUses finds the uses that name what a type inherits or embeds.
func (q *Question) baseUses(f *file, typ int32) []int32 {
	if all, ok := f.bases[typ]; ok {
		return all
	}
	s := f.symbol(typ)
	end := s.SigEnd
	start := s.Start
	if f.language != nil {
		switch f.language.family {
		case familyGo, familyPHP: // what it embeds or uses stands in its body
			end = s.End
		case familyRust: // an impl stands apart from its type
			start, end = 0, math.MaxUint32
		}
	}
	all := []int32{}
	if s.Kind.IsType() {
		for i := f.UsesFrom(start); i < f.NumUses(); i++ {
			u := f.use(int32(i))
			if u.At >= end {
				break
			}
			if u.In == typ && (u.Role == facts.RoleInherit || u.Role == facts.RoleImplement) {
				all = append(all, int32(i))
			}
		}
	}
	f.bases[typ] = all
	return all
}
