package narrow

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// has is a member that a value has, and the constant that it is.
type has struct {
	name     string
	constant int32 // None where it may be any value
}

// constantTests are the tests of an expression that is one of a member's constant, or
// of one of several.
func constantTests(test infer.Expr) []has {
	if test.At == facts.None {
		return nil
	}
	switch n := test.Node(); n.Op {
	case facts.OpHas:
		return []has{{test.File.Use(n.X).Name, n.Y}}
	case facts.OpUnion:
		x, y := constantTests(test.To(n.X)), constantTests(test.To(n.Y))
		if len(x) > 0 && len(y) > 0 {
			return append(x, y...)
		}
	}
	return nil
}

// byConstant are the types of a union whose member is one of some constants, or, where
// not is true, can be another one. All stay where none is left.
func byConstant(e Evaluator, x infer.Expr, tests []has, not bool, b infer.Budget) []infer.Thing {
	p := pick(e, x, b)
	return p.only(func(at []infer.Thing) bool {
		return slices.ContainsFunc(tests, func(h has) bool {
			v := p.verdict(at, h)
			return v == maybe || not && v != same || !not && v == same
		})
	})
}

// Shaped is what a literal is, by its keys and their constants, of the types of a union
// or of those that several functions take. In a literal that a type parameter is inferred
// from, all literals are of what that is at least.
func Shaped(e Evaluator, x infer.Expr, b infer.Budget) []infer.Thing {
	n := x.Node()
	if n.X == facts.None {
		return nil
	}
	things := shaped(e, x, n, b)
	if around := around(x.To(n.X)); len(things) > 0 && around.At != facts.None && !b.TooDeep() &&
		slices.ContainsFunc(e.Eval(around, b.Deeper()), func(t infer.Thing) bool { return t.Bound }) {
		return infer.Bounds(things)
	}
	return things
}

// around is the literal that holds another one as the value of a key, or in such a value;
// x is what the other one is. There is none where a call is given that.
func around(x infer.Expr) infer.Expr {
	for range maxLevels {
		switch n := x.Node(); n.Op {
		case facts.OpElem, facts.OpCall:
			x = x.To(n.X)
		case facts.OpUse:
			if u := x.File.Use(n.X); x.File.IsKey(u) {
				return x.To(u.Target)
			}
			return x.To(facts.None)
		default:
			return x.To(facts.None)
		}
	}
	return x.To(facts.None)
}

// shaped is Shaped of a literal outside of all others.
func shaped(e Evaluator, x infer.Expr, n facts.Expr, b infer.Budget) []infer.Thing {
	p := pick(e, x.To(n.X), b)
	if len(p.all) < 2 {
		return p.things
	}
	keys, whole := keysOf(x)
	fits := func(at []infer.Thing) bool {
		return !slices.ContainsFunc(keys, func(h has) bool {
			v := p.verdict(at, h)
			return v == lacking || v == other
		})
	}
	has := func(at []infer.Thing) bool {
		return !slices.ContainsFunc(at, func(t infer.Thing) bool { return p.misses(t, keys) })
	}
	if left := holding(p.all, fits); whole && slices.ContainsFunc(left, has) {
		return either(holding(left, has))
	}
	return p.only(fits)
}

// keysOf are the keys of a literal with their constants; whole is false where it has more
// that are not written.
func keysOf(x infer.Expr) (keys []has, whole bool) {
	for _, use := range x.File.Targeting(x.At) {
		keys = append(keys, has{x.File.Use(use).Name, facts.None})
	}
	whole = true
	for _, at := range x.To(x.Node().Y).Tuple() {
		if at == facts.None {
			whole = false
			continue
		}
		c := x.To(at).Node()
		if i := slices.Index(keys, has{x.File.Use(c.X).Name, facts.None}); i >= 0 {
			keys[i].constant = c.Y
		}
	}
	return keys, whole
}

// holding are the alternatives that hold.
func holding(all [][]infer.Thing, holds func(at []infer.Thing) bool) [][]infer.Thing {
	return slices.DeleteFunc(slices.Clone(all), func(at []infer.Thing) bool { return !holds(at) })
}

// either are the things of all alternatives.
func either(all [][]infer.Thing) (things []infer.Thing) {
	for _, at := range all {
		things = infer.Either(things, at)
	}
	return things
}

