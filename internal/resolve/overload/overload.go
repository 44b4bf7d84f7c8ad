// Package overload chooses among functions of one name by what a call gives and
// what they take: which of them it means, and what one of them gives for it.
//
// Each argument fits a parameter more or less well. A function is chosen where
// no other one surely takes the arguments better. Where a type is not known, all
// that may be meant are left.
package overload

import (
	"math"
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Evaluator says what the types are that a choice compares.
type Evaluator interface {
	// File returns a file with what is known of it.
	File(id corpus.FileID) *infer.File
	// Eval says what an expression may stand for.
	Eval(x infer.Expr, b infer.Budget) []infer.Thing
	// Below reports whether a type is below another one, and whether all types
	// above it are known.
	Below(typ corpus.Ref, above infer.Thing, b infer.Budget) (found, known bool)
}

// candidate is a function that a call may mean, and how well each argument fits.
type candidate struct {
	ref    corpus.Ref
	params []infer.Expr // one for each argument
	fits   []fit
}

// Chosen leaves out the functions that a call does not mean by the types of its
// arguments, as far as these are known. Several are left where they are not.
func (v *Choice) Chosen(f *infer.File, use int32, refs []corpus.Ref) []corpus.Ref {
	given := f.Given(use)
	var all []candidate
	for _, r := range refs {
		if c, ok := v.candidate(r, f, use, given); ok {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return refs
	}
	all = inPhase(nearest(f, all))
	var left []corpus.Ref
	for i := range all {
		if !slices.ContainsFunc(all, func(c candidate) bool { return c.ref != all[i].ref && v.beats(&c, &all[i]) }) {
			left = append(left, all[i].ref)
		}
	}
	return left
}

// candidate says how the values given fit a function; ok is false where one
// cannot be passed.
func (v *Choice) candidate(r corpus.Ref, in *infer.File, use int32, given []int32) (c candidate, ok bool) {
	f := v.e.File(r.File)
	params, s := f.ParameterTypes(r.Index), f.Symbol(r.Index)
	c = candidate{ref: r}
	names := in.Naming(use)
	plain, rest := max(0, len(given)-len(names)), restOf(f, s, params)
	for i, g := range given {
		p := f.Expr(facts.None, nil)
		if i >= plain {
			if at := f.Parameter(r.Index, in.Use(names[i-plain]).Name); at != facts.None {
				p.At = f.Symbol(at).Type
			}
		} else if rest >= 0 {
			p.At = params[min(i, rest)]
		}
		arg := in.Expr(g, nil)
		got := v.fit(p, arg)
		if s.MaxArgs == facts.ManyArgs && i >= rest && i < plain && (len(given) != len(params) || got < boxed && got != unsure) {
			p = elementType(p)
			got = min(v.fit(p, arg), variadic)
		}
		if got == no {
			return c, false
		}
		c.params, c.fits = append(c.params, p), append(c.fits, got)
	}
	if s.MaxArgs == facts.ManyArgs && len(given) < len(params) {
		c.fits = append(c.fits, variadic)
	}
	return c, true
}

// restOf is the parameter that takes all further arguments: the last one, or the list before
// those that are given by name.
func restOf(f *infer.File, fn *facts.Symbol, params []int32) int {
	last := len(params) - 1
	for i := last; i >= 0 && fn.MaxArgs == facts.ManyArgs; i-- {
		if x := f.Expr(params[i], nil); x.At != facts.None && x.Node().Op == facts.OpLiteral && x.Node().X == facts.LiteralList {
			return i
		}
	}
	return last
}

// nearest keeps the functions that a file has nearest.
func nearest(f *infer.File, all []candidate) []candidate {
	if f.Language == nil || f.Language.Nearness == nil {
		return all
	}
	best, levels := math.MaxInt, make([]int, len(all))
	for i, c := range all {
		levels[i] = f.Language.Nearness(f.ID, c.ref)
		best = min(best, levels[i])
	}
	var kept []candidate
	for i, c := range all {
		if levels[i] == best {
			kept = append(kept, c)
		}
	}
	return kept
}

// elementType is the type of one of the arguments that an array of them takes.
func elementType(array infer.Expr) infer.Expr {
	if array.At != facts.None {
		if n := array.Node(); n.Op == facts.OpLiteral && n.X == facts.LiteralList {
			return array.To(n.Y)
		}
	}
	return array.To(facts.None)
}

// inPhase keeps what fits without boxing where something surely does, else what
// fits without a list of further arguments where something surely does.
func inPhase(all []candidate) []candidate {
	for _, level := range []fit{below, boxed} {
		surely := slices.ContainsFunc(all, func(c candidate) bool { return c.surely(level) })
		if surely {
			return slices.DeleteFunc(all, func(c candidate) bool { return c.needs(level) })
		}
	}
	return all
}

// surely reports whether every argument fits at a level or better.
func (c *candidate) surely(level fit) bool {
	return !slices.ContainsFunc(c.fits, func(f fit) bool { return f < level })
}

// needs reports whether an argument fits, but only below a level.
func (c *candidate) needs(level fit) bool {
	return slices.ContainsFunc(c.fits, func(f fit) bool { return f != unsure && f < level })
}

// beats reports whether a function is more specific than another: it surely
// takes the arguments, and the other one takes all that it does.
func (v *Choice) beats(c, other *candidate) bool {
	better := false
	for i := range min(len(c.params), len(other.params)) {
		to, back := v.fit(other.params[i], c.params[i]), v.fit(c.params[i], other.params[i])
		switch {
		case to == exact && back == exact:
		case c.fits[i] == exact && other.fits[i] == unsure: // which is then of a type above
			better = true
		case c.fits[i] == unsure || to < below:
			return false
		case back < below:
			better = true
		}
	}
	return better
}

// TakeSame reports whether two functions take the same types, as far as these
// are known.
func (v *Choice) TakeSame(x, y corpus.Ref) bool {
	f, g := v.e.File(x.File), v.e.File(y.File)
	a, c := f.ParameterTypes(x.Index), g.ParameterTypes(y.Index)
	if len(a) != len(c) {
		return false
	}
	for i := range a {
		p, q := f.Expr(a[i], nil), g.Expr(c[i], nil)
		switch {
		case isVariable(p) && isVariable(q):
		case isVariable(p) && !v.stands(p, y, g, q), isVariable(q) && !v.stands(q, x, f, p):
			return false
		case isVariable(p) || isVariable(q):
		default:
			if to := v.fit(p, q); to != exact && (to != unsure || v.areOthers(p, q)) {
				return false
			}
		}
	}
	return true
}

// areOthers reports whether two types from elsewhere have different names.
func (v *Choice) areOthers(x, y infer.Expr) bool {
	a, b := infer.Values(v.e.Eval(x, v.b)), infer.Values(v.e.Eval(y, v.b))
	return len(a) == 1 && len(b) == 1 && a[0].Kind == infer.Elsewhere && b[0].Kind == infer.Elsewhere &&
		corpus.LastName(a[0].Name) != corpus.LastName(b[0].Name)
}

// stands reports whether a type parameter can stand for a type that a function of a
// file takes in its place. One of a function stands for the type above all others; one
// of a type for every object.
func (v *Choice) stands(param infer.Expr, other corpus.Ref, in *infer.File, takes infer.Expr) bool {
	if in.Symbol(other.Index).Flags&facts.Overrides != 0 {
		return true
	}
	things := infer.Values(v.e.Eval(takes, v.b))
	if len(things) != 1 {
		return true
	}
	if isPrimitive(things[0]) {
		return false
	}
	owner := param.File.Symbol(variable(param)).Parent
	if owner == facts.None || !param.File.Symbol(owner).Kind.IsFunc() {
		return true
	}
	return things[0].Kind == infer.Elsewhere && things[0].Name == v.Top
}

// Taken is what a call gives for the type parameter that a function returns:
// T of <T> T same(T value).
func Taken(e Evaluator, fn infer.Thing, in *infer.File, use int32, b infer.Budget) []infer.Thing {
	f := e.File(fn.Ref.File)
	result := f.Expr(f.Symbol(fn.Ref.Index).Type, nil)
	if !isVariable(result) {
		return nil
	}
	of := variable(result)
	if f.Symbol(of).Parent != fn.Ref.Index {
		return nil
	}
	given := in.Given(use)
	for i, p := range f.ParameterTypes(fn.Ref.Index) {
		if x := result.To(p); i < len(given) && isVariable(x) && variable(x) == of {
			return infer.Values(e.Eval(in.Expr(given[i], nil), b))
		}
	}
	return nil
}
