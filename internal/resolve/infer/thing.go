package infer

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// maxThings bounds the alternatives of one expression.
const maxThings = 8

// thingKind says what an expression may stand for.
type thingKind uint8

const (
	aType     thingKind = iota // the type ref itself
	aValue                     // a value of the type ref
	aFunc                      // the function ref
	aModule                    // module
	aList                      // a value whose elements are the expression expr
	aMap                       // the same, with keys
	aBuiltin                   // a text, a number, ...
	aTuple                     // the expressions of the tuple expr
	aClosure                   // a function whose result is the expression expr
	aCallback                  // a function that is called with elements of recv
	outside                    // something that the repository does not declare
)

// Thing is one of the alternatives that an expression may stand for.
type Thing struct {
	kind     thingKind
	ref      corpus.Ref
	env      *env    // of ref
	unnamed  bool    // ref is no type itself: it holds the members of one
	super    bool    // a value seen as its base types
	module   *Module // of aModule
	expr     expr    // of outside: type arguments, without a file where there are none
	params   int32   // of aClosure: the values that it takes, an OpTuple
	variant  int32   // of aValue: one more than the constant of an enumeration that it is
	argument int32   // of aCallback: which argument the element is; of aBuiltin: its literal
	name     string  // of outside: what it is called
	recv     *Thing  // of aFunc and outside: what it is a member of
	generic  bool    // of outside: what comes of it may be of the repository all the same
	guess    bool    // not written: follows from a first value
	partly   string  // the utility type that may leave out some members
	supposed bool    // guessed by a name alone
}

// TypeOf returns the thing that is a type.
func TypeOf(r corpus.Ref) Thing { return Thing{kind: aType, ref: r} }

// ValueOf returns the thing that is a value of a type.
func ValueOf(r corpus.Ref) Thing { return Thing{kind: aValue, ref: r} }

// Symbol returns the symbol of a type or of a value's type. Of an unnamed type it
// is the one that holds the members.
func (t *Thing) Symbol() (corpus.Ref, bool) { return t.ref, t.kind == aType || t.kind == aValue }

// IsUnnamed reports whether a thing is of an unnamed type.
func (t *Thing) IsUnnamed() bool { return t.unnamed }

// OutsideName returns the name of a thing that the repository does not declare,
// or of the utility type that makes it; else "".
func (t *Thing) OutsideName() string {
	switch {
	case t.partly != "":
		return t.partly
	case t.kind == outside:
		return t.name
	}
	return ""
}

// isOne reports whether a base is the type of a value.
func (t *Thing) isOne(value *Thing) bool {
	if value.kind == outside || t.kind == outside {
		return t.kind == value.kind && t.name == value.name
	}
	return value.kind == aValue && t.ref == value.ref
}

// isUpper reports whether a name is written as those of types and constants are.
func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// values turns types into values of them and keeps what is a value.
func values(things []Thing) []Thing {
	if !slices.ContainsFunc(things, func(t Thing) bool { return t.kind == aType }) {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		if all[i].kind == aType {
			all[i].kind = aValue
		}
	}
	return all
}

func guesses(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].guess = true
	}
	return all
}

// generics marks what is from elsewhere as what something of the repository may come of.
func generics(things []Thing) []Thing {
	all := slices.Clone(things)
	for i := range all {
		all[i].generic = all[i].generic || all[i].kind == outside
	}
	return all
}

// suppositions marks guesses that nothing but a name speaks for.
func suppositions(things []Thing) []Thing {
	all := guesses(things)
	for i := range all {
		all[i].supposed = true
	}
	return all
}

// withoutSome marks things that a utility type takes members from.
func withoutSome(things []Thing, utility string) []Thing {
	if utility != "Omit" && utility != "Pick" {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		all[i].partly = utility
	}
	return all
}

// either joins alternatives.
func either(a, b []Thing) []Thing {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	return all[:min(len(all), maxThings)]
}

// Each joins what a step makes of each thing.
func Each(things []Thing, step func(Thing) []Thing) []Thing {
	if len(things) == 1 && !things[0].supposed {
		return step(things[0])
	}
	var all []Thing
	for _, t := range things {
		more := step(t)
		if t.supposed {
			more = suppositions(more)
		}
		all = either(all, more)
	}
	return all
}

// apply returns a type or function with type arguments, an OpTuple.
func (t Thing) apply(args expr) Thing {
	switch t.kind {
	case aType, aValue, aFunc:
		t.env = &env{of: t.ref, args: args}
	case outside:
		t.expr = args
	}
	return t
}
