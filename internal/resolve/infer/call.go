package infer

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// Member finds what a thing has under a name.
func (e *Evaluator) Member(t Thing, name string, b Budget) ([]Member, State) {
	switch t.kind {
	case aType, aValue:
		return e.typeMember(t, name, b)
	case aFunc:
		return e.namedArgument(t, name, b)
	case aModule:
		return e.moduleMember(t.module, name, b)
	case outside:
		for _, typ := range e.typeItself(t, b) {
			return e.Member(typ, name, b.Deeper())
		}
	}
	return nil, Outside
}

// typeItself is the type that a value stands for: X for type[X].
func (e *Evaluator) typeItself(t Thing, b Budget) []Thing {
	if t.kind != outside || t.recv != nil || t.expr.file == nil || t.expr.file.language == nil || b.tooDeep() || !t.expr.file.language.Metatypes[t.name] {
		return nil
	}
	return Each(e.argument(t.expr, 0, b.Deeper()), func(t Thing) []Thing {
		if t.kind != aType && t.kind != aValue {
			return nil
		}
		t.kind = aType
		return []Thing{t}
	})
}

// MemberFor finds what a thing has under the name of a use. Where methods stand
// apart from fields, a call means a method, and a field goes before a method
// that is referred to.
func (e *Evaluator) MemberFor(t Thing, u *facts.Use, b Budget) ([]Member, State) {
	r, typed := t.Symbol()
	if l := e.languageOf(r, typed); l == nil || !l.MethodsApart {
		return e.Member(t, u.Name, b)
	}
	if u.Role == facts.RoleCall && (u.Name == "this" || u.Name == "super") {
		return e.constructors(t, b)
	}
	found, state := e.memberOfKind(t, u.Name, u.Role == facts.RoleCall, b)
	if state != Found && u.Role != facts.RoleCall { // as the key of an annotation is
		if methods, ok := e.memberOfKind(t, u.Name, true, b); ok == Found {
			return methods, ok
		}
	}
	return found, state
}

// constructors are those of the type of a value, or of the types above it, where
// they bear the name of their type.
func (e *Evaluator) constructors(t Thing, b Budget) ([]Member, State) {
	types, state := []Thing{t}, Absent
	if t.super {
		types, _ = e.bases(t, b.Deeper())
	}
	var all []Member
	for _, t := range types {
		if t.kind != aType && t.kind != aValue {
			state = Outside
			continue
		}
		for _, r := range e.Declared(t.ref, e.read.Symbol(t.ref).Name, b) {
			if e.read.Symbol(r).Kind.IsFunc() {
				all, state = append(all, Member{Ref: r, guess: t.guess}), Found
			}
		}
	}
	return all, state
}

func (e *Evaluator) languageOf(r corpus.Ref, ok bool) *Language {
	if !ok {
		return nil
	}
	return e.Language(r.File)
}

// memberOfKind finds a member that is called, or one that is not.
func (e *Evaluator) memberOfKind(t Thing, name string, called bool, b Budget) ([]Member, State) {
	w := e.walk(name)
	w.want = func(s *facts.Symbol) bool { return IsCalled(s, called) }
	if t.super {
		return w.above(t, b)
	}
	return w.find(t, b)
}

// IsCalled reports whether a symbol can be what a call names, or what is named
// without one, in a language where the two stand apart.
func IsCalled(s *facts.Symbol, call bool) bool {
	return s.Kind.IsType() || s.Kind.IsFunc() == call || call && s.Flags&facts.Accessor != 0
}

// typeMember finds a member of a type or of a value. Where static members stand
// apart, a value has those that are not static and a type the others, unless there
// are none of these.
func (e *Evaluator) typeMember(t Thing, name string, b Budget) ([]Member, State) {
	find := func(w *typeWalk) ([]Member, State) {
		if t.super {
			return w.above(t, b)
		}
		return w.find(t, b)
	}
	if l := e.file(t.ref.File).language; l != nil && l.StaticsApart && !t.unnamed {
		w := e.walk(name)
		w.only, w.static = true, t.kind == aType
		if found, state := find(w); state == Found || !w.skipped {
			return found, state
		}
	}
	return find(e.walk(name))
}

