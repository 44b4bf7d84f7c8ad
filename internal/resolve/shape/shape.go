package shape

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/pattern"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

const maxShape = 8 // steps to a shape

// shapeOf says what is written of the type of an expression.
func (v *Choice) shapeOf(x infer.Expr, depth int, b infer.Budget) shape {
	if x.At == facts.None || depth > maxShape || b.Spent() {
		return shape{}
	}
	switch n := x.Node(); n.Op {
	case facts.OpValue:
		return v.shapeOf(x.To(n.X), depth+1, b)
	case facts.OpLiteral:
		switch n.X {
		case facts.LiteralList:
			if n.Y == facts.None {
				return shape{kind: braced}
			}
			return v.shapeOf(x.To(n.Y), depth+1, b).led() // as an array is given
		case facts.LiteralMap:
			return shape{}
		case facts.LiteralPointer:
			return v.shapeOf(x.To(n.Y), depth+1, b).led()
		}
		return shape{kind: builtin, literal: n.X}
	case facts.OpSymbol:
		if r := (corpus.Ref{File: x.File.ID, Index: n.X}); v.read.Symbol(r).Kind.IsType() {
			return shape{kind: declared, ref: r, name: v.read.Symbol(r).Name}
		}
	case facts.OpThis:
		return shape{kind: declared, ref: corpus.Ref{File: x.File.ID, Index: n.X}, flags: facts.Pointer}
	case facts.OpApply:
		s := v.shapeOf(x.To(n.X), depth+1, b)
		s.generic = true
		return s
	case facts.OpUse:
		return v.shapeOfUse(x.To(n.X), depth, b)
	case facts.OpCall:
		return v.shapeOfCall(x.To(n.X), depth, b)
	case facts.OpElem:
		return v.shapeOfElem(x, depth, b)
	}
	return shape{}
}

// led is the shape of a pointer to a value.
func (s shape) led() shape {
	if s.kind == noShape || s.deep {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	s.deep = s.flags&facts.Pointer != 0
	s.flags |= facts.Pointer
	return s
}

// shapeOfUse is the shape of what a use, which x.At is here, names: a type, or a
// value with a written type.
func (v *Choice) shapeOfUse(x infer.Expr, depth int, b infer.Budget) shape {
	u := x.File.Use(x.At)
	r, ok := v.oneMeant(x, b)
	if !ok {
		if a := v.e.Meaning(corpus.Ref{File: x.File.ID, Index: x.At}, b); len(a.Refs) > 0 || u.Bind == facts.BindMember && !isOfStd(x, u) || u.Bind != facts.BindMember && a.State != infer.Outside {
			return shape{}
		}
		if isCharacter(u.Name) {
			return shape{kind: builtin, literal: facts.LiteralNumber, name: u.Name}
		}
		return shape{kind: foreign, name: u.Name}
	}
	s := v.read.Symbol(r)
	switch {
	case s.Kind == code.KindTypeParam:
		return shape{kind: variable, ref: r}
	case s.Kind == code.KindType:
		return v.shapeOfAlias(r, depth, b)
	case s.Kind.IsType():
		return shape{kind: declared, ref: v.e.Defined(r), name: s.Name}
	}
	return v.shapeOfSymbol(r, depth, b)
}

// shapeOfAlias is the shape of what another name of a type stands for, where that is no
// pointer and the only thing that the name is declared as.
func (v *Choice) shapeOfAlias(r corpus.Ref, depth int, b infer.Budget) shape {
	s := v.read.Symbol(r)
	all := v.e.Together(r)
	known := shape{name: s.Name, aliased: true, alias: all[0]}
	text, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(min(s.End, s.Start+maxDeclared)), nil)
	_, isText := v.e.File(r.File).Language.Texts[s.Name]
	if err != nil || isText || len(all) > 1 || s.Type == facts.None || s.End-s.Start > maxDeclared || bytes.ContainsAny(text, "*&[(") || constWord().Match(text) {
		return known
	}
	if to := v.shapeOf(v.e.File(r.File).Expr(s.Type, nil), depth+1, b); to.kind != noShape || to.aliased {
		return to
	}
	return known
}

// isCharacter reports whether a name is that of a built-in type of characters beside char.
func isCharacter(name string) bool {
	return name == "wchar_t" || name == "char8_t" || name == "char16_t" || name == "char32_t"
}

