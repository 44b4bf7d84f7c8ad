package infer

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// eval says what an expression may stand for; nothing where that is not known.
func (e *Evaluator) eval(x expr, b Budget) []Thing {
	if x.at == facts.None || b.spent() {
		return nil
	}
	b.spend()
	if x.env != nil {
		return e.step(x, b.Deeper())
	}
	if v, ok := x.file.values[x.at]; ok {
		return v
	}
	x.file.values[x.at] = nil // what depends on itself is not known
	v := e.step(x, b.Deeper())
	x.file.values[x.at] = v
	return v
}

func (e *Evaluator) step(x expr, b Budget) []Thing {
	switch n := x.node(); n.Op {
	case facts.OpUse:
		return e.evalUse(x.to(n.X), b)
	case facts.OpValue:
		return values(e.eval(x.to(n.X), b))
	case facts.OpSymbol:
		return e.thingsOf(corpus.Ref{File: x.file.ID, Index: n.X}, x.env, b)
	case facts.OpThis, facts.OpSuper:
		return []Thing{{kind: aValue, ref: corpus.Ref{File: x.file.ID, Index: n.X}, super: n.Op == facts.OpSuper}}
	case facts.OpMembers:
		return []Thing{{kind: aType, ref: corpus.Ref{File: x.file.ID, Index: n.X}, unnamed: true, env: x.env}}
	case facts.OpCall:
		return Each(e.eval(x.to(n.X), b), func(t Thing) []Thing {
			if callee := x.to(n.X).node(); t.kind == aFunc && callee.Op == facts.OpUse && x.file.language != nil && x.file.language.Conversions != nil {
				if taken := takenFor(e, t, x.file, callee.X, b); len(taken) > 0 {
					return taken
				}
			}
			return e.called(t, b)
		})
	case facts.OpElem:
		return Each(e.eval(x.to(n.X), b), func(t Thing) []Thing { return e.elementOf(x.file.language, t, Part(n.Y), b) })
	case facts.OpResult:
		return Each(e.eval(x.to(n.X), b), func(t Thing) []Thing { return e.part(t, int(n.Y), b) })
	case facts.OpTuple:
		return []Thing{{kind: aTuple, expr: x}}
	case facts.OpApply:
		return Each(e.eval(x.to(n.X), b), func(t Thing) []Thing { return e.applied(t, x.to(n.Y), b) })
	case facts.OpUnion:
		return e.union(x.to(n.X), x.to(n.Y), b)
	case facts.OpNarrow:
		return e.narrowed(e.eval(x.to(n.X), b), values(e.eval(x.to(n.Y), b)), b)
	case facts.OpExcept:
		return e.excluded(e.eval(x.to(n.X), b), values(e.eval(x.to(n.Y), b)), b)
	case facts.OpElse:
		if known := e.eval(x.to(n.X), b); len(known) > 0 {
			return guesses(known)
		}
		return e.eval(x.to(n.Y), b)
	case facts.OpLiteral:
		return literal(x, n)
	case facts.OpFunc:
		return []Thing{{kind: aClosure, expr: x.to(n.X), params: n.Y}}
	case facts.OpArgument:
		return Each(e.eval(x.to(n.X), b), func(t Thing) []Thing { return e.given(t, int(n.Y), b) })
	}
	return nil
}

