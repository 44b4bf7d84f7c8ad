package cpp

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/rules/macro"
)

// fromMacro reports whether a bare name may be declared by the macro that makes the
// function around it: TEST(name) {...}, of which a macro mentions the name.
func (c *cpp) fromMacro(f *corpus.File, u *facts.Use) bool {
	if u.In == facts.None {
		return false
	}
	if _, made := makingMacro(f, u.In); !made {
		return false
	}
	is, ok := c.mentioned[u.Name]
	if !ok {
		is = slices.ContainsFunc(c.read.Uses(u.Name), func(r corpus.Ref) bool {
			of := c.read.File(r.File)
			in := of.Use(r.Index).In
			return of.Family == corpus.C && in != facts.None && of.Symbol(in).Kind == code.KindMacro
		})
		c.mentioned[u.Name] = is
	}
	return is
}

// makingMacro is the use of the macro that makes a function: TEST(name) {...}.
func makingMacro(f *corpus.File, fn int32) (use int32, ok bool) {
	s := f.Symbol(fn)
	if s.Kind != code.KindFunc || s.MaxArgs != facts.ManyArgs {
		return facts.None, false
	}
	n := f.Facts.UsesFrom(s.Start)
	if n >= f.Facts.NumUses() {
		return facts.None, false
	}
	u := f.Use(int32(n))
	return int32(n), u.At == s.Start && u.Role == facts.RoleCall
}

// given finds the only member of a type that a bare name may mean which stands outside of
// functions and types, where nothing but a macro can have it: MACRO(kind).
func (c *cpp) given(f *corpus.File, u *facts.Use) (member corpus.Ref, ok bool) {
	if u.Role == facts.RoleCall || u.In != facts.None && f.Symbol(u.In).Kind != code.KindModule {
		return corpus.Ref{}, false
	}
	for _, r := range c.read.Named(u.Name) {
		s := c.read.Symbol(r)
		if s.Flags&facts.Local != 0 || s.Kind == code.KindParam || s.Kind == code.KindTypeParam || c.corpus.Family(r.File) != corpus.C {
			continue
		}
		if ok || s.Kind != code.KindConst && s.Flags&facts.Static == 0 && !s.Kind.IsType() || s.Kind.IsFunc() || !corpus.IsMember(s) {
			return corpus.Ref{}, false
		}
		member, ok = r, true
	}
	if ok && member.File != f.ID && !c.includes.Reaches(f.ID, member.File) {
		return corpus.Ref{}, false
	}
	return member, ok
}

// innermost leaves, of the types that a bare name may mean, those of the innermost
// namespace around it that has some.
func (c *cpp) innermost(f *corpus.File, u *facts.Use, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 || u.In == facts.None || u.Role != facts.RoleType && u.Role != facts.RoleInherit {
		return refs
	}
	in := corpus.Ref{File: f.ID, Index: u.In}
	around := qualify(c.space(in), f.Symbol(u.In).Name) + "::"
	best := ""
	for _, r := range refs {
		if space := c.space(r); len(space) > len(best) && strings.HasPrefix(around, space+"::") && c.read.Symbol(r).Kind.IsType() {
			best = space
		}
	}
	if best == "" {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool { return c.space(r) != best })
}

// sees reports whether a bare name may mean a symbol by the namespaces around the two:
// that of the symbol is around the use, or its file or one that it includes opens it.
func (c *cpp) sees(f *corpus.File, u *facts.Use, r corpus.Ref) bool {
	return c.read.Symbol(r).Kind == code.KindModule || c.seesSpace(f, u, c.space(r))
}

// reachable leaves out, of what a bare name may mean, the namespaces that stand in others
// which a use does not see, and the tags of C where the use is a value.
func (c *cpp) reachable(f *corpus.File, u *facts.Use, refs []corpus.Ref) []corpus.Ref {
	far := func(r corpus.Ref) bool {
		s := c.read.Symbol(r)
		switch s.Kind {
		case code.KindModule:
			return (s.Parent != facts.None || s.Owner != "") && !c.seesSpace(f, u, c.space(r))
		case code.KindStruct, code.KindEnum:
			return c.isValue(f, u) && c.isTag(r)
		}
		return false
	}
	if !slices.ContainsFunc(refs, far) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), far)
}

