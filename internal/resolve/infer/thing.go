package infer

import (
	"slices"

	"espy/internal/resolve/corpus"
)

// Kind says what an expression may stand for.
type Kind uint8

const (
	AType     Kind = iota // the type Ref itself
	AValue                // a value of the type Ref
	AFunc                 // the function Ref
	AModule               // Module
	AList                 // a value whose elements are the expression Expr
	AMap                  // the same, with keys
	ABuiltin              // a text, a number, ...
	ATuple                // the expressions of the tuple Expr
	AClosure              // a function whose result is the expression Expr
	ACallback             // a function that is called with elements of Recv
	AnEntry               // a pair of a key and the value Expr
	ALiteral              // a literal of keys and values that is given to a call, the OpShaped Expr
	Elsewhere             // something that the repository does not declare
)

// Thing is one of the alternatives that an expression may stand for.
type Thing struct {
	Kind     Kind
	Ref      corpus.Ref
	Env      *Env    // of Ref
	Unnamed  bool    // Ref is no type itself: it holds the members of one
	Part     int32   // of an unnamed type: which of those whose members Ref holds, as File.PartOf counts
	Super    bool    // a value seen as its base types
	Module   *Module // of AModule
	Expr     Expr    // of Elsewhere: type arguments, without a file where there are none; of what a utility type takes members from: the arguments of that
	Params   int32   // of AClosure: the values that it takes, an OpTuple; of AMap: one more than the expression of a key, 0 for none
	On       int32   // of AClosure: one more than the expression of what it runs on, 0 for nothing
	Variant  int32   // of AValue: one more than the constant of an enumeration that it is
	Argument int32   // of ACallback: which argument the element is; of ABuiltin: its literal
	Name     string  // of Elsewhere: what it is called
	Recv     *Thing  // of AFunc and Elsewhere: what it is a member of; of ATuple: the function whose arguments it is
	Generic  bool    // of Elsewhere: what comes of it may be of the repository all the same
	Guess    bool    // not written: follows from a first value
	Extends  bool    // of AType: a base whose members are those of the type below it, not of its values
	Partly   string  // the utility type that may leave out some members
	Supposed bool    // guessed by a name alone
	Bound    bool    // what a type parameter is at least, not what it is
	Beside   bool    // of several that a value is at once, not one of several that it may be
	Open     bool    // what else the value is at once is not known
	Itself   bool    // of AType: no value of it, where one could stand
	Awaited  bool    // of AList and ATuple: the elements are what await gives for Expr
	Entries  bool    // of AList: the elements are pairs of a key and the value Expr
}

// TypeOf returns the thing that is a type.
func TypeOf(r corpus.Ref) Thing { return Thing{Kind: AType, Ref: r} }

// ValueOf returns the thing that is a value of a type.
func ValueOf(r corpus.Ref) Thing { return Thing{Kind: AValue, Ref: r} }

// Symbol returns the symbol of a type or of a value's type. Of an unnamed type it
// is the one that holds the members.
func (t *Thing) Symbol() (corpus.Ref, bool) { return t.Ref, t.Kind == AType || t.Kind == AValue }

// Holds is the expression of an element of AList or AMap, or of a key: of one that is not
// known it is no expression.
func (t *Thing) Holds(which Part) Expr {
	if t.Kind == AMap && which != ElementPart {
		return t.Expr.To(t.Params - 1)
	}
	return t.Expr
}

// OutsideName returns the name of a thing that the repository does not declare,
// or of the utility type that makes it; else "".
func (t *Thing) OutsideName() string {
	switch {
	case t.Partly != "":
		return t.Partly
	case t.Kind == Elsewhere:
		return t.Name
	}
	return ""
}

// Lacks is the state of a member that a thing does not declare: whether it has others
// may not be known.
func (t *Thing) Lacks() State {
	switch {
	case t.Open:
		return Unknown
	case t.Partly != "":
		return Outside
	}
	return Absent
}

// IsOne reports whether a base is the type of a value.
func (t *Thing) IsOne(value *Thing) bool {
	if value.Kind == Elsewhere || t.Kind == Elsewhere {
		return t.Kind == value.Kind && t.Name == value.Name
	}
	return value.Kind == AValue && t.Ref == value.Ref
}

// isSame reports whether two types are one symbol with the same arguments, or two
// modules one.
func (t *Thing) isSame(o Thing) bool {
	switch {
	case t.Kind != o.Kind:
		return false
	case t.Kind == AType:
		return t.Ref == o.Ref && t.Part == o.Part && t.Env == o.Env
	}
	return t.Kind == AModule && t.Module.Path == o.Module.Path && t.Module.Family == o.Module.Family && t.Module.Inside == o.Module.Inside && t.Module.Home == o.Module.Home && slices.Equal(t.Module.Files, o.Module.Files)
}

// IsUpper reports whether a name is written as those of types and constants are.
func IsUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// Values turns types into values of them and keeps what is a value.
func Values(things []Thing) []Thing {
	if !slices.ContainsFunc(things, func(t Thing) bool { return t.Kind == AType && !t.Itself }) {
		return things
	}
	all := slices.Clone(things)
	for i := range all {
		if all[i].Kind == AType && !all[i].Itself {
			all[i].Kind = AValue
		}
	}
	return all
}

// Apply returns a type or function with type arguments, an OpTuple.
func (t Thing) Apply(args Expr) Thing {
	switch t.Kind {
	case AType, AValue:
		t.Env = &Env{Of: t.Ref, Args: args}
	case AFunc:
		t.Env = &Env{Of: t.Ref, Args: args, Outer: t.Env}
		if o := t.Env.Outer; o != nil && o.Of == t.Ref {
			t.Env.Outer = o.Outer
		}
	case Elsewhere:
		t.Expr = args
	}
	return t
}
