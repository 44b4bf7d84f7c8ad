package meaning

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// areOne reports whether two members are one for their language, or one overrides
// the other.
func (e *Evaluator) areOne(x, y corpus.Ref, b infer.Budget) bool {
	return slices.Contains(e.Together(x), y) || slices.Contains(e.Overridden(x, b), y) || slices.Contains(e.Overridden(y, b), x)
}

// isUnion reports whether an alias stands for one of several types.
func (e *Evaluator) isUnion(alias corpus.Ref) bool {
	f := e.File(alias.File)
	x := f.Symbol(alias.Index).Type
	return x != facts.None && f.Facts.Expr(int(x)).Op == facts.OpUnion
}
