package generic

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// valuesOf is what an argument of a call is: a literal by its keys and their values, which
// say what type parameters stand for, not by the type that the call takes.
func valuesOf(e Evaluator, x infer.Expr, b infer.Budget) []infer.Thing {
	if isLiteral(x) {
		return []infer.Thing{{Kind: infer.ALiteral, Expr: x}}
	}
	return e.Eval(x, b)
}

// isLiteral reports whether an expression is a literal that is given to a call, itself or
// within one, with a key of which the value is known.
func isLiteral(x infer.Expr) bool {
	return x.At != facts.None && x.Node().Op == facts.OpShaped && x.File.Language != nil && x.File.Language.KeysAreMembers &&
		slices.ContainsFunc(x.File.Targeting(x.At), func(use int32) bool { return x.File.Keyed(use) != facts.None })
}

// keyOf is the use that is the key of a name in a literal.
func keyOf(t infer.Thing, name string) (use int32, ok bool) {
	for _, use := range t.Expr.File.Targeting(t.Expr.At) {
		if t.Expr.File.Use(use).Name == name {
			return use, true
		}
	}
	return facts.None, false
}

// key is the value of a key of a literal.
func key(e Evaluator, t infer.Thing, name string, b infer.Budget) []infer.Thing {
	use, ok := keyOf(t, name)
	if !ok || b.Spent() {
		return nil
	}
	b.Spend()
	return infer.Guesses(infer.Values(valuesOf(e, t.Expr.To(t.Expr.File.Keyed(use)), b.Deeper())))
}

// KeyMembers are the members of a name of a literal: what a key that is its value, too,
// means. Other keys are no symbols.
func KeyMembers(e Evaluator, t infer.Thing, name string, b infer.Budget) (found []infer.Member, state infer.State) {
	use, ok := keyOf(t, name)
	if !ok || b.TooDeep() {
		return nil, infer.Unknown
	}
	f := t.Expr.File
	value := f.Expr(f.Keyed(use), t.Expr.Env)
	if value.At == facts.None || value.Node().Op != facts.OpUse || f.Use(value.Node().X).At != f.Use(use).At {
		return nil, infer.Outside
	}
	for _, r := range e.Meaning(corpus.Ref{File: f.ID, Index: value.Node().X}, b.Deeper()).Refs {
		found = append(found, infer.Member{Ref: r, Env: t.Expr.Env, Guess: true})
	}
	if len(found) == 0 {
		return nil, infer.Outside
	}
	return found, infer.Found
}

// literal takes the values of a literal for what the members of their names are declared
// as in a type.
func (u *unifier) literal(typ, t infer.Thing, b infer.Budget) {
	if t.Kind != infer.ALiteral {
		return
	}
	f := t.Expr.File
	for _, use := range f.Targeting(t.Expr.At) {
		if f.Keyed(use) == facts.None || b.Spent() {
			continue
		}
		name := f.Use(use).Name
		found, state := u.e.Member(typ, name, b.Deeper())
		if state != infer.Found || len(found) != 1 || found[0].Module != nil {
			continue
		}
		in := u.e.File(found[0].Ref.File)
		s := in.Symbol(found[0].Ref.Index)
		u.value(in.Expr(s.Type, found[0].Env), s, key(u.e, t, name, b.Deeper()), b.Deeper())
	}
}

// value takes values of a key for what a member of its name is declared as: of a method,
// what they give.
func (u *unifier) value(p infer.Expr, member *facts.Symbol, values []infer.Thing, b infer.Budget) {
	if member.Kind == code.KindMethod {
		values = infer.Each(values, func(t infer.Thing) []infer.Thing { return u.e.Give(t, b) })
	}
	was := u.keyed
	u.keyed = true
	u.unify(p, values, b)
	u.keyed = was
}

// isContextual reports whether values in a literal are functions that have their types by
// what a type parameter is at least.
func (u *unifier) isContextual(param *facts.Symbol, values []infer.Thing) bool {
	return u.keyed && param.Type != facts.None && param.Flags&facts.Inferred == 0 &&
		slices.ContainsFunc(values, func(t infer.Thing) bool { return t.Kind == infer.AClosure })
}

// isWritten reports whether functions say themselves what they take as argument n, from 0.
func isWritten(values []infer.Thing, n int) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(t infer.Thing) bool {
		if t.Kind != infer.AClosure {
			return true
		}
		takes := t.Expr.To(t.Params).Tuple()
		return n >= len(takes) || takes[n] == facts.None
	})
}

// Receivers are those of a use without the literal of which it is a key: what a literal is
// does not say what its keys mean.
func Receivers(f *infer.File, u *facts.Use, all []infer.Thing) []infer.Thing {
	isLiteral := func(t infer.Thing) bool { return t.Kind == infer.ALiteral }
	if !slices.ContainsFunc(all, isLiteral) || !f.IsGivenKey(u) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), isLiteral)
}

// Around is the environment of a value of the type around an expression, in a member of
// which the expression stands.
func Around(x infer.Expr) *infer.Env {
	of := x.Node().X
	for in := x.Env.Generic(); in != nil; in = in.Up() {
		if in.Of == (corpus.Ref{File: x.File.ID, Index: of}) && in.Params == nil {
			return in
		}
	}
	return nil
}
