package resolve

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// What one use may cost. A type that takes more is not known.
const (
	maxDepth  = 48
	maxSteps  = 20_000
	maxThings = 8 // alternatives of one expression
)

// thingKind says what an expression may stand for.
type thingKind uint8

const (
	aType     thingKind = iota // the type ref itself
	aValue                     // a value of the type ref
	aFunc                      // the function ref
	aModule                    // mod
	aList                      // a value whose elements are the expression expr
	aMap                       // the same, with keys
	aBuiltin                   // a text, a number ...
	aTuple                     // the expressions of the tuple expr
	aClosure                   // a function whose result is the expression expr
	aCallback                  // a function that is given elements of recv, as argument number expr
	outside                    // something that the repository does not declare
)

// thing is one of what an expression may stand for.
type thing struct {
	kind    thingKind
	ref     Ref
	unnamed bool    // ref is no type itself: it holds the members of one
	super   bool    // a value seen as its base types
	mod     *module // of aModule
	f       *file   // with expr, which is read in env; of outside: type arguments
	expr    int32
	params  int32 // of aClosure: the values that it takes, an OpTuple of f
	env     *env
	name    string // outside: what it is called
	recv    *thing // of aFunc and outside: what it is a member of
	generic bool   // outside: what comes of it may be of the repository nevertheless
	guess   bool   // not written: follows from a first value
	partly  string // the utility type that may leave some members of the type out

	supposed bool // guessed by a name alone
}

// env says what type parameters stand for.
type env struct {
	of    Ref // the type or function that has them
	f     *file
	args  int32 // an OpTuple, read in outer
	outer *env
}

// eval says what an expression of a file may stand for; nothing where it is not known.
func (q *Question) eval(f *file, e int32, en *env, depth int) []thing {
	if e == facts.None || depth > maxDepth || q.steps <= 0 {
		return nil
	}
	q.steps--
	if en != nil {
		return q.step(f, e, en, depth+1)
	}
	if v, ok := f.values[e]; ok {
		return v
	}
	f.values[e] = nil // what depends on itself is not known
	v := q.step(f, e, nil, depth+1)
	f.values[e] = v
	return v
}

func (q *Question) step(f *file, e int32, en *env, depth int) []thing {
	x := f.Expr(int(e))
	switch x.Op {
	case facts.OpUse:
		return q.evalUse(f, x.X, en, depth)
	case facts.OpValue:
		return values(q.eval(f, x.X, en, depth))
	case facts.OpSymbol:
		return q.thingsOf(Ref{f.id, x.X}, en, depth)
	case facts.OpThis, facts.OpSuper:
		return []thing{{kind: aValue, ref: Ref{f.id, x.X}, super: x.Op == facts.OpSuper}}
	case facts.OpMembers:
		return []thing{{kind: aType, ref: Ref{f.id, x.X}, unnamed: true, env: en}}
	case facts.OpCall:
		return q.each(q.eval(f, x.X, en, depth), func(t thing) []thing { return q.called(t, depth) })
	case facts.OpElem:
		return q.each(q.eval(f, x.X, en, depth), func(t thing) []thing {
			if x.Y < elemEnter && t.kind == outside && t.f == nil && f.language != nil && f.language.dynamic && isUpper(t.name) {
				return nil // what a generic type is given, such as Union[A, B], is not told where a value stands
			}
			return q.element(t, x.Y, depth)
		})
	case facts.OpResult:
		return q.each(q.eval(f, x.X, en, depth), func(t thing) []thing { return q.part(t, int(x.Y), depth) })
	case facts.OpTuple:
		return []thing{{kind: aTuple, f: f, expr: e, env: en}}
	case facts.OpApply:
		return q.each(q.eval(f, x.X, en, depth), func(t thing) []thing {
			if t.kind == outside && f.language != nil && f.language.changed[t.name] {
				return partly(q.argument(f, x.Y, 0, en, depth), t.name)
			}
			return []thing{apply(t, f, x.Y, en)}
		})
	case facts.OpUnion:
		return either(q.eval(f, x.X, en, depth), q.eval(f, x.Y, en, depth))
	case facts.OpLiteral:
		return literal(f, x, en)
	case facts.OpFunc:
		return []thing{{kind: aClosure, f: f, expr: x.X, params: x.Y, env: en}}
	case facts.OpArgument:
		return q.each(q.eval(f, x.X, en, depth), func(t thing) []thing { return q.given(t, int(x.Y), depth) })
	}
	return nil
}

