// Package generic works out what the type parameters of functions and types stand for
// by what a call is given, and what functions from elsewhere give that work on
// functions and lists.
package generic

import (
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Evaluator says what expressions stand for.
type Evaluator interface {
	// File returns a file with what is known of it.
	File(id corpus.FileID) *infer.File
	// Meaning says what a use means.
	Meaning(use corpus.Ref, b infer.Budget) infer.Answer
	// Eval says what an expression may stand for.
	Eval(x infer.Expr, b infer.Budget) []infer.Thing
	// Member finds what a thing has under a name.
	Member(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State)
	// Give is what a call of a thing gives.
	Give(t infer.Thing, b infer.Budget) []infer.Thing
	// Element is a part of a thing, and Part the one at place n.
	Element(t infer.Thing, which infer.Part, b infer.Budget) []infer.Thing
	Part(t infer.Thing, n int, b infer.Budget) []infer.Thing
	// Argument evaluates expression n of a tuple.
	Argument(tuple infer.Expr, n int, b infer.Budget) []infer.Thing
	// Underlying is what a named type is declared as.
	Underlying(t infer.Thing, b infer.Budget) []infer.Thing
	// Above are the types that a type inherits from; whole is false where some are not known.
	Above(t infer.Thing, b infer.Budget) (all []infer.Thing, whole bool)
	// OwnerType is the type that a member belongs to, and Defined its first part.
	OwnerType(member corpus.Ref, b infer.Budget) (typ corpus.Ref, ok bool)
	Defined(typ corpus.Ref) corpus.Ref
	// ParameterOf is the type of parameter n of a function as it is written.
	ParameterOf(t infer.Thing, n int) infer.Expr
}

// AllArguments has Instance ask all functions among the arguments of a call.
const AllArguments = math.MaxInt32

// Instance is a generic function or type of which a call says what its type
// parameters stand for, by its arguments; of those that are functions only the ones
// before the argument of a number, from 0, are asked. Another thing stays as it is.
func Instance(e Evaluator, t infer.Thing, callee infer.Expr, before int, b infer.Budget) infer.Thing {
	if l := callee.File.Language; t.Kind == infer.AClosure && l != nil && l.TypesApart && !b.TooDeep() {
		return closure(e, t, callee, before, b)
	}
	if t.Kind != infer.AFunc && t.Kind != infer.AType || t.Unnamed || b.TooDeep() || t.Env != nil && t.Env.Of == t.Ref {
		return t
	}
	if l := callee.File.Language; l == nil || !l.Infers {
		return t
	}
	params := typeParameters(e, t.Ref)
	if len(params) == 0 {
		return t
	}
	given := givenTo(callee)
	if len(given) == 0 {
		return t
	}
	fn := t
	if t.Kind == infer.AType {
		made, state := e.Member(t, callee.File.Language.Constructor, b.Deeper())
		if state != infer.Found {
			return t
		}
		fn = infer.Thing{Kind: infer.AFunc, Ref: made[0].Ref, Env: made[0].Env}
	}
	u := unifier{e: e, params: params, found: make([][]infer.Thing, len(params))}
	for i, at := range given {
		if arg := callee.To(at); at != facts.None && (i < before || arg.Node().Op != facts.OpFunc) {
			values := valuesOf(e, arg, b.Deeper())
			if len(given) == 1 && len(values) == 1 && values[0].Kind == infer.ATuple && callee.File.Language.Spreads {
				u.spread(fn, values[0], b)
			} else if p := e.ParameterOf(fn, i); p.At != facts.None {
				u.unify(p, values, b.Deeper())
			}
		}
	}
	if !slices.ContainsFunc(u.found, func(all []infer.Thing) bool { return len(all) > 0 }) {
		return t
	}
	t.Env = &infer.Env{Of: t.Ref, Inferred: u.found, Outer: t.Env}
	return t
}

// spread takes the parts of what a call gives for what a function takes.
func (u *unifier) spread(fn, tuple infer.Thing, b infer.Budget) {
	for i := range tuple.Expr.Count() {
		if p := u.e.ParameterOf(fn, i); p.At != facts.None {
			u.unify(p, u.e.Part(tuple, i, b.Deeper()), b.Deeper())
		}
	}
}

// closure is Instance of a function without a name.
func closure(e Evaluator, t infer.Thing, callee infer.Expr, before int, b infer.Budget) infer.Thing {
	u := unifier{e: e, open: true}
	takes := t.Expr.To(t.Params).Tuple()
	for i, at := range givenTo(callee) {
		if arg := callee.To(at); i < len(takes) && at != facts.None && (i < before || arg.Node().Op != facts.OpFunc) {
			u.unify(t.Expr.To(takes[i]), valuesOf(e, arg, b.Deeper()), b.Deeper())
		}
	}
	if len(u.params) > 0 {
		t.Expr.Env = &infer.Env{Params: u.params, Inferred: u.found, Outer: t.Expr.Env}
	}
	return t
}

// givenTo are the arguments of the call of an expression, in languages where they
// tell what type parameters stand for.
func givenTo(callee infer.Expr) []int32 {
	l := callee.File.Language
	if l == nil || !l.Infers {
		return nil
	}
	n := callee.Node()
	if n.Op == facts.OpNarrow || n.Op == facts.OpExcept || n.Op == facts.OpGives {
		n = callee.To(n.X).Node()
	}
	if n.Op != facts.OpUse {
		return nil
	}
	return callee.File.Given(n.X)
}

// Expected is a generic function of which a value that its call must give says what its
// type parameters stand for. Another thing stays as it is.
func Expected(e Evaluator, t infer.Thing, wanted []infer.Thing, b infer.Budget) infer.Thing {
	if t.Kind != infer.AFunc || len(wanted) == 0 || b.TooDeep() || t.Env != nil && t.Env.Of == t.Ref {
		return t
	}
	params := typeParameters(e, t.Ref)
	f := e.File(t.Ref.File)
	if s := f.Symbol(t.Ref.Index); len(params) > 0 && s.Flags&facts.Inferred == 0 {
		u := unifier{e: e, params: params, found: make([][]infer.Thing, len(params))}
		u.unify(f.Expr(s.Type, t.Env), wanted, b.Deeper())
		if slices.ContainsFunc(u.found, func(all []infer.Thing) bool { return len(all) > 0 }) {
			t.Env = &infer.Env{Of: t.Ref, Inferred: u.found, Outer: t.Env}
		}
	}
	return t
}

// Fitting are the signatures of a type that take as many arguments as a call gives, else
// those that take more, else all.
func Fitting(signatures []infer.Thing, callee infer.Expr) []infer.Thing {
	args := arguments(callee)
	if args < 0 {
		return signatures
	}
	taking := func(fits func(n int) bool) []infer.Thing {
		return slices.DeleteFunc(slices.Clone(signatures), func(t infer.Thing) bool {
			return t.Kind != infer.AClosure || !fits(t.Expr.To(t.Params).Count())
		})
	}
	if exactly := taking(func(n int) bool { return n == args }); len(exactly) > 0 {
		return exactly
	}
	if more := taking(func(n int) bool { return n > args }); len(more) > 0 {
		return more
	}
	return signatures
}

// arguments are those that a call of an expression gives, -1 where that is not known.
func arguments(callee infer.Expr) int {
	n := callee.Node()
	for n.Op == facts.OpApply || n.Op == facts.OpGives {
		n = callee.To(n.X).Node()
	}
	if n.Op != facts.OpUse {
		return -1
	}
	return int(callee.File.Use(n.X).Args)
}

// typeParameters are those of a function or type, in order.
func typeParameters(e Evaluator, r corpus.Ref) (all []corpus.Ref) {
	f := e.File(r.File)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Kind != code.KindTypeParam || s.Parent != r.Index {
			break
		}
		all = append(all, corpus.Ref{File: r.File, Index: i})
	}
	return all
}