func (e *Evaluator) moduleMember(m *Module, name string, b Budget) ([]Member, State) {
	l := e.languages[m.Family]
	if l == nil {
		return nil, Unknown
	}
	a := l.Exported(m, name, b)
	var all []Member
	for _, r := range a.Refs {
		all = append(all, Member{Ref: r})
	}
	for _, sub := range a.Modules {
		all = append(all, Member{Module: sub})
	}
	return all, a.State
}

// namedArgument finds what a call of a function names: a parameter, or in a
// component a member of its first parameter.
func (e *Evaluator) namedArgument(t Thing, name string, b Budget) ([]Member, State) {
	if l := e.file(t.ref.File).language; l != nil && l.ComponentArguments {
		for _, p := range e.takes(t, 0, b.Deeper()) {
			if found, state := e.Member(p, name, b.Deeper()); state == Found {
				return found, state
			}
		}
	}
	return e.parameter(t.ref, name)
}

// parameter finds a parameter of a function by name.
func (e *Evaluator) parameter(fn corpus.Ref, name string) ([]Member, State) {
	f := e.file(fn.File)
	end := f.Symbol(fn.Index).End
	for i := fn.Index + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Start >= end {
			break
		}
		if s.Parent == fn.Index && s.Kind == code.KindParam && s.Name == name {
			return []Member{{Ref: corpus.Ref{File: fn.File, Index: i}}}, Found
		}
	}
	return nil, Outside
}

// called is what a call of a thing gives.
func (e *Evaluator) called(t Thing, b Budget) []Thing {
	switch t.kind {
	case aType:
		return values([]Thing{t})
	case aFunc:
		return e.onReceiver(t, e.result(t.ref, t.env, b))
	case aClosure:
		return values(e.eval(t.expr, b))
	case aValue:
		if t.variant > 0 { // a call with its fields
			return []Thing{t}
		}
		if u := e.underlying(t, b); len(u) > 0 {
			return Each(u, func(t Thing) []Thing { return e.called(t, b.Deeper()) })
		}
		things, _ := e.Through(t, []string{"__call__", "call"}, b)
		return things
	case outside:
		if types := e.typeItself(t, b); len(types) > 0 {
			return values(types)
		}
		return e.calledOutside(t, b)
	}
	return nil
}

// onReceiver replaces the result of a method by its receiver where the method
// returns its own type or its receiver.
func (e *Evaluator) onReceiver(method Thing, result []Thing) []Thing {
	if method.recv == nil || len(result) != 1 || result[0].name != "Self" && !e.returnsThis(method.ref) {
		return result
	}
	recv := *method.recv
	recv.super, recv.guess = false, recv.guess || result[0].guess
	return values([]Thing{recv})
}

func (e *Evaluator) returnsThis(method corpus.Ref) bool {
	x := expr{file: e.file(method.File)}
	x.at = x.file.Symbol(method.Index).Type
	return x.at != facts.None && x.node().Op == facts.OpThis
}

// underlying is what the type of a named value is declared as, where that is
// another type.
func (e *Evaluator) underlying(t Thing, b Budget) []Thing {
	if t.unnamed || b.tooDeep() {
		return nil
	}
	f := e.file(t.ref.File)
	s := f.Symbol(t.ref.Index)
	x := expr{f, s.Type, t.env}
	switch {
	case s.Type == facts.None:
	case s.Kind == code.KindType:
		return values(e.eval(x, b))
	case s.Kind == code.KindInterface: // how it is called
		for _, i := range x.tuple() {
			if i != facts.None && x.to(i).node().Op == facts.OpFunc {
				return e.eval(x.to(i), b)
			}
		}
	}
	return nil
}

// Through is the result of the first of the methods that a value has.
func (e *Evaluator) Through(t Thing, methods []string, b Budget) (things []Thing, ok bool) {
	for _, name := range methods {
		if found, state := e.Member(t, name, b); state == Found {
			m := found[0]
			return e.onReceiver(Thing{ref: m.Ref, recv: &t}, e.result(m.Ref, m.env, b)), true
		}
	}
	return nil, false
}

