package cpp

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/rules/macro"
)

// space names the namespaces and types around a symbol, a::B.
func (c *cpp) space(r corpus.Ref) string {
	f := c.read.File(r.File)
	var names []string
	s := f.Symbol(r.Index)
	for s.Owner != "" || s.Parent != facts.None {
		if s.Owner != "" {
			names = append(names, s.Owner)
		}
		if s.Parent == facts.None {
			break
		}
		if s = f.Symbol(s.Parent); s.Flags&facts.Embedded == 0 { // of an inline namespace, or a plain enumeration
			names = append(names, s.Name)
		}
	}
	slices.Reverse(names)
	return strings.Join(names, "::")
}

// isIn reports whether a symbol stands in a namespace, of which its file may open
// the outer part by a macro.
func (c *cpp) isIn(r corpus.Ref, path string) bool {
	space := c.space(r)
	if space == path {
		return true
	}
	outer, ok := path, space == ""
	if !ok {
		outer, ok = strings.CutSuffix(path, "::"+space)
	}
	if !ok || c.read.Symbol(r).Kind == code.KindMacro {
		return false
	}
	at, ok := c.openedByMacro(outer)[r.File]
	return ok && at < c.read.Symbol(r).At
}

// openedByMacro says where files use a macro that opens a namespace.
func (c *cpp) openedByMacro(path string) map[corpus.FileID]uint32 {
	if files, ok := c.opened[path]; ok {
		return files
	}
	files := map[corpus.FileID]uint32{}
	c.opened[path] = files
	seen := map[string]bool{}
	for _, r := range c.read.Uses(corpus.LastName(path)) {
		f := c.read.File(r.File)
		in := f.Use(r.Index).In
		if f.Family != corpus.C || in == facts.None || f.Symbol(in).Kind != code.KindMacro || seen[f.Symbol(in).Name] {
			continue
		}
		opening := f.Symbol(in)
		text, err := c.corpus.TextRange(f.ID, int(opening.Start), int(opening.End), nil)
		if opened := macro.Namespaces(string(text)); err != nil || opened != path && !strings.HasSuffix(opened, "::"+path) {
			continue
		}
		seen[opening.Name] = true
		for _, u := range c.read.Uses(opening.Name) {
			use := c.read.File(u.File).Use(u.Index)
			if at, ok := files[u.File]; !ok || use.At < at {
				files[u.File] = use.At
			}
		}
	}
	return files
}

func qualify(space, name string) string {
	if space == "" {
		return name
	}
	return space + "::" + name
}

// isAtTop reports whether a symbol stands outside of all namespaces, and is a macro
// where a use asks for one.
func (c *cpp) isAtTop(f *corpus.File, u *facts.Use, r corpus.Ref) bool {
	if f.IsTop(u) && f.Facts.Expr(int(u.Target)).X == 1 {
		return c.read.Symbol(r).Kind == code.KindMacro
	}
	return c.isIn(r, "")
}

// isFree reports whether a symbol stands in no type: at the top, in a namespace,
// or as a constant of a plain enumeration.
func (c *cpp) isFree(r corpus.Ref) bool {
	f := c.read.File(r.File)
	s := f.Symbol(r.Index)
	if s.Flags&facts.Local != 0 || s.Owner != "" && s.Kind != code.KindModule && !s.Kind.IsType() {
		return false
	}
	constant := s.Kind == code.KindConst
	for s.Parent != facts.None {
		s = f.Symbol(s.Parent)
		if s.Kind == code.KindEnum && s.Flags&facts.Embedded == 0 { // enum class
			return false
		}
		if s.Kind != code.KindModule && s.Kind != code.KindEnum && (!constant || s.Kind != code.KindType) { // typedef enum {...}
			return false
		}
	}
	return true
}

// end is the innermost name of the space of a symbol, "" at the top.
func (c *cpp) end(r corpus.Ref) string {
	f := c.read.File(r.File)
	for s := f.Symbol(r.Index); ; {
		if s.Owner != "" {
			return corpus.LastName(s.Owner)
		}
		if s.Parent == facts.None {
			return ""
		}
		if s = f.Symbol(s.Parent); s.Flags&facts.Embedded == 0 {
			return corpus.LastName(s.Name)
		}
	}
}

// nested reports whether two spaces are equal, or the names of one end in those of the other.
func (c *cpp) nested(x, y string) bool {
	return x == y || x != "" && y != "" && (strings.HasSuffix(x, "::"+y) || strings.HasSuffix(y, "::"+x))
}
