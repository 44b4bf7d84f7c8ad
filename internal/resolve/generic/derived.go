package generic

import (
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// Derived is what a type from elsewhere makes of its argument, the first of args.
func Derived(e Evaluator, of infer.Thing, how infer.Derivation, args infer.Expr, b infer.Budget) []infer.Thing {
	switch how {
	case infer.ItsParameters:
		return []infer.Thing{{Kind: infer.ATuple, Expr: args.To(facts.None), Recv: &of}}
	case infer.ItsInstance:
		return e.Give(of, b)
	case infer.ItsResult:
		return infer.Each(infer.Values([]infer.Thing{of}), func(t infer.Thing) []infer.Thing { return e.Give(t, b) })
	}
	return infer.Each(infer.Values([]infer.Thing{of}), func(t infer.Thing) []infer.Thing { return e.Element(t, infer.AwaitedPart, b) })
}
