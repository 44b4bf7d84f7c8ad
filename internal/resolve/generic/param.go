package generic

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// TypeParam says what a type parameter stands for: an argument, what it is
// by default where others are given, else its bound.
func TypeParam(e Evaluator, r corpus.Ref, in *infer.Env, b infer.Budget) []infer.Thing {
	f := e.File(r.File)
	s := f.Symbol(r.Index)
	if in != nil && f.Language != nil && f.Language.Variants && (s.Parent == facts.None || !f.Symbol(s.Parent).Kind.IsFunc() && !f.Symbol(s.Parent).Kind.IsType()) {
		if all, ok := typeParamNamed(e, s.Name, in, b); ok {
			return all
		}
	}
	if s.Type != facts.None && f.Expr(s.Type, in).Node().Op == facts.OpInfer {
		return inferred(e, r, f.Expr(s.Type, in), b)
	}
	var around *infer.Env // in which the bound is written
	for at := in; at != nil; at = at.Up() {
		if i := slices.Index(at.Params, r); i >= 0 && len(at.Inferred[i]) > 0 {
			return orBound(e, f, s, at.Inferred[i], at, b)
		}
		if len(at.Params) > 0 && at.Params[0].File == r.File && f.Symbol(at.Params[0].Index).Parent == s.Parent {
			around = at
		}
	}
	if n, known := placeOf(f, r.Index); in != nil && known {
		for ; in != nil; in = in.Up() {
			if in.Params != nil {
				continue
			}
			if in.Of != (corpus.Ref{File: r.File, Index: s.Parent}) && e.File(in.Of.File).Symbol(in.Of.Index).Name != f.Symbol(s.Parent).Owner {
				continue
			}
			if in.Inferred == nil {
				if s.Flags&facts.Inferred != 0 && n >= in.Args.Count() { // what it is by default
					return e.Eval(f.Expr(s.Type, in), b)
				}
				return e.Argument(in.Args, n, b)
			}
			if n < len(in.Inferred) && len(in.Inferred[n]) > 0 {
				return orBound(e, f, s, in.Inferred[n], in, b)
			}
			if s.Flags&facts.Inferred != 0 {
				return infer.Guesses(infer.Declared(e.Eval(f.Expr(s.Type, in), b)))
			}
			around = in
			break
		}
	}
	if s.Flags&facts.Inferred != 0 {
		return nil
	}
	if f.Language == nil || !f.Language.TypesApart {
		around = nil
	}
	all := infer.Bounds(e.Eval(f.Expr(s.Type, around), b))
	if f.Language != nil && f.Language.Structural {
		for i := range all { // what stands for it has members that the bound does not tell
			all[i].Generic = all[i].Generic || all[i].Kind == infer.Elsewhere && (all[i].Name == "any" || all[i].Name == "comparable")
		}
	}
	return all
}

// orBound is what a type parameter stands for. Where that is a literal, what functions in
// it take follows from what the parameter is at least.
func orBound(e Evaluator, f *infer.File, param *facts.Symbol, inferred []infer.Thing, in *infer.Env, b infer.Budget) []infer.Thing {
	isLiteral := func(t infer.Thing) bool { return t.Kind == infer.ALiteral }
	if param.Type == facts.None || param.Flags&facts.Inferred != 0 || !slices.ContainsFunc(inferred, isLiteral) {
		return inferred
	}
	return infer.Either(inferred, infer.Suppositions(infer.Bounds(e.Eval(f.Expr(param.Type, in), b))))
}

// isBound reports whether something stands for a type parameter in the environment of an
// expression.
func isBound(p infer.Expr, param int32) bool {
	r := corpus.Ref{File: p.File.ID, Index: param}
	_, known := placeOf(p.File, param)
	for in := p.Env; in != nil; in = in.Up() {
		if slices.Contains(in.Params, r) || known && in.Params == nil && in.Of == (corpus.Ref{File: r.File, Index: p.File.Symbol(param).Parent}) {
			return true
		}
	}
	return false
}

// placeOf is the place of a type parameter among the others, from 0; known is false where
// no type arguments stand for it.
func placeOf(f *infer.File, i int32) (n int, known bool) {
	s := f.Symbol(i)
	if f.Language != nil && f.Language.TypesApart {
		return int(s.MinArgs), s.Parent != facts.None && s.MaxArgs != facts.ManyArgs
	}
	for o := s.Parent + 1; o < i; o++ {
		if p := f.Symbol(o); p.Kind == code.KindTypeParam && p.Parent == s.Parent {
			n++
		}
	}
	return n, s.Parent != facts.None
}

// inferred says what a type stands for that a conditional type infers, where what it
// compares holds it.
func inferred(e Evaluator, r corpus.Ref, x infer.Expr, b infer.Budget) []infer.Thing {
	if b.TooDeep() {
		return nil
	}
	n := x.Node()
	u := unifier{e: e, params: []corpus.Ref{r}, found: make([][]infer.Thing, 1), takes: true}
	u.unify(x.To(n.Y), infer.Values(e.Eval(x.To(n.X), b.Deeper())), b.Deeper())
	return u.found[0]
}

// typeParamNamed says what a type parameter of an impl stands for: the argument of
// the type that the impl is of, for its parameter of that name.
func typeParamNamed(e Evaluator, name string, in *infer.Env, b infer.Budget) (things []infer.Thing, ok bool) {
	for ; in != nil; in = in.Up() {
		f := e.File(in.Of.File)
		n := 0
		for i := in.Of.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < f.Symbol(in.Of.Index).End; i++ {
			p := f.Symbol(i)
			if p.Kind != code.KindTypeParam || p.Parent != in.Of.Index {
				continue
			}
			if p.Name == name {
				return e.Argument(in.Args, n, b), true
			}
			n++
		}
	}
	return nil, false
}

// TypeVariable says what T = TypeVar("T") of Python stands for in a generic
// class with type arguments; nothing where there are none.
func TypeVariable(e Evaluator, r corpus.Ref, in *infer.Env, b infer.Budget) []infer.Thing {
	for ; in != nil; in = in.Up() {
		if n := slices.Index(typeVariables(e, in.Of, b), r); n >= 0 {
			return e.Argument(in.Args, n, b)
		}
	}
	return nil
}

// typeVariables are the type variables of a class: those in the brackets of its
// bases, in the order of Generic or Protocol where that is one of them.
func typeVariables(e Evaluator, class corpus.Ref, b infer.Budget) []corpus.Ref {
	f := e.File(class.File)
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
		for _, r := range e.Meaning(corpus.Ref{File: f.ID, Index: int32(i)}, b.Restart()).Refs {
			if !slices.Contains(all, r) && !e.File(r.File).Symbol(r.Index).Kind.IsType() {
				all = append(all, r)
			}
		}
	}
	return all
}
