package infer

import (
	"slices"

	"espy/internal/facts"
)

// Bounds of what one expression stands for.
const (
	maxThings = 8  // alternatives
	maxAtOnce = 32 // types that a value is all at once
)

// Each joins what a step makes of each thing.
func Each(things []Thing, step func(Thing) []Thing) []Thing {
	if len(things) == 1 && !things[0].Supposed {
		return step(things[0])
	}
	var all []Thing
	for _, t := range things {
		more := step(t)
		if t.Supposed {
			more = Suppositions(more)
		}
		all = Either(all, more)
	}
	return all
}

// Either joins alternatives.
func Either(a, b []Thing) []Thing {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all, most := slices.Concat(a, b), maxThings
	if a[0].Beside && b[0].Beside {
		most = maxAtOnce
	}
	if len(all) <= most {
		return all
	}
	all = all[:most]
	for i := range all {
		all[i].Open = all[i].Open || all[i].Beside
	}
	return all
}

// Guesses marks things as not written.
func Guesses(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Guess = true
	}
	return all
}

// Suppositions marks Guesses that nothing but a name speaks for.
func Suppositions(things []Thing) []Thing {
	all := Guesses(things)
	for i := range all {
		all[i].Supposed = true
	}
	return all
}

// Made is what a maker of a language stands for that a thing does not write itself: a call
// of it gives what one of the type does.
func Made(t Thing) []Thing {
	if t.Kind == AValue {
		t.Kind = AType
	}
	return []Thing{t}
}

// MadeBy is the value that a constructor of a type fills.
func MadeBy(t Thing) *Thing {
	t.Kind = AValue
	return &t
}

// Elements are what a list or a map holds: values of the types that are written for them,
// or, in languages that are told by what they hold, what stands there.
func Elements(l *Language, things []Thing) []Thing {
	if l != nil && l.Mixins && l.Reopens {
		return things
	}
	return Values(things)
}

// Types are the types that things are, or are values of.
func Types(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Kind = AType
	}
	return all
}

// Generics marks what is from elsewhere as what something of the repository may come of.
func Generics(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Generic = all[i].Generic || all[i].Kind == Elsewhere
	}
	return all
}

// Named are values of types: those of a type that an import brings from elsewhere are of
// nothing else, though functions beside it give what they are given.
func Named(things []Thing) []Thing {
	imported := func(t Thing) bool {
		return t.Generic && t.Kind == Elsewhere && t.Recv != nil && t.Recv.Kind == Elsewhere && t.Recv.Recv == nil
	}
	if !slices.ContainsFunc(things, imported) {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		all[i].Generic = all[i].Generic && !imported(all[i])
	}
	return all
}

// OneOf joins what two expressions stand for, one of which is meant. Where one is not known,
// and types are given members, what the other has from elsewhere may be of the repository.
func OneOf(x, y Expr, first, second []Thing) []Thing {
	if l := x.File.Language; l != nil && l.Mixins {
		mark := Generics
		if l.Reopens {
			mark = unsure
		}
		if len(first) == 0 && !x.isNull() {
			second = mark(second)
		}
		if len(second) == 0 && !y.isNull() {
			first = mark(first)
		}
	}
	return Either(first, second)
}

// unsure marks what is from elsewhere as one of several things that a value may be, of
// which others are not known.
func unsure(things []Thing) []Thing {
	all := slices.Clone(things)
	for i, t := range all {
		all[i].Generic = t.Generic || t.Kind == Elsewhere || t.Kind == ABuiltin || t.Kind == AList || t.Kind == AMap
	}
	return all
}

// AllOf joins what two expressions stand for that are meant at once. Where values are given
// members, the first may have what the second lacks if it is not known.
func AllOf(x Expr, first, second []Thing) []Thing {
	if l := x.File.Language; l != nil && l.Mixins && l.Reopens {
		switch {
		case len(first) == 0:
			return Suppositions(second)
		case len(second) == 0:
			first = unsure(first)
		}
	}
	return AtOnce(first, second)
}

// AtOnce marks what a value is all at once, of which two parts are given. Where one is not
// known, the value may have members that the other lacks.
func AtOnce(first, second []Thing) []Thing {
	open := len(first) == 0 || len(second) == 0
	return Either(besides(first, open), besides(second, open))
}

func besides(things []Thing, open bool) []Thing {
	all := slices.Clone(things)
	for i := range all {
		t := &all[i]
		t.Beside, t.Open = true, t.Open || open
		t.Generic = t.Generic || open && t.Kind == Elsewhere
	}
	return all
}

// Declared leaves what the repository declares.
func Declared(things []Thing) []Thing {
	return slices.DeleteFunc(slices.Clone(things), func(t Thing) bool { return t.Kind == Elsewhere })
}

// Itselves marks types that stand for no values of them.
func Itselves(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Itself = all[i].Kind == AType
	}
	return all
}

// WithoutSome marks things that a utility type takes members from, as its arguments say.
func WithoutSome(things []Thing, utility string, args Expr) []Thing {
	if utility != "Omit" && utility != "Pick" {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		if t := &all[i]; t.Kind == AType || t.Kind == AValue {
			t.Expr = args
			if t.Partly != "" { // which takes some already
				t.Expr.At = facts.None
			}
		}
		all[i].Partly = utility
	}
	return all
}

// Bounds marks what a type parameter is at least.
func Bounds(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].Bound = true
	}
	return all
}

// IsAmong reports whether things are one type or module that others hold: a type
// that is announced and defined, a namespace that is opened again.
func IsAmong(all, things []Thing) bool {
	return len(things) == 1 && slices.ContainsFunc(all, things[0].isSame)
}

// ContainerOf is what a method from elsewhere is a method of, where it is of one of
// the kinds and its elements are known, and the language that it is written in.
func ContainerOf(method Thing, kinds ...Kind) (*Thing, *Language) {
	c := method.Recv
	if c == nil || c.Expr.File == nil {
		return nil, nil
	}
	for _, k := range kinds {
		if c.Kind == k {
			return c, c.Expr.File.Language
		}
	}
	return nil, nil
}