// unifier finds what type parameters stand for, by types that are written with them
// and the values that stand there.
type unifier struct {
	e      Evaluator
	params []corpus.Ref
	found  [][]infer.Thing
	takes  bool // what functions take tells, too
	open   bool // params are those that are met, and for which nothing stands
	keyed  bool // what is compared stands in a literal
}

func (u *unifier) unify(p infer.Expr, values []infer.Thing, b infer.Budget) {
	if p.At == facts.None || len(values) == 0 || b.Spent() {
		return
	}
	b.Spend()
	e := u.e
	n := p.Node()
	part := func(step func(infer.Thing) []infer.Thing) []infer.Thing { return infer.Each(values, step) }
	switch n.Op {
	case facts.OpValue:
		u.unify(p.To(n.X), values, b.Deeper())
	case facts.OpUse:
		u.name(p, n.X, values, b)
	case facts.OpUnion:
		u.unify(p.To(n.X), values, b.Deeper())
		u.unify(p.To(n.Y), values, b.Deeper())
	case facts.OpSymbol:
		u.symbol(p, n.X, values, b)
	case facts.OpBoth:
		u.unify(p.To(n.X), values, b.Deeper())
		u.unify(p.To(n.Y), values, b.Deeper())
	case facts.OpMembers:
		u.members(p, n, values, b.Deeper())
	case facts.OpOn:
		u.unify(p.To(n.X), values, b.Deeper())
	case facts.OpFunc:
		u.unify(p.To(n.X), part(func(t infer.Thing) []infer.Thing { return e.Give(t, b.Deeper()) }), b.Deeper())
		for i, at := range p.To(n.Y).Tuple() {
			if u.takes || isWritten(values, i) {
				u.unify(p.To(at), part(func(t infer.Thing) []infer.Thing { return taken(e, t, i, b.Deeper()) }), b.Deeper())
			}
		}
	case facts.OpLiteral:
		if n.X == facts.LiteralList || n.X == facts.LiteralMap {
			u.unify(p.To(n.Y), part(func(t infer.Thing) []infer.Thing { return e.Element(t, infer.ElementPart, b.Deeper()) }), b.Deeper())
		} else if n.X == facts.LiteralKeyed {
			of := p.To(n.Y)
			u.unify(of.To(of.Node().X), part(func(t infer.Thing) []infer.Thing { return e.Element(t, infer.KeyPart, b.Deeper()) }), b.Deeper())
			u.unify(of.Last(), part(func(t infer.Thing) []infer.Thing { return e.Element(t, infer.ElementPart, b.Deeper()) }), b.Deeper())
		}
	case facts.OpTuple:
		for i, at := range p.Tuple() {
			u.unify(p.To(at), part(func(t infer.Thing) []infer.Thing { return e.Part(t, i, b.Deeper()) }), b.Deeper())
		}
	case facts.OpApply:
		u.generic(p, n, values, b.Deeper())
	}
}

