package meaning

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/generic"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/narrow"
	"espy/internal/resolve/overload"
)

// Eval says what an expression may stand for; nothing where that is not known.
func (e *Evaluator) Eval(x infer.Expr, b infer.Budget) []infer.Thing {
	if x.At == facts.None || b.Spent() {
		return nil
	}
	b.Spend()
	if x.Env != nil {
		return e.step(x, b.Deeper())
	}
	return x.File.Values.Recall(x.At, b, func() []infer.Thing { return e.step(x, b.Deeper()) })
}

func (e *Evaluator) step(x infer.Expr, b infer.Budget) []infer.Thing {
	switch n := x.Node(); n.Op {
	case facts.OpUse:
		return e.evalUse(x.To(n.X), b)
	case facts.OpValue:
		return infer.Named(infer.Values(e.Eval(x.To(n.X), b)))
	case facts.OpSymbol:
		if self, ok := generic.SelfIn(e, x); ok {
			return infer.Types([]infer.Thing{self})
		}
		return e.thingsOf(corpus.Ref{File: x.File.ID, Index: n.X}, x.Env, b)
	case facts.OpThis, facts.OpSuper:
		if self, ok := generic.SelfIn(e, x); ok {
			return []infer.Thing{self}
		}
		return []infer.Thing{{Kind: infer.AValue, Ref: e.wholeType(x.File, n.X), Super: n.Op == facts.OpSuper, Env: generic.Around(x)}}
	case facts.OpMembers:
		return []infer.Thing{{Kind: infer.AType, Ref: corpus.Ref{File: x.File.ID, Index: n.X}, Unnamed: true, Part: n.Y + 1, Env: x.Env}}
	case facts.OpCall:
		return infer.Each(e.called(x.To(n.X), b), func(t infer.Thing) []infer.Thing {
			if made, ok := generic.Worked(e, t, x.To(n.X), b); ok {
				return made
			}
			t = generic.Instance(e, t, x.To(n.X), generic.AllArguments, b)
			if callee := x.To(n.X).Node(); t.Kind == infer.AFunc && callee.Op == facts.OpUse && x.File.Language != nil && x.File.Language.Conversions != nil {
				if taken := overload.Taken(e, t, x.File, callee.X, b); len(taken) > 0 {
					return taken
				}
			}
			if l := x.File.Language; l != nil && l.OpenResults {
				return infer.Generics(e.Give(t, b))
			}
			return e.Give(t, b)
		})
	case facts.OpElem:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing { return e.elementOf(x.File.Language, t, infer.Part(n.Y), b) })
	case facts.OpResult:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing { return e.Part(t, int(n.Y), b) })
	case facts.OpTuple:
		return []infer.Thing{{Kind: infer.ATuple, Expr: x}}
	case facts.OpApply:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing { return e.applied(t, x.To(n.Y), b) })
	case facts.OpUnion:
		return e.union(x.To(n.X), x.To(n.Y), b)
	case facts.OpBoth:
		return infer.AllOf(x.To(n.X), e.Eval(x.To(n.X), b), e.Eval(x.To(n.Y), b))
	case facts.OpNarrow, facts.OpExcept:
		return narrow.Tested(e, x.To(n.X), x.To(n.Y), n.Op == facts.OpExcept, b)
	case facts.OpShaped:
		return narrow.Shaped(e, x, b)
	case facts.OpGives:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing {
			return []infer.Thing{generic.Expected(e, t, infer.Values(e.Eval(x.To(n.Y), b)), b)}
		})
	case facts.OpElse:
		if known := e.Eval(x.To(n.X), b); len(known) > 0 {
			return infer.Guesses(known)
		}
		return e.Eval(x.To(n.Y), b)
	case facts.OpLiteral:
		if n.X == facts.LiteralPointer { // which has the members of what it leads to
			return e.Eval(x.To(n.Y), b)
		}
		return infer.Literal(x, n)
	case facts.OpFunc:
		return []infer.Thing{{Kind: infer.AClosure, Expr: x.To(n.X), Params: n.Y}}
	case facts.OpOn:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing {
			t.On = n.Y + 1
			return []infer.Thing{t}
		})
	case facts.OpBlock:
		return infer.Each(e.called(x.To(n.X), b), func(t infer.Thing) []infer.Thing {
			return e.given(generic.Instance(e, t, x.To(n.X), 0, b), lastArgument, b)
		})
	case facts.OpSelf:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing { return generic.RunsOn(e, t, b) })
	case facts.OpArgument:
		return infer.Each(e.called(x.To(n.X), b), func(t infer.Thing) []infer.Thing {
			return e.given(generic.Instance(e, t, x.To(n.X), int(n.Y), b), int(n.Y), b)
		})
	case facts.OpItself:
		return infer.Itselves(e.Eval(x.To(n.X), b))
	case facts.OpPredicate:
		return []infer.Thing{{Kind: infer.ABuiltin, Argument: facts.LiteralBool}}
	case facts.OpGuarded:
		return infer.Each(e.Eval(x.To(n.X), b), func(t infer.Thing) []infer.Thing { return narrow.Guarded(e, t, b) })
	}
	return nil
}

