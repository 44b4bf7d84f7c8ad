package infer

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
)

// fit says how an argument fits a parameter, the worst first.
type fit uint8

const (
	no       fit = iota
	unsure       // one of the types is not known
	variadic     // as one of any number of arguments
	boxed        // a number as an object, or back
	below        // of a type below that of the parameter
	exact
)

// converter compares types in one look-up.
type converter struct {
	*Conversions
	e *Evaluator
	b Budget
}

func newConverter(c *Conversions, e *Evaluator, b Budget) *converter { return &converter{c, e, b} }

// isVariable reports whether an expression names a type parameter.
func isVariable(x expr) bool { return variable(x) != facts.None }

// variable is the type parameter that an expression names, or None.
func variable(x expr) int32 {
	for x.at != facts.None {
		n := x.node()
		if n.Op == facts.OpUse {
			u := x.file.Use(n.X)
			if u.Bind == facts.BindSymbol && x.file.Symbol(u.Target).Kind == code.KindTypeParam {
				return u.Target
			}
			return facts.None
		}
		if n.Op != facts.OpValue {
			return facts.None
		}
		x.at = n.X
	}
	return facts.None
}

// fit says how a value of an expression fits a parameter of a type.
func (v *converter) fit(param, arg expr) fit {
	if param.at == facts.None || arg.at == facts.None || v.b.spent() {
		return unsure
	}
	takes := values(v.e.eval(param, v.b))
	n := arg.node()
	switch {
	case n.Op == facts.OpLiteral && n.X == facts.LiteralNull:
		return reference(takes)
	case isVariable(param):
		if isVariable(arg) {
			return exact
		}
		if got := values(v.e.eval(arg, v.b)); len(got) == 1 && isPrimitive(got[0]) {
			return boxed
		}
		return below
	case len(takes) != 1 || isVariable(arg):
		return unsure
	case n.Op == facts.OpFunc:
		return v.fitFunction(takes[0])
	}
	got := values(v.e.eval(arg, v.b))
	if len(got) == 0 {
		return unsure
	}
	worst, best := exact, no
	for _, g := range got {
		f := v.fitThing(takes[0], g)
		worst, best = min(worst, f), max(best, f)
	}
	if worst == no && best > no {
		return unsure
	}
	return worst
}

// reference is how null fits.
func reference(takes []Thing) fit {
	switch {
	case len(takes) == 1 && isPrimitive(takes[0]):
		return no
	case len(takes) == 0:
		return unsure
	}
	return below
}

// isPrimitive reports whether a value is no object.
func isPrimitive(t Thing) bool {
	return t.kind == aBuiltin && (t.argument >= facts.LiteralByte && t.argument <= facts.LiteralDouble ||
		t.argument == facts.LiteralBool || t.argument == facts.LiteralNumber)
}

// fitFunction is how a function without a name fits.
func (v *converter) fitFunction(takes Thing) fit {
	switch takes.kind {
	case aBuiltin, aList:
		return no
	case aValue:
		if v.e.file(takes.ref.File).Symbol(takes.ref.Index).Kind != code.KindInterface {
			return no
		}
	case outside:
		if v.Above[takes.name] != nil || takes.name == v.Top {
			return no
		}
	}
	return unsure
}

func (v *converter) fitThing(takes, got Thing) fit {
	got, known := v.plain(got)
	takes, settled := v.plain(takes)
	if !known || !settled {
		return unsure
	}
	if takes.kind == outside && takes.name == v.Top {
		return fitTop(got, v.Top)
	}
	switch got.kind {
	case aBuiltin:
		return v.fitBuiltin(takes, got)
	case aList:
		return v.fitArray(takes, got)
	case aValue:
		return v.fitValue(takes, got)
	case outside:
		return v.fitOutside(takes, got)
	}
	return unsure
}

// plain is a value whose type is known: what methods of types from elsewhere
// give is known of some.
func (v *converter) plain(t Thing) (Thing, bool) {
	if t.kind != outside {
		return t, t.kind == aBuiltin || t.kind == aList || t.kind == aValue
	}
	if t.recv == nil {
		return t, isUpper(t.name) && !t.generic
	}
	if n, ok := v.Numbers[t.name]; ok {
		return Thing{kind: aBuiltin, argument: n}, true
	}
	if name, ok := v.Results[t.name]; ok {
		return Thing{kind: outside, name: name}, true
	}
	return t, false
}

func fitTop(got Thing, top string) fit {
	switch {
	case isPrimitive(got):
		return boxed
	case got.kind == outside && got.name == top:
		return exact
	}
	return below
}

// fitBuiltin is how a literal's type fits.
func (v *converter) fitBuiltin(takes, got Thing) fit {
	switch {
	case takes.kind == aBuiltin && takes.argument == got.argument:
		return exact
	case takes.kind == aBuiltin:
		return widened(takes.argument, got.argument)
	case takes.kind != outside:
		return no
	case got.argument == facts.LiteralString:
		return v.fitOutside(takes, Thing{kind: outside, name: v.Text})
	case got.argument == facts.LiteralClass:
		return v.fitOutside(takes, Thing{kind: outside, name: v.Class})
	}
	for name, held := range v.Boxes {
		if held == got.argument {
			if takes.name == name || slices.Contains(v.Above[name], takes.name) {
				return boxed
			}
			return no
		}
	}
	return unsure
}

// widened is how one built-in type fits another.
func widened(takes, got int32) fit {
	number := func(n int32) bool { return n >= facts.LiteralByte && n <= facts.LiteralDouble }
	switch {
	case !number(takes) || !number(got):
		return no
	case takes == facts.LiteralChar || takes < got || got == facts.LiteralChar && takes < facts.LiteralInt:
		return no
	}
	return below
}

// fitArray is how an array fits.
func (v *converter) fitArray(takes, got Thing) fit {
	if takes.kind != aList {
		return no
	}
	f := v.fit(takes.expr, got.expr)
	if f == boxed || f == below && isPrimitiveType(got.expr) {
		return no
	}
	return f
}

// isPrimitiveType reports whether an expression is a type without objects.
func isPrimitiveType(x expr) bool {
	if x.at == facts.None {
		return false
	}
	n := x.node()
	return n.Op == facts.OpLiteral && isPrimitive(Thing{kind: aBuiltin, argument: n.X})
}

// fitValue is how a value of a type of the repository fits.
func (v *converter) fitValue(takes, got Thing) fit {
	if got.guess || got.unnamed || takes.unnamed {
		return unsure
	}
	if takes.kind != aValue && takes.kind != outside {
		return no
	}
	if takes.kind == aValue && takes.ref == got.ref {
		return exact
	}
	isBelow, known := v.e.below(got.ref, takes, v.b)
	switch {
	case isBelow:
		return below
	case takes.kind == aValue || known:
		return no
	}
	return unsure
}

// fitOutside is how a value of a type from elsewhere fits.
func (v *converter) fitOutside(takes, got Thing) fit {
	above, whole := v.Above[got.name]
	held, isBox := v.Boxes[got.name]
	switch {
	case takes.kind == aBuiltin && isBox && (held == takes.argument || widened(takes.argument, held) == below):
		return boxed
	case takes.kind != outside:
		return no
	case takes.name == got.name:
		return exact
	case slices.Contains(above, takes.name):
		return below
	case whole:
		return no
	}
	if _, final := v.Boxes[takes.name]; final || takes.name == v.Text {
		return no
	}
	return unsure
}
