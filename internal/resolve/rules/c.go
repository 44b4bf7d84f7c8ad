package rules

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/include"
	"espy/internal/resolve/rules/macro"
)

// clang is the rules of C and C++.
type clang struct {
	asker
	lines     *include.Lines
	includes  *include.Graph
	programs  map[namesake]*include.Namesakes
	frees     map[string][]corpus.Ref             // by name: what bears it outside of types
	macros    map[string]bool                     // names by whether a macro opens a namespace of them
	mentioned map[string]bool                     // names by whether the text of a macro has them
	scoping   map[string]bool                     // names by whether a macro writes :: before what it is given
	opened    map[string]map[corpus.FileID]uint32 // by namespace: where files open it by a macro
}

func cLanguage(a asker, lines *include.Lines) *infer.Language {
	c := &clang{asker: a, lines: lines, programs: map[namesake]*include.Namesakes{}, macros: map[string]bool{}, scoping: map[string]bool{}, mentioned: map[string]bool{}, opened: map[string]map[corpus.FileID]uint32{}, frees: map[string][]corpus.Ref{}}
	c.includes = include.New(lines, lines.Included)
	return &infer.Language{
		Rules: c, Implicit: []facts.Op{facts.OpElse}, Dereference: "operator->", Decays: true, Infers: true, Alike: c.alike, InSight: c.inSight, Overloads: true, Prototypes: true, TypesApart: true, Hierarchy: true, Overrides: infer.SiblingsApart, Fulfils: c.overrides, Element: c.element, Expands: c.expands,
		Utilities: map[string]bool{"unique_ptr": true, "shared_ptr": true, "weak_ptr": true, "reference_wrapper": true, "add_lvalue_reference_t": true, "remove_reference_t": true,
			"optional": true, "make_shared": true, "make_unique": true, "make_optional": true, "static_pointer_cast": true, "dynamic_pointer_cast": true},
		Unwraps: map[string]bool{"get": true, "lock": true, "operator->": true, "value": true},
		Namespace: func(r corpus.Ref, s *facts.Symbol) (*infer.Module, bool) {
			return &infer.Module{Path: qualify(c.space(r), s.Name), Family: corpus.C}, true
		},
		Texts: map[string]int32{
			"string": facts.LiteralString, "string_view": facts.LiteralString, "wstring": facts.LiteralWide, "wstring_view": facts.LiteralWide,
		},
		Pairs:  map[string]bool{"pair": true, "map": true, "unordered_map": true, "multimap": true, "unordered_multimap": true},
		Halves: map[string]int{"first": 0, "second": 1},
		Containers: map[string]infer.Gives{
			"at": infer.AnElement, "front": infer.AnElement, "back": infer.AnElement, "top": infer.AnElement,
			"get": infer.AnElement, "value": infer.AnElement, "lock": infer.AnElement,
			"begin": infer.TheSame, "end": infer.TheSame, "cbegin": infer.TheSame, "rbegin": infer.TheSame, "find": infer.TheSame,
		},
	}
}