// narrowed are the things that are known to be of one of some types: those among
// them that are below one, else values of these types.
func (e *Evaluator) narrowed(things, types []Thing, b Budget) []Thing {
	var all []Thing
	for _, t := range things {
		if t.kind == aValue && slices.ContainsFunc(types, func(o Thing) bool { return e.isOf(t, o, b) }) {
			all = append(all, t)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(types) > 0:
		return types
	}
	return things
}

// excluded are the things that are not known to be of one of some types, all where
// none is left.
func (e *Evaluator) excluded(things, types []Thing, b Budget) []Thing {
	var all []Thing
	for _, t := range things {
		if t.kind != aValue || !slices.ContainsFunc(types, func(o Thing) bool { return e.isOf(t, o, b) }) {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return things
	}
	return all
}

// isOf reports whether a value is of a type, itself or by what that inherits.
func (e *Evaluator) isOf(t, typ Thing, b Budget) bool {
	if typ.kind != aValue || t.ref == typ.ref {
		return typ.kind == aValue
	}
	found, _ := e.below(t.ref, typ, b)
	return found
}

// union is what one of two expressions stands for. Where one is not known, and types
// are given members, what the other has from elsewhere may be of the repository.
func (e *Evaluator) union(x, y expr, b Budget) []Thing {
	first, second := e.eval(x, b), e.eval(y, b)
	if l := x.file.language; l != nil && l.Mixins {
		if len(first) == 0 && !x.isNull() {
			second = generics(second)
		}
		if len(second) == 0 && !y.isNull() {
			first = generics(first)
		}
	}
	return either(first, second)
}

func literal(x expr, n facts.Expr) []Thing {
	switch n.X {
	case facts.LiteralList:
		return []Thing{{kind: aList, expr: x.to(n.Y)}}
	case facts.LiteralMap:
		return []Thing{{kind: aMap, expr: x.to(n.Y)}}
	case facts.LiteralNull:
		return nil
	}
	return []Thing{{kind: aBuiltin, argument: n.X}}
}

// elementOf is a part of a thing in an expression of a language.
func (e *Evaluator) elementOf(l *Language, t Thing, which Part, b Budget) []Thing {
	if (which < EnteredPart || which == LoopPart) && t.kind == outside && t.expr.file == nil && l != nil && l.Dynamic && isUpper(t.name) {
		return nil // where a value stands, a generic type such as Union[A, B] does not say what it is given
	}
	return e.Element(t, which, b)
}

// applied is a thing with type arguments.
func (e *Evaluator) applied(t Thing, args expr, b Budget) []Thing {
	if l := args.file.language; t.kind == outside && l != nil && l.Utilities[t.name] {
		return withoutSome(e.argument(args, 0, b), t.name)
	} else if t.kind == outside && l != nil && l.Maps[t.name] {
		return []Thing{{kind: aMap, expr: args.last()}}
	} else if t.kind == outside && l != nil && l.Derived[t.name] != 0 {
		return Each(e.argument(args, 0, b), func(of Thing) []Thing { return e.derived(of, l.Derived[t.name], b) })
	}
	return []Thing{t.apply(args)}
}

// derived is what a type makes of its argument.
func (e *Evaluator) derived(of Thing, how Derivation, b Budget) []Thing {
	switch how {
	case ItsInstance:
		return e.called(of, b)
	case ItsResult:
		return Each(values([]Thing{of}), func(t Thing) []Thing { return e.called(t, b) })
	}
	return Each(values([]Thing{of}), func(t Thing) []Thing { return e.Element(t, AwaitedPart, b) })
}

// argument evaluates expression n of a tuple, from 0.
func (e *Evaluator) argument(tuple expr, n int, b Budget) []Thing {
	for ; tuple.at != facts.None; n-- {
		node := tuple.node()
		if node.Op != facts.OpTuple {
			if n == 0 {
				return e.eval(tuple, b)
			}
			return nil
		}
		if n == 0 {
			return e.eval(tuple.to(node.X), b)
		}
		tuple.at = node.Y
	}
	return nil
}

// evalUse says what a use, which x.at is here, may stand for as a part of an expression.
func (e *Evaluator) evalUse(x expr, b Budget) []Thing {
	u := x.file.Use(x.at)
	if u.Bind != facts.BindMember {
		a := e.meaning(x.file, x.at, b)
		if a.State == Outside {
			return []Thing{{kind: outside, name: cmp.Or(a.Via, u.Name), generic: a.Generic}}
		}
		return e.meant(&a, x.env, b)
	}
	receivers := e.eval(x.to(u.Target), b)
	if len(receivers) == 0 {
		return e.onlyNamed(x.file, u, b)
	}
	several := len(receivers) > 1
	return Each(receivers, func(t Thing) []Thing {
		if several && isNarrowed(x.file, t, u) {
			return nil
		}
		return e.memberThings(t, u, b)
	})
}

// meant are the things that an answer stands for.
func (e *Evaluator) meant(a *Answer, in *env, b Budget) []Thing {
	var all []Thing
	for _, m := range a.Modules {
		all = append(all, Thing{kind: aModule, module: m})
	}
	for _, r := range a.Refs {
		all = either(all, e.thingsOf(r, in, b))
	}
	return all
}

// memberThings are the things that a member of a thing stands for.
func (e *Evaluator) memberThings(t Thing, u *facts.Use, b Budget) []Thing {
	name := u.Name
	found, state := e.Member(t, name, b)
	if state != Found {
		if keyed := e.keyed(t, 0, b); len(keyed) > 0 {
			return keyed
		}
	}
	if state == Absent && t.kind == aValue && e.keeps(t, name) {
		return []Thing{{kind: outside, name: name, recv: &t}}
	}
	if state == Outside {
		generic := t.generic || t.kind == outside && t.expr.file != nil || t.kind == aList || t.kind == aMap
		return []Thing{{kind: outside, name: name, generic: generic, recv: &t}}
	}
	var all []Thing
	for _, m := range e.membersInSpace(found, u.Role) {
		if m.Module != nil {
			all = either(all, []Thing{{kind: aModule, module: m.Module}})
			continue
		}
		more := e.described(m, t, e.thingsOf(m.Ref, m.env, b), b)
		if m.guess {
			more = guesses(more)
		}
		if len(more) == 1 && more[0].kind == aFunc {
			more = []Thing{more[0]}
			more[0].recv = &t
		}
		all = either(all, more)
	}
	return all
}

// described is what the values that a class holds give when they are read
// through a value of the class, where they have a method for that.
func (e *Evaluator) described(m Member, of Thing, things []Thing, b Budget) []Thing {
	l := e.Language(m.Ref.File)
	if l == nil || l.Descriptor == "" || of.kind != aValue || b.tooDeep() || e.read.Symbol(m.Ref).Kind.IsFunc() || e.IsSetThrough(m.Ref) {
		return things
	}
	return Each(things, func(t Thing) []Thing {
		if t.kind != aValue {
			return []Thing{t}
		}
		var given []Thing
		found, state := e.Member(t, l.Descriptor, b.Deeper())
		for _, get := range found {
			for _, g := range values(e.result(get.Ref, get.env, b.Deeper())) {
				if r, ok := g.Symbol(); !ok || r != t.ref { // the descriptor itself, read through the class
					given = either(given, []Thing{g})
				}
			}
		}
		if state != Found || len(given) == 0 {
			return []Thing{t}
		}
		return given
	})
}

// keyed is what a thing gives for a key that it does not declare, in languages
// where that looks like a member.
func (e *Evaluator) keyed(t Thing, level int, b Budget) []Thing {
	if level > maxAbove || b.spent() {
		return nil
	}
	switch t.kind {
	case aMap:
		if l := t.expr.file.language; l != nil && l.KeysAreMembers {
			return e.Element(t, ElementPart, b)
		}
	case aType, aValue:
		if l := e.file(t.ref.File).language; l == nil || !l.KeysAreMembers || t.unnamed {
			return nil
		}
		bases, _ := e.bases(t, b)
		return Each(bases, func(base Thing) []Thing { return e.keyed(base, level+1, b.Deeper()) })
	}
	return nil
}

// keeps reports whether a method that the type of a value lacks gives the value
// again, as clone does.
func (e *Evaluator) keeps(t Thing, method string) bool {
	l := e.file(t.ref.File).language
	return l != nil && (l.Unwraps[method] || l.Variants && l.Containers[method] == TheSame)
}

// onlyNamed is what a member of something unknown stands for where the
// repository has one member of that name.
func (e *Evaluator) onlyNamed(f *file, u *facts.Use, b Budget) []Thing {
	only := corpus.Ref{File: facts.None}
	for _, r := range e.read.Named(u.Name) {
		if e.read.Corpus().Family(r.File) != f.Family || !corpus.IsMember(e.read.Symbol(r)) {
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
	return suppositions(e.thingsOf(only, nil, b))
}

// ThingsOf says what a symbol stands for.
func (e *Evaluator) ThingsOf(r corpus.Ref, b Budget) []Thing { return e.thingsOf(r, nil, b) }

func (e *Evaluator) thingsOf(r corpus.Ref, in *env, b Budget) []Thing {
	if b.spent() {
		return nil
	}
	if in != nil {
		return e.thingsOfSymbol(r, in, b.Deeper())
	}
	if v, ok := e.symbols[r]; ok {
		return v
	}
	e.symbols[r] = nil // what depends on itself is not known
	v := e.thingsOfSymbol(r, nil, b.Deeper())
	e.symbols[r] = v
	return v
}

func (e *Evaluator) thingsOfSymbol(r corpus.Ref, in *env, b Budget) []Thing {
	f := e.file(r.File)
	s := f.Symbol(r.Index)
	switch {
	case s.Kind == code.KindTypeParam:
		return e.typeParam(r, s, in, b)
	case s.Kind == code.KindModule:
		return e.namespace(f, r, s, b)
	case s.Kind.IsType():
		return []Thing{{kind: aType, ref: e.defined(f, r, s), env: in}}
	case s.Kind == code.KindParam && s.Type == facts.None && f.language != nil && f.language.InheritsAttributes:
		return e.parameterAbove(f, s, b)
	case s.Kind.IsFunc() && s.Flags&facts.Accessor != 0:
		return e.result(r, in, b)
	case s.Kind.IsFunc():
		return []Thing{{kind: aFunc, ref: r, env: in}}
	case isVariant(f, s):
		return []Thing{{kind: aValue, ref: corpus.Ref{File: r.File, Index: s.Parent}, variant: r.Index + 1}}
	case s.Flags&facts.Inferred == 0:
		return values(e.eval(expr{f, s.Type, in}, b))
	case f.language != nil && f.language.Dynamic:
		return e.inferred(r, s, in, b)
	}
	return e.eval(expr{f, s.Type, in}, b)
}

// isVariant reports whether a symbol is a constant of an enumeration, which may
// have fields.
func isVariant(f *file, s *facts.Symbol) bool {
	if s.Kind != code.KindConst || s.Parent == facts.None || f.Symbol(s.Parent).Kind != code.KindEnum {
		return false
	}
	return s.Type == facts.None || f.language != nil && f.language.Variants
}

// parameterAbove is what a parameter without a type stands for: that of its name
// in the method that its own overrides.
func (e *Evaluator) parameterAbove(f *file, s *facts.Symbol, b Budget) []Thing {
	if s.Parent == facts.None {
		return nil
	}
	method := f.Symbol(s.Parent)
	if method.Parent == facts.None || !method.Kind.IsFunc() || !f.Symbol(method.Parent).Kind.IsType() {
		return nil
	}
	class := ValueOf(corpus.Ref{File: f.ID, Index: method.Parent})
	found, _ := e.walk(method.Name).above(class, b.Restart())
	for _, m := range found {
		if p, state := e.parameter(m.Ref, s.Name); state == Found && e.read.Symbol(p[0].Ref).Type != facts.None {
			return guesses(e.thingsOf(p[0].Ref, m.env, b))
		}
	}
	return nil
}

// inferred is what a symbol without a written type stands for in a dynamic language.
func (e *Evaluator) inferred(r corpus.Ref, s *facts.Symbol, in *env, b Budget) []Thing {
	f := e.file(r.File)
	if above := e.declaredAbove(f, r, s, b); len(above) > 0 {
		return e.thingsOf(above[0], in, b)
	}
	all := guesses(e.eval(expr{f, s.Type, in}, b))
	if len(all) == 1 && all[0].kind == outside && all[0].name == "TypeVar" {
		return e.typeVariable(r, in, b)
	}
	return all
}

// namespace is what a symbol that holds names stands for: a module where its
// language says so, else an alias or itself.
func (e *Evaluator) namespace(f *file, r corpus.Ref, s *facts.Symbol, b Budget) []Thing {
	if f.language != nil && f.language.Namespace != nil {
		if m, known := f.language.Namespace(r, s); known {
			if m == nil {
				return nil
			}
			return []Thing{{kind: aModule, module: m}}
		}
	}
	if f.language != nil && s.Type != facts.None { // import A = B.C
		return e.eval(expr{f, s.Type, nil}, b.Restart())
	}
	return []Thing{TypeOf(r)}
}

// defined is the definition of a type that a prototype announces.
func (e *Evaluator) defined(f *file, r corpus.Ref, s *facts.Symbol) corpus.Ref {
	if f.language == nil || !f.language.Prototypes || s.Flags&facts.Abstract == 0 {
		return r
	}
	for _, o := range e.Together(r) {
		if e.read.Symbol(o).Flags&facts.Abstract == 0 {
			return o
		}
	}
	return r
}

// result is what a call of a function gives.
func (e *Evaluator) result(r corpus.Ref, in *env, b Budget) []Thing {
	f := e.file(r.File)
	s := f.Symbol(r.Index)
	v := e.eval(expr{f, s.Type, in}, b)
	switch {
	case s.Flags&facts.Inferred == 0:
		return values(v)
	case f.language != nil && f.language.Dynamic:
		return guesses(v)
	}
	return v
}

// typeParam says what a type parameter stands for: an argument, else its bound.
func (e *Evaluator) typeParam(r corpus.Ref, s *facts.Symbol, in *env, b Budget) []Thing {
	f := e.file(r.File)
	if in != nil && f.language != nil && f.language.Variants && (s.Parent == facts.None || !f.Symbol(s.Parent).Kind.IsFunc() && !f.Symbol(s.Parent).Kind.IsType()) {
		if all, ok := e.typeParamNamed(s.Name, in, b); ok {
			return all
		}
	}
	if in != nil && s.Parent != facts.None {
		n := 0
		for i := s.Parent + 1; i < r.Index; i++ {
			if p := f.Symbol(i); p.Kind == code.KindTypeParam && p.Parent == s.Parent {
				n++
			}
		}
		for ; in != nil; in = in.args.env {
			if in.of == (corpus.Ref{File: r.File, Index: s.Parent}) || e.read.Symbol(in.of).Name == f.Symbol(s.Parent).Owner {
				return e.argument(in.args, n, b)
			}
		}
	}
	return e.eval(expr{f, s.Type, nil}, b)
}

// typeParamNamed says what a type parameter of an impl stands for: the argument of
// the type that the impl is of, for its parameter of that name.
func (e *Evaluator) typeParamNamed(name string, in *env, b Budget) (things []Thing, ok bool) {
	for ; in != nil; in = in.args.env {
		f := e.file(in.of.File)
		n := 0
		for i := in.of.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(in.of.Index).End; i++ {
			p := f.Symbol(i)
			if p.Kind != code.KindTypeParam || p.Parent != in.of.Index {
				continue
			}
			if p.Name == name {
				return e.argument(in.args, n, b), true
			}
			n++
		}
	}
	return nil, false
}

// typeVariable says what T = TypeVar("T") of Python stands for in a generic
// class with type arguments; nothing where there are none.
func (e *Evaluator) typeVariable(r corpus.Ref, in *env, b Budget) []Thing {
	for ; in != nil; in = in.args.env {
		if n := slices.Index(e.typeVariables(in.of, b), r); n >= 0 {
			return e.argument(in.args, n, b)
		}
	}
	return nil
}

// typeVariables are the type variables of a class: those in the brackets of its
// bases, in the order of Generic or Protocol where that is one of them.
func (e *Evaluator) typeVariables(class corpus.Ref, b Budget) []corpus.Ref {
	f := e.file(class.File)
	s := f.Symbol(class.Index)
	var all []corpus.Ref
	for i := f.Facts.UsesFrom(s.Start); i < f.Facts.NumUses() && f.Use(int32(i)).At < s.SigEnd; i++ {
		u := f.Use(int32(i))
		if u.In != class.Index {
			continue
		}
		if u.Role == facts.RoleInherit && (u.Name == "Generic" || u.Name == "Protocol") {
			all = nil
		}
		if u.Role != facts.RoleType {
			continue
		}
		for _, r := range e.meaning(f, int32(i), b.Restart()).Refs {
			if !slices.Contains(all, r) && !e.read.Symbol(r).Kind.IsType() {
				all = append(all, r)
			}
		}
	}
	return all
}
