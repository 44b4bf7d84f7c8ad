package generic

import (
	"slices"

	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// maxHops bounds the members between a generic type from elsewhere and what it holds.
const maxHops = 2

// Stored are the members of a name that what comes of a generic type from elsewhere has
// by the type arguments of that, as the state of a store or the props of a component
// have: one of the arguments alone has such members, and they are guesses.
func Stored(e Evaluator, t infer.Thing, name string, b infer.Budget) (found []infer.Member) {
	for _, of := range holders(e, t, b) {
		for _, at := range of.Expr.Tuple() {
			more := members(e, infer.Values(e.Eval(of.Expr.To(at), b.Deeper())), name, b.Deeper())
			switch {
			case len(more) == 0, areSame(found, more):
			case len(found) > 0:
				return nil
			default:
				found = more
			}
		}
	}
	return found
}

// Passed is what a function from elsewhere gives the functions that it is given, and what
// these are given: something that comes of the generic type whose member it is.
func Passed(e Evaluator, t infer.Thing, b infer.Budget) []infer.Thing {
	if len(holders(e, t, b)) == 0 {
		return nil
	}
	return []infer.Thing{{Kind: infer.Elsewhere, Generic: true, Recv: &t}}
}

// holders are the generic types from elsewhere, with their type arguments, that a thing
// comes of.
func holders(e Evaluator, t infer.Thing, b infer.Budget) []infer.Thing {
	hops := 0
	for r := &t; r.Recv != nil && r.Kind == infer.Elsewhere && !b.TooDeep(); {
		if r.Name != "" {
			hops++
		}
		name := r.Name
		r = r.Recv
		f := r.Expr.File
		if r.Kind == infer.AValue {
			f = e.File(r.Ref.File)
		}
		switch {
		case hops > maxHops:
			return nil
		case f == nil || f.Language == nil:
			continue
		case !f.Language.KeysAreMembers || f.Language.Builtins[name]:
			return nil
		case r.Kind == infer.Elsewhere:
			return []infer.Thing{*r}
		case r.Kind != infer.AValue || r.Unnamed:
			return nil
		}
		bases, _ := e.Above(*r, b.Deeper())
		return slices.DeleteFunc(slices.Clone(bases), func(base infer.Thing) bool {
			return base.Kind != infer.Elsewhere || base.Expr.File == nil
		})
	}
	return nil
}

// members are those of a name that values have which the repository declares.
func members(e Evaluator, values []infer.Thing, name string, b infer.Budget) (all []infer.Member) {
	for _, v := range values {
		if v.Kind != infer.AValue {
			continue
		}
		if found, state := e.Member(v, name, b); state == infer.Found {
			for _, m := range found {
				if m.Guess, m.Stored = true, true; m.Module == nil && !hasMember(all, m.Ref) {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// hasMember reports whether a symbol is one of some members.
func hasMember(all []infer.Member, r corpus.Ref) bool {
	return slices.ContainsFunc(all, func(m infer.Member) bool { return m.Ref == r })
}

// areSame reports whether members are among others.
func areSame(all, some []infer.Member) bool {
	return !slices.ContainsFunc(some, func(m infer.Member) bool { return !hasMember(all, m.Ref) })
}
