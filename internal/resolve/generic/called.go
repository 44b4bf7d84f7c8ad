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

// through is what a call of a value or of an object gives by the method that its language
// has for that; ok is false where that has none, or a class is called.
func through(e Evaluator, t infer.Thing, b infer.Budget) (given []infer.Thing, ok bool) {
	r, typed := t.Symbol()
	if !typed || t.Unnamed || b.TooDeep() {
		return nil, false
	}
	f := e.File(r.File)
	if f.Language == nil || f.Language.Calls == "" {
		return nil, false
	}
	object := t.Kind == infer.AType
	if s := f.Symbol(r.Index); object && (s.Kind != code.KindClass || s.Flags&facts.Static == 0) {
		return nil, false
	}
	found, state := e.Member(t, f.Language.Calls, b.Deeper())
	if state != infer.Found {
		return nil, object
	}
	for _, m := range found {
		given = infer.Either(given, e.Give(infer.Thing{Kind: infer.AFunc, Ref: m.Ref, Env: m.Env}, b.Deeper()))
	}
	return given, true
}
