package generic

import (
	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// ofEveryObject are the methods that any object has, though an interface announces them.
var ofEveryObject = map[string]bool{"equals": true, "hashCode": true, "toString": true}

// CalledAs is the method that a function stands for as a value of an interface: the only
// one that the interface leaves to be written. Where it declares none, that is one of
// those above it. There is none for another thing.
func CalledAs(e Evaluator, t infer.Thing, b infer.Budget) (all []infer.Thing) {
	if t.Kind != infer.AType && t.Kind != infer.AValue || b.TooDeep() {
		return nil
	}
	f := e.File(t.Ref.File)
	y := f.Symbol(t.Ref.Index)
	if y.Kind != code.KindInterface {
		return nil
	}
	for i := t.Ref.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < y.End; i++ {
		if s := f.Symbol(i); s.Parent == t.Ref.Index && s.Kind == code.KindMethod && s.Flags&facts.Abstract != 0 && !ofEveryObject[s.Name] {
			all = append(all, infer.Thing{Kind: infer.AFunc, Ref: corpus.Ref{File: t.Ref.File, Index: i}, Env: t.Env})
		}
	}
	if len(all) == 0 {
		above, _ := e.Above(t, b.Deeper())
		all = infer.Each(above, func(t infer.Thing) []infer.Thing { return CalledAs(e, t, b.Deeper()) })
	}
	if len(all) > 1 {
		return nil
	}
	return all
}