// name takes values for a type parameter, or for what that of another name of a type
// stands for.
func (u *unifier) name(p infer.Expr, use int32, values []infer.Thing, b infer.Budget) {
	if x := p.File.Use(use); x.Bind == facts.BindSymbol {
		u.symbol(p, x.Target, values, b)
	}
}

// symbol is name of what a name means.
func (u *unifier) symbol(p infer.Expr, target int32, values []infer.Thing, b infer.Budget) {
	r := corpus.Ref{File: p.File.ID, Index: target}
	if u.open && p.File.Symbol(target).Kind == code.KindTypeParam && !slices.Contains(u.params, r) && !isBound(p, target) {
		u.params, u.found = append(u.params, r), append(u.found, nil)
	}
	if i := slices.Index(u.params, r); i >= 0 {
		if len(u.found[i]) == 0 && !u.isContextual(p.File.Symbol(target), values) {
			u.found[i] = infer.Values(values)
		}
		return
	}
	s := p.File.Symbol(target)
	n, known := placeOf(p.File, target)
	for in := p.Env; s.Kind == code.KindTypeParam && known && in != nil; in = in.Up() {
		if in.Of == (corpus.Ref{File: p.File.ID, Index: s.Parent}) && in.Args.File != nil {
			if list := in.Args.Tuple(); n < len(list) {
				u.unify(in.Args.To(list[n]), values, b.Deeper())
			}
			return
		}
	}
}