// Import finds the header that a line includes, or the namespace that using names.
func (c *clang) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
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
func (c *clang) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	var refs []corpus.Ref
	for _, r := range c.read.Named(name) {
		switch {
		case c.corpus.Family(r.File) != m.Family:
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

// space names the namespaces and types around a symbol, a::B.
func (c *clang) space(r corpus.Ref) string {
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
func (c *clang) isIn(r corpus.Ref, path string) bool {
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
func (c *clang) openedByMacro(path string) map[corpus.FileID]uint32 {
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

// overrides finds the methods that one says it overrides.
func (c *clang) overrides(member corpus.Ref, b infer.Budget) []corpus.Ref {
	s := c.read.Symbol(member)
	if s.Kind != code.KindMethod {
		return nil
	}
	together := c.infer.Together(member)
	says := c.any(together, facts.Overrides)
	owner, ok := c.infer.OwnerType(member, b)
	if !ok {
		return nil
	}
	var all []corpus.Ref
	bases, _ := c.infer.Bases(owner, b)
	for _, base := range bases {
		found, _ := c.infer.Member(base, s.Name, b.Restart())
		for _, m := range found {
			if o := c.read.Symbol(m.Ref); m.Module != nil || !o.Kind.IsFunc() || o.MinArgs != s.MinArgs || slices.Contains(together, m.Ref) || c.infer.Shapes().Differ(member, m.Ref) {
				continue
			}
			above := c.infer.Together(m.Ref)
			if !says && !c.any(above, facts.Virtual|facts.Overrides) {
				continue
			}
			for _, r := range slices.Concat(above, c.infer.Overridden(m.Ref, b)) {
				if !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// expands returns the way to the value that a macro without parameters stands for.
func (c *clang) expands(r corpus.Ref) ([]infer.Step, bool) {
	s := c.read.Symbol(r)
	text, err := c.corpus.TextRange(r.File, int(s.At), int(s.End), nil)
	steps, value := macro.Way(c.read.File(r.File), s.At, string(text))
	return steps, value && err == nil
}

// unhidden leaves out the constants that a macro of their name and file hides, as
// #define A 1 does enum { A = 1 }.
func (c *clang) unhidden(refs []corpus.Ref) (all []corpus.Ref) {
	for _, r := range refs {
		if c.read.Symbol(r).Kind != code.KindConst || !slices.ContainsFunc(refs, func(m corpus.Ref) bool { return c.hides(m, r.File) }) {
			all = append(all, r)
		}
	}
	return all
}

// hides reports whether a symbol is a macro of a file that stands for something else than its own name.
func (c *clang) hides(m corpus.Ref, file corpus.FileID) bool {
	steps, _ := c.expands(m)
	return m.File == file && c.read.Symbol(m).Kind == code.KindMacro && (len(steps) != 1 || c.read.File(file).Use(steps[0].Use).Name != c.read.Symbol(m).Name)
}

// any reports whether one of several symbols has one of the traits.
func (c *clang) any(refs []corpus.Ref, traits facts.Flags) bool {
	return slices.ContainsFunc(refs, func(r corpus.Ref) bool { return c.read.Symbol(r).Flags&traits != 0 })
}

// fixture looks a name up in the class that a macro makes the body of a test a
// method of: TEST_F(Class, Name) {...}
func (c *clang) fixture(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		s := f.Symbol(i)
		n := int32(f.Facts.UsesFrom(s.Start))
		if s.Kind != code.KindFunc || s.MaxArgs != facts.ManyArgs || int(n) >= f.Facts.NumUses() || f.Use(n).At != s.Start || f.Use(n).Role != facts.RoleCall {
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

// element is what an element of a value is: the value itself, which a pointer
// leads to, unless its type says how it is indexed.
func (c *clang) element(t infer.Thing, which infer.Part, b infer.Budget) ([]infer.Thing, bool) {
	if which != infer.ElementPart && which != infer.LoopPart {
		return nil, false
	}
	if things, ok := c.infer.Through(t, []string{"operator[]", "operator*"}, b); ok && len(things) > 0 {
		return things, true
	}
	return []infer.Thing{t}, true
}

func qualify(space, name string) string {
	if space == "" {
		return name
	}
	return space + "::" + name
}

// Owns reports whether the owner that a symbol names is a type: the names of one
// end in those of the other.
func (c *clang) Owns(typ, owned corpus.Ref, _ infer.Budget) bool {
	if c.corpus.Family(owned.File) != c.corpus.Family(typ.File) {
		return false
	}
	a, b := c.space(owned), qualify(c.space(typ), c.read.Symbol(typ).Name)
	return (a == b || strings.HasSuffix(b, "::"+a) || strings.HasSuffix(a, "::"+b)) && c.includes.Belongs(c.namesakes(typ), owned.File, typ)
}

// Free looks a name up in the types and namespaces around a use, in what the
// file includes, and, for what another file defines without a header, in the
// whole repository.
func (c *clang) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	top := f.IsTop(u) || c.isScopedByMacro(f, u)
	if !top {
		for _, a := range []infer.Answer{c.inherited(f, u, b), c.fixture(f, u, b)} {
			if a.State == infer.Found && len(c.infer.Fitting(a.Refs, u)) > 0 { // not a function of the system with other arguments
				return a
			}
		}
	}
	near := c.near(f, u, top)
	if len(near.Refs) > 0 {
		return infer.Answer{Refs: near.Widened(c.innermost(f, u, near.Refs), c.widened), State: infer.Found, Reason: "declared in a file that is included"}
	}
	var far []corpus.Ref
	for _, r := range c.free(u.Name) {
		if s := c.read.Symbol(r); s.Flags&facts.Exported != 0 && (u.Role != facts.RoleType || !s.Kind.IsFunc() && s.Kind != code.KindVar) && (!top || c.isAtTop(f, u, r)) && (u.Role == facts.RoleCall || c.sees(f, u, r)) {
			far = append(far, r)
		}
	}
	if len(far) > 0 && !slices.ContainsFunc(far, func(r corpus.Ref) bool { return c.read.Symbol(r).Kind != code.KindModule }) {
		return infer.Answer{Refs: far, State: infer.Found, Confidence: facts.Likely, Reason: "the namespace of that name"}
	}
	if len(far) > 0 && len(c.widened(far[:1])) == len(far) {
		return infer.Answer{Refs: far, State: infer.Found, Confidence: facts.Likely, Reason: "the only one of that name"}
	}
	if c.namedByMacro(u.Name) {
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

// isAtTop reports whether a symbol stands outside of all namespaces, and is a macro
// where a use asks for one.
func (c *clang) isAtTop(f *corpus.File, u *facts.Use, r corpus.Ref) bool {
	if f.IsTop(u) && f.Facts.Expr(int(u.Target)).X == 1 {
		return c.read.Symbol(r).Kind == code.KindMacro
	}
	return c.isIn(r, "")
}

// namedByMacro reports whether a macro opens a namespace of a name, as in
// #define BEGIN namespace a {: what it holds stands at the top of its file.
func (c *clang) namedByMacro(name string) bool {
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

// isFree reports whether a symbol stands in no type: at the top, in a namespace,
// or as a constant of a plain enumeration.
func (c *clang) isFree(r corpus.Ref) bool {
	f := c.read.File(r.File)
	s := f.Symbol(r.Index)
	if s.Flags&facts.Local != 0 || s.Owner != "" && s.Kind != code.KindModule && !s.Kind.IsType() {
		return false
	}
	constant := s.Kind == code.KindConst
	for s.Parent != facts.None {
		s = f.Symbol(s.Parent)
		if s.Kind != code.KindModule && s.Kind != code.KindEnum && (!constant || s.Kind != code.KindType) { // typedef enum {...}
			return false
		}
	}
	return true
}

// widened adds the other declarations of symbols: definitions to prototypes. What is
// defined among them says of which program its prototypes are.
func (c *clang) widened(refs []corpus.Ref) []corpus.Ref {
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

// alike are the symbols that Same can hold for: no other file declares a function that
// is known in its own file alone.
func (c *clang) alike(r corpus.Ref) (all []corpus.Ref) {
	f := c.read.File(r.File).Facts
	if kind := f.Kind(int(r.Index)); !kind.IsFunc() || kind == code.KindMethod || f.Flags(int(r.Index))&facts.Exported != 0 {
		return c.read.Of(r.File).Named(f.Name(int(r.Index)))
	}
	for i := range f.Namesakes(int(r.Index)) {
		if f.Flags(i)&facts.Local == 0 {
			all = append(all, corpus.Ref{File: r.File, Index: int32(i)})
		}
	}
	return all
}

// Same reports whether two symbols are declaration and definition of one thing.
func (c *clang) Same(a, b corpus.Ref) bool {
	x, y := c.read.Symbol(a), c.read.Symbol(b)
	if c.announcesFunction(a, x, b, y) || c.announcesFunction(b, y, a, x) {
		return true
	}
	if x.Kind.IsFunc() != y.Kind.IsFunc() || x.Kind.IsType() != y.Kind.IsType() || !c.nested(c.space(a), c.space(b)) {
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
func (c *clang) announcesFunction(v corpus.Ref, x *facts.Symbol, fn corpus.Ref, y *facts.Symbol) bool {
	if v.File != fn.File || x.Kind != code.KindVar || y.Kind != code.KindFunc || x.Parent != y.Parent || x.Type == facts.None {
		return false
	}
	f := c.read.File(v.File)
	n := f.Facts.Expr(int(x.Type))
	if n.Op == facts.OpValue {
		n = f.Facts.Expr(int(n.X))
	}
	if n.Op != facts.OpUse || f.Use(n.X).Bind != facts.BindSymbol {
		return false
	}
	typ := f.Symbol(f.Use(n.X).Target)
	return typ.Kind == code.KindType && (typ.Type == facts.None || f.Facts.Expr(int(typ.Type)).Op == facts.OpFunc) // None of one that gives void
}

// eitherIncludes reports whether one of two symbols is included where the other stands.
func (c *clang) eitherIncludes(a, b corpus.Ref) bool { return c.includesIt(a, b) || c.includesIt(b, a) }

// includesIt reports whether a symbol stands in a file of C that holds or includes what
// declares the other: they are one then, as when the change of a signature is half made.
func (c *clang) includesIt(a, b corpus.Ref) bool {
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
func (c *clang) definedTwice(a, b corpus.Ref) bool {
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

// nested reports whether two spaces are equal, or the names of one end in those of the other.
func (c *clang) nested(x, y string) bool {
	return x == y || x != "" && y != "" && (strings.HasSuffix(x, "::"+y) || strings.HasSuffix(y, "::"+x))
}
