// Package narrow works out which of the types that a value may be of it is of at a
// place: by the tests before that, and by the keys of the literal that it is.
package narrow

import (
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
	// Underlying is what a named type is declared as.
	Underlying(t infer.Thing, b infer.Budget) []infer.Thing
	// Below reports whether a type is below another one.
	Below(typ corpus.Ref, above infer.Thing, b infer.Budget) (found, known bool)
}

// Guarded are the values that a type guard finds; none of another function.
func Guarded(e Evaluator, guard infer.Thing, b infer.Budget) []infer.Thing {
	if guard.Kind != infer.AFunc {
		return nil
	}
	x := infer.Expr{File: e.File(guard.Ref.File), Env: guard.Env}
	if x.At = x.File.Symbol(guard.Ref.Index).Type; x.At == facts.None || x.Node().Op != facts.OpPredicate {
		return nil
	}
	return infer.Values(e.Eval(x.To(x.Node().X), b))
}

// Tested is what an expression stands for after a test, which fails where not is true.
func Tested(e Evaluator, x, test infer.Expr, not bool, b infer.Budget) []infer.Thing {
	if tests := constantTests(test); len(tests) > 0 {
		return byConstant(e, x, tests, not, b)
	}
	types := infer.Values(e.Eval(test, b))
	if not {
		return except(e, e.Eval(x, b), types, b)
	}
	return to(e, e.Eval(x, b), types, b)
}

// to are the things that are known to be of one of some types: those among them that
// are below one, else values of these types.
func to(e Evaluator, things, types []infer.Thing, b infer.Budget) []infer.Thing {
	var all []infer.Thing
	for _, t := range spread(e, things, b) {
		if t.Kind == infer.AValue && slices.ContainsFunc(types, func(o infer.Thing) bool { return isOf(e, t, o, b) }) {
			all = append(all, t)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(types) > 0 && !(areOpen(types) && slices.ContainsFunc(things, isDeclared)):
		return types
	}
	return things
}

// areOpen reports whether values of some types may have any members.
func areOpen(types []infer.Thing) bool {
	return !slices.ContainsFunc(types, func(t infer.Thing) bool { return t.Kind != infer.AMap })
}

// isDeclared reports whether the repository says which members a thing has.
func isDeclared(t infer.Thing) bool { return t.Kind == infer.AValue || t.Kind == infer.AType }

// except are the things that are not known to be of one of some types, all where none
// is left.
func except(e Evaluator, things, types []infer.Thing, b infer.Budget) []infer.Thing {
	var all []infer.Thing
	for _, t := range spread(e, things, b) {
		if t.Kind != infer.AValue || !slices.ContainsFunc(types, func(o infer.Thing) bool { return isOf(e, t, o, b) }) {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return things
	}
	return all
}

// spread replaces values of other names of types by those of these types.
func spread(e Evaluator, things []infer.Thing, b infer.Budget) []infer.Thing {
	return infer.Each(things, func(t infer.Thing) []infer.Thing {
		if t.Kind == infer.AValue && isAlias(e, t) {
			if of := e.Underlying(t, b); len(of) > 0 {
				return of
			}
		}
		return []infer.Thing{t}
	})
}

// isAlias reports whether a thing is of another name of a type, in languages where
// such names stand for unions.
func isAlias(e Evaluator, t infer.Thing) bool {
	if t.Kind != infer.AValue && t.Kind != infer.AType || t.Unnamed {
		return false
	}
	f := e.File(t.Ref.File)
	return f.Language != nil && f.Language.TypesApart && f.Symbol(t.Ref.Index).Kind == code.KindType
}

// isOf reports whether a value is of a type, itself or by what that inherits.
func isOf(e Evaluator, t, typ infer.Thing, b infer.Budget) bool {
	if typ.Kind != infer.AValue || t.Ref == typ.Ref {
		return typ.Kind == infer.AValue && t.Part == typ.Part
	}
	found, _ := e.Below(t.Ref, typ, b)
	return found
}