// members compares the members of an unnamed type with those of values.
func (u *unifier) members(p infer.Expr, n facts.Expr, values []infer.Thing, b infer.Budget) {
	holder, end := n.X, p.File.Symbol(n.X).End
	for i := holder + 1; int(i) < p.File.Facts.NumSymbols() && p.File.Symbol(i).Start < end; i++ {
		s := p.File.Symbol(i)
		if s.Parent != holder || p.File.PartOf(i) != n.Y+1 || s.Type == facts.None || s.Kind != code.KindField && s.Kind != code.KindMethod {
			continue
		}
		for _, t := range values {
			if t.Kind == infer.ALiteral {
				u.value(p.To(s.Type), s, key(u.e, t, s.Name, b), b)
				continue
			}
			found, state := u.e.Member(t, s.Name, b)
			if state != infer.Found || len(found) != 1 || found[0].Module != nil {
				continue
			}
			m := u.thing(found[0], b)
			if s.Kind == code.KindMethod {
				m = infer.Each(m, func(t infer.Thing) []infer.Thing { return u.e.Give(t, b) })
			}
			u.unify(p.To(s.Type), m, b)
		}
	}
}

// thing is what a member stands for.
func (u *unifier) thing(m infer.Member, b infer.Budget) []infer.Thing {
	f := u.e.File(m.Ref.File)
	s := f.Symbol(m.Ref.Index)
	if s.Kind.IsFunc() {
		return []infer.Thing{{Kind: infer.AFunc, Ref: m.Ref, Env: m.Env}}
	}
	return infer.Values(u.e.Eval(f.Expr(s.Type, m.Env), b))
}

// RunsOn is what a function runs on that says so.
func RunsOn(e Evaluator, t infer.Thing, b infer.Budget) []infer.Thing {
	switch {
	case b.TooDeep():
	case t.Kind == infer.AClosure && t.On > 0:
		return infer.Values(e.Eval(t.Expr.To(t.On-1), b))
	case t.Kind == infer.AValue:
		return infer.Each(e.Underlying(t, b), func(t infer.Thing) []infer.Thing { return RunsOn(e, t, b.Deeper()) })
	}
	return nil
}

// taken is what a function takes as argument n, from 0.
func taken(e Evaluator, f infer.Thing, n int, b infer.Budget) []infer.Thing {
	switch f.Kind {
	case infer.AFunc:
		return infer.Values(e.Eval(e.ParameterOf(f, n), b))
	case infer.AClosure:
		return infer.Values(e.Argument(f.Expr.To(f.Params), n, b))
	}
	return nil
}

// Looped is what a loop over a function takes: what that gives the function it is called
// with, first as a key, second as an element.
func Looped(e Evaluator, f infer.Thing, which infer.Part, b infer.Budget) []infer.Thing {
	return infer.Each(taken(e, f, 0, b), func(yield infer.Thing) []infer.Thing { return taken(e, yield, int(infer.KeyPart-which), b.Deeper()) })
}

// Awaited are elements of a thing, or what await gives for them where that is what the
// thing holds.
func Awaited(e Evaluator, of infer.Thing, elements []infer.Thing, b infer.Budget) []infer.Thing {
	if !of.Awaited {
		return elements
	}
	return infer.Each(elements, func(t infer.Thing) []infer.Thing { return e.Element(t, infer.AwaitedPart, b.Deeper()) })
}