// partly marks what a utility type leaves members out of.
func partly(things []thing, utility string) []thing {
	if utility != "Omit" && utility != "Pick" {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		all[i].partly = utility
	}
	return all
}

func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

func literal(f *file, x facts.Expr, en *env) []thing {
	switch x.X {
	case facts.LiteralList:
		return []thing{{kind: aList, f: f, expr: x.Y, env: en}}
	case facts.LiteralMap:
		return []thing{{kind: aMap, f: f, expr: x.Y, env: en}}
	case facts.LiteralNull:
		return nil
	}
	return []thing{{kind: aBuiltin}}
}

// apply gives type arguments to a type or function.
func apply(t thing, f *file, args int32, en *env) thing {
	switch t.kind {
	case aType, aValue, aFunc:
		t.env = &env{of: t.ref, f: f, args: args, outer: en}
	case outside:
		t.f, t.expr, t.env = f, args, en
	}
	return t
}

func either(a, b []thing) []thing {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := append(append([]thing{}, a...), b...)
	return all[:min(len(all), maxThings)]
}

// each puts together what a step makes of every thing.
func (q *Question) each(things []thing, step func(thing) []thing) []thing {
	if len(things) == 1 && !things[0].supposed {
		return step(things[0])
	}
	var all []thing
	for _, t := range things {
		more := step(t)
		if t.supposed {
			more = guesses(more)
			for i := range more {
				more[i].supposed = true
			}
		}
		all = either(all, more)
	}
	return all
}

// values makes values of types; what is a value stays.
func values(things []thing) []thing {
	for i := range things {
		if things[i].kind == aType {
			all := append([]thing{}, things...)
			for j := range all {
				if all[j].kind == aType {
					all[j].kind = aValue
				}
			}
			return all
		}
	}
	return things
}

// evalUse says what a use may stand for as a part of an expression.
func (q *Question) evalUse(f *file, i int32, en *env, depth int) []thing {
	u := f.use(i)
	if u.Bind != facts.BindMember {
		m := q.means(f, i, depth)
		if m.state == stateOutside {
			return []thing{{kind: outside, name: cmp.Or(m.via, u.Name), generic: m.generic}}
		}
		return q.meant(&m, en, depth)
	}
	base := q.eval(f, u.Target, en, depth)
	if len(base) == 0 {
		return q.onlyNamed(f, u, depth)
	}
	return q.each(base, func(t thing) []thing {
		found, st := q.member(t, u.Name, depth)
		if st == stateOutside {
			generic := t.generic || t.kind == outside && t.f != nil || t.kind == aList || t.kind == aMap
			return []thing{{kind: outside, name: u.Name, generic: generic, recv: &t}}
		}
		var all []thing
		for _, m := range found {
			if m.mod != nil {
				all = either(all, []thing{{kind: aModule, mod: m.mod}})
				continue
			}
			more := q.thingsOf(m.ref, m.env, depth)
			if m.guess {
				more = guesses(more)
			}
			if len(more) == 1 && more[0].kind == aFunc {
				more = []thing{more[0]}
				more[0].recv = &t
			}
			all = either(all, more)
		}
		return all
	})
}

// onlyNamed is what a member of something unknown stands for where the
// repository has one member of that name.
func (q *Question) onlyNamed(f *file, u *facts.Use, depth int) []thing {
	only := Ref{File: facts.None}
	for _, r := range q.Named(u.Name) {
		if q.c.files[r.File].language != f.language || !q.holdsMember(r) {
			continue
		}
		if only.File != facts.None {
			return nil
		}
		only = r
	}
	if only.File == facts.None {
		return nil
	}
	all := guesses(q.thingsOf(only, nil, depth))
	for i := range all {
		all[i].supposed = true
	}
	return all
}

func guesses(things []thing) []thing {
	all := append([]thing{}, things...)
	for i := range all {
		all[i].guess = true
	}
	return all
}

// meant are the things that a meaning stands for.
func (q *Question) meant(m *meaning, en *env, depth int) []thing {
	var all []thing
	for _, mod := range m.mods {
		all = append(all, thing{kind: aModule, mod: mod})
	}
	for _, r := range m.refs {
		all = either(all, q.thingsOf(r, en, depth))
	}
	return all
}

// thingsOf says what a symbol stands for.
func (q *Question) thingsOf(r Ref, en *env, depth int) []thing {
	if depth > maxDepth || q.steps <= 0 {
		return nil
	}
	if en != nil {
		return q.thingsOfSymbol(r, en, depth+1)
	}
	if v, ok := q.types[r]; ok {
		return v
	}
	q.types[r] = nil
	v := q.thingsOfSymbol(r, nil, depth+1)
	q.types[r] = v
	return v
}

