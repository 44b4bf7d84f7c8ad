package meaning

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/generic"
	"espy/internal/resolve/infer"
)

// Member finds what a thing has under a name.
func (e *Evaluator) Member(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State) {
	switch t.Kind {
	case infer.AType, infer.AValue:
		return e.typeMember(t, name, b)
	case infer.AFunc:
		return e.namedArgument(t, name, b)
	case infer.AModule:
		return e.moduleMember(t.Module, name, b)
	case infer.AList:
		return e.decayed(t, name, b)
	case infer.ALiteral:
		return generic.KeyMembers(e, t, name, b)
	case infer.Elsewhere:
		for _, typ := range e.typeItself(t, b) {
			return e.Member(typ, name, b.Deeper())
		}
		if found := generic.Stored(e, t, name, b); len(found) > 0 {
			return found, infer.Found
		}
	}
	return nil, infer.Outside
}

// decayed finds what an array has under a name: what its first element has, in
// languages where it stands for a pointer to that.
func (e *Evaluator) decayed(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State) {
	if l := t.Expr.File.Language; l == nil || !l.Decays || b.TooDeep() {
		return nil, infer.Outside
	}
	for _, of := range e.Element(t, infer.ElementPart, b.Deeper()) {
		return e.Member(of, name, b.Deeper())
	}
	return nil, infer.Unknown
}

// typeItself is the type that a value stands for: X for type[X].
func (e *Evaluator) typeItself(t infer.Thing, b infer.Budget) []infer.Thing {
	if t.Kind != infer.Elsewhere || t.Recv != nil || t.Expr.File == nil || t.Expr.File.Language == nil || b.TooDeep() || !t.Expr.File.Language.Metatypes[t.Name] {
		return nil
	}
	return infer.Each(e.Argument(t.Expr, 0, b.Deeper()), func(t infer.Thing) []infer.Thing {
		if t.Kind != infer.AType && t.Kind != infer.AValue {
			return nil
		}
		t.Kind = infer.AType
		return []infer.Thing{t}
	})
}

// MemberFor finds what a thing has under the name of a use. Where methods stand
// apart from fields, a call means a method, and a field goes before a method
// that is referred to.
func (e *Evaluator) MemberFor(t infer.Thing, u *facts.Use, b infer.Budget) ([]infer.Member, infer.State) {
	r, typed := t.Symbol()
	l := e.languageOf(r, typed)
	if l != nil && l.NamedConstructors && (u.Name == "this" || u.Role == facts.RoleCall && (u.Name == "super" || u.Name == "base" && t.Super)) {
		return e.constructors(t, b)
	}
	if l != nil && l.CallsAccessors && l.Suits != nil {
		return e.suiting(l, t, u, b)
	}
	if l == nil || !l.MethodsApart {
		return e.Member(t, u.Name, b)
	}
	found, state := e.memberOfKind(t, u.Name, u.Role == facts.RoleCall, b)
	if state != infer.Found && u.Role != facts.RoleCall { // as the key of an annotation is
		if methods, ok := e.memberOfKind(t, u.Name, true, b); ok == infer.Found {
			return methods, ok
		}
	}
	return found, state
}

// suiting finds what a thing has under the name of a use that can mean it: a method that
// takes an assigned value does not hide the one that is read.
func (e *Evaluator) suiting(l *infer.Language, t infer.Thing, u *facts.Use, b infer.Budget) ([]infer.Member, infer.State) {
	found, state := e.Member(t, u.Name, b)
	suits := func(s *facts.Symbol) bool { return l.Suits(s, u) }
	if state != infer.Found || t.Unnamed || u.Role == facts.RoleWrite || slices.ContainsFunc(found, func(m infer.Member) bool { return m.Module != nil || suits(e.read.Symbol(m.Ref)) }) {
		return found, state
	}
	return e.findMember(t, u.Name, suits, b)
}

