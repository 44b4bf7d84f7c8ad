package cpp

import (
	"path"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/rules/include"
)

// Same reports whether two symbols are declaration and definition of one thing.
func (c *cpp) Same(a, b corpus.Ref) bool {
	x, y := c.read.Symbol(a), c.read.Symbol(b)
	if c.announcesFunction(a, x, b, y) || c.announcesFunction(b, y, a, x) {
		return true
	}
	if x.Kind.IsFunc() != y.Kind.IsFunc() || x.Kind.IsType() != y.Kind.IsType() || !c.nested(c.space(a), c.space(b)) || c.isMade(a) != c.isMade(b) {
		return false
	}
	if a.File == b.File && (alternatives(x, y) || c.definedTwice(a, b)) || (tagged(x, y) || tagged(y, x)) && (c.includes.Reaches(a.File, b.File) || c.includes.Reaches(b.File, a.File)) || holdsStatic(x, y) || holdsStatic(y, x) {
		return true
	}
	if (x.Flags|y.Flags)&facts.Abstract == 0 || a.File != b.File && (x.Flags&y.Flags)&facts.Exported == 0 && x.Kind != code.KindMethod {
		return false
	}
	argued := x.MaxArgs != y.MaxArgs && (x.MinArgs != y.MinArgs || x.MaxArgs > 0 && y.MaxArgs > 0) // () of C says nothing
	return (!x.Kind.IsFunc() || !argued && !c.infer.Shapes().Differ(a, b) || c.eitherIncludes(a, b)) && !c.apart(a, b)
}

// announcesFunction reports whether one of two symbols of a file, written as a variable
// whose type is another name of that of functions, announces the other one.
func (c *cpp) announcesFunction(v corpus.Ref, x *facts.Symbol, fn corpus.Ref, y *facts.Symbol) bool {
	if v.File != fn.File || x.Kind != code.KindVar || y.Kind != code.KindFunc || c.space(v) != c.space(fn) {
		return false
	}
	return c.read.File(v.File).NamesFunctions(x.Type)
}

// eitherIncludes reports whether one of two symbols is included where the other stands.
func (c *cpp) eitherIncludes(a, b corpus.Ref) bool { return c.includesIt(a, b) || c.includesIt(b, a) }

// includesIt reports whether a symbol stands in a file of C that holds or includes what
// declares the other: they are one then, as when the change of a signature is half made.
func (c *cpp) includesIt(a, b corpus.Ref) bool {
	return path.Ext(c.corpus.Path(a.File)) == ".c" && (a.File == b.File || c.includes.Reaches(a.File, b.File))
}

// alternatives reports whether two symbols of one file are the same thing for
// different systems. Functions may be overloads, and classes specializations.
func alternatives(x, y *facts.Symbol) bool {
	switch x.Kind {
	case code.KindType, code.KindMacro, code.KindVar, code.KindConst:
		return x.Kind == y.Kind && x.Parent == y.Parent && x.Owner == y.Owner
	}
	return false
}

// definedTwice reports whether a file defines one function twice, with the same
// parameters: for different systems. C has no overloads.
func (c *cpp) definedTwice(a, b corpus.Ref) bool {
	x, y := c.read.Symbol(a), c.read.Symbol(b)
	return x.Kind.IsFunc() && x.Kind == y.Kind && x.Parent == y.Parent && x.Owner == y.Owner && (x.Flags|y.Flags)&facts.Abstract == 0 &&
		(path.Ext(c.corpus.Path(a.File)) == ".c" || c.infer.Shapes().AreSpelledAlike(a, b))
}

// holdsStatic reports whether one symbol gives a static member of a class its
// place, int A::n, and the other declares it.
func holdsStatic(x, y *facts.Symbol) bool {
	return x.Owner != "" && y.Owner == "" && !x.Kind.IsFunc() && !x.Kind.IsType() && y.Kind == code.KindField && y.Flags&facts.Static != 0
}

// tagged reports whether one symbol is the other name of a struct that has a tag
// of the same name: typedef struct a {...} a;
func tagged(typ, tag *facts.Symbol) bool {
	return typ.Kind == code.KindType && (tag.Kind == code.KindStruct || tag.Kind == code.KindEnum) && (tag.Parent == typ.Parent || typ.Start <= tag.Start && tag.End <= typ.End)
}

// alike are the symbols that Same can hold for: no other file declares a function that
// is known in its own file alone, and spaces that are nested end in one name.
func (c *cpp) alike(r corpus.Ref) (all []corpus.Ref) {
	f := c.read.File(r.File).Facts
	if kind := f.Kind(int(r.Index)); !kind.IsFunc() || kind == code.KindMethod || f.Flags(int(r.Index))&facts.Exported != 0 {
		return c.endingAlike(r, f.Name(int(r.Index)))
	}
	for i := range f.Namesakes(int(r.Index)) {
		if f.Flags(i)&facts.Local == 0 {
			all = append(all, corpus.Ref{File: r.File, Index: int32(i)})
		}
	}
	return all
}

// endingAlike are the symbols that have the name of one, in spaces that end alike.
func (c *cpp) endingAlike(r corpus.Ref, name string) []corpus.Ref {
	named := c.read.Of(r.File).Named(name)
	if len(named) < fewNamed {
		return named
	}
	key := namedAt{c.corpus.Home(r.File), name}
	ends, ok := c.ends[key]
	if !ok {
		ends = map[string][]corpus.Ref{}
		for _, o := range named {
			end := c.end(o)
			ends[end] = append(ends[end], o)
		}
		c.ends[key] = ends
	}
	return ends[c.end(r)]
}

// fewNamed symbols of a name are not told apart by their spaces: it would take longer than
// to compare them.
const fewNamed = 8

// namedAt is a name in one repository.
type namedAt struct {
	home int
	name string
}

// widened adds the other declarations of symbols: definitions to prototypes. What is
// defined among them says of which program its prototypes are.
func (c *cpp) widened(refs []corpus.Ref) []corpus.Ref {
	var groups [][]corpus.Ref
	for _, announced := range []facts.Flags{0, facts.Abstract} {
		for _, r := range refs {
			if c.read.Symbol(r).Flags&facts.Abstract == announced && !slices.ContainsFunc(groups, func(g []corpus.Ref) bool { return include.Holds(g, r) }) {
				groups = append(groups, c.infer.Together(r))
			}
		}
	}
	return c.includes.Union(groups)
}