func (q *Question) thingsOfSymbol(r Ref, en *env, depth int) []thing {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	switch {
	case s.Kind == code.KindTypeParam:
		return q.typeParam(r, s, en, depth)
	case s.Kind == code.KindModule:
		return q.namespace(f, r, s)
	case s.Kind.IsType():
		return []thing{{kind: aType, ref: q.defined(f, r, s), env: en}}
	case s.Kind.IsFunc() && s.Flags&facts.Accessor != 0:
		return q.result(r, en, depth)
	case s.Kind.IsFunc():
		return []thing{{kind: aFunc, ref: r, env: en}}
	case s.Type == facts.None && s.Parent != facts.None && f.symbol(s.Parent).Kind == code.KindEnum:
		return []thing{{kind: aValue, ref: Ref{r.File, s.Parent}}}
	case s.Flags&facts.Inferred == 0:
		return values(q.eval(f, s.Type, en, depth))
	case f.language != nil && f.language.dynamic:
		if above := q.declaredAbove(f, r, s); len(above) > 0 {
			return q.thingsOf(above[0], en, depth)
		}
		all := guesses(q.eval(f, s.Type, en, depth))
		if len(all) == 1 && all[0].kind == outside && all[0].name == "TypeVar" {
			return q.typeVariable(r, en, depth)
		}
		return all
	}
	return q.eval(f, s.Type, en, depth)
}

// namespace is what a symbol that holds names stands for: itself, the file that
// it speaks of in Rust, all that bear its name in C++.
func (q *Question) namespace(f *file, r Ref, s *facts.Symbol) []thing {
	switch {
	case f.language == nil:
	case f.language.family == familyC:
		dir := s.Name
		if space := q.space(r); space != "" {
			dir = space + "::" + dir
		}
		return []thing{{kind: aModule, mod: &module{dir: dir, language: f.language}}}
	case f.language.family == familyRust && s.Flags&facts.Abstract != 0:
		if sub, ok := q.rustSub(f, s.Name); ok {
			return []thing{{kind: aModule, mod: sub}}
		}
		return nil
	case s.Type != facts.None: // import A = B.C
		return q.eval(f, s.Type, nil, 1)
	}
	return []thing{{kind: aType, ref: r}}
}

// typeParam says what a type parameter stands for: an argument, else what it must be.
func (q *Question) typeParam(r Ref, s *facts.Symbol, en *env, depth int) []thing {
	f := q.file(r.File)
	if en != nil && s.Parent != facts.None {
		n := 0
		for i := s.Parent + 1; i < r.Index; i++ {
			if p := f.symbol(i); p.Kind == code.KindTypeParam && p.Parent == s.Parent {
				n++
			}
		}
		for ; en != nil; en = en.outer {
			if en.of == (Ref{r.File, s.Parent}) || q.file(en.of.File).symbol(en.of.Index).Name == f.symbol(s.Parent).Owner {
				return q.argument(en.f, en.args, n, en.outer, depth)
			}
		}
	}
	return q.eval(f, s.Type, nil, depth)
}

// argument evaluates the n-th of the expressions of a tuple.
func (q *Question) argument(f *file, tuple int32, n int, en *env, depth int) []thing {
	for ; tuple != facts.None; n-- {
		x := f.Expr(int(tuple))
		if x.Op != facts.OpTuple {
			if n == 0 {
				return q.eval(f, tuple, en, depth)
			}
			return nil
		}
		if n == 0 {
			return q.eval(f, x.X, en, depth)
		}
		tuple = x.Y
	}
	return nil
}

// result is what a call of a function gives.
func (q *Question) result(r Ref, en *env, depth int) []thing {
	f := q.file(r.File)
	s := f.symbol(r.Index)
	if s.Flags&facts.Inferred == 0 {
		return values(q.eval(f, s.Type, en, depth))
	}
	v := q.eval(f, s.Type, en, depth)
	if f.language != nil && f.language.dynamic {
		v = guesses(v)
	}
	return v
}

// called is what a call of a thing gives.
func (q *Question) called(t thing, depth int) []thing {
	switch t.kind {
	case aType:
		return values([]thing{t})
	case aFunc:
		return q.own(t, q.result(t.ref, t.env, depth))
	case aClosure:
		return values(q.eval(t.f, t.expr, t.env, depth))
	case aValue:
		if u := q.underlying(t, depth); len(u) > 0 {
			return q.each(u, func(t thing) []thing { return q.called(t, depth+1) })
		}
		things, _ := q.through(t, []string{"__call__", "call"}, depth)
		return things
	case outside:
		return q.calledOutside(t, depth)
	}
	return nil
}