// constructors are those of the type of a value, or of the types above it, where
// they bear the name of their type.
func (e *Evaluator) constructors(t infer.Thing, b infer.Budget) ([]infer.Member, infer.State) {
	types, state := []infer.Thing{t}, infer.Absent
	if t.Super {
		types, _ = e.Above(t, b.Deeper())
	}
	var all []infer.Member
	for _, t := range types {
		if t.Kind != infer.AType && t.Kind != infer.AValue {
			state = infer.Outside
			continue
		}
		for _, r := range e.Declared(t.Ref, e.read.Symbol(t.Ref).Name, b) {
			if e.read.Symbol(r).Kind.IsFunc() {
				all, state = append(all, infer.Member{Ref: r, Guess: t.Guess}), infer.Found
			}
		}
	}
	return all, state
}

func (e *Evaluator) languageOf(r corpus.Ref, ok bool) *infer.Language {
	if !ok {
		return nil
	}
	return e.Language(r.File)
}

// memberOfKind finds a member that is called, or one that is not.
func (e *Evaluator) memberOfKind(t infer.Thing, name string, called bool, b infer.Budget) ([]infer.Member, infer.State) {
	w := e.walk(name)
	w.want = func(s *facts.Symbol) bool { return infer.IsCalled(s, called) }
	if t.Super {
		return w.above(t, b)
	}
	return w.find(t, b)
}

// typeMember finds a member of a type or of a value, and remembers it where a type
// may be declared in many parts and inherit from many others, or be one of many in a union.
func (e *Evaluator) typeMember(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State) {
	l := e.File(t.Ref.File).Language
	if l == nil || !l.Reopens && !l.TypesApart || t.Env != nil || t.Unnamed || t.Variant > 0 || t.Open || t.Extends {
		return e.findMember(t, name, nil, b)
	}
	key := memberKey{t.Ref, name, t.Kind, t.Super}
	known := e.members.Recall(key, b, func() (a memberAnswer) {
		plain := t
		plain.Guess = false
		a.found, a.state = e.findMember(plain, name, nil, b)
		return a
	})
	if !t.Guess {
		return known.found, known.state
	}
	found := slices.Clone(known.found)
	for i := range found {
		found[i].Guess = true
	}
	return found, known.state
}

// findMember finds a member of a type or of a value that is wanted, any where want is nil.
// Where static members stand apart, a value has those that are not static and a type the
// others, unless there are none of these.
func (e *Evaluator) findMember(t infer.Thing, name string, want func(*facts.Symbol) bool, b infer.Budget) ([]infer.Member, infer.State) {
	find := func(w *typeWalk) ([]infer.Member, infer.State) {
		if w.want = want; t.Super {
			return w.above(t, b)
		}
		return w.find(t, b)
	}
	l := e.Language(t.Ref.File)
	apart := l != nil && l.StaticsApart && !t.Unnamed
	if apart {
		w := e.walk(name)
		w.only, w.static = true, t.Kind == infer.AType
		if found, state := find(w); state == infer.Found || !w.skipped || w.static && name == l.Maker { // new of values makes none of the type
			return found, state
		}
	}
	found, state := find(e.walk(name))
	if apart && l.Reopens && t.Kind == infer.AValue {
		found = infer.Apart(found)
	}
	if state != infer.Found && t.Kind == infer.AValue {
		if all := e.anywhere(t, name); len(all) > 0 {
			return all, infer.Found
		}
	}
	return found, state
}

// anywhere are the members of a name that any value has.
func (e *Evaluator) anywhere(t infer.Thing, name string) (all []infer.Member) {
	l := e.File(t.Ref.File).Language
	if l == nil || l.Anywhere == nil {
		return nil
	}
	for _, r := range l.Anywhere(name) {
		all = append(all, infer.Member{Ref: r, Guess: t.Guess})
	}
	return all
}

func (e *Evaluator) moduleMember(m *infer.Module, name string, b infer.Budget) ([]infer.Member, infer.State) {
	a := e.Exported(m, name, b)
	var all []infer.Member
	for _, r := range a.Refs {
		all = append(all, infer.Member{Ref: r})
	}
	for _, sub := range a.Modules {
		all = append(all, infer.Member{Module: sub})
	}
	return all, a.State
}

