package cpp

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Import finds the header that a line includes, or the namespace that using names.
func (c *cpp) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if id, ok := c.lines.Find(f.Folder, f.Path, m.Module); ok && m.Name == "*" {
		mod := &infer.Module{Files: []corpus.FileID{id}, Path: c.corpus.Path(id), Family: f.Family}
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "included"}
	}
	mod := &infer.Module{Path: m.Module, Family: f.Family}
	if m.Name == "*" || m.Name == "" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "named by using"}
	}
	if a := c.Exported(mod, m.Name, b); a.State == infer.Found {
		return a
	}
	for i := m.In; i != facts.None; i = f.Symbol(i).Parent { // named from a namespace around it
		if s := f.Symbol(i); s.Kind == code.KindModule {
			around := qualify(c.space(corpus.Ref{File: f.ID, Index: i}), s.Name)
			if a := c.Exported(&infer.Module{Path: qualify(around, m.Module), Family: f.Family}, m.Name, b); a.State == infer.Found {
				return a
			}
		}
	}
	return infer.Answer{State: infer.Outside, Via: m.Name}
}

// Exported finds what a namespace or a header has under a name.
func (c *cpp) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	var refs []corpus.Ref
	for _, r := range c.read.Named(name) {
		switch {
		case c.corpus.Family(r.File) != m.Family:
		case len(m.Files) == 0 && m.Path == "std" && c.isSpecial(r): // of a template that the library declares
		case len(m.Files) > 0 && r.File == m.Files[0], len(m.Files) == 0 && c.isIn(r, m.Path):
			refs = append(refs, r)
		}
	}
	switch {
	case len(refs) > 0:
		return infer.Answer{Refs: c.widened(refs), State: infer.Found, Reason: "declared in " + m.Path}
	case m.Path == "std": // to which the repository only adds
		return infer.Answer{State: infer.Outside}
	}
	return infer.Answer{State: infer.Absent}
}

// isSpecial reports whether a type is a specialization of a template: arguments stand behind
// its name.
func (c *cpp) isSpecial(r corpus.Ref) bool {
	s := c.read.Symbol(r)
	if s.Kind != code.KindClass && s.Kind != code.KindStruct {
		return false
	}
	behind := int(s.At) + len(s.Name)
	text, err := c.corpus.TextRange(r.File, behind, behind+1, nil)
	return err == nil && string(text) == "<"
}

// fixture looks a name up in the class that a macro makes the body of a test a
// method of: TEST_F(Class, Name) {...}
func (c *cpp) fixture(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		s := f.Symbol(i)
		n, made := makingMacro(f, i)
		if !made {
			continue
		}
		for n++; int(n) < f.Facts.NumUses() && f.Use(n).At < s.At; n++ {
			for _, t := range c.infer.Meaning(corpus.Ref{File: f.ID, Index: n}, b.Restart()).Refs {
				if !c.read.Symbol(t).Kind.IsType() {
					continue
				}
				if found, state := c.infer.Member(infer.ValueOf(t), u.Name, b.Restart()); state == infer.Found && u.Name != c.read.Symbol(t).Name {
					a := infer.AnswerOf(found)
					a.Reason = "member of " + c.read.Symbol(t).Name + ", which the macro names"
					return a
				}
			}
		}
	}
	return infer.Answer{}
}

// Owns reports whether the owner that a symbol names is a type: the names of one
// end in those of the other.
func (c *cpp) Owns(typ, owned corpus.Ref, _ infer.Budget) bool {
	if c.corpus.Family(owned.File) != c.corpus.Family(typ.File) {
		return false
	}
	a, b := c.space(owned), qualify(c.space(typ), c.read.Symbol(typ).Name)
	return (a == b || strings.HasSuffix(b, "::"+a) || strings.HasSuffix(a, "::"+b)) && c.includes.Belongs(c.namesakes(typ), owned.File, typ)
}

// Free looks a name up in the types and namespaces around a use, in what the
// file includes, and, for what another file defines without a header, in the
// whole repository.
func (c *cpp) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	top := f.IsTop(u) || c.isScopedByMacro(f, u)
	if !top {
		for _, a := range []infer.Answer{c.inherited(f, u, b), c.fixture(f, u, b)} {
			if a.State == infer.Found && !slices.ContainsFunc(a.Refs, c.isMade) && len(c.infer.Fitting(a.Refs, u)) > 0 { // not a function of the system with other arguments
				return a
			}
		}
	}
	near := c.near(f, u, top)
	if refs := c.reachable(f, u, near.Refs); len(refs) > 0 {
		return infer.Answer{Refs: near.Widened(c.innermost(f, u, refs), c.widened), State: infer.Found, Reason: "declared in a file that is included"}
	}
	var far, around []corpus.Ref
	for _, r := range c.reachable(f, u, c.free(u.Name)) {
		s := c.read.Symbol(r)
		if u.Role == facts.RoleType && (s.Kind.IsFunc() && s.Kind != code.KindMacro || s.Kind == code.KindVar) || top && !c.isAtTop(f, u, r) || u.Role != facts.RoleCall && !c.sees(f, u, r) {
			continue
		}
		if s.Flags&facts.Exported != 0 && (u.Role != facts.RoleType || !s.Kind.IsFunc()) {
			far = append(far, r)
		}
		if c.isAround(f.ID, r.File) {
			around = append(around, r)
		}
	}
	if len(around) > 0 {
		return infer.Answer{Refs: c.widened(c.innermost(f, u, c.unhidden(around))), State: infer.Found, Confidence: facts.Likely, Reason: "declared in what includes this file"}
	}
	if len(far) > 0 && !slices.ContainsFunc(far, func(r corpus.Ref) bool { return c.read.Symbol(r).Kind != code.KindModule }) {
		return infer.Answer{Refs: far, State: infer.Found, Confidence: facts.Likely, Reason: "the namespace of that name"}
	}
	if len(far) > 0 && len(c.widened(far[:1])) == len(far) {
		return infer.Answer{Refs: far, State: infer.Found, Confidence: facts.Likely, Reason: "the only one of that name"}
	}
	if r, ok := c.given(f, u); ok && !top {
		return infer.Answer{Refs: []corpus.Ref{r}, State: infer.Found, Confidence: facts.Likely, Reason: "the only one of that name, which a macro is given"}
	}
	if c.corpus.Language(f.ID) != "c" && c.namedByMacro(u.Name) { // C has no namespaces
		mod := &infer.Module{Path: u.Name, Family: f.Family}
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Confidence: facts.Likely, Reason: "the namespace that a macro opens"}
	}
	switch {
	case top:
		return infer.Answer{State: infer.Outside}
	case u.Role != facts.RoleType && c.fromMacro(f, u):
		return infer.Answer{}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// namedByMacro reports whether a macro opens a namespace of a name, as in
// #define BEGIN namespace a {: what it holds stands at the top of its file.
func (c *cpp) namedByMacro(name string) bool {
	if is, ok := c.macros[name]; ok {
		return is
	}
	is := slices.ContainsFunc(c.read.Uses(name), func(r corpus.Ref) bool {
		f := c.read.File(r.File)
		u := f.Use(r.Index)
		if f.Family != corpus.C || u.In == facts.None || u.Role == facts.RoleCall || f.Facts.Kind(int(u.In)) != code.KindMacro {
			return false
		}
		const word = "namespace"
		before, err := c.corpus.TextRange(f.ID, max(0, int(u.At)-len(word)-8), int(u.At), nil)
		return err == nil && strings.HasSuffix(strings.TrimRight(string(before), " \t\\\r\n"), word)
	})
	c.macros[name] = is
	return is
}
