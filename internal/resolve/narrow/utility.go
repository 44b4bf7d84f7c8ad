package narrow

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// Left are the things that may have a member of a name for all that utility types take
// from them: those whose keys are constants say which members they leave.
func Left(e Evaluator, things []infer.Thing, name string, b infer.Budget) []infer.Thing {
	if !MayLack(things) {
		return things
	}
	var all []infer.Thing
	for _, t := range things {
		if mayLack(t) && !b.TooDeep() {
			if leaves, known := leaves(e, t, name, b); known {
				t.Expr = infer.Expr{}
				if !leaves {
					continue
				}
			}
		}
		all = append(all, t)
	}
	return all
}

// MayLack reports whether a utility type takes members from one of some things, and it is
// not known which.
func MayLack(things []infer.Thing) bool { return slices.ContainsFunc(things, mayLack) }

func mayLack(t infer.Thing) bool { return t.Partly != "" && t.Expr.File != nil }

// leaves reports whether a utility type leaves a member of a name, and whether its keys say
// so.
func leaves(e Evaluator, t infer.Thing, name string, b infer.Budget) (leaves, known bool) {
	keys := t.Expr.Tuple()
	if len(keys) != 2 {
		return false, false
	}
	p := picker{e: e, b: b.Deeper()}
	constants, known := p.constants(t.Expr.To(keys[1]), 0)
	return slices.Contains(constants, facts.TextNumber(name)) == (t.Partly == "Pick"), known && len(constants) > 0
}