// called is what a call may call. Of functions of one name and of the signatures of a type
// those are left that take as many arguments.
func (e *Evaluator) called(callee infer.Expr, b infer.Budget) []infer.Thing {
	things := e.Eval(callee, b)
	if l := callee.File.Language; l == nil || !l.TypesApart {
		return things
	}
	return infer.Each(generic.Callable(e, things, callee, b), func(t infer.Thing) []infer.Thing {
		if t.Kind == infer.AValue && !t.Unnamed {
			if all := e.Underlying(t, b); len(all) > 1 || len(all) == 1 && all[0].Kind == infer.AClosure {
				return generic.Fitting(all, callee)
			}
		}
		return []infer.Thing{t}
	})
}

// union is what one of two expressions stands for.
func (e *Evaluator) union(x, y infer.Expr, b infer.Budget) []infer.Thing {
	return infer.OneOf(x, y, e.Eval(x, b), e.Eval(y, b))
}

// elementOf is a part of a thing in an expression of a language.
func (e *Evaluator) elementOf(l *infer.Language, t infer.Thing, which infer.Part, b infer.Budget) []infer.Thing {
	if (which < infer.EnteredPart || which == infer.LoopPart) && t.Kind == infer.Elsewhere && t.Expr.File == nil && l != nil && l.Dynamic && infer.IsUpper(t.Name) {
		return nil // where a value stands, a generic type such as Union[A, B] does not say what it is given
	}
	return e.Element(t, which, b)
}

// applied is a thing with type arguments.
func (e *Evaluator) applied(t infer.Thing, args infer.Expr, b infer.Budget) []infer.Thing {
	if l := args.File.Language; t.Kind == infer.Elsewhere && l != nil && l.Utilities[t.Name] {
		return infer.WithoutSome(e.Argument(args, 0, b), t.Name, args)
	} else if t.Kind == infer.Elsewhere && l != nil && l.Maps[t.Name] {
		return []infer.Thing{{Kind: infer.AMap, Expr: args.Last()}}
	} else if t.Kind == infer.Elsewhere && l != nil && l.Derived[t.Name] != 0 {
		return infer.Each(e.Argument(args, 0, b), func(of infer.Thing) []infer.Thing { return generic.Derived(e, of, l.Derived[t.Name], args, b) })
	}
	return []infer.Thing{t.Apply(args)}
}

// Argument evaluates expression n of a tuple, from 0.
func (e *Evaluator) Argument(tuple infer.Expr, n int, b infer.Budget) []infer.Thing {
	for ; tuple.At != facts.None; n-- {
		node := tuple.Node()
		if node.Op != facts.OpTuple {
			if n == 0 {
				return e.Eval(tuple, b)
			}
			return nil
		}
		if n == 0 {
			return e.Eval(tuple.To(node.X), b)
		}
		tuple.At = node.Y
	}
	return nil
}

