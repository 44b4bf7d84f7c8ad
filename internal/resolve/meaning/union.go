package meaning

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// odds count what the alternatives of a union say of a member. A use of a member
// that some of them lack is of a part of the union, which a test before it tells.
type odds struct {
	union   bool
	with    []corpus.Ref // the members, once each
	lacking int          // alternatives of the repository
	foreign int          // alternatives from elsewhere
}

// maxForeign bounds the alternatives from elsewhere beside which a member of
// another one is likely.
const maxForeign = 2

func (o *odds) outside(base infer.Thing) {
	if base.Kind == infer.Elsewhere {
		o.foreign++
	}
}

func (o *odds) inside(e *Evaluator, found []infer.Member, b infer.Budget) {
	if !o.union {
		return
	}
	for _, m := range found {
		if !slices.ContainsFunc(o.with, func(r corpus.Ref) bool { return e.areOne(r, m.Ref, b) }) {
			o.with = append(o.with, m.Ref)
		}
	}
	if len(found) == 0 {
		o.lacking++
	}
}

// areOne reports whether two members are one for their language, or one overrides
// the other.
func (e *Evaluator) areOne(x, y corpus.Ref, b infer.Budget) bool {
	return slices.Contains(e.Together(x), y) || slices.Contains(e.Overridden(x, b), y) || slices.Contains(e.Overridden(y, b), x)
}

// weigh marks members of which it cannot be told whether they are meant: one of
// several that only some alternatives have, or one beside many from elsewhere.
func (o *odds) weigh(all []infer.Member) []infer.Member {
	if !o.union || (len(o.with) < 2 || o.lacking == 0) && o.foreign <= maxForeign {
		return all
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].Doubt = true
	}
	return all
}

// isUnion reports whether an alias stands for one of several types.
func (e *Evaluator) isUnion(alias corpus.Ref) bool {
	f := e.File(alias.File)
	x := f.Symbol(alias.Index).Type
	return x != facts.None && f.Facts.Expr(int(x)).Op == facts.OpUnion
}
