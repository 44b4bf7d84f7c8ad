package meaning

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// shapeKind says how much of a type is told by what is written.
type shapeKind uint8

const (
	noShape  shapeKind = iota // not known
	builtin                   // a built-in type: literal
	declared                  // a type of the repository: ref
	foreign                   // a type from elsewhere: name
	variable                  // a type parameter
	pointed                   // something that a pointer leads to
)

// shape is a type of C++ as far as it is written: without its type arguments.
type shape struct {
	kind    shapeKind
	literal int32
	ref     corpus.Ref
	name    string      // as written, "" for none
	flags   facts.Flags // Pointer, Reference, Constant
	generic bool        // with type arguments
}

const maxShape = 8 // steps to a shape

// shapeOf says what is written of the type of an expression.
func (e *Evaluator) shapeOf(x infer.Expr, depth int, b infer.Budget) shape {
	if x.At == facts.None || depth > maxShape || b.Spent() {
		return shape{}
	}
	switch n := x.Node(); n.Op {
	case facts.OpValue:
		return e.shapeOf(x.To(n.X), depth+1, b)
	case facts.OpLiteral:
		switch n.X {
		case facts.LiteralList, facts.LiteralMap:
			return shape{}
		case facts.LiteralPointer:
			return e.shapeOf(x.To(n.Y), depth+1, b).led()
		}
		return shape{kind: builtin, literal: n.X}
	case facts.OpSymbol:
		if r := (corpus.Ref{File: x.File.ID, Index: n.X}); e.read.Symbol(r).Kind.IsType() {
			return shape{kind: declared, ref: r, name: e.read.Symbol(r).Name}
		}
	case facts.OpThis:
		return shape{kind: declared, ref: corpus.Ref{File: x.File.ID, Index: n.X}, flags: facts.Pointer}
	case facts.OpApply:
		s := e.shapeOf(x.To(n.X), depth+1, b)
		s.generic = true
		return s
	case facts.OpUse:
		return e.shapeOfUse(x.To(n.X), depth, b)
	case facts.OpCall:
		return e.shapeOfCall(x.To(n.X), depth, b)
	}
	return shape{}
}