// Exported finds what a module has under a name, by the rules of the repository
// that it is of.
func (e *Evaluator) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	home := m.Home
	if len(m.Files) > 0 {
		home = e.read.Corpus().Home(m.Files[0])
	}
	l := e.languages[home][m.Family]
	if l == nil {
		return infer.Answer{}
	}
	return l.Exported(m, name, b)
}

// namedArgument finds what a call of a function names: a parameter, or in a
// component a member of its first parameter.
func (e *Evaluator) namedArgument(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State) {
	if l := e.File(t.Ref.File).Language; l != nil && l.ComponentArguments {
		for _, p := range e.takes(t, 0, b.Deeper()) {
			if found, state := e.Member(p, name, b.Deeper()); state == infer.Found {
				return found, state
			}
		}
	}
	if typ := e.File(t.Ref.File).TypeOf(t.Ref.Index); typ != facts.None {
		for _, of := range e.Eval(e.File(t.Ref.File).Expr(typ, t.Env), b.Deeper()) {
			if found, state := e.Member(of, name, b.Deeper()); state == infer.Found {
				return found, state
			}
		}
	}
	return e.parameter(t.Ref, name)
}

// parameter finds a parameter of a function by name.
func (e *Evaluator) parameter(fn corpus.Ref, name string) ([]infer.Member, infer.State) {
	if i := e.File(fn.File).Parameter(fn.Index, name); i != facts.None {
		return []infer.Member{{Ref: corpus.Ref{File: fn.File, Index: i}}}, infer.Found
	}
	return nil, infer.Outside
}

// Give is what a call of a thing gives.
func (e *Evaluator) Give(t infer.Thing, b infer.Budget) []infer.Thing {
	switch t.Kind {
	case infer.AType:
		t.Itself = false
		return infer.Values([]infer.Thing{t})
	case infer.AFunc:
		return e.onReceiver(t, e.inherited(t, b))
	case infer.AClosure:
		if l := t.Expr.File.Language; l != nil && l.TypesApart { // which may give a class itself
			return e.Eval(t.Expr, b)
		}
		return infer.Values(e.Eval(t.Expr, b))
	case infer.AValue:
		if t.Variant > 0 { // a call with its fields
			return []infer.Thing{t}
		}
		if u := e.Underlying(t, b); len(u) > 0 {
			return infer.Each(u, func(t infer.Thing) []infer.Thing { return e.Give(t, b.Deeper()) })
		}
		things, _ := e.Through(t, []string{"__call__", "call"}, b)
		return things
	case infer.Elsewhere:
		if types := e.typeItself(t, b); len(types) > 0 {
			return infer.Values(types)
		}
		return e.calledOutside(t, b)
	}
	return nil
}

// onReceiver replaces the result of a method by its receiver where the method
// returns its own type or its receiver.
func (e *Evaluator) onReceiver(method infer.Thing, result []infer.Thing) []infer.Thing {
	if method.Recv == nil || len(result) != 1 || result[0].Name != "Self" && !e.returnsThis(method.Ref) {
		return result
	}
	recv := *method.Recv
	recv.Super, recv.Guess = false, recv.Guess || result[0].Guess
	return infer.Values([]infer.Thing{recv})
}

func (e *Evaluator) returnsThis(method corpus.Ref) bool {
	x := infer.Expr{File: e.File(method.File)}
	x.At = x.File.Symbol(method.Index).Type
	return x.At != facts.None && x.Node().Op == facts.OpThis
}

// Underlying is what the type of a named value is declared as, where that is
// another type.
func (e *Evaluator) Underlying(t infer.Thing, b infer.Budget) []infer.Thing {
	if t.Unnamed || b.TooDeep() {
		return nil
	}
	f := e.File(t.Ref.File)
	s := f.Symbol(t.Ref.Index)
	x := f.Expr(s.Type, t.Env)
	switch {
	case s.Type == facts.None:
	case s.Kind == code.KindType:
		return infer.Values(e.Eval(x, b))
	case s.Kind == code.KindInterface: // how it is called
		var all []infer.Thing
		for _, i := range x.Tuple() {
			if i != facts.None && x.To(i).Node().Op == facts.OpFunc {
				all = infer.Either(all, e.Eval(x.To(i), b))
			}
		}
		return all
	}
	return nil
}