// generic takes the type arguments of values of a generic type for those that are
// written.
func (u *unifier) generic(p infer.Expr, n facts.Expr, values []infer.Thing, b infer.Budget) {
	e := u.e
	written := p.To(n.Y).Tuple()
	for _, typ := range e.Eval(p.To(n.X), b) {
		for i, at := range written {
			u.unify(p.To(at), infer.Each(values, func(t infer.Thing) []infer.Thing { return typeArgument(e, typ, t, i, i == len(written)-1, b) }), b)
		}
		if typ.Kind == infer.AType {
			typ = typ.Apply(p.To(n.Y))
			for _, t := range values {
				u.literal(typ, t, b)
			}
			for _, of := range e.Underlying(typ, b) {
				if of.Kind == infer.AClosure { // another name of a function
					u.unify(of.Expr, infer.Each(values, func(t infer.Thing) []infer.Thing { return e.Give(t, b) }), b)
				}
			}
		}
	}
}

// typeArgument is what argument i of a generic type stands for in a value of it.
func typeArgument(e Evaluator, typ, t infer.Thing, i int, last bool, b infer.Budget) []infer.Thing {
	switch {
	case t.Kind == infer.AValue && typ.Kind == infer.AType && t.Ref == typ.Ref && t.Env != nil && t.Env.Of == t.Ref:
		if t.Env.Inferred != nil {
			if i < len(t.Env.Inferred) {
				return t.Env.Inferred[i]
			}
			return nil
		}
		return infer.Values(e.Argument(t.Env.Args, i, b))
	case t.Kind == infer.AValue && !(typ.Kind == infer.AType && t.Ref == typ.Ref):
		return infer.Each(as(e, t, typ, 0, b), func(t infer.Thing) []infer.Thing { return typeArgument(e, typ, t, i, last, b) })
	case typ.Kind != infer.Elsewhere:
		return nil
	case t.Kind == infer.Elsewhere && t.Name == typ.Name && t.Expr.File != nil:
		return infer.Values(e.Argument(t.Expr, i, b))
	case last && (t.Kind == infer.AList || t.Kind == infer.ATuple || t.Kind == infer.AMap):
		return e.Element(t, infer.ElementPart, b)
	}
	return nil
}

// maxLevels bounds the types between that of a value and one that is written for it.
const maxLevels = 6

