package rules

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/rules/include"
)

// near is what a file sees of the name of a use, of what stands outside of all
// namespaces where top says so.
func (c *clang) near(f *corpus.File, u *facts.Use, top bool) *include.Seen {
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
func (c *clang) free(name string) []corpus.Ref {
	all, ok := c.frees[name]
	if !ok {
		all = slices.DeleteFunc(slices.Clone(c.read.Named(name)), func(r corpus.Ref) bool { return c.corpus.Family(r.File) != corpus.C || !c.isFree(r) })
		c.frees[name] = all
	}
	return all
}
