package generic

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Callable are the things that a call may call. Of functions of one name, of which the
// first that fits is called, they are those that take as many arguments, without the body
// that all share; and where one takes the very thing that is given (typeof x) it alone.
func Callable(e Evaluator, things []infer.Thing, callee infer.Expr, b infer.Budget) []infer.Thing {
	l := callee.File.Language
	if len(things) < 2 || l == nil || !l.TypesApart || l.Prototypes || !areOne(e, things) {
		return things
	}
	keep := func(fits func(t infer.Thing) bool) {
		if left := slices.DeleteFunc(slices.Clone(things), func(t infer.Thing) bool { return !fits(t) }); len(left) > 0 {
			things = left
		}
	}
	symbol := func(t infer.Thing) *facts.Symbol { return e.File(t.Ref.File).Symbol(t.Ref.Index) }
	keep(func(t infer.Thing) bool { return symbol(t).Flags&facts.Abstract != 0 })
	if args := arguments(callee); args >= 0 {
		keep(func(t infer.Thing) bool {
			return args >= int(symbol(t).MinArgs) && (args <= int(symbol(t).MaxArgs) || symbol(t).MaxArgs == facts.ManyArgs)
		})
	}
	for i, at := range givenTo(callee) {
		if len(things) < 2 {
			break
		}
		if is := meant(e, callee.To(at), b); len(is) > 0 {
			keep(func(t infer.Thing) bool { return slices.ContainsFunc(itself(e, e.ParameterOf(t, i), b), is.has) })
			keep(func(t infer.Thing) bool {
				takes := itself(e, e.ParameterOf(t, i), b)
				return len(takes) == 0 || slices.ContainsFunc(takes, is.has)
			})
		}
	}
	return things
}

// areOne reports whether things are functions that one scope declares.
func areOne(e Evaluator, things []infer.Thing) bool {
	of := func(t infer.Thing) int32 { return e.File(t.Ref.File).Symbol(t.Ref.Index).Parent }
	return !slices.ContainsFunc(things, func(t infer.Thing) bool {
		return t.Kind != infer.AFunc || things[0].Kind != infer.AFunc || t.Ref.File != things[0].Ref.File || of(t) != of(things[0])
	})
}

// symbols are declarations of one thing.
type symbols []corpus.Ref

func (s symbols) has(r corpus.Ref) bool { return slices.Contains(s, r) }

// meant is what the name means that an expression is, nothing of another one.
func meant(e Evaluator, x infer.Expr, b infer.Budget) symbols {
	if x.At == facts.None || x.Node().Op != facts.OpUse {
		return nil
	}
	return e.Meaning(corpus.Ref{File: x.File.ID, Index: x.Node().X}, b.Deeper()).Refs
}

// itself are the things one of which a parameter must be given, as its type says with
// typeof; none of another type.
func itself(e Evaluator, typ infer.Expr, b infer.Budget) symbols {
	if typ.At == facts.None {
		return nil
	}
	switch n := typ.Node(); n.Op {
	case facts.OpValue:
		return itself(e, typ.To(n.X), b)
	case facts.OpItself:
		return meant(e, typ.To(n.X), b)
	case facts.OpUnion:
		first, second := itself(e, typ.To(n.X), b), itself(e, typ.To(n.Y), b)
		if len(first) > 0 && len(second) > 0 {
			return slices.Concat(first, second)
		}
	}
	return nil
}