// oneMeant is the one symbol that a use means.
func (v *Choice) oneMeant(x infer.Expr, b infer.Budget) (corpus.Ref, bool) {
	u := x.File.Use(x.At)
	if u.Bind == facts.BindSymbol && u.Role != facts.RoleCall {
		return corpus.Ref{File: x.File.ID, Index: u.Target}, true
	}
	a := v.e.Meaning(corpus.Ref{File: x.File.ID, Index: x.At}, b)
	if a.State != infer.Found || len(a.Refs) == 0 || a.Confidence != facts.Certain {
		return corpus.Ref{}, false
	}
	one := a.Refs[0]
	for _, r := range a.Refs[1:] {
		if !slices.Contains(v.e.Together(one), r) {
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
func (v *Choice) shapeOfSymbol(r corpus.Ref, depth int, b infer.Budget) shape {
	s := v.read.Symbol(r)
	switch {
	case s.Kind == code.KindMacro:
		return shape{}
	case s.Flags&facts.Inferred != 0:
		return v.shapeOfFirst(s, v.e.File(r.File).Expr(s.Type, nil), depth, b)
	}
	to := v.shapeOf(v.e.File(r.File).Expr(s.Type, nil), depth+1, b)
	if s.Flags&facts.Pointer != 0 {
		to.deep = to.flags&facts.Pointer != 0 || v.isDeep(r)
	}
	to.flags |= s.Flags & (facts.Pointer | facts.Reference | facts.Constant)
	to.written = !s.Kind.IsFunc()
	to.moved = s.Kind == code.KindParam && s.Flags&facts.Reference != 0 && bytes.Contains(v.declarator(r), []byte("&&"))
	return to
}

// maxDeclared bounds the bytes of a declaration before its name that are read.
const maxDeclared = 200

// isDeep reports whether a pointer is declared as one to pointers.
func (v *Choice) isDeep(r corpus.Ref) bool {
	return bytes.Count(v.declarator(r), []byte("*")) > 1
}

// declarator is what is written between the type of a declaration and its name.
func (v *Choice) declarator(r corpus.Ref) []byte {
	text := v.before(r)
	return text[bytes.LastIndexAny(text, "<>;{}(,")+1:]
}

// isCast reports whether a value is only said to be of a type, as (T)x is, and not
// made there.
func isCast(value infer.Expr) bool {
	n := value.Node()
	if n.Op != facts.OpValue {
		return false
	}
	if n = value.To(n.X).Node(); n.Op == facts.OpApply {
		n = value.To(n.X).Node()
	}
	return n.Op != facts.OpUse || value.File.Use(n.X).Role != facts.RoleCall
}

// shapeOfFirst is the shape of a symbol of which only a first value is written: that
// of the value, where it can be told from a cast.
func (v *Choice) shapeOfFirst(s *facts.Symbol, value infer.Expr, depth int, b infer.Budget) shape {
	to := shape{}
	if value.At != facts.None && !isCast(value) {
		to = v.shapeOf(value, depth+1, b)
	}
	if to.kind == braced {
		to = shape{}
	}
	to.flags, to.written = to.flags&facts.Pointer|s.Flags&(facts.Pointer|facts.Reference|facts.Constant), false
	if to.kind == noShape && s.Flags&facts.Pointer != 0 && !s.Kind.IsFunc() { // auto *
		return v.shapeOfPointed(value, b)
	}
	return to
}

// shapeOfPointed is the shape of a pointer of which only a first value is written.
func (v *Choice) shapeOfPointed(value infer.Expr, b infer.Budget) shape {
	things := v.e.Eval(value, b.Deeper())
	if len(things) == 0 || slices.ContainsFunc(things, func(t infer.Thing) bool {
		return t.Kind != infer.AValue || t.Guess || t.Unnamed || t.Ref != things[0].Ref
	}) {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	t := things[0]
	return shape{kind: declared, ref: t.Ref, name: v.read.Symbol(t.Ref).Name, flags: facts.Pointer, generic: t.Env != nil}
}

// shapeOfCall is the shape of what a call of an expression gives.
func (v *Choice) shapeOfCall(callee infer.Expr, depth int, b infer.Budget) shape {
	n := callee.Node()
	if n.Op == facts.OpApply {
		callee = callee.To(n.X)
		n = callee.Node()
	}
	switch n.Op {
	case facts.OpFunc: // a cast
		return v.shapeOf(callee.To(n.X), depth+1, b)
	case facts.OpLiteral: // int64_t(1)
		return v.shapeOf(callee, depth+1, b)
	}
	if n.Op != facts.OpUse {
		return shape{}
	}
	r, ok := v.oneMeant(callee.To(n.X), b)
	if !ok {
		return v.unwrapped(callee.To(n.X), depth, b)
	}
	s := v.read.Symbol(r)
	switch {
	case s.Kind == code.KindMacro:
		return v.shapeOfMacro(s.Name, callee.To(n.X), depth, b)
	case s.Kind.IsFunc():
		to := v.shapeOfSymbol(r, depth, b)
		to.flags &^= facts.Constant // of the method
		return to
	case s.Kind.IsType() && s.Kind != code.KindType:
		return shape{kind: declared, ref: v.e.Defined(r), name: s.Name}
	case s.Kind == code.KindType: // made by another name of its type
		return v.shapeOfAlias(r, depth, b)
	}
	return shape{}
}

// unwrapped is the pointer that a method of a wrapper such as unique_ptr gives.
func (v *Choice) unwrapped(x infer.Expr, depth int, b infer.Budget) shape {
	u, l := x.File.Use(x.At), x.File.Language
	if u.Bind == facts.BindMember && l.Unwraps[u.Name] && l.Utilities[v.shapeOf(x.To(u.Target), depth+1, b).name] {
		return shape{kind: pointed, flags: facts.Pointer}
	}
	if u.Role == facts.RoleCall && isOfStd(x, u) { // a value that is made, or a function, which is of no type
		return shape{kind: foreign, name: u.Name}
	}
	return shape{}
}

// shapesTaken are the shapes of what a function takes, ok where all are named.
func (v *Choice) shapesTaken(r corpus.Ref, b infer.Budget) (all []shape, ok bool) {
	f := v.e.File(r.File)
	fn := f.Symbol(r.Index)
	for i := r.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < fn.End; i++ {
		if s := f.Symbol(i); s.Parent == r.Index && s.Kind == code.KindParam {
			all = append(all, v.shapeOfSymbol(corpus.Ref{File: r.File, Index: i}, 0, b))
		}
	}
	return all, len(all) == int(fn.MaxArgs) || fn.MaxArgs == facts.ManyArgs && len(all) >= int(fn.MinArgs)
}

// maxExpansion bounds the macros of which each is written as the next.
const maxExpansion = 4

// shapeOfMacro is the shape of what a macro gives that is written as nothing but its
// one argument: #define TEXT(x) L##x. Use x.At here calls it.
func (v *Choice) shapeOfMacro(macro string, x infer.Expr, depth int, b infer.Budget) shape {
	given := x.File.Given(x.At)
	if len(given) != 1 || !v.givesArgument(macro, maxExpansion) {
		return shape{}
	}
	to := v.shapeOf(x.To(given[0]), depth+1, b)
	if to.kind != builtin || to.literal != facts.LiteralString {
		return shape{}
	}
	to.generic = true
	return to
}

var (
	macroOfOne = pattern.New(`^#\s*define\s+\w+\(\s*(\w+)\s*\)\s*(.*)$`)
	widened    = pattern.New(`^(?:L|u8|u|U)\s*##\s*`)
	passedOn   = pattern.New(`^(\w+)\s*\(\s*(\w+)\s*\)$`)
)

// givesArgument reports whether all definitions of a macro are written as its
// argument, with a letter for its size before it, or as another such macro.
func (v *Choice) givesArgument(macro string, more int) bool {
	found := false
	for _, r := range v.read.Named(macro) {
		s := v.read.Symbol(r)
		if s.Kind != code.KindMacro {
			continue
		}
		text, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.End), nil)
		if err != nil {
			return false
		}
		m := macroOfOne().FindStringSubmatch(strings.TrimSpace(string(text)))
		if m == nil {
			return false
		}
		body := strings.TrimSpace(widened().ReplaceAllString(m[2], ""))
		if next := passedOn().FindStringSubmatch(body); body != m[1] && (next == nil || next[2] != m[1] || more == 0 || !v.givesArgument(next[1], more-1)) {
			return false
		}
		found = true
	}
	return found
}
