package infer

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// candidate is a function that a call may mean, and how well each argument fits.
type candidate struct {
	ref    corpus.Ref
	params []expr // one for each argument
	fits   []fit
}

// chosen leaves out the functions that a call does not mean by the types of its
// arguments, as far as these are known. Several are left where they are not.
func (v *converter) chosen(f *file, use int32, refs []corpus.Ref) []corpus.Ref {
	given := f.given(use)
	var all []candidate
	for _, r := range refs {
		if c, ok := v.candidate(r, f, given); ok {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return refs
	}
	all = inPhase(all)
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
func (v *converter) candidate(r corpus.Ref, in *file, given []int32) (c candidate, ok bool) {
	f := v.e.file(r.File)
	params, s := f.parameterTypes(r.Index), f.Symbol(r.Index)
	c = candidate{ref: r}
	for i, g := range given {
		p := expr{file: f, at: facts.None}
		if len(params) > 0 {
			p.at = params[min(i, len(params)-1)]
		}
		arg := expr{file: in, at: g}
		got := v.fit(p, arg)
		if s.MaxArgs == facts.ManyArgs && i >= len(params)-1 && (len(given) != len(params) || got < boxed && got != unsure) {
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

// elementType is the type of one of the arguments that an array of them takes.
func elementType(array expr) expr {
	if array.at != facts.None {
		if n := array.node(); n.Op == facts.OpLiteral && n.X == facts.LiteralList {
			return array.to(n.Y)
		}
	}
	return array.to(facts.None)
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
func (v *converter) beats(c, other *candidate) bool {
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

// takeSame reports whether two functions take the same types, as far as these
// are known.
func (v *converter) takeSame(x, y corpus.Ref) bool {
	f, g := v.e.file(x.File), v.e.file(y.File)
	a, c := f.parameterTypes(x.Index), g.parameterTypes(y.Index)
	if len(a) != len(c) {
		return false
	}
	for i := range a {
		p, q := expr{file: f, at: a[i]}, expr{file: g, at: c[i]}
		if to := v.fit(p, q); to != exact && to != unsure && !isVariable(p) && !isVariable(q) {
			return false
		}
	}
	return true
}

// takenFor is what a call gives for the type parameter that a function returns:
// T of <T> T same(T value).
func takenFor(e *Evaluator, fn Thing, in *file, use int32, b Budget) []Thing {
	f := e.file(fn.ref.File)
	result := expr{file: f, at: f.Symbol(fn.ref.Index).Type}
	if !isVariable(result) {
		return nil
	}
	of := variable(result)
	if f.Symbol(of).Parent != fn.ref.Index {
		return nil
	}
	given := in.given(use)
	for i, p := range f.parameterTypes(fn.ref.Index) {
		if x := result.to(p); i < len(given) && isVariable(x) && variable(x) == of {
			return values(e.eval(expr{file: in, at: given[i]}, b))
		}
	}
	return nil
}