// Element is a part of a thing: an element, a key, the awaited or the entered value.
func (e *Evaluator) Element(t Thing, which Part, b Budget) []Thing {
	if which == LoopPart && (t.kind != aValue || t.unnamed) {
		if which = ElementPart; t.kind == aMap || t.kind == outside && e.loopsKeys(t) {
			which = KeyPart
		}
	}
	if t.kind == aValue {
		if u := e.underlying(t, b); len(u) > 0 {
			return Each(u, func(t Thing) []Thing { return e.Element(t, which, b.Deeper()) })
		}
		if l := e.file(t.ref.File).language; l != nil && l.Element != nil && (!t.unnamed || l.Prototypes) {
			if things, ok := l.Element(t, which, b); ok {
				return things
			}
		}
	}
	switch {
	case t.kind == outside:
		return e.outsideElement(t, which, b)
	case which == AwaitedPart, which == EnteredPart && t.kind != aList, t.kind == aType, t.kind == aFunc: // also an instance of something generic
		return []Thing{t}
	case t.kind == aList, t.kind == aMap && which == ElementPart:
		return values(e.eval(t.expr, b))
	case t.kind == aTuple:
		return values(e.argument(t.expr, 0, b))
	}
	return nil
}

// loopsKeys reports whether a loop over a thing from elsewhere gives its keys.
func (e *Evaluator) loopsKeys(t Thing) bool {
	return t.expr.file != nil && t.expr.file.language != nil && t.expr.file.language.KeyLoops[t.name] && t.expr.count() == 2
}

// outsideElement is an element of a value of a type from elsewhere, by its
// type arguments: of a key the first of them, of an element the last.
func (e *Evaluator) outsideElement(t Thing, which Part, b Budget) []Thing {
	if t.expr.file == nil {
		return []Thing{t}
	}
	n := 0
	if l := t.expr.file.language; which == ElementPart && !isTuple(t.name) && (l == nil || !l.Leading[t.name]) {
		n = t.expr.count() - 1
	}
	return values(e.argument(t.expr, n, b))
}

func isTuple(name string) bool { return strings.EqualFold(name, "tuple") }

// part is result n of a thing, from 0.
func (e *Evaluator) part(t Thing, n int, b Budget) []Thing {
	switch t.kind {
	case aTuple:
		return values(e.argument(t.expr, n, b))
	case aValue:
		if fields := e.fields(t); fields.at != facts.None {
			return values(e.argument(fields, n, b))
		}
		return e.Element(t, ElementPart, b)
	case aList, aMap:
		return e.Element(t, ElementPart, b)
	case outside:
		switch f := t.expr.file; {
		case f == nil:
			return []Thing{t}
		case f.language != nil && f.language.Dynamic && !isTuple(t.name):
			return e.outsideElement(t, ElementPart, b)
		}
		return values(e.argument(t.expr, n, b))
	}
	return nil
}

// fields are the values that a type without names for them, or a constant of an
// enumeration, is made of: an OpTuple.
func (e *Evaluator) fields(t Thing) expr {
	f := e.file(t.ref.File)
	s := f.Symbol(t.ref.Index)
	if t.variant > 0 {
		s = f.Symbol(t.variant - 1)
	}
	x := expr{f, s.Type, t.env}
	if x.at == facts.None || f.language == nil || !f.language.Variants || x.node().Op != facts.OpFunc {
		return x.to(facts.None)
	}
	return x.to(x.node().Y)
}

// calledOutside is what a call of something from elsewhere gives: itself, unless
// it is a method of a container.
func (e *Evaluator) calledOutside(t Thing, b Budget) []Thing {
	if r := t.recv; r != nil && r.kind == aValue {
		if e.keeps(*r, t.name) {
			return []Thing{*r}
		}
	}
	c, l := container(t, aList, aMap, outside)
	if l == nil {
		return []Thing{t}
	}
	switch l.Containers[t.name] {
	case AnElement:
		return e.Element(*c, ElementPart, b)
	case AKey:
		return e.Element(*c, KeyPart, b)
	case TheSame:
		return []Thing{*c}
	case AllElements:
		if list := *c; c.kind != outside {
			list.kind = aList
			return []Thing{list}
		}
		return []Thing{{kind: aList, expr: c.expr.last()}}
	case AllEntries:
		if c.kind == outside && c.expr.count() == 2 {
			return []Thing{{kind: aList, expr: c.expr}}
		}
		return nil
	}
	return []Thing{t}
}