// own puts the receiver where a method says that it returns its own type, or
// what it is called on.
func (q *Question) own(method thing, result []thing) []thing {
	if method.recv == nil || len(result) != 1 || result[0].name != "Self" && !q.returnsThis(method.ref) {
		return result
	}
	recv := *method.recv
	recv.super, recv.guess = false, recv.guess || result[0].guess
	return values([]thing{recv})
}

func (q *Question) returnsThis(method Ref) bool {
	f := q.file(method.File)
	typ := f.symbol(method.Index).Type
	return typ != facts.None && f.Expr(int(typ)).Op == facts.OpThis
}

// underlying is what the type of a named value is declared as, where that is another type.
func (q *Question) underlying(t thing, depth int) []thing {
	if t.unnamed || depth > maxDepth {
		return nil
	}
	f := q.file(t.ref.File)
	switch s := f.symbol(t.ref.Index); {
	case s.Type == facts.None:
	case s.Kind == code.KindType:
		return values(q.eval(f, s.Type, t.env, depth))
	case s.Kind == code.KindInterface: // how it is called
		for _, e := range tuple(f, s.Type) {
			if e != facts.None && f.Expr(int(e)).Op == facts.OpFunc {
				return q.eval(f, e, t.env, depth)
			}
		}
	}
	return nil
}

// through is the result of the first of the methods that a value has.
func (q *Question) through(t thing, methods []string, depth int) (things []thing, ok bool) {
	for _, name := range methods {
		if found, st := q.member(t, name, depth); st == stateFound {
			return q.own(thing{ref: found[0].ref, recv: &t}, q.result(found[0].ref, found[0].env, depth)), true
		}
	}
	return nil, false
}

// The second operands of OpElem.
const (
	elemValue = iota
	elemKey
	elemAwait
	elemEnter
)

// element is an element, a key, the awaited or the entered value of a thing.
func (q *Question) element(t thing, which int32, depth int) []thing {
	if t.kind == aValue && !t.unnamed {
		if u := q.underlying(t, depth); len(u) > 0 {
			return q.each(u, func(t thing) []thing { return q.element(t, which, depth+1) })
		}
		if l := q.file(t.ref.File).language; l != nil && l.element != nil {
			if got, ok := l.element(q, t, which, depth); ok {
				return got
			}
		}
	}
	switch {
	case t.kind == outside:
		return q.outsideElement(t, which, depth)
	case which == elemAwait, which == elemEnter && t.kind != aList, t.kind == aType, t.kind == aFunc: // also an instance of something generic
		return []thing{t}
	case t.kind == aList, t.kind == aMap && which == elemValue:
		return values(q.eval(t.f, t.expr, t.env, depth))
	case t.kind == aTuple:
		return values(q.argument(t.f, t.expr, 0, t.env, depth))
	}
	return nil
}

// outsideElement is an element of a value of a type from elsewhere, by its
// type arguments: of a key the first of them, of an element the last.
func (q *Question) outsideElement(t thing, which int32, depth int) []thing {
	if t.f == nil {
		return []thing{t}
	}
	n := 0
	if which == elemValue && !strings.EqualFold(t.name, "tuple") {
		n = countArguments(t) - 1
	}
	return values(q.argument(t.f, t.expr, n, t.env, depth))
}

// countArguments counts the type arguments of what comes from elsewhere.
func countArguments(t thing) int {
	n := 0
	for e := t.expr; e != facts.None; n++ {
		x := t.f.Expr(int(e))
		if x.Op != facts.OpTuple {
			return n + 1
		}
		e = x.Y
	}
	return n
}

// part is the n-th of the results of a thing.
func (q *Question) part(t thing, n int, depth int) []thing {
	switch t.kind {
	case aTuple:
		return values(q.argument(t.f, t.expr, n, t.env, depth))
	case aList, aMap, aValue:
		return q.element(t, elemValue, depth)
	case outside:
		if t.f != nil && t.f.language != nil && t.f.language.dynamic && !strings.EqualFold(t.name, "tuple") {
			return q.outsideElement(t, elemValue, depth)
		}
		if t.f != nil {
			return values(q.argument(t.f, t.expr, n, t.env, depth))
		}
		return []thing{t}
	}
	return nil
}