// Through is the result of the first of the methods that a value has.
func (e *Evaluator) Through(t infer.Thing, methods []string, b infer.Budget) (things []infer.Thing, ok bool) {
	for _, name := range methods {
		if found, state := e.Member(t, name, b); state == infer.Found {
			m := found[0]
			return e.onReceiver(infer.Thing{Ref: m.Ref, Recv: &t}, e.result(m.Ref, m.Env, b)), true
		}
	}
	return nil, false
}

// Element is a part of a thing: an element, a key, the awaited or the entered value.
func (e *Evaluator) Element(t infer.Thing, which infer.Part, b infer.Budget) []infer.Thing {
	if which == infer.RangePart && t.Kind != infer.AValue {
		which = infer.LoopPart
	}
	if which == infer.HeldPart {
		return infer.Held(e.languageOf(t.Symbol()), t)
	}
	if which == infer.LoopPart && generic.IsPairs(t) {
		return []infer.Thing{t}
	}
	if which == infer.LoopPart && (t.Kind != infer.AValue || t.Unnamed) {
		if which = infer.ElementPart; t.Kind == infer.AMap || t.Kind == infer.Elsewhere && generic.LoopsKeys(t) {
			which = infer.KeyPart
		}
	}
	if t.Kind == infer.AValue {
		if u := e.Underlying(t, b); len(u) > 0 {
			return infer.Each(u, func(t infer.Thing) []infer.Thing { return e.Element(t, which, b.Deeper()) })
		}
		if l := e.File(t.Ref.File).Language; l != nil && l.Element != nil && (!t.Unnamed || l.Prototypes) {
			if things, ok := l.Element(t, which, b); ok {
				return things
			}
		}
	}
	switch {
	case t.Kind == infer.Elsewhere:
		return generic.OutsideElement(e, t, which, b)
	case t.Kind == infer.AClosure && which <= infer.KeyPart, t.Kind == infer.AFunc && which == infer.KeyPart:
		return generic.Looped(e, t, which, b)
	case which == infer.AwaitedPart, which == infer.EnteredPart && t.Kind != infer.AList, t.Kind == infer.AType, t.Kind == infer.AFunc: // also an instance of something generic
		return []infer.Thing{t}
	case t.Kind == infer.AList && t.Entries:
		return []infer.Thing{{Kind: infer.AnEntry, Expr: t.Expr}}
	case t.Kind == infer.AList, t.Kind == infer.AMap && t.Holds(which).At != facts.None:
		return generic.Awaited(e, t, infer.Elements(t.Expr.File.Language, e.Eval(t.Holds(which), b)), b)
	case t.Kind == infer.ATuple:
		return generic.Awaited(e, t, infer.Elements(t.Expr.File.Language, e.Argument(t.Expr, 0, b)), b)
	}
	return nil
}

// Part is result n of a thing, from 0.
func (e *Evaluator) Part(t infer.Thing, n int, b infer.Budget) []infer.Thing {
	switch t.Kind {
	case infer.ATuple:
		if t.Recv != nil {
			return e.given(*t.Recv, n, b)
		}
		return generic.Awaited(e, t, infer.Elements(t.Expr.File.Language, e.Argument(t.Expr, n, b)), b)
	case infer.AnEntry:
		if n == 1 {
			return infer.Values(e.Eval(t.Expr, b))
		}
	case infer.AValue:
		if fields := e.File(t.Ref.File).FieldsOf(t); fields.At != facts.None {
			return infer.Values(e.Argument(fields, n, b))
		}
		if l := e.Language(t.Ref.File); l != nil && l.Halves != nil {
			return e.fieldAt(t, n, b)
		}
		if l := e.Language(t.Ref.File); l != nil && l.TypesApart && e.read.Symbol(t.Ref).Kind == code.KindType {
			return infer.Each(e.Underlying(t, b), func(t infer.Thing) []infer.Thing { return e.Part(t, n, b.Deeper()) })
		}
		return e.Element(t, infer.ElementPart, b)
	case infer.AList, infer.AMap:
		return e.Element(t, infer.ElementPart, b)
	case infer.Elsewhere:
		switch f := t.Expr.File; {
		case f == nil:
			return generic.PartOfModel(e, t, n)
		case f.Language != nil && f.Language.Dynamic && !generic.IsTuple(t.Name) && !generic.IsPairs(t):
			return generic.OutsideElement(e, t, infer.ElementPart, b)
		}
		return infer.Values(e.Argument(t.Expr, n, b))
	}
	return nil
}