// as is a value as one of a generic type that its own type inherits from or is another
// name of, with the type arguments of that; nothing where it is no such value.
func as(e Evaluator, t, typ infer.Thing, level int, b infer.Budget) []infer.Thing {
	if l := e.File(t.Ref.File).Language; t.Unnamed || level > maxLevels || b.Spent() || l == nil || !l.TypesApart {
		return nil
	}
	b.Spend()
	above, _ := e.Above(t, b.Deeper())
	for _, base := range infer.Values(above) {
		switch {
		case typ.Kind == infer.Elsewhere:
			if base.Kind == infer.Elsewhere && base.Name == typ.Name && base.Expr.File != nil {
				return []infer.Thing{base}
			}
		case base.Kind == infer.AValue && base.Ref == typ.Ref && base.Env != nil && base.Env.Of == base.Ref:
			return []infer.Thing{base}
		}
		if base.Kind == infer.AValue && base.Ref != t.Ref {
			if found := as(e, base, typ, level+1, b.Deeper()); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// Worked is what a call of a method of a container gives that works on a function, or
// of a function from elsewhere on its argument; ok is false of all others.
func Worked(e Evaluator, t infer.Thing, callee infer.Expr, b infer.Budget) (made []infer.Thing, ok bool) {
	if given, ok := through(e, t, b); ok {
		return given, true
	}
	l := callee.File.Language
	if t.Kind == infer.Elsewhere && l != nil && l.Passing != nil {
		return passed(e, t, callee, b)
	}
	if t.Kind == infer.Elsewhere && l != nil && l.Models != nil {
		return ofClass(e, t, callee, b)
	}
	if t.Kind != infer.Elsewhere || t.Recv == nil || l == nil || l.Results[t.Name] == 0 && l.Library[t.Recv.Name+"."+t.Name] == 0 {
		return nil, false
	}
	given := givenTo(callee)
	if len(given) == 0 || given[0] == facts.None {
		return nil, false
	}
	if r := t.Recv; r.Kind == infer.Elsewhere && r.Recv == nil && r.Expr.File == nil {
		how := callee.File.Language.Library[r.Name+"."+t.Name]
		if how == 0 {
			return nil, false
		}
		made = infer.Each(e.Eval(callee.To(given[0]), b.Deeper()), func(of infer.Thing) []infer.Thing { return ofArgument(e, of, how, b.Deeper()) })
		return made, len(made) > 0
	}
	c, l := infer.ContainerOf(t, infer.AList, infer.AMap, infer.ATuple, infer.Elsewhere)
	if c == nil || l == nil || l.Results[t.Name] == 0 {
		return nil, false
	}
	for _, f := range e.Eval(callee.To(given[0]), b.Deeper()) {
		x, known := outcome(e, f)
		switch {
		case !known:
		case l.Results[t.Name] == infer.Outcomes:
			made = append(made, infer.Thing{Kind: infer.AList, Expr: x})
		default:
			made = append(made, infer.Thing{Kind: infer.Elsewhere, Name: "Promise", Expr: x})
		}
	}
	return made, len(made) > 0
}

// passed is the first argument of a call of a function from elsewhere that gives it.
func passed(e Evaluator, t infer.Thing, callee infer.Expr, b infer.Budget) (made []infer.Thing, ok bool) {
	ofValue, ok := callee.File.Language.Passing[t.Name]
	n := callee.Node()
	if !ok || ofValue && (t.Recv == nil || infer.IsUpper(t.Recv.Name)) || n.Op != facts.OpUse {
		return nil, false
	}
	given := callee.File.Given(n.X)
	if len(given) == 0 || given[0] == facts.None {
		return nil, false
	}
	made = infer.Guesses(infer.Values(e.Eval(callee.To(given[0]), b.Deeper())))
	return made, len(made) > 0
}

// outcome is the expression of what a call of a function gives.
func outcome(e Evaluator, f infer.Thing) (x infer.Expr, known bool) {
	switch f.Kind {
	case infer.AClosure:
		return f.Expr, f.Expr.At != facts.None
	case infer.AFunc:
		file := e.File(f.Ref.File)
		x = file.Expr(file.Symbol(f.Ref.Index).Type, f.Env)
		return x, x.At != facts.None
	}
	return x, false
}

// ofArgument is what a function from elsewhere makes of its argument.
func ofArgument(e Evaluator, of infer.Thing, how infer.Gives, b infer.Budget) []infer.Thing {
	holds := of.Expr.File != nil && (of.Kind == infer.AList || of.Kind == infer.AMap || of.Kind == infer.ATuple || of.Kind == infer.Elsewhere)
	switch {
	case how == infer.TheSame:
		return []infer.Thing{of}
	case !holds:
		return nil
	case how == infer.AnElement:
		return e.Element(of, infer.ElementPart, b)
	case how == infer.AllKeys && of.Kind == infer.AMap:
		return []infer.Thing{{Kind: infer.AList, Expr: of.Holds(infer.KeyPart)}}
	case how == infer.AllKeys:
		return nil
	case how == infer.AllAwaited:
		of.Awaited = of.Kind != infer.Elsewhere
		return []infer.Thing{of}
	case of.Kind == infer.AList || of.Kind == infer.ATuple:
		of.Entries = how == infer.AllEntries && of.Kind == infer.AList
		return []infer.Thing{of}
	}
	return []infer.Thing{{Kind: infer.AList, Expr: of.Expr.Last(), Entries: how == infer.AllEntries}}
}

// Applied is what a call of a method of a function gives that calls it, or gives it.
func Applied(e Evaluator, t infer.Thing, b infer.Budget) (made []infer.Thing, ok bool) {
	f := t.Recv
	if f == nil || f.Kind != infer.AFunc && f.Kind != infer.AClosure || b.TooDeep() {
		return nil, false
	}
	file := f.Expr.File
	if f.Kind == infer.AFunc {
		file = e.File(f.Ref.File)
	}
	if file.Language == nil {
		return nil, false
	}
	switch file.Language.Applies[t.Name] {
	case infer.TheSame:
		return []infer.Thing{*f}, true
	case infer.ItsOutcome:
		return e.Give(*f, b.Deeper()), true
	}
	return nil, false
}
