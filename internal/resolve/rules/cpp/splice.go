package cpp

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// splice is a macro in a type, between the members or in the text of another macro there.
type splice struct {
	macro string
	typ   corpus.Ref
}

// spliced finds the fields of a name that macros declare which stand in a type, as in
// #define HEAD int size;
// struct node { HEAD };
func (c *cpp) spliced(typ corpus.Ref, name string) (all []corpus.Ref) {
	fields, ok := c.fields[name]
	if !ok {
		fields = slices.DeleteFunc(slices.Clone(c.read.Named(name)), func(r corpus.Ref) bool {
			return c.read.Symbol(r).Kind != code.KindField || c.macroOf(r) == "" || c.corpus.Family(r.File) != corpus.C
		})
		c.fields[name] = fields
	}
	for _, r := range fields {
		if c.corpus.Sees(typ.File, r.File) && c.isSpliced(splice{c.macroOf(r), typ}) {
			all = append(all, r)
		}
	}
	return all
}

// macroOf is the name of the macro that declares a symbol, "" where none does.
func (c *cpp) macroOf(r corpus.Ref) string {
	f := c.read.File(r.File)
	if in := f.Symbol(r.Index).Parent; in != facts.None && f.Symbol(in).Kind == code.KindMacro {
		return f.Symbol(in).Name
	}
	return ""
}

// isSpliced reports whether a macro stands in a type.
func (c *cpp) isSpliced(s splice) bool {
	is, ok := c.splices[s]
	if ok {
		return is
	}
	c.splices[s] = false // for macros that name each other
	is = slices.ContainsFunc(c.read.Uses(s.macro), func(r corpus.Ref) bool {
		f := c.read.File(r.File)
		u := f.Use(r.Index)
		if u.In != facts.None && f.Symbol(u.In).Kind == code.KindMacro {
			return c.isSpliced(splice{f.Symbol(u.In).Name, s.typ})
		}
		return r.File == s.typ.File && c.isBetween(f, s.typ.Index, u.At)
	})
	c.splices[s] = is
	return is
}

// isBetween reports whether a byte of a file stands in a type, and in no type within it.
func (c *cpp) isBetween(f *corpus.File, typ int32, at uint32) bool {
	s := f.Symbol(typ)
	if at < s.Start || at >= s.End {
		return false
	}
	for i := typ + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < at; i++ {
		if within := f.Symbol(i); within.Kind.IsType() && at < within.End {
			return false
		}
	}
	return true
}