// fieldAt is field n of a value, from 0.
func (e *Evaluator) fieldAt(t infer.Thing, n int, b infer.Budget) []infer.Thing {
	f := e.File(t.Ref.File)
	end := f.Symbol(t.Ref.Index).End
	for i := t.Ref.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		s := f.Symbol(i)
		if s.Parent != t.Ref.Index || s.Kind != code.KindField || s.Flags&facts.Static != 0 {
			continue
		}
		if n == 0 {
			return e.thingsOf(corpus.Ref{File: t.Ref.File, Index: i}, t.Env, b)
		}
		n--
	}
	return nil
}

// calledOutside is what a call of something from elsewhere gives: itself, unless
// it is a method of a container.
func (e *Evaluator) calledOutside(t infer.Thing, b infer.Budget) []infer.Thing {
	if r := t.Recv; r != nil && r.Kind == infer.AValue {
		if e.keeps(*r, t.Name) {
			return []infer.Thing{*r}
		}
	}
	if applied, ok := generic.Applied(e, t, b); ok {
		return applied
	}
	if made := generic.OfModel(e, t, infer.AnElement); len(made) > 0 {
		return made
	}
	c, l := e.container(t, infer.AList, infer.AMap, infer.ATuple, infer.Elsewhere)
	if l == nil {
		return []infer.Thing{t}
	}
	switch l.Containers[t.Name] {
	case infer.AnElement:
		return e.Element(*c, infer.ElementPart, b)
	case infer.AKey:
		return e.Element(*c, infer.KeyPart, b)
	case infer.TheSame:
		if l.Inner != nil {
			return generic.Pointed(e, *c, b)
		}
		return []infer.Thing{*c}
	case infer.AllElements:
		if list := *c; c.Kind != infer.Elsewhere {
			list.Kind = infer.AList
			return []infer.Thing{list}
		}
		return []infer.Thing{{Kind: infer.AList, Expr: c.Expr.Last()}}
	case infer.AllEntries:
		if c.Kind == infer.Elsewhere && c.Expr.Count() == 2 {
			return []infer.Thing{{Kind: infer.AList, Expr: c.Expr}}
		}
		return nil
	}
	return []infer.Thing{t}
}

// container is infer.ContainerOf, also of a value whose type says what it holds.
func (e *Evaluator) container(method infer.Thing, kinds ...infer.Kind) (*infer.Thing, *infer.Language) {
	if r := method.Recv; r != nil && r.Kind == infer.AValue && e.Language(r.Ref.File).HoldsElements() {
		return r, e.Language(r.Ref.File)
	}
	return infer.ContainerOf(method, kinds...)
}

// lastArgument is the last argument of a call; what is from elsewhere takes one only.
const lastArgument = -1