// container is what a method from elsewhere is a method of, where it is of one of
// the kinds and its elements are known, and the language that it is written in.
func container(method Thing, kinds ...thingKind) (*Thing, *Language) {
	c := method.recv
	if c == nil || c.expr.file == nil {
		return nil, nil
	}
	for _, k := range kinds {
		if c.kind == k {
			return c, c.expr.file.language
		}
	}
	return nil, nil
}

// given is what a call of a thing must give as argument n, from 0.
func (e *Evaluator) given(t Thing, n int, b Budget) []Thing {
	if b.tooDeep() {
		return nil
	}
	switch t.kind {
	case aFunc:
		return e.takes(t, n, b)
	case aClosure:
		return values(e.argument(t.expr.to(t.params), n, b))
	case aType, aValue:
		if fields := e.fields(t); fields.at != facts.None {
			return values(e.argument(fields, n, b))
		}
		if t.kind == aValue {
			return Each(e.underlying(t, b), func(t Thing) []Thing { return e.given(t, n, b.Deeper()) })
		}
		l := e.file(t.ref.File).language
		if l == nil || l.Constructor == "" {
			return nil
		}
		if made, state := e.Member(t, l.Constructor, b); state == Found {
			return e.takes(Thing{kind: aFunc, ref: made[0].Ref, env: made[0].env}, n, b)
		}
	case outside:
		if c, l := container(t, aList, outside); l != nil && n == 0 {
			if at, ok := l.Callbacks[t.name]; ok {
				return []Thing{{kind: aCallback, recv: c, argument: int32(at)}}
			}
		}
	case aCallback:
		if n == int(t.argument) {
			return e.Element(*t.recv, ElementPart, b)
		}
	}
	return nil
}

// takes is the type of parameter n of a function, from 0. Where the function
// takes any number of arguments, the last parameter stands for all that follow.
func (e *Evaluator) takes(t Thing, n int, b Budget) []Thing {
	f := e.file(t.ref.File)
	fn := f.Symbol(t.ref.Index)
	if fn.MaxArgs != facts.ManyArgs && n >= int(fn.MaxArgs) {
		return nil
	}
	at, started := -1, uint32(0)
	for i := t.ref.Index + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Start >= fn.End {
			break
		}
		if s.Parent != t.ref.Index || s.Kind != code.KindParam || s.Start == started || isReceiver(f, s, fn) {
			continue // also another name of the same pattern
		}
		if at, started = at+1, s.Start; at == n {
			return values(e.eval(expr{f, parameterType(f, s), t.env}, b))
		}
	}
	return nil
}

// isReceiver reports whether a parameter of a function takes the receiver.
func isReceiver(f *file, param, fn *facts.Symbol) bool {
	if param.Type == facts.None || f.language == nil || !f.language.ExplicitReceiver {
		return false
	}
	x := f.Facts.Expr(int(param.Type))
	return (x.Op == facts.OpThis || x.Op == facts.OpSymbol) && x.X == fn.Parent
}

// parameterType is the expression of the type of a parameter: that of the whole
// where the name stands in a pattern.
func parameterType(f *file, param *facts.Symbol) int32 {
	if param.Flags&facts.Inferred == 0 || param.Type == facts.None {
		return param.Type
	}
	if x := f.Facts.Expr(int(param.Type)); x.Op == facts.OpUse {
		if u := f.Use(x.X); u.Bind == facts.BindMember && u.At <= param.At {
			return u.Target
		}
	}
	return param.Type
}

// NumResults counts the values that a function returns, by its written types.
func (e *Evaluator) NumResults(fn corpus.Ref) int {
	f := e.file(fn.File)
	return expr{file: f, at: f.Symbol(fn.Index).Type}.count()
}