// misses reports whether a literal of some keys lacks a member that tells a type from
// others: one that values of it must have, and which is a constant.
func (p *picker) misses(t infer.Thing, keys []has) bool {
	if t.Kind != infer.AValue {
		return false
	}
	f := p.e.File(t.Ref.File)
	end := f.Symbol(t.Ref.Index).End
	for i := t.Ref.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		s := f.Symbol(i)
		if s.Parent != t.Ref.Index || s.Kind != code.KindField || s.Flags&facts.Optional != 0 || f.PartOf(i) != t.Part {
			continue
		}
		if slices.ContainsFunc(keys, func(h has) bool { return h.name == s.Name }) {
			continue
		}
		if all, known := p.constants(f.Expr(s.Type, t.Env), 0); known && len(all) > 0 {
			return true
		}
	}
	return false
}

// picker goes over the types of a union. Each is a list of what a value of it is at once.
type picker struct {
	e      Evaluator
	b      infer.Budget
	things []infer.Thing // of the whole
	all    [][]infer.Thing
}

// The limits of a picker.
const (
	maxTypes  = 128 // of one union
	maxLevels = 12  // names of unions within unions
	maxJoined = 64  // types that an intersection of unions makes
)

// pick returns the types that an expression may stand for.
func pick(e Evaluator, x infer.Expr, b infer.Budget) *picker {
	p := &picker{e: e, b: b, things: e.Eval(x, b)}
	p.all = p.types(x, 0)
	return p
}

// types are the alternatives of an expression.
func (p *picker) types(x infer.Expr, level int) [][]infer.Thing {
	if x.At == facts.None || level > maxLevels || p.b.Spent() {
		return nil
	}
	p.b.Spend()
	switch n := x.Node(); n.Op {
	case facts.OpUnion:
		return p.either(p.types(x.To(n.X), level), p.types(x.To(n.Y), level))
	case facts.OpValue:
		return p.types(x.To(n.X), level)
	case facts.OpBoth:
		first, second := p.types(x.To(n.X), level), p.types(x.To(n.Y), level)
		if len(first)*len(second) > 0 && len(first)*len(second) <= maxJoined {
			return joined(first, second)
		}
		return p.either(first, second)
	case facts.OpArgument:
		if all := p.argument(x.To(n.X), int(n.Y), level); len(all) > 1 {
			return all
		}
	}
	var all [][]infer.Thing
	things := p.e.Eval(x, p.b)
	if len(things) > 0 && things[0].Beside {
		return [][]infer.Thing{infer.Values(things)}
	}
	for _, t := range things {
		all = p.either(all, p.of(t, level))
	}
	return all
}

// argument are the alternatives of argument n of a call that the signatures of a type
// take, nil where something else may be called.
func (p *picker) argument(callee infer.Expr, n, level int) (all [][]infer.Thing) {
	signatures, known := p.signatures(p.e.Eval(callee, p.b), level)
	if !known {
		return nil
	}
	for _, s := range signatures {
		if takes := s.Expr.To(s.Params).Tuple(); n < len(takes) {
			all = p.either(all, p.types(s.Expr.To(takes[n]), level+1))
		}
	}
	return all
}

// signatures are those of some things, which may be of other names of types; known is
// false where one may be called otherwise.
func (p *picker) signatures(things []infer.Thing, level int) (all []infer.Thing, known bool) {
	for _, t := range things {
		switch {
		case t.Kind == infer.AClosure:
			all = append(all, t)
		case t.Unnamed: // which stands beside them
		case t.Kind == infer.AValue && level < maxLevels && !p.b.Spent():
			more, known := p.signatures(p.e.Underlying(t, p.b), level+1)
			if !known {
				return nil, false
			}
			all = append(all, more...)
		default:
			return nil, false
		}
	}
	return all, true
}

// either adds alternatives to others, as many as are followed.
func (p *picker) either(a, b [][]infer.Thing) [][]infer.Thing {
	return append(a, b[:min(len(b), maxTypes-len(a))]...)
}

// joined are all that are of one of the first types and of one of the second.
func joined(first, second [][]infer.Thing) (all [][]infer.Thing) {
	for _, x := range first {
		for _, y := range second {
			all = append(all, infer.AtOnce(x, y))
		}
	}
	return all
}

// of are the alternatives of a thing: those that its name stands for.
func (p *picker) of(t infer.Thing, level int) [][]infer.Thing {
	if isAlias(p.e, t) {
		f := p.e.File(t.Ref.File)
		if all := p.types(f.Expr(f.Symbol(t.Ref.Index).Type, t.Env), level+1); len(all) > 1 {
			return all
		}
	}
	return [][]infer.Thing{infer.Values([]infer.Thing{t})}
}

// only are the things of those alternatives that hold, all where none does.
func (p *picker) only(holds func(at []infer.Thing) bool) []infer.Thing {
	if len(p.all) < 2 {
		return p.things
	}
	if left := either(holding(p.all, holds)); len(left) > 0 {
		return left
	}
	return p.things
}

