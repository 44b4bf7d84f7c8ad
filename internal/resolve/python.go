package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
)

func pythonLanguage() *language {
	return &language{
		family: familyPython, dynamic: true, module: pythonImport, free: pythonFree, exported: pythonExported,
		same: func(*Question, Ref, Ref) bool { return false }, one: sameScope, constructor: "__init__",
		element: pythonElement,
	}
}

// typeVariable says what T = TypeVar("T") stands for in a generic class that is
// given arguments; otherwise it may be anything.
func (q *Question) typeVariable(r Ref, en *env, depth int) []thing {
	for ; en != nil; en = en.outer {
		if n := slices.Index(q.typeVariables(en.of), r); n >= 0 {
			return q.argument(en.f, en.args, n, en.outer, depth)
		}
	}
	return nil
}

// typeVariables are those of a class: the names in brackets of its bases, in
// the order of Generic where it is one of them.
func (q *Question) typeVariables(class Ref) []Ref {
	f := q.file(class.File)
	s := f.symbol(class.Index)
	var all []Ref
	for i := f.UsesFrom(s.Start); i < f.NumUses() && f.use(int32(i)).At < s.SigEnd; i++ {
		u := f.use(int32(i))
		if u.In != class.Index {
			continue
		}
		if u.Role == facts.RoleInherit && (u.Name == "Generic" || u.Name == "Protocol") {
			all = nil
		}
		if u.Role != facts.RoleType {
			continue
		}
		for _, r := range q.means(f, int32(i), 1).refs {
			if !slices.Contains(all, r) && !q.Symbol(r).Kind.IsType() {
				all = append(all, r)
			}
		}
	}
	return all
}

// pythonElement follows the special methods of a class.
func pythonElement(q *Question, t thing, which int32, depth int) ([]thing, bool) {
	iterated := func(things []thing) []thing {
		return q.each(things, func(t thing) []thing { return q.element(t, elemValue, depth+1) })
	}
	switch which {
	case elemAwait:
		got, ok := q.through(t, []string{"__await__"}, depth)
		return iterated(got), ok
	case elemEnter:
		return q.through(t, []string{"__aenter__", "__enter__"}, depth)
	}
	if got, ok := q.through(t, []string{"__getitem__", "__next__", "__anext__"}, depth); ok {
		return got, true
	}
	got, ok := q.through(t, []string{"__iter__", "__aiter__"}, depth)
	return iterated(got), ok
}

// sameScope reports whether two symbols of a name are declared in one scope of one file.
func sameScope(q *Question, a, b Ref) bool {
	x, y := q.Symbol(a), q.Symbol(b)
	return a.File == b.File && x.Parent == y.Parent && x.Owner == y.Owner
}

// pythonLayout are the folders that the first part of a module's name may be
// found in, by that part.
type pythonLayout map[string][]string