// isValue reports whether the text around a use of C says that it is a value: its address
// is taken, it is called, or it has members or elements. Other arguments may be those of a
// macro, which writes struct before them.
func (c *cpp) isValue(f *corpus.File, u *facts.Use) bool {
	if u.Role == facts.RoleType || c.corpus.Language(f.ID) != "c" || c.behindTag(f.ID, u.At) {
		return false
	}
	start, end := int(u.At), int(u.At)+len(u.Name)
	text, err := c.corpus.TextRange(f.ID, max(0, start-1), end+4, nil)
	if err != nil {
		return false
	}
	before, behind, _ := strings.Cut(string(text), u.Name)
	next := strings.TrimLeft(behind, " \t")
	return u.Role == facts.RoleCall || before == "&" || strings.HasPrefix(next, ".") || strings.HasPrefix(next, "[") || strings.HasPrefix(next, "->")
}

// isTag reports whether a type of C has its name from behind struct, union or enum: C
// names it with that word alone.
func (c *cpp) isTag(r corpus.Ref) bool {
	return c.corpus.Language(r.File) == "c" && c.behindTag(r.File, c.read.Symbol(r).At)
}

// behindTag reports whether a byte of a file stands behind struct, union or enum.
func (c *cpp) behindTag(id corpus.FileID, at uint32) bool {
	const most = len("struct \t")
	before, err := c.corpus.TextRange(id, max(0, int(at)-most), int(at), nil)
	words := strings.Fields(string(before))
	return err == nil && len(words) > 0 && slices.Contains([]string{"struct", "union", "enum"}, words[len(words)-1])
}

// seesSpace reports whether a use sees what stands in a namespace by the name alone.
func (c *cpp) seesSpace(f *corpus.File, u *facts.Use, space string) bool {
	around := ""
	if u.In != facts.None {
		in := corpus.Ref{File: f.ID, Index: u.In}
		around = qualify(c.space(in), f.Symbol(u.In).Name)
	}
	if space == "" || strings.HasPrefix(around, space+"::") || around == space {
		return true
	}
	if _, ok := c.openedByMacro(space)[f.ID]; ok {
		return true
	}
	return f.UsesSpace(space) || slices.ContainsFunc(c.includes.Of(f.ID), func(id corpus.FileID) bool { return c.read.File(id).UsesSpace(space) })
}

// isScopedByMacro reports whether a use is the first argument of a macro that
// writes :: before it, #define POSIX(call) ::call, so that it names nothing of the
// types and namespaces around it.
func (c *cpp) isScopedByMacro(f *corpus.File, u *facts.Use) bool {
	if u.Role != facts.RoleCall || path.Ext(f.Path) == ".c" {
		return false // C has no ::
	}
	i := f.Facts.UsesFrom(u.At) - 1
	if i < 0 {
		return false
	}
	macro := f.Use(int32(i))
	if macro.Role != facts.RoleCall || macro.At+uint32(len(macro.Name))+1 != u.At || strings.ToUpper(macro.Name) != macro.Name {
		return false
	}
	is, ok := c.scoping[macro.Name]
	if !ok {
		is = c.scopes(macro.Name)
		c.scoping[macro.Name] = is
	}
	return is
}

// scopes reports whether a macro writes :: before its first parameter, by one of
// its definitions.
func (c *cpp) scopes(name string) bool {
	for _, r := range c.read.Named(name) {
		s := c.read.Symbol(r)
		if s.Kind != code.KindMacro || c.corpus.Family(r.File) != corpus.C || s.MaxArgs == 0 {
			continue
		}
		text, err := c.corpus.TextRange(r.File, int(s.Start), int(s.End), nil)
		if err == nil && macro.ScopesFirst(string(text)) {
			return true
		}
	}
	return false
}