// given is what a call of a thing must give as argument n, from 0.
func (e *Evaluator) given(t infer.Thing, n int, b infer.Budget) []infer.Thing {
	if b.TooDeep() {
		return nil
	}
	switch t.Kind {
	case infer.AFunc:
		if f := e.File(t.Ref.File); n == lastArgument && f.Language != nil && f.Language.Reopens && f.Language.Mixins { // a block
			return e.Eval(f.Expr(f.BlockOf(t.Ref.Index), generic.Self(e, t, b)), b)
		}
		return e.takes(t, n, b)
	case infer.AClosure:
		return infer.Values(e.Argument(t.Expr.To(t.Params), n, b))
	case infer.AType, infer.AValue:
		if fields := e.File(t.Ref.File).FieldsOf(t); fields.At != facts.None {
			return infer.Values(e.Argument(fields, n, b))
		}
		l := e.File(t.Ref.File).Language
		if t.Kind == infer.AValue && l != nil && l.Functional != nil && !l.ComponentArguments {
			return infer.Each(generic.CalledAs(e, t, b), func(t infer.Thing) []infer.Thing { return e.takes(t, n, b) })
		}
		if t.Kind == infer.AValue {
			return infer.Each(e.Underlying(t, b), func(t infer.Thing) []infer.Thing { return e.given(t, n, b.Deeper()) })
		}
		if l != nil && l.NamedConstructors {
			made, _ := e.constructors(t, b)
			return infer.Each(infer.Functions(made), func(t infer.Thing) []infer.Thing { return e.takes(t, n, b) })
		}
		if l == nil || l.Constructor == "" {
			return nil
		}
		if made, state := e.Member(t, l.Constructor, b); state == infer.Found {
			return e.given(infer.Thing{Kind: infer.AFunc, Ref: made[0].Ref, Env: made[0].Env, Recv: infer.MadeBy(t)}, n, b.Deeper())
		}
	case infer.Elsewhere:
		n = max(0, n)
		if f := t.Expr.File; f != nil && f.Language != nil && n < len(f.Language.Functional[t.Name]) {
			return infer.Values(e.Argument(t.Expr, f.Language.Functional[t.Name][n], b))
		}
		if c, l := infer.ContainerOf(t, infer.AList, infer.AMap, infer.ATuple, infer.Elsewhere); l != nil {
			if from, ok := l.Takes[t.Name]; ok && n >= from {
				return e.Element(*c, infer.ElementPart, b)
			}
		}
		if c, l := e.container(t, infer.AList, infer.ATuple, infer.Elsewhere); l != nil && l.CallsArgument(t.Name, n) {
			return []infer.Thing{{Kind: infer.ACallback, Recv: c, Argument: int32(l.Callbacks[t.Name])}}
		}
		return generic.Passed(e, t, b)
	case infer.ACallback:
		switch pairs := t.Recv.Kind == infer.Elsewhere && t.Recv.Expr.Count() == 2; {
		case pairs && n == 1:
			return e.Element(*t.Recv, infer.ElementPart, b)
		case pairs: // a key, or both
		case n == int(t.Argument), t.Argument == infer.EachArgument:
			return e.Element(*t.Recv, infer.ElementPart, b)
		}
	}
	return nil
}

// takes is the type of parameter n of a function, from 0.
func (e *Evaluator) takes(t infer.Thing, n int, b infer.Budget) []infer.Thing {
	return infer.Values(e.Eval(e.ParameterOf(t, n), b))
}

// ParameterOf is the type of parameter n of a function as it is written, from 0; of
// lastArgument that of the last.
// Where the function takes any number of arguments, the last parameter stands for all
// that follow.
func (e *Evaluator) ParameterOf(t infer.Thing, n int) infer.Expr {
	f := e.File(t.Ref.File)
	fn := f.Symbol(t.Ref.Index)
	if fn.MaxArgs != facts.ManyArgs && n >= int(fn.MaxArgs) {
		return f.Expr(facts.None, nil)
	}
	rests := fn.MaxArgs == facts.ManyArgs && f.Language != nil && f.Language.RestsAreLists
	at, started, found := -1, uint32(0), f.Expr(facts.None, nil)
	end := infer.EndOfParameters(fn)
	for i := t.Ref.Index + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Start >= end {
			break
		}
		if s.Parent != t.Ref.Index || s.Kind != code.KindParam || s.Start == started || f.IsReceiver(s, fn) {
			continue // also another name of the same pattern
		}
		if at, started = at+1, s.Start; at > n && n != lastArgument {
			return found
		}
		found = f.Expr(f.ParameterType(s), t.Env)
		if at == n && !rests {
			return found
		}
	}
	switch {
	case rests:
		return found.Repeated()
	case n == lastArgument:
		return found
	}
	return f.Expr(facts.None, nil)
}
