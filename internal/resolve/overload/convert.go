package overload

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/infer"
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

// Choice compares types in one look-up.
type Choice struct {
	*infer.Conversions
	e Evaluator
	b infer.Budget
}

// New returns a choice in a language that knows some types of its library.
func New(c *infer.Conversions, e Evaluator, b infer.Budget) *Choice { return &Choice{c, e, b} }

// IsVariable reports whether a type that is written is a type parameter.
func (v *Choice) IsVariable(typ infer.Expr) bool { return isVariable(typ) }

// Lacks reports whether a value is known not to be of a type that is written.
func (v *Choice) Lacks(typ infer.Expr, t infer.Thing) bool {
	takes := infer.Values(v.e.Eval(typ, v.b))
	return len(takes) == 1 && takes[0].Kind != infer.AClosure && v.fitThing(takes[0], t) == no
}

// isVariable reports whether an expression names a type parameter.
func isVariable(x infer.Expr) bool { return variable(x) != facts.None }

// variable is the type parameter that an expression names, or None.
func variable(x infer.Expr) int32 {
	for x.At != facts.None {
		n := x.Node()
		if n.Op == facts.OpUse {
			u := x.File.Use(n.X)
			if u.Bind == facts.BindSymbol && x.File.Symbol(u.Target).Kind == code.KindTypeParam {
				return u.Target
			}
			return facts.None
		}
		if n.Op != facts.OpValue {
			return facts.None
		}
		x.At = n.X
	}
	return facts.None
}

// isObject reports whether an expression names a variable of a type that any object may
// have: that of a type parameter without a bound.
func isObject(x infer.Expr) bool {
	n := x.Node()
	if n.Op != facts.OpUse {
		return false
	}
	u := x.File.Use(n.X)
	if u.Bind != facts.BindSymbol || x.File.Symbol(u.Target).Type == facts.None {
		return false
	}
	of := variable(x.To(x.File.Symbol(u.Target).Type))
	return of != facts.None && x.File.Symbol(of).Type == facts.None
}

