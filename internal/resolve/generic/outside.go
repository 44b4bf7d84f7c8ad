package generic

import (
	"strings"

	"espy/internal/resolve/infer"
)

// Held is what a generic type from elsewhere, or a type that stands for one or inherits
// from one, has under a name: a half of a pair, or a type within it.
func Held(e Evaluator, t infer.Thing, name string, b infer.Budget) []infer.Thing {
	if t.Kind == infer.ALiteral {
		return key(e, t, name, b)
	}
	if within := inner(e, t, name, b); len(within) > 0 {
		return within
	}
	if of := half(e, t, name, b); len(of) > 0 {
		return of
	}
	return HalfAbove(e, t, name, b)
}

// inner is what a type from elsewhere, or what another name of it stands for, has as a
// type of its own.
func inner(e Evaluator, t infer.Thing, name string, b infer.Budget) []infer.Thing {
	if t.Kind == infer.AType && !t.Unnamed && !b.TooDeep() {
		if l := e.File(t.Ref.File).Language; l == nil || !l.Inner[name] {
			return nil
		}
		bases, _ := e.Above(t, b.Deeper())
		return infer.Each(bases, func(base infer.Thing) []infer.Thing { return inner(e, base, name, b.Deeper()) })
	}
	if t.Kind != infer.Elsewhere || t.Expr.File == nil || t.Expr.File.Language == nil {
		return nil
	}
	if !t.Expr.File.Language.Inner[name] {
		return nil
	}
	return Pointed(e, t, b)
}

// Pointed is what an iterator of a container from elsewhere leads to: a pair, for which
// the container stands, or an element.
func Pointed(e Evaluator, t infer.Thing, b infer.Budget) []infer.Thing {
	if IsPairs(t) {
		return []infer.Thing{t}
	}
	return e.Element(t, infer.ElementPart, b)
}

// HalfAbove is the half of a pair that a value has through its type, which
// inherits from a pair.
func HalfAbove(e Evaluator, t infer.Thing, name string, b infer.Budget) []infer.Thing {
	if t.Kind != infer.AType && t.Kind != infer.AValue || b.TooDeep() {
		return nil
	}
	if l := e.File(t.Ref.File).Language; l == nil || l.Halves == nil {
		return nil
	} else if _, ok := l.Halves[name]; !ok {
		return nil
	}
	bases, _ := e.Above(t, b.Deeper())
	for _, base := range bases {
		if of := half(e, base, name, b); len(of) > 0 {
			return of
		}
	}
	return nil
}

// IsPairs reports whether a loop over a thing from elsewhere takes pairs: of what
// that is known is known of the thing itself.
func IsPairs(t infer.Thing) bool {
	return t.Kind == infer.Elsewhere && t.Expr.File != nil && t.Expr.File.Language != nil && t.Expr.File.Language.Pairs[t.Name]
}

// half is a member of a pair, or of what leads to one: its first or second value.
func half(e Evaluator, t infer.Thing, name string, b infer.Budget) []infer.Thing {
	if !IsPairs(t) {
		return nil
	}
	n, ok := t.Expr.File.Language.Halves[name]
	if !ok {
		return nil
	}
	return infer.Values(e.Argument(t.Expr, n, b))
}

// LoopsKeys reports whether a loop over a thing from elsewhere gives its keys.
func LoopsKeys(t infer.Thing) bool {
	return t.Expr.File != nil && t.Expr.File.Language != nil && t.Expr.File.Language.KeyLoops[t.Name] && t.Expr.Count() == 2
}

// OutsideElement is an element of a value of a type from elsewhere, by its
// type arguments: of a key the first of them, of an element the last.
func OutsideElement(e Evaluator, t infer.Thing, which infer.Part, b infer.Budget) []infer.Thing {
	if t.Expr.File == nil {
		return orElse(OfModel(e, t, infer.AllElements), t)
	}
	n := 0
	if l := t.Expr.File.Language; which == infer.ElementPart && !IsTuple(t.Name) && (l == nil || !l.Leading[t.Name]) {
		n = t.Expr.Count() - 1
		if l != nil && l.Halves != nil && l.Pairs[t.Name] { // also with how it compares
			n = min(n, 1)
		}
	}
	found := infer.Values(e.Argument(t.Expr, n, b))
	if l := t.Expr.File.Language; l == nil || !l.Flat[t.Name] || b.TooDeep() {
		return found
	}
	return infer.Each(found, func(inner infer.Thing) []infer.Thing {
		if inner.Kind != infer.Elsewhere || inner.Expr.File == nil || inner.Name != t.Name {
			return []infer.Thing{inner}
		}
		return OutsideElement(e, inner, which, b.Deeper())
	})
}

// IsTuple reports whether a name is that of a tuple in any language.
func IsTuple(name string) bool { return strings.EqualFold(name, "tuple") }