// verdict says what is known of a member of an alternative.
type verdict uint8

const (
	maybe   verdict = iota // it may be that constant
	lacking                // there is no such member
	same                   // it is that constant
	other                  // it is another one
)

func (p *picker) verdict(at []infer.Thing, h has) verdict {
	v := lacking
	for _, t := range at {
		if t.Kind != infer.AType && t.Kind != infer.AValue {
			if t.Kind == infer.Elsewhere || t.Kind == infer.AMap || t.Kind == infer.AModule {
				v = maybe
			}
			continue
		}
		found, state := p.e.Member(t, h.name, p.b.Deeper())
		switch {
		case state == infer.Absent:
			continue
		case state != infer.Found || len(found) != 1 || found[0].Module != nil:
			return maybe
		}
		return p.constant(found[0], h.constant)
	}
	return v
}

// constant compares the constants of a member with one.
func (p *picker) constant(m infer.Member, want int32) verdict {
	f := p.e.File(m.Ref.File)
	s := f.Symbol(m.Ref.Index)
	if want == facts.None && s.Flags&facts.Optional == 0 {
		return maybe
	}
	all, known := p.constants(f.Expr(s.Type, m.Env), 0)
	if want == facts.Truthy {
		return holds(f, s, all, known)
	}
	switch {
	case known && len(all) == 0 && s.Flags&facts.Optional != 0: // a?: never, which nothing can be given
		return lacking
	case want == facts.None:
		return maybe
	}
	v := other
	for _, c := range all {
		switch {
		case facts.SameText(c, want) && len(all) == 1 && known:
			return same
		case !facts.Differ(c, want):
			v = maybe
		}
	}
	if !known {
		return maybe
	}
	return v
}

// falsy are the numbers of the constants that do not hold as a condition.
var falsy = []int32{facts.TextNumber("false"), facts.TextNumber("0"), facts.TextNumber("")}

// holds says whether a member of some constants, which are all that it may be where that
// is known, holds as a condition: same where it does, other where it does not.
func holds(f *infer.File, member *facts.Symbol, constants []int32, known bool) verdict {
	if !known {
		return maybe
	}
	isFalsy := func(c int32) bool { return slices.Contains(falsy, c) }
	if !slices.ContainsFunc(constants, func(c int32) bool { return !isFalsy(c) }) {
		return other
	}
	x := f.Facts.Expr(int(member.Type))
	if x.Op == facts.OpValue && x.X != facts.None {
		x = f.Facts.Expr(int(x.X))
	}
	if x.Op == facts.OpLiteral && member.Flags&facts.Optional == 0 && !isFalsy(constants[0]) { // and not null as well
		return same
	}
	return maybe
}

// constants are those that a type consists of; known is false where it has other values.
func (p *picker) constants(x infer.Expr, level int) (all []int32, known bool) {
	if x.At == facts.None || level > maxLevels {
		return nil, false
	}
	switch n := x.Node(); n.Op {
	case facts.OpValue:
		return p.constants(x.To(n.X), level)
	case facts.OpUnion:
		first, whole := p.constants(x.To(n.X), level)
		second, rest := p.constants(x.To(n.Y), level)
		return slices.Concat(first, second), whole && rest
	case facts.OpLiteral:
		if n.X == facts.LiteralNull {
			return nil, true
		}
		isText := n.X == facts.LiteralString || n.X == facts.LiteralNumber || n.X == facts.LiteralBool
		if !isText || n.Y == facts.None {
			return nil, false
		}
		return []int32{n.Y}, true
	case facts.OpItself:
		if y := x.To(n.X).Node(); y.Op == facts.OpUse && x.File.Use(y.X).Bind == facts.BindMember {
			return []int32{facts.MemberNumber(x.File.Use(y.X).Name)}, true
		}
	case facts.OpUse:
		return p.named(x, n.X, level)
	}
	return nil, false
}

// named are the constants that a name in a type stands for: one of an enumeration, or
// those of another name of a type.
func (p *picker) named(x infer.Expr, use int32, level int) (all []int32, known bool) {
	a := p.e.Meaning(corpus.Ref{File: x.File.ID, Index: use}, p.b.Deeper())
	if a.State != infer.Found || len(a.Refs) != 1 {
		return nil, false
	}
	f := p.e.File(a.Refs[0].File)
	switch s := f.Symbol(a.Refs[0].Index); {
	case f.IsEnumerator(s):
		return []int32{facts.MemberNumber(s.Name)}, true
	case isAlias(p.e, infer.TypeOf(a.Refs[0])):
		return p.constants(f.Expr(s.Type, nil), level+1)
	}
	return nil, false
}