// evalUse says what a use, which x.at is here, may stand for as a part of an expression.
func (e *Evaluator) evalUse(x infer.Expr, b infer.Budget) []infer.Thing {
	u := x.File.Meant(x.At)
	var receivers []infer.Thing
	if u.Bind == facts.BindMember && !x.File.IsTop(u) {
		receivers = narrow.Left(e, generic.Components(e, x.File, u, generic.Nested(e, x.To(u.Target), u, b), b), u.Name, b)
	}
	if u.Bind != facts.BindMember || x.File.IsTop(u) || len(receivers) == 0 && x.File.IsOfBlocks(u) {
		a := e.meaning(x.File, x.At, b)
		if a.State == infer.Outside {
			if half := e.inheritedHalf(x.File, u, b); len(half) > 0 {
				return half
			}
			return []infer.Thing{{Kind: infer.Elsewhere, Name: cmp.Or(a.Via, u.Name), Generic: a.Generic}}
		}
		return generic.OnSelf(e, x.File, u, x.Env, e.meant(&a, x.Env, b), b)
	}
	if u.Target != facts.None && x.To(u.Target).Node().Op == facts.OpElse && x.File.IsImplicit(u) && !e.haveMember(receivers, u, b) {
		if a := e.meaning(x.File, x.At, b); a.State == infer.Found {
			return e.meant(&a, x.Env, b)
		}
		if x.File.MayBeElse(u) {
			return e.onlyNamed(x.File, u, b)
		}
	}
	if len(receivers) == 0 {
		return e.onlyNamed(x.File, u, b)
	}
	several := len(receivers) > 1
	return infer.Each(receivers, func(t infer.Thing) []infer.Thing {
		if several && x.File.IsNarrowed(t, u) {
			return nil
		}
		return e.memberThings(x.File, t, u, b)
	})
}

// haveMember reports whether one of some things has the member that a use names.
func (e *Evaluator) haveMember(things []infer.Thing, u *facts.Use, b infer.Budget) bool {
	return slices.ContainsFunc(things, func(t infer.Thing) bool {
		_, state := e.Member(t, u.Name, b)
		return state == infer.Found
	})
}

// inheritedHalf is that of a bare name in a type that inherits from a pair.
func (e *Evaluator) inheritedHalf(f *infer.File, u *facts.Use, b infer.Budget) []infer.Thing {
	if f.Language == nil || f.Language.Halves == nil {
		return nil
	}
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		t := corpus.Ref{File: f.ID, Index: i}
		if owner, ok := e.OwnerType(t, b); ok && !f.Symbol(i).Kind.IsType() {
			t = owner
		}
		if half := generic.HalfAbove(e, infer.ValueOf(t), u.Name, b); len(half) > 0 {
			return half
		}
	}
	return nil
}

// meant are the things that an answer stands for.
func (e *Evaluator) meant(a *infer.Answer, in *infer.Env, b infer.Budget) []infer.Thing {
	var all []infer.Thing
	for _, m := range a.Modules {
		all = append(all, infer.Thing{Kind: infer.AModule, Module: m})
	}
	refs := a.Refs
	if e.areParts(refs) {
		refs = refs[:1]
	}
	for _, r := range refs {
		if things := e.thingsOf(r, in, b); !infer.IsAmong(all, things) {
			all = infer.Either(all, things)
		}
	}
	return all
}

// memberThings are the things that a member of a thing stands for, in a file.
func (e *Evaluator) memberThings(f *infer.File, t infer.Thing, u *facts.Use, b infer.Budget) []infer.Thing {
	name := u.Name
	var found []infer.Member
	var state infer.State
	if l := f.Language; l != nil && l.CallsAccessors && l.Suits != nil {
		found, state = e.MemberFor(t, u, b)
	} else {
		found, state = e.Member(t, name, b)
	}
	found, state = f.OrAdded(t, name, found, state, b)
	if state != infer.Found {
		if f.Language != nil && name == f.Language.Maker {
			return infer.Made(t)
		}
		if keyed := e.keyed(t, 0, b); len(keyed) > 0 {
			return keyed
		}
	}
	if state == infer.Absent && t.Kind == infer.AValue && e.keeps(t, name) {
		return []infer.Thing{{Kind: infer.Elsewhere, Name: name, Recv: &t}}
	}
	if state == infer.Outside {
		if of := e.aliased(t, name, b); len(of) > 0 {
			return infer.Each(of, func(t infer.Thing) []infer.Thing { return e.memberThings(f, t, u, b.Deeper()) })
		}
		if held := generic.Held(e, t, name, b); len(held) > 0 {
			return held
		}
		generic := t.Generic && u.Role != facts.RoleType || t.Kind == infer.Elsewhere && t.Expr.File != nil || t.Kind == infer.AList || t.Kind == infer.AMap
		return []infer.Thing{{Kind: infer.Elsewhere, Name: name, Generic: generic, Recv: &t}}
	}
	var all []infer.Thing
	for _, m := range e.chosen(f, e.membersInSpace(found, u.Role), u, b) {
		if m.Module != nil {
			all = infer.Either(all, []infer.Thing{{Kind: infer.AModule, Module: m.Module}})
			continue
		}
		more := generic.ThroughClass(f.Language, t, name, e.described(m, t, e.thingsOf(m.Ref, m.Env, b), b))
		if infer.IsAmong(all, more) {
			continue
		}
		if m.Guess {
			more = infer.Guesses(more)
		}
		if m.Method {
			more = generic.Generated(e, t, m, name)
		}
		if len(more) == 1 && more[0].Kind == infer.AFunc {
			more = []infer.Thing{more[0]}
			more[0].Recv = &t
		}
		all = infer.Either(all, more)
	}
	return all
}

