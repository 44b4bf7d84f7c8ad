package resolve

import (
	"strings"

	"espy/internal/facts"
)

func javaLanguage() *language {
	return &language{
		family: familyJava, module: javaImport, free: javaFree, exported: javaExported, overloads: true, hierarchy: true,
		same: func(*Question, Ref, Ref) bool { return false },
		one:  func(*Question, Ref, Ref) bool { return false },
	}
}

// javaImport finds a type of a package, a nested type or a static member of a
// type, or what a wildcard stands for.
func javaImport(q *Question, f *file, m *facts.Import) meaning {
	mod := &module{dir: m.Module, language: f.language}
	if m.Name == "*" || m.Name == "" {
		return meaning{mods: []*module{mod}, state: stateFound, reason: "imported package"}
	}
	if got := javaExported(q, mod, m.Name); got.state == stateFound {
		return got
	}
	return meaning{state: stateOutside, reason: "imported from elsewhere", via: m.Name}
}

// javaExported finds what a package, or a type with a package before it, has
// under a name.
func javaExported(q *Question, m *module, name string) meaning {
	if refs := q.inPackage(m.dir, name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "imported from " + m.dir}
	}
	owner, typ := cutLast(m.dir, ".")
	if typ == "" || typ[0] >= 'a' && typ[0] <= 'z' || strings.Count(m.dir, ".") > maxDepth {
		return meaning{state: stateAbsent}
	}
	types := javaExported(q, &module{dir: owner, language: m.language}, typ)
	for _, t := range types.refs {
		if got, st := q.member(thing{kind: aType, ref: t}, name, 0); st == stateFound {
			types.refs = nil
			for _, g := range got {
				types.refs = append(types.refs, g.ref)
			}
			types.reason = "imported from " + m.dir
			return types
		}
	}
	return meaning{state: stateAbsent}
}

// cutLast cuts a name in two at the last separator.
func cutLast(s, sep string) (before, last string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return "", s
}

// inPackage finds the symbols of a name at the top of the files of a package.
func (q *Question) inPackage(pkg, name string) []Ref {
	var refs []Ref
	for _, r := range q.Named(name) {
		f := q.file(r.File)
		if f.language != nil && f.language.family == familyJava && topLevel(f.symbol(r.Index)) && f.Package() == pkg {
			refs = append(refs, r)
		}
	}
	return refs
}

// javaFree looks a name up in what the types round it inherit, in the package,
// and in what wildcards bring.
func javaFree(q *Question, f *file, u *facts.Use) meaning {
	if m := q.inherited(f, u); m.state == stateFound {
		return m
	}
	if refs := q.inPackage(f.Package(), u.Name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "declared in this package"}
	}
	for i := range f.NumImports() {
		row := f.Import(i)
		if row.Name != "*" && row.Name != u.Name {
			continue
		}
		if got := javaExported(q, &module{dir: row.Module, language: f.language}, u.Name); got.state == stateFound {
			return got
		}
	}
	return meaning{state: stateOutside, via: u.Name}
}

// inherited looks a name up in the types that a use stands in, the innermost first.
func (q *Question) inherited(f *file, u *facts.Use) meaning {
	for i := u.In; i != facts.None; i = f.symbol(i).Parent {
		t := Ref{f.id, i}
		s := f.symbol(i)
		if s.Owner != "" {
			owner, ok := q.ownerType(t)
			if !ok {
				continue
			}
			t = owner
		} else if !s.Kind.IsType() {
			continue
		}
		got, _ := q.member(thing{kind: aType, ref: t}, u.Name, 1)
		m := meaning{state: stateFound, reason: "member of " + q.Symbol(t).Name}
		for _, g := range got {
			if q.sorted(g.ref, u.Role) {
				m.refs = append(m.refs, g.ref)
			}
		}
		if len(m.refs) > 0 {
			return m
		}
	}
	return meaning{}
}

// sorted reports whether a member is of the sort that a bare name in a role
// means. Constructors are called by the name of their type.
func (q *Question) sorted(r Ref, role facts.Role) bool {
	s := q.Symbol(r)
	switch role {
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		return s.Kind.IsType()
	}
	return !s.Kind.IsFunc() || s.Name != lastName(q.owner(r))
}