func (c *Corpus) pythonLayout() pythonLayout {
	l := &c.layouts[familyPython]
	l.once.Do(func() {
		roots := pythonLayout{}
		add := func(name, root string) {
			if !slices.Contains(roots[name], root) {
				roots[name] = append(roots[name], root)
			}
		}
		for i := range c.files {
			f := &c.files[i]
			if f.language == nil || f.language.family != familyPython {
				continue
			}
			stem := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
			if stem != "__init__" {
				add(stem, f.dir)
			}
			for d := f.dir; d != ""; d = folder(d) { // packages without __init__.py too
				add(path.Base(d), folder(d))
			}
		}
		for _, r := range roots {
			slices.SortFunc(r, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		}
		l.it = roots
	})
	return l.it.(pythonLayout)
}

func (c *Corpus) pythonPackage(dir string) bool {
	_, ok := c.byPath[inFolder(dir, "__init__.py")]
	return ok
}

func inFolder(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// pythonModule finds the module at a path without its extension.
func (q *Question) pythonModule(p string) *module {
	for _, name := range []string{p + ".py", p + "/__init__.py", p + ".pyi", p + "/__init__.pyi"} {
		if id, ok := q.c.byPath[name]; ok {
			return &module{files: []FileID{id}, dir: p, language: q.c.files[id].language}
		}
	}
	if dir := q.c.Under(p); p != "" && len(dir) > 0 {
		for _, id := range dir {
			if l := q.c.files[id].language; l != nil && l.family == familyPython {
				return &module{dir: p, language: l}
			}
		}
	}
	return nil
}

// pythonFind finds the module that a dotted name means in a file: beside the
// file and above it, then in every folder that has its first part, the ones
// outside of packages first.
func (q *Question) pythonFind(f *file, name string) *module {
	if rest := strings.TrimLeft(name, "."); rest != name {
		dir := f.dir
		for range len(name) - len(rest) - 1 {
			dir = folder(dir)
		}
		if rest == "" {
			return q.pythonModule(dir)
		}
		return q.pythonModule(inFolder(dir, strings.ReplaceAll(rest, ".", "/")))
	}
	p := strings.ReplaceAll(name, ".", "/")
	first, _, _ := strings.Cut(name, ".")
	roots := q.c.pythonLayout()[first]
	for d := f.dir; ; d = folder(d) {
		if slices.Contains(roots, d) && (!q.c.pythonPackage(d) || d == "") {
			if m := q.pythonModule(inFolder(d, p)); m != nil {
				return m
			}
		}
		if d == "" {
			break
		}
	}
	for _, inside := range []bool{false, true} {
		for _, root := range roots {
			if q.c.pythonPackage(root) == inside {
				if m := q.pythonModule(inFolder(root, p)); m != nil && (!inside || root == f.dir) {
					return m
				}
			}
		}
	}
	return nil
}

func pythonImport(q *Question, f *file, m *facts.Import) meaning {
	mod := q.pythonFind(f, m.Module)
	if mod == nil {
		return meaning{state: stateOutside, reason: "imported from elsewhere", via: m.Name}
	}
	if m.Name == "" || m.Name == "*" {
		return meaning{mods: []*module{mod}, state: stateFound, reason: "imported module"}
	}
	return pythonExported(q, mod, m.Name)
}

// pythonExported finds what a module has under a name: what it declares, what
// it imports, a module within it, or what comes with a wildcard.
func pythonExported(q *Question, m *module, name string) meaning {
	key := exportKey{m.dir, name}
	if q.exporting[key] {
		return meaning{state: stateAbsent}
	}
	q.exporting[key] = true
	defer delete(q.exporting, key)
	st := stateAbsent
	for _, id := range m.files {
		f := q.file(id)
		if refs := q.topNamed(f, name); len(refs) > 0 {
			return meaning{refs: refs, state: stateFound, reason: "imported from " + f.path}
		}
		for i := range f.NumImports() {
			row := f.Import(i)
			if row.In != facts.None || row.Local != name && row.Name != "*" {
				continue
			}
			got := q.imported(f, int32(i))
			if row.Name == "*" {
				if got = pythonStar(q, got, name); got.state == stateAbsent {
					continue
				}
			}
			if got.state == stateFound {
				return got
			}
			st = stateOutside
		}
	}
	if sub := q.pythonModule(inFolder(m.dir, name)); sub != nil && m.isPackage(q) {
		return meaning{mods: []*module{sub}, state: stateFound, reason: "imported module"}
	}
	return meaning{state: st}
}

func pythonStar(q *Question, m meaning, name string) meaning {
	if m.state != stateFound {
		return m
	}
	for _, mod := range m.mods {
		if got := pythonExported(q, mod, name); got.state == stateFound {
			return got
		}
	}
	return meaning{state: stateAbsent}
}

func (m *module) isPackage(q *Question) bool {
	return len(m.files) == 0 || strings.HasPrefix(path.Base(q.c.files[m.files[0]].path), "__init__.")
}

// topNamed are the symbols of a name in a file's own scope.
func (q *Question) topNamed(f *file, name string) []Ref {
	var refs []Ref
	for i := range f.SymbolsNamed(name) {
		if topLevel(f.symbol(int32(i))) {
			refs = append(refs, Ref{f.id, int32(i)})
		}
	}
	return refs
}

// pythonFree looks a name up in what wildcard imports bring.
func pythonFree(q *Question, f *file, u *facts.Use) meaning {
	for i := range f.NumImports() {
		if row := f.Import(i); row.Name == "*" {
			if got := pythonStar(q, q.imported(f, int32(i)), u.Name); got.state == stateFound {
				return got
			}
		}
	}
	return meaning{state: stateOutside}
}