// chosen are the members that a call means by what it gives, where some of them go first.
func (e *Evaluator) chosen(f *infer.File, found []infer.Member, u *facts.Use, b infer.Budget) []infer.Member {
	if len(found) < 2 || u.Role != facts.RoleCall || f.Language == nil || f.Language.Nearness == nil && f.Language.Narrow == nil || b.TooDeep() {
		return found
	}
	refs := infer.Answer{}
	refs.Add(found)
	left := e.Called(corpus.Ref{File: f.ID, Index: int32(f.Facts.UsesFrom(u.At))}, refs.Refs, b.Deeper())
	return slices.DeleteFunc(slices.Clone(found), func(m infer.Member) bool { return m.Module == nil && !slices.Contains(left, m.Ref) })
}

// aliased is what the type of a value is another name of, in languages whose types from
// elsewhere are known by what they hold, and for the methods of containers.
func (e *Evaluator) aliased(t infer.Thing, method string, b infer.Budget) []infer.Thing {
	if t.Kind != infer.AValue || t.Unnamed || e.read.Symbol(t.Ref).Kind != code.KindType {
		return nil
	}
	if l := e.Language(t.Ref.File); l == nil || !l.Decays && !(l.KeysAreMembers && l.IsOfContainers(method)) {
		return nil
	}
	return e.Underlying(t, b)
}

// described is what the values that a class holds give when they are read
// through a value of the class, where they have a method for that.
func (e *Evaluator) described(m infer.Member, of infer.Thing, things []infer.Thing, b infer.Budget) []infer.Thing {
	l := e.Language(m.Ref.File)
	if l == nil || l.Descriptor == "" || of.Kind != infer.AValue || b.TooDeep() || e.read.Symbol(m.Ref).Kind.IsFunc() || e.IsSetThrough(m.Ref) {
		return things
	}
	return infer.Each(things, func(t infer.Thing) []infer.Thing {
		if t.Kind != infer.AValue {
			return []infer.Thing{t}
		}
		var given []infer.Thing
		found, state := e.Member(t, l.Descriptor, b.Deeper())
		for _, get := range found {
			for _, g := range infer.Values(e.result(get.Ref, get.Env, b.Deeper())) {
				if r, ok := g.Symbol(); !ok || r != t.Ref { // the descriptor itself, read through the class
					given = infer.Either(given, []infer.Thing{g})
				}
			}
		}
		if state != infer.Found || len(given) == 0 {
			return []infer.Thing{t}
		}
		return given
	})
}

// keyed is what a thing gives for a key that it does not declare, in languages
// where that looks like a member.
func (e *Evaluator) keyed(t infer.Thing, level int, b infer.Budget) []infer.Thing {
	if level > maxAbove || b.Spent() {
		return nil
	}
	switch t.Kind {
	case infer.AMap:
		if l := t.Expr.File.Language; l != nil && l.KeysAreMembers {
			return e.Element(t, infer.ElementPart, b)
		}
	case infer.AType, infer.AValue:
		if l := e.File(t.Ref.File).Language; l == nil || !l.KeysAreMembers || t.Unnamed {
			return nil
		}
		bases, _ := e.Above(t, b)
		return infer.Each(bases, func(base infer.Thing) []infer.Thing { return e.keyed(base, level+1, b.Deeper()) })
	}
	return nil
}