// fit says how a value of an expression fits a parameter of a type.
func (v *Choice) fit(param, arg infer.Expr) fit {
	if param.At == facts.None || arg.At == facts.None || v.b.Spent() {
		return unsure
	}
	takes := infer.Values(v.e.Eval(param, v.b))
	n := arg.Node()
	switch {
	case n.Op == facts.OpLiteral && n.X == facts.LiteralNull:
		return reference(takes)
	case isVariable(param):
		if isVariable(arg) {
			return exact
		}
		if got := infer.Values(v.e.Eval(arg, v.b)); len(got) == 1 && isPrimitive(got[0]) {
			return boxed
		}
		return below
	case len(takes) == 1 && takes[0].Kind == infer.AClosure && n.Op != facts.OpFunc && v.isNoFunction(arg):
		return no
	case len(takes) != 1 || isVariable(arg):
		return unsure
	case n.Op == facts.OpFunc:
		if takes[0].Kind == infer.AClosure {
			return v.fitClosure(takes[0], infer.Thing{Kind: infer.AClosure, Expr: arg.To(n.X), Params: n.Y}, true)
		}
		return v.fitFunction(takes[0])
	}
	got := v.values(arg)
	if len(got) == 0 && isPrimitive(takes[0]) && isObject(arg) {
		return no
	}
	if len(got) == 0 {
		return unsure
	}
	if len(got) == 1 && got[0].Kind == infer.AClosure && takes[0].Kind == infer.AClosure {
		return v.fitClosure(takes[0], got[0], false)
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

// values are what an expression stands for. What a method of a type from elsewhere gives
// may be known by its name.
func (v *Choice) values(x infer.Expr) []infer.Thing {
	if n := x.Node(); n.Op == facts.OpCall && x.To(n.X).Node().Op == facts.OpUse {
		if u := x.File.Use(x.To(n.X).Node().X); u.Bind == facts.BindMember && v.Results[u.Name] != "" {
			things := v.e.Eval(x.To(n.X), v.b)
			if len(things) == 1 && things[0].Kind == infer.Elsewhere && things[0].Recv != nil && things[0].Recv.Kind == infer.Elsewhere {
				return things
			}
		}
	}
	return infer.Values(v.e.Eval(x, v.b))
}

// isNoFunction reports whether the value of an expression is known to be no function.
func (v *Choice) isNoFunction(x infer.Expr) bool {
	things := v.e.Eval(x, v.b)
	if len(things) == 0 {
		return isObject(x)
	}
	return !slices.ContainsFunc(things, func(t infer.Thing) bool {
		t, known := v.plain(t)
		switch {
		case !known: // also a type that is referred to, as the function that makes its values
			return true
		case t.Kind == infer.AValue:
			_, known := v.e.Below(t.Ref, infer.Thing{Kind: infer.Elsewhere, Name: v.Top}, v.b)
			return !known || v.e.File(t.Ref.File).Symbol(t.Ref.Index).Kind == code.KindType
		case t.Kind == infer.Elsewhere:
			return v.Above[t.Name] == nil
		}
		return false
	})
}

// reference is how null fits.
func reference(takes []infer.Thing) fit {
	switch {
	case len(takes) == 1 && isPrimitive(takes[0]):
		return no
	case len(takes) == 0:
		return unsure
	}
	return below
}

// isPrimitive reports whether a value is no object.
func isPrimitive(t infer.Thing) bool {
	return t.Kind == infer.ABuiltin && (t.Argument >= facts.LiteralByte && t.Argument <= facts.LiteralDouble ||
		t.Argument == facts.LiteralBool || t.Argument == facts.LiteralNumber)
}

// fitClosure is how a function fits one that is expected, by what both take and
// give. What one without a name gives may be left.
func (v *Choice) fitClosure(takes, got infer.Thing, unnamed bool) fit {
	want, have := takes.Expr.To(takes.Params).Tuple(), got.Expr.To(got.Params).Tuple()
	gives := takes.Expr.At != facts.None
	switch {
	case len(want) != len(have):
		return no
	case !unnamed && gives != (got.Expr.At != facts.None):
		return no
	}
	worst := exact
	for i := range want {
		f := v.fit(takes.Expr.To(want[i]), got.Expr.To(have[i]))
		if f == no {
			return no
		}
		worst = min(worst, f)
	}
	if unnamed || worst < exact {
		return unsure
	}
	return exact
}

// TakesFunction reports whether a function without a name may fit a parameter of a type.
func (v *Choice) TakesFunction(param infer.Expr) bool {
	if param.At == facts.None {
		return true
	}
	takes := infer.Values(v.e.Eval(param, v.b))
	return len(takes) != 1 || v.fitFunction(takes[0]) != no
}

// fitFunction is how a function without a name fits.
func (v *Choice) fitFunction(takes infer.Thing) fit {
	switch takes.Kind {
	case infer.ABuiltin, infer.AList:
		return no
	case infer.AValue:
		if v.e.File(takes.Ref.File).Symbol(takes.Ref.Index).Kind != code.KindInterface {
			return no
		}
	case infer.Elsewhere:
		if v.Above[takes.Name] != nil || takes.Name == v.Top {
			return no
		}
	}
	return unsure
}

func (v *Choice) fitThing(takes, got infer.Thing) fit {
	got, known := v.plain(got)
	takes, settled := v.plain(takes)
	if !known || !settled {
		return unsure
	}
	if takes.Kind == infer.Elsewhere && takes.Name == v.Top {
		return fitTop(got, v.Top)
	}
	switch got.Kind {
	case infer.ABuiltin:
		return v.fitBuiltin(takes, got)
	case infer.AList:
		return v.fitArray(takes, got)
	case infer.AValue:
		return v.fitValue(takes, got)
	case infer.Elsewhere:
		return v.fitOutside(takes, got)
	}
	return unsure
}

// plain is a value whose type is known: what methods of types from elsewhere
// give is known of some.
func (v *Choice) plain(t infer.Thing) (infer.Thing, bool) {
	if t.Kind != infer.Elsewhere {
		return t, t.Kind == infer.ABuiltin || t.Kind == infer.AList || t.Kind == infer.AValue
	}
	if made := v.Made[t.Name]; t.Recv == nil && made != "" {
		return infer.Thing{Kind: infer.Elsewhere, Name: made}, true
	}
	if t.Recv == nil {
		return t, infer.IsUpper(t.Name) && !t.Generic
	}
	if held, ok := v.Boxes[t.Recv.Name]; ok && t.Recv.Recv == nil && v.Limits[t.Name] {
		return infer.Thing{Kind: infer.ABuiltin, Argument: held}, true
	}
	if t.Recv.Recv == nil && infer.IsUpper(t.Recv.Name) && v.Makers[t.Name] {
		return infer.Thing{Kind: infer.Elsewhere, Name: t.Recv.Name}, true
	}
	if n, ok := v.Numbers[t.Name]; ok {
		return infer.Thing{Kind: infer.ABuiltin, Argument: n}, true
	}
	if name, ok := v.Results[t.Name]; ok {
		return infer.Thing{Kind: infer.Elsewhere, Name: name}, true
	}
	return t, false
}

func fitTop(got infer.Thing, top string) fit {
	switch {
	case isPrimitive(got):
		return boxed
	case got.Kind == infer.Elsewhere && got.Name == top:
		return exact
	}
	return below
}

// fitBuiltin is how a literal's type fits.
func (v *Choice) fitBuiltin(takes, got infer.Thing) fit {
	switch {
	case takes.Kind == infer.ABuiltin && takes.Argument == got.Argument:
		return exact
	case takes.Kind == infer.ABuiltin:
		return widened(takes.Argument, got.Argument)
	case takes.Kind != infer.Elsewhere:
		return no
	case got.Argument == facts.LiteralString:
		return v.fitOutside(takes, infer.Thing{Kind: infer.Elsewhere, Name: v.Text})
	case got.Argument == facts.LiteralClass:
		return v.fitOutside(takes, infer.Thing{Kind: infer.Elsewhere, Name: v.Class})
	case got.Argument == facts.LiteralMirror:
		return v.fitOutside(takes, infer.Thing{Kind: infer.Elsewhere, Name: v.Mirror})
	}
	for name, held := range v.Boxes {
		if held == got.Argument {
			if takes.Name == name || slices.Contains(v.Above[name], takes.Name) {
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
func (v *Choice) fitArray(takes, got infer.Thing) fit {
	if takes.Kind != infer.AList {
		return no
	}
	f := v.fit(takes.Expr, got.Expr)
	if f == boxed || f == below && isPrimitiveType(got.Expr) {
		return no
	}
	return f
}

// isPrimitiveType reports whether an expression is a type without objects.
func isPrimitiveType(x infer.Expr) bool {
	if x.At == facts.None {
		return false
	}
	n := x.Node()
	return n.Op == facts.OpLiteral && isPrimitive(infer.Thing{Kind: infer.ABuiltin, Argument: n.X})
}

// fitValue is how a value of a type of the repository fits.
func (v *Choice) fitValue(takes, got infer.Thing) fit {
	if got.Guess || got.Unnamed || takes.Unnamed {
		return unsure
	}
	if takes.Kind != infer.AValue && takes.Kind != infer.Elsewhere {
		return no
	}
	if takes.Kind == infer.AValue && takes.Ref == got.Ref {
		return exact
	}
	isBelow, known := v.e.Below(got.Ref, takes, v.b)
	switch {
	case isBelow:
		return below
	case takes.Kind == infer.AValue || known:
		return no
	}
	return unsure
}

// fitOutside is how a value of a type from elsewhere fits.
func (v *Choice) fitOutside(takes, got infer.Thing) fit {
	above, whole := v.Above[got.Name]
	held, isBox := v.Boxes[got.Name]
	switch {
	case takes.Kind == infer.ABuiltin && isBox && (held == takes.Argument || widened(takes.Argument, held) == below):
		return boxed
	case takes.Kind != infer.Elsewhere:
		return no
	case takes.Name == got.Name:
		return exact
	case slices.Contains(above, takes.Name):
		return below
	case whole:
		return no
	}
	if _, final := v.Boxes[takes.Name]; final || takes.Name == v.Text {
		return no
	}
	return unsure
}
