package generic

import (
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// Components are some things as a use has them. Where it names an argument of a component
// that is a value of a function type, it is a member of what the function takes.
func Components(e Evaluator, f *infer.File, u *facts.Use, things []infer.Thing, b infer.Budget) []infer.Thing {
	if f.Language == nil || !f.Language.ComponentArguments || !f.NamesArgument(u) {
		return things
	}
	return infer.Each(things, func(t infer.Thing) []infer.Thing {
		if takes := props(e, t, b); len(takes) > 0 {
			return takes
		}
		return []infer.Thing{t}
	})
}

// props is what a component takes that is a value of a function type.
func props(e Evaluator, t infer.Thing, b infer.Budget) []infer.Thing {
	switch {
	case b.TooDeep():
	case t.Kind == infer.AClosure:
		return infer.Values(e.Argument(t.Expr.To(t.Params), 0, b))
	case t.Kind == infer.AValue && !t.Unnamed:
		return infer.Each(e.Underlying(t, b.Deeper()), func(t infer.Thing) []infer.Thing { return props(e, t, b.Deeper()) })
	case t.Kind == infer.Elsewhere && t.Expr.File != nil && t.Expr.File.Language != nil:
		if takes := t.Expr.File.Language.Functional[t.Name]; len(takes) > 0 {
			return infer.Values(e.Argument(t.Expr, takes[0], b.Deeper()))
		}
	}
	return nil
}