// keeps reports whether a method that the type of a value lacks gives the value
// again, as clone does.
func (e *Evaluator) keeps(t infer.Thing, method string) bool {
	l := e.File(t.Ref.File).Language
	return l != nil && (l.Unwraps[method] || l.Variants && l.Containers[method] == infer.TheSame)
}

// onlyNamed is what a member of something unknown stands for where the
// repository has one member of that name.
func (e *Evaluator) onlyNamed(f *infer.File, u *facts.Use, b infer.Budget) []infer.Thing {
	only := corpus.Ref{File: facts.None}
	for _, r := range e.read.Of(f.ID).Named(u.Name) {
		if e.read.Corpus().Family(r.File) != f.Family || !corpus.IsMember(e.read.Symbol(r)) || e.read.IsShort(r) {
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
	return infer.Suppositions(e.thingsOf(only, nil, b))
}

// ThingsOf says what a symbol stands for.
func (e *Evaluator) ThingsOf(r corpus.Ref, b infer.Budget) []infer.Thing {
	return e.thingsOf(r, nil, b)
}

func (e *Evaluator) thingsOf(r corpus.Ref, in *infer.Env, b infer.Budget) []infer.Thing {
	if b.Spent() {
		return nil
	}
	if in != nil {
		return e.thingsOfSymbol(r, in, b.Deeper())
	}
	return e.symbols.Recall(r, b, func() []infer.Thing { return e.thingsOfSymbol(r, nil, b.Deeper()) })
}

func (e *Evaluator) thingsOfSymbol(r corpus.Ref, in *infer.Env, b infer.Budget) []infer.Thing {
	f := e.File(r.File)
	s := f.Symbol(r.Index)
	if s.Kind == code.KindMacro && f.Language != nil && f.Language.Expands != nil {
		if steps, value := f.Language.Expands(r); value {
			return e.along(f, steps, b)
		}
	}
	switch {
	case s.Kind == code.KindTypeParam:
		return generic.TypeParam(e, r, in, b)
	case s.Kind == code.KindModule:
		return e.namespace(f, r, s, b)
	case s.Kind.IsType():
		return []infer.Thing{{Kind: infer.AType, Ref: e.defined(f, r, s), Env: in.Generic()}}
	case s.Kind == code.KindParam && s.Type == facts.None && f.Language != nil && f.Language.InheritsAttributes:
		return e.parameterAbove(f, s, b)
	case s.Kind.IsFunc() && s.Flags&facts.Accessor != 0 && !f.CallsAccessors():
		return e.result(r, in, b)
	case s.Kind.IsFunc():
		return []infer.Thing{{Kind: infer.AFunc, Ref: r, Env: in.Generic()}}
	case f.IsVariant(s):
		return []infer.Thing{{Kind: infer.AValue, Ref: corpus.Ref{File: r.File, Index: s.Parent}, Variant: r.Index + 1}}
	case s.Flags&facts.Inferred == 0:
		return infer.Values(e.Eval(f.Expr(s.Type, in), b))
	case f.Language != nil && f.Language.Dynamic:
		return e.inferred(r, s, in, b)
	}
	return e.Eval(f.Expr(s.Type, in), b)
}

// along is what steps lead to.
func (e *Evaluator) along(f *infer.File, steps []infer.Step, b infer.Budget) (things []infer.Thing) {
	for _, s := range steps {
		switch s.Op {
		case infer.StepName:
			a := e.meaning(f, s.Use, b)
			things = e.meant(&a, nil, b)
		case infer.StepValue:
			things = infer.Values(things)
		case infer.StepMember:
			things = infer.Each(things, func(t infer.Thing) []infer.Thing { return e.memberThings(f, t, f.Use(s.Use), b) })
		case infer.StepCall:
			things = infer.Each(things, func(t infer.Thing) []infer.Thing { return e.Give(t, b) })
		case infer.StepElement:
			things = infer.Each(things, func(t infer.Thing) []infer.Thing { return e.Element(t, infer.ElementPart, b) })
		}
	}
	return things
}

// parameterAbove is what a parameter without a type stands for: that of its name
// in the method that its own overrides.
func (e *Evaluator) parameterAbove(f *infer.File, s *facts.Symbol, b infer.Budget) []infer.Thing {
	if s.Parent == facts.None {
		return nil
	}
	method := f.Symbol(s.Parent)
	if method.Parent == facts.None || !method.Kind.IsFunc() || !f.Symbol(method.Parent).Kind.IsType() {
		return nil
	}
	class := infer.ValueOf(corpus.Ref{File: f.ID, Index: method.Parent})
	found, _ := e.walk(method.Name).above(class, b.Restart())
	for _, m := range found {
		if p, state := e.parameter(m.Ref, s.Name); state == infer.Found && e.read.Symbol(p[0].Ref).Type != facts.None {
			return infer.Guesses(e.thingsOf(p[0].Ref, m.Env, b))
		}
	}
	return nil
}

// inferred is what a symbol without a written type stands for in a dynamic language.
func (e *Evaluator) inferred(r corpus.Ref, s *facts.Symbol, in *infer.Env, b infer.Budget) []infer.Thing {
	f := e.File(r.File)
	if above := e.declaredAbove(f, r, s, b); len(above) > 0 {
		return e.thingsOf(above[0], in, b)
	}
	all := infer.Guesses(e.Eval(f.Expr(s.Type, in), b))
	if len(all) == 1 && all[0].Kind == infer.Elsewhere && all[0].Name == "TypeVar" {
		return generic.TypeVariable(e, r, in, b)
	}
	return generic.ClassNamed(e, f, s, all)
}

// namespace is what a symbol that holds names stands for: a module, an alias or itself.
func (e *Evaluator) namespace(f *infer.File, r corpus.Ref, s *facts.Symbol, b infer.Budget) []infer.Thing {
	if f.Language != nil && f.Language.Namespace != nil {
		if m, known := f.Language.Namespace(r, s); known {
			if m == nil {
				return nil
			}
			return []infer.Thing{{Kind: infer.AModule, Module: m}}
		}
	}
	if f.Language != nil && s.Type != facts.None { // import A = B.C
		return e.Eval(f.Expr(s.Type, nil), b.Restart())
	}
	return []infer.Thing{infer.TypeOf(e.defined(f, r, s))}
}

// wholeType is the part of a type that stands for all.
func (e *Evaluator) wholeType(f *infer.File, typ int32) corpus.Ref {
	r := corpus.Ref{File: f.ID, Index: typ}
	if f.Language == nil || !f.Language.Reopens {
		return r
	}
	return e.defined(f, r, f.Symbol(typ))
}

// Defined returns the definition of a type that a prototype may announce.
func (e *Evaluator) Defined(r corpus.Ref) corpus.Ref {
	return e.defined(e.File(r.File), r, e.read.Symbol(r))
}

// defined is the definition of a type that a prototype announces.
func (e *Evaluator) defined(f *infer.File, r corpus.Ref, s *facts.Symbol) corpus.Ref {
	if f.Language != nil && (f.Language.Reopens || f.Language.Twins && s.Flags&facts.Local == 0) { // the first part stands for all
		return e.Together(r)[0]
	}
	if f.Language == nil || !f.Language.Prototypes || s.Flags&facts.Abstract == 0 {
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
func (e *Evaluator) result(r corpus.Ref, in *infer.Env, b infer.Budget) []infer.Thing {
	f := e.File(r.File)
	s := f.Symbol(r.Index)
	v := e.Eval(f.Expr(s.Type, in), b)
	switch {
	case s.Flags&facts.Inferred == 0:
		return infer.Values(v)
	case f.Language != nil && f.Language.Dynamic:
		return infer.Guesses(v)
	}
	return v
}

// inherited is what a call of a method gives, which it may have from a type above that of
// its receiver.
func (e *Evaluator) inherited(method infer.Thing, b infer.Budget) []infer.Thing {
	in := generic.Self(e, method, b)
	if in == method.Env {
		return e.result(method.Ref, in, b)
	}
	return e.onSelf.Recall(onSelf{method.Ref, in.Self.Ref, in.Self.Kind}, b, func() []infer.Thing { return e.result(method.Ref, in, b.Deeper()) })
}