// led is the shape of a pointer to a value.
func (s shape) led() shape {
	if s.kind == noShape || s.flags&facts.Pointer != 0 {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	s.flags |= facts.Pointer
	return s
}

// shapeOfUse is the shape of what a use, which x.At is here, names: a type, or a
// value with a written type.
func (e *Evaluator) shapeOfUse(x infer.Expr, depth int, b infer.Budget) shape {
	u := x.File.Use(x.At)
	r, ok := e.oneMeant(x, b)
	if !ok {
		if a := e.meaning(x.File, x.At, b); len(a.Refs) > 0 || u.Bind == facts.BindMember && !isOfStd(x, u) || u.Bind != facts.BindMember && a.State != infer.Outside {
			return shape{}
		}
		return shape{kind: foreign, name: u.Name}
	}
	s := e.read.Symbol(r)
	switch {
	case s.Kind == code.KindTypeParam:
		return shape{kind: variable}
	case s.Kind == code.KindType:
		return shape{name: s.Name} // of what it is the name may be a pointer to
	case s.Kind.IsType():
		return shape{kind: declared, ref: e.defined(e.File(r.File), r, s), name: s.Name}
	}
	return e.shapeOfSymbol(r, depth, b)
}

// oneMeant is the one symbol that a use means.
func (e *Evaluator) oneMeant(x infer.Expr, b infer.Budget) (corpus.Ref, bool) {
	u := x.File.Use(x.At)
	if u.Bind == facts.BindSymbol && u.Role != facts.RoleCall {
		return corpus.Ref{File: x.File.ID, Index: u.Target}, true
	}
	a := e.meaning(x.File, x.At, b)
	if a.State != infer.Found || len(a.Refs) == 0 || a.Confidence != facts.Certain {
		return corpus.Ref{}, false
	}
	one := a.Refs[0]
	for _, r := range a.Refs[1:] {
		if !slices.Contains(e.Together(one), r) {
			return one, false
		}
	}
	return one, true
}

// isOfStd reports whether a use is a member of the namespace of the library.
func isOfStd(x infer.Expr, u *facts.Use) bool {
	if u.Target == facts.None {
		return false
	}
	n := x.To(u.Target).Node()
	return n.Op == facts.OpUse && x.File.Use(n.X).Name == "std"
}

// shapeOfSymbol is the shape of the value of a variable, or of what a function
// gives, where it is written.
func (e *Evaluator) shapeOfSymbol(r corpus.Ref, depth int, b infer.Budget) shape {
	s := e.read.Symbol(r)
	switch {
	case s.Kind == code.KindMacro:
		return shape{}
	case s.Flags&facts.Inferred != 0:
		return e.shapeOfFirst(s, e.File(r.File).Expr(s.Type, nil), depth, b)
	}
	to := e.shapeOf(e.File(r.File).Expr(s.Type, nil), depth+1, b)
	to.flags |= s.Flags & (facts.Pointer | facts.Reference | facts.Constant)
	return to
}

// shapeOfFirst is the shape of a symbol of which only a first value is written: that
// of the value, where it can be told from a cast.
func (e *Evaluator) shapeOfFirst(s *facts.Symbol, value infer.Expr, depth int, b infer.Budget) shape {
	to := shape{}
	if value.At != facts.None && value.Node().Op != facts.OpValue {
		to = e.shapeOf(value, depth+1, b)
	}
	to.flags = to.flags&facts.Pointer | s.Flags&(facts.Pointer|facts.Reference|facts.Constant)
	if to.kind == noShape && s.Flags&facts.Pointer != 0 && !s.Kind.IsFunc() { // auto *
		return e.shapeOfPointed(value, b)
	}
	return to
}

// shapeOfPointed is the shape of a pointer of which only a first value is written.
func (e *Evaluator) shapeOfPointed(value infer.Expr, b infer.Budget) shape {
	things := e.Eval(value, b.Deeper())
	if len(things) != 1 || things[0].Kind != infer.AValue || things[0].Guess || things[0].Unnamed {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	t := things[0]
	return shape{kind: declared, ref: t.Ref, name: e.read.Symbol(t.Ref).Name, flags: facts.Pointer, generic: t.Env != nil}
}

// shapeOfCall is the shape of what a call of an expression gives.
func (e *Evaluator) shapeOfCall(callee infer.Expr, depth int, b infer.Budget) shape {
	n := callee.Node()
	if n.Op == facts.OpApply {
		callee = callee.To(n.X)
		n = callee.Node()
	}
	if n.Op != facts.OpUse {
		return shape{}
	}
	r, ok := e.oneMeant(callee.To(n.X), b)
	if !ok {
		return e.unwrapped(callee.To(n.X), depth, b)
	}
	s := e.read.Symbol(r)
	switch {
	case s.Kind.IsFunc():
		to := e.shapeOfSymbol(r, depth, b)
		to.flags &^= facts.Constant // of the method
		return to
	case s.Kind.IsType() && s.Kind != code.KindType:
		return shape{kind: declared, ref: e.defined(e.File(r.File), r, s), name: s.Name}
	}
	return shape{}
}

// unwrapped is the pointer that a method of a wrapper such as unique_ptr gives.
func (e *Evaluator) unwrapped(x infer.Expr, depth int, b infer.Budget) shape {
	u, l := x.File.Use(x.At), x.File.Language
	if u.Bind == facts.BindMember && l.Unwraps[u.Name] && l.Utilities[e.shapeOf(x.To(u.Target), depth+1, b).name] {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	return shape{}
}

// shapesTaken are the shapes of what a function takes, ok where all are named.
func (e *Evaluator) shapesTaken(r corpus.Ref, b infer.Budget) (all []shape, ok bool) {
	f := e.File(r.File)
	fn := f.Symbol(r.Index)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < fn.End; i++ {
		if s := f.Symbol(i); s.Parent == r.Index && s.Kind == code.KindParam {
			all = append(all, e.shapeOfSymbol(corpus.Ref{File: r.File, Index: i}, 0, b))
		}
	}
	return all, len(all) == int(fn.MaxArgs)
}

// rank says how a value fits a parameter, the worst first.
type rank uint8

const (
	never    rank = iota
	unranked      // not known
	converted
	promoted
	taken // by a type parameter
	same
)

// rankOf is how a value of a shape fits what a function takes.
func rankOf(takes, got shape, l *infer.Language) rank {
	if text, ok := l.Texts[takes.name]; ok && got.kind == builtin && (got.literal == facts.LiteralString || got.literal == facts.LiteralWide) && text != got.literal {
		return never
	}
	pointer := takes.flags&facts.Pointer != 0
	isPointer := got.flags&facts.Pointer != 0
	switch {
	case takes.kind == noShape || got.kind == noShape || got.kind == variable:
		return unranked
	case takes.kind == variable:
		if takes.flags&facts.Reference != 0 && takes.flags&facts.Constant == 0 || pointer {
			return unranked
		}
		return taken
	case l.Utilities[takes.name] && takes.generic && !pointer && (isPointer || l.Utilities[got.name] && got.name != takes.name):
		return never // its type arguments must be those of the value
	case got.kind == pointed:
		return unranked
	case got.kind == builtin && !isPointer:
		return rankBuiltin(takes, got.literal)
	case takes.kind == builtin && !pointer && isPointer && takes.literal != facts.LiteralBool:
		return never
	case pointer && got.kind == declared && !isPointer:
		return never
	case pointer != isPointer:
		return converted
	case takes.kind == declared && got.kind == declared && takes.ref == got.ref, takes.kind == foreign && got.kind == foreign && takes.name == got.name, takes.kind == builtin && got.kind == builtin && takes.literal == got.literal && takes.literal != facts.LiteralNumber:
		return same
	}
	return unsureIfForeign(takes, got)
}

// unsureIfForeign is converted, unless one of two types may be the other by a
// further name.
func unsureIfForeign(takes, got shape) rank {
	if got.kind == declared && (takes.kind == declared || takes.kind == builtin) {
		return converted
	}
	return unranked
}

// rankBuiltin is how a value of a built-in type fits.
func rankBuiltin(takes shape, got int32) rank {
	isText := got == facts.LiteralString || got == facts.LiteralWide
	switch pointer := takes.flags&facts.Pointer != 0; {
	case takes.kind == declared && pointer:
		if got == facts.LiteralNumber || got == facts.LiteralNull {
			return unranked
		}
		return never
	case takes.kind != builtin:
		return converted
	case pointer && isText:
		if got == facts.LiteralString && takes.literal == facts.LiteralChar {
			return same
		}
		return unranked
	case pointer && (got == facts.LiteralNumber || got == facts.LiteralNull):
		return unranked // as 0 is a pointer too
	case pointer:
		return never
	case isText:
		if takes.literal == facts.LiteralBool {
			return converted
		}
		return never
	case got == facts.LiteralNull:
		return never
	case takes.literal == facts.LiteralNumber || got == facts.LiteralNumber:
		if isFloating(takes.literal) || isFloating(got) {
			return converted
		}
		return unranked
	case takes.literal == got:
		return same
	case got == facts.LiteralFloat && takes.literal == facts.LiteralDouble, takes.literal == facts.LiteralInt && !isFloating(got):
		return promoted
	}
	return converted
}

func isFloating(literal int32) bool {
	return literal == facts.LiteralFloat || literal == facts.LiteralDouble || literal == facts.LiteralLongDouble
}

// shaped is a function that a call may mean.
type shaped struct {
	ref   corpus.Ref
	takes []shape
	ranks []rank
}

// chooseShaped leaves those of several functions that a call means by what is
// written of its arguments and of its receiver. Where it cannot be told which,
// each is likely.
func (e *Evaluator) chooseShaped(use corpus.Ref, a *infer.Answer, b infer.Budget) {
	if len(a.Refs) < 2 || !e.areFuncs(a.Refs) {
		return
	}
	a.Refs = e.byReceiver(use, a.Refs, b)
	f := e.File(use.File)
	if given := f.Given(use.Index); given != nil {
		a.Refs = e.byShapes(f, given, a.Refs, b.Deeper())
	}
	if one := e.Together(a.Refs[0]); slices.ContainsFunc(a.Refs, func(r corpus.Ref) bool { return !slices.Contains(one, r) }) {
		a.Confidence = max(a.Confidence, facts.Likely)
	}
}

func (e *Evaluator) byShapes(f *infer.File, given []int32, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	got := make([]shape, len(given))
	for i, g := range given {
		got[i] = e.shapeOf(f.Expr(g, nil), 0, b)
	}
	var all []shaped
	for _, r := range refs {
		c := shaped{ref: r}
		takes, ok := e.shapesTaken(r, b)
		if !ok || len(takes) < len(got) {
			all = append(all, c)
			continue
		}
		for i := range got {
			c.takes, c.ranks = append(c.takes, takes[i]), append(c.ranks, rankOf(takes[i], got[i], f.Language))
		}
		if !slices.Contains(c.ranks, never) {
			all = append(all, c)
		}
	}
	var left []corpus.Ref
	for i := range all {
		if !slices.ContainsFunc(all, func(o shaped) bool { return o.beats(&all[i]) }) {
			left = append(left, all[i].ref)
		}
	}
	if len(left) == 0 {
		return refs
	}
	return left
}

// beats reports whether each value fits a function as well as another or better,
// and one better.
func (c *shaped) beats(o *shaped) bool {
	if len(c.ranks) == 0 || len(o.ranks) == 0 {
		return false
	}
	better := false
	for i := range c.ranks {
		switch x, y := c.ranks[i], o.ranks[i]; {
		case x == y && x != unranked, c.takes[i] == o.takes[i] && c.takes[i].kind != noShape:
		case x == unranked || y == unranked || x < y, x == taken || y == taken && x != same:
			return false
		case x > y:
			better = true
		}
	}
	return better
}

// byReceiver leaves those of several methods that values which do not change
// have, or those that others have, where the receiver of a call is known to be
// one or the other.
func (e *Evaluator) byReceiver(use corpus.Ref, refs []corpus.Ref, b infer.Budget) []corpus.Ref {
	constant, known := e.isConstant(use, b)
	if !known {
		return refs
	}
	kept := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		s := e.read.Symbol(r)
		if s.Flags&facts.Static != 0 || (s.Flags&facts.Constant != 0) == constant {
			return false
		}
		return slices.ContainsFunc(refs, func(o corpus.Ref) bool { return e.isVersion(r, o) })
	})
	if len(kept) == 0 {
		return refs
	}
	return kept
}

// isVersion reports whether two methods differ in nothing but their receiver.
func (e *Evaluator) isVersion(r, o corpus.Ref) bool {
	x, y := e.read.Symbol(r), e.read.Symbol(o)
	return x.MaxArgs == 0 && y.MaxArgs == 0 && (x.Flags^y.Flags)&facts.Constant != 0 && x.Kind == code.KindMethod && y.Kind == code.KindMethod
}

// isConstant reports whether the receiver of a call is a value that does not
// change.
func (e *Evaluator) isConstant(use corpus.Ref, b infer.Budget) (constant, known bool) {
	f := e.File(use.File)
	u := f.Use(use.Index)
	if u.Bind != facts.BindMember {
		return inConstant(f, u.In)
	}
	x := f.Expr(u.Target, nil)
	if x.At == facts.None || x.Node().Op != facts.OpUse {
		return false, false
	}
	of := f.Use(x.Node().X)
	if of.Bind != facts.BindSymbol {
		return false, false
	}
	s := f.Symbol(of.Target)
	if s.Flags&facts.Inferred != 0 || s.Flags&facts.Local == 0 {
		return s.Flags&facts.Constant != 0 && s.Flags&facts.Local != 0, s.Flags&facts.Constant != 0
	}
	to := e.shapeOfSymbol(corpus.Ref{File: f.ID, Index: of.Target}, 0, b)
	return s.Flags&facts.Constant != 0, to.kind == declared && !to.generic
}

// inConstant reports whether a symbol is or stands in a method of values that do
// not change; known is false where it is no method.
func inConstant(f *infer.File, i int32) (constant, known bool) {
	for ; i != facts.None; i = f.Symbol(i).Parent {
		if s := f.Symbol(i); s.Kind == code.KindMethod {
			return s.Flags&facts.Constant != 0, s.Flags&facts.Static == 0
		}
	}
	return false, false
}

// DiffersByShape reports whether two functions of one name are surely not the
// same: one is of values that do not change, or they take different types.
func (e *Evaluator) DiffersByShape(r, o corpus.Ref) bool {
	x, y := e.read.Symbol(r), e.read.Symbol(o)
	if x.Kind == code.KindMethod && y.Kind == code.KindMethod && (x.Flags^y.Flags)&facts.Constant != 0 {
		return true
	}
	if x.MaxArgs == 0 || x.MaxArgs != y.MaxArgs || x.MaxArgs == facts.ManyArgs {
		return false
	}
	a, named := e.spelled(r)
	c, alsoNamed := e.spelled(o)
	for i := range min(len(a), len(c)) {
		if named && alsoNamed && a[i] != (spelling{}) && c[i] != (spelling{}) && a[i] != c[i] {
			return true
		}
	}
	return false
}

// IsSpelledAlike reports whether two functions of one name are written to take the
// same types, all of which are told, and no type parameters.
func (e *Evaluator) IsSpelledAlike(r, o corpus.Ref) bool {
	x, y := e.read.Symbol(r), e.read.Symbol(o)
	if x.MinArgs != y.MinArgs || x.MaxArgs != y.MaxArgs || x.MaxArgs == facts.ManyArgs || (x.Flags^y.Flags)&(facts.Constant|facts.Static) != 0 {
		return false
	}
	a, named := e.spelled(r)
	c, alsoNamed := e.spelled(o)
	return named && alsoNamed && !slices.Contains(a, spelling{}) && slices.Equal(a, c) && !e.isTemplate(r) && !e.isTemplate(o)
}

// isTemplate reports whether a function has type parameters of its own.
func (e *Evaluator) isTemplate(r corpus.Ref) bool {
	f := e.File(r.File)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(r.Index).At; i++ {
		if f.Symbol(i).Kind == code.KindTypeParam {
			return true
		}
	}
	return false
}

// spelling is a type as it is written: a built-in one, or a class by its name.
// Nothing is told of other names, which may be further names of these.
type spelling struct {
	name    string
	literal int32       // one more than the built-in type
	flags   facts.Flags // Pointer and Reference, and Constant of what one of these leads to
}

// spelled are the types that a function takes; ok where all that it takes is named.
func (e *Evaluator) spelled(r corpus.Ref) (all []spelling, ok bool) {
	f := e.File(r.File)
	fn := f.Symbol(r.Index)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < fn.End; i++ {
		if s := f.Symbol(i); s.Parent == r.Index && s.Kind == code.KindParam {
			all = append(all, e.spellingOf(f, s))
		}
	}
	return all, len(all) == int(fn.MaxArgs)
}

func (e *Evaluator) spellingOf(f *infer.File, param *facts.Symbol) spelling {
	if param.Type == facts.None {
		return spelling{}
	}
	flags := param.Flags & (facts.Pointer | facts.Reference)
	if flags&facts.Reference != 0 {
		flags |= param.Flags & facts.Constant
	}
	n := f.Facts.Expr(int(param.Type))
	if n.Op == facts.OpLiteral && n.X != facts.LiteralList && n.X != facts.LiteralNumber {
		return spelling{literal: n.X + 1, flags: flags}
	}
	if n.Op == facts.OpValue {
		n = f.Facts.Expr(int(n.X))
	}
	if n.Op != facts.OpUse {
		return spelling{}
	}
	if u := f.Use(n.X); e.isToldBy(f, u) {
		return spelling{name: u.Name, flags: flags}
	}
	return spelling{}
}

// isToldBy reports whether the name of a use tells a type from all of other names.
func (e *Evaluator) isToldBy(f *infer.File, u *facts.Use) bool {
	if _, ok := f.Language.Texts[u.Name]; ok {
		return true
	}
	if u.Bind == facts.BindSymbol {
		k := f.Symbol(u.Target).Kind
		return k.IsType() && k != code.KindType
	}
	told := false
	for _, r := range e.read.Named(u.Name) {
		k := e.read.Symbol(r).Kind
		if k == code.KindType || k == code.KindMacro {
			return false
		}
		told = told || k.IsType() && e.read.Corpus().Family(r.File) == f.Family
	}
	return told && (u.Bind == facts.BindFree || u.Bind == facts.BindMember && u.Target != facts.None)
}
