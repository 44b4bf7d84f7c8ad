package cpp

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/include"
	"espy/internal/resolve/rules/macro"
)

// near is what a file sees of the name of a use, of what stands outside of all
// namespaces where top says so.
func (c *cpp) near(f *corpus.File, u *facts.Use, top bool) *include.Seen {
	find := func() []corpus.Ref {
		all := c.free(u.Name)
		seen := c.includes.Sight(f.ID, u.Name, all)
		return c.unhidden(slices.DeleteFunc(slices.Clone(all), func(r corpus.Ref) bool { return !seen.Has(r.File) || top && !c.isAtTop(f, u, r) }))
	}
	if top {
		return &include.Seen{Refs: find()}
	}
	return c.includes.Once(f.ID, u.Name, find)
}

// free are the symbols of a name of C or C++ that stand in no type, by path and place.
func (c *cpp) free(name string) []corpus.Ref {
	all, ok := c.frees[name]
	if !ok {
		all = c.unmade(slices.DeleteFunc(slices.Clone(c.read.Named(name)), func(r corpus.Ref) bool { return c.corpus.Family(r.File) != corpus.C || !c.isFree(r) }))
		c.frees[name] = all
	}
	return all
}

// namesake is a name in a space: of the functions of C and C++ or of the types.
type namesake struct {
	name, space string
	funcs       bool
}

// apart reports whether two declarations that agree in their words are of different
// programs of the repository.
func (c *cpp) apart(a, b corpus.Ref) bool {
	return c.includes.Apart(c.namesakes(a), a, b)
}

// namesakes are what bears the name of a symbol and may be the same thing.
func (c *cpp) namesakes(r corpus.Ref) *include.Namesakes {
	s := c.read.Symbol(r)
	key := namesake{s.Name, c.space(r), s.Kind.IsFunc()}
	n, ok := c.programs[key]
	if !ok {
		n = &include.Namesakes{Name: s.Name, Declared: c.read.Of(r.File).Named(s.Name), Opaque: !key.funcs}
		for _, d := range n.Declared {
			o := c.read.Symbol(d)
			if o.Flags&facts.Abstract == 0 && o.Kind.IsFunc() == key.funcs && o.Kind.IsType() != key.funcs && o.Kind != code.KindMacro && (o.Flags&facts.Exported != 0 || o.Kind == code.KindMethod) && c.corpus.Family(d.File) == corpus.C && c.nested(key.space, c.space(d)) {
				n.Defined = append(n.Defined, d)
			}
		}
		c.programs[key] = n
	}
	return n
}

// inSight leaves out, of what a use in a file may mean, the declarations that the file
// does not include where it includes others: they are of other programs. What is one
// with a declaration that it includes stays.
func (c *cpp) inSight(id corpus.FileID, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 || c.read.Symbol(refs[0]).Kind == code.KindModule { // which any file opens
		return refs
	}
	name := c.read.Symbol(refs[0]).Name
	sight := c.includes.Sight(id, "\x00"+name, c.read.Of(id).Named(name))
	var near []corpus.Ref
	for _, r := range refs {
		if sight.Has(r.File) {
			near = append(near, r)
		}
	}
	if len(near) == 0 || len(near) == len(refs) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		return !sight.Has(r.File) && !slices.ContainsFunc(near, func(n corpus.Ref) bool { return slices.Contains(c.infer.Together(n), r) })
	})
}

// unmade leaves out what macros make of the arguments that they are given, TEST(Suite, name)
// {...}, where something else bears the name: what they make has another one.
func (c *cpp) unmade(refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 {
		return refs
	}
	if left := slices.DeleteFunc(slices.Clone(refs), c.isMade); len(left) > 0 {
		return left
	}
	return refs
}

// isMade reports whether a macro makes a function of several names that it is given.
func (c *cpp) isMade(r corpus.Ref) bool {
	f := c.read.File(r.File)
	n, ok := makingMacro(f, r.Index)
	return ok && f.Use(n).Args > 1
}

// unhidden leaves out the constants that a macro of their name and file hides, as
// #define A 1 does enum { A = 1 }.
func (c *cpp) unhidden(refs []corpus.Ref) (all []corpus.Ref) {
	for _, r := range refs {
		if c.read.Symbol(r).Kind != code.KindConst || !slices.ContainsFunc(refs, func(m corpus.Ref) bool { return c.hides(m, r.File) }) {
			all = append(all, r)
		}
	}
	return all
}

// hides reports whether a symbol is a macro of a file that stands for something else than its own name.
func (c *cpp) hides(m corpus.Ref, file corpus.FileID) bool {
	steps, _ := c.expands(m)
	return m.File == file && c.read.Symbol(m).Kind == code.KindMacro && (len(steps) != 1 || c.read.File(file).Use(steps[0].Use).Name != c.read.Symbol(m).Name)
}

// isAround reports whether a file that includes another one is, or includes, a third one,
// whose names that may know without including it.
func (c *cpp) isAround(included, declares corpus.FileID) bool {
	return slices.ContainsFunc(c.includes.Includers(included), func(by corpus.FileID) bool { return c.includes.Reaches(by, declares) })
}

// expands returns the way to the value that a macro without parameters stands for.
func (c *cpp) expands(r corpus.Ref) ([]infer.Step, bool) {
	s := c.read.Symbol(r)
	text, err := c.corpus.TextRange(r.File, int(s.At), int(s.End), nil)
	steps, value := macro.Way(c.read.File(r.File), s.At, string(text))
	return steps, value && err == nil
}
