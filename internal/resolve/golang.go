package resolve

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/facts"
)

func goLanguage() *language {
	return &language{family: familyGo, module: goImport, free: goFree, exported: goExported, same: goSamePackage, one: goOne}
}

// goModules are the modules of a repository, those with the longest path first.
type goModules []goModule

type goModule struct {
	path, dir string
}

// goLayout reads the go.mod files: the path of each module, and local
// replacements.
func (c *Corpus) goLayout() goModules {
	l := &c.layouts[familyGo]
	l.once.Do(func() {
		var all goModules
		for i := range c.files {
			if f := &c.files[i]; f.path == "go.mod" || strings.HasSuffix(f.path, "/go.mod") {
				if text, err := c.Text(FileID(i)); err == nil {
					all = append(all, readGoMod(string(text), f.dir)...)
				}
			}
		}
		slices.SortStableFunc(all, func(a, b goModule) int { return cmp.Compare(len(b.path), len(a.path)) })
		l.it = all
	})
	return l.it.(goModules)
}

// readGoMod returns the module of a go.mod file and what it replaces by a
// folder of the repository.
func readGoMod(text, dir string) goModules {
	var all goModules
	block := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case words[0] == ")":
			block = ""
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		if words[0] == "module" && len(words) > 1 {
			all = append(all, goModule{strings.Trim(words[1], `"`), dir})
		}
		if at := slices.Index(words, "=>"); words[0] == "replace" && at >= 2 && at+1 < len(words) {
			if to := strings.Trim(words[at+1], `"`); strings.HasPrefix(to, ".") {
				if target, ok := join(dir, to); ok {
					all = append(all, goModule{strings.Trim(words[1], `"`), target})
				}
			}
		}
	}
	return all
}

// goFolder finds the folder of the package with an import path.
func (c *Corpus) goFolder(importPath string) (string, bool) {
	for _, m := range c.goLayout() {
		rest, ok := strings.CutPrefix(importPath, m.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		dir, ok := join(m.dir, strings.TrimPrefix(rest, "/"))
		if ok && len(c.folders[dir]) > 0 {
			return dir, true
		}
	}
	vendored := "vendor/" + importPath
	return vendored, len(c.folders[vendored]) > 0
}

// goImport finds the package that an import brings.
func goImport(q *Question, f *file, m *facts.Import) meaning {
	dir, ok := q.c.goFolder(m.Module)
	if !ok {
		return meaning{state: stateOutside, reason: "imported from elsewhere", generic: goGeneric[m.Module]}
	}
	mod := &module{dir: dir, language: f.language}
	for _, id := range q.c.folders[dir] {
		p := q.c.files[id].path
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			continue
		}
		mod.files = append(mod.files, id)
	}
	if len(mod.files) == 0 {
		return meaning{state: stateOutside, reason: "imported from elsewhere"}
	}
	return meaning{mods: []*module{mod}, state: stateFound, reason: "imported package"}
}

// goGeneric are the packages of the standard library whose functions return
// what they are given.
var goGeneric = map[string]bool{"slices": true, "maps": true, "cmp": true, "iter": true, "sync": true, "sync/atomic": true}

// goExported finds what a package declares under a name.
func goExported(q *Question, m *module, name string) meaning {
	dir := q.c.files[m.files[0]].dir
	refs := q.goDeclared(dir, name, func(f *file) bool { return !strings.HasSuffix(f.path, "_test.go") })
	if len(refs) == 0 {
		return meaning{state: stateAbsent}
	}
	return meaning{refs: refs, state: stateFound, reason: "imported package"}
}

// goDeclared finds what the wanted files of a folder declare for the package under a name.
func (q *Question) goDeclared(dir, name string, want func(*file) bool) []Ref {
	var refs []Ref
	for _, r := range q.Named(name) {
		if q.c.files[r.File].dir != dir {
			continue
		}
		if f := q.file(r.File); topLevel(f.symbol(r.Index)) && want(f) {
			refs = append(refs, r)
		}
	}
	return refs
}

// goFree looks a name up in the package, in packages that are imported with a
// dot, and among packages whose name is not that of their path.
func goFree(q *Question, f *file, u *facts.Use) meaning {
	pkg := f.Package()
	if refs := q.goDeclared(f.dir, u.Name, func(o *file) bool { return o.Package() == pkg && o.language == f.language }); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "declared in this package"}
	}
	for i := range f.NumImports() {
		m := q.imported(f, int32(i))
		row := f.Import(i)
		if row.Name == "*" {
			for _, mod := range m.mods {
				if e := goExported(q, mod, u.Name); e.state == stateFound {
					return e
				}
			}
			continue
		}
		if len(m.mods) == 1 && row.Local != u.Name && q.file(m.mods[0].files[0]).Package() == u.Name {
			return m
		}
	}
	return meaning{state: stateOutside}
}

// goSamePackage reports whether a method and a type are of one package.
func goSamePackage(q *Question, method, typ Ref) bool {
	if q.c.files[method.File].dir != q.c.files[typ.File].dir {
		return false
	}
	a, b := q.file(method.File), q.file(typ.File)
	return a == b || a.Package() == b.Package()
}

// goOne reports whether two symbols are one that is declared anew for another
// system or set of build tags.
func goOne(q *Question, a, b Ref) bool {
	if a.File == b.File || q.c.files[a.File].dir != q.c.files[b.File].dir {
		return false
	}
	x, y := q.Symbol(a), q.Symbol(b)
	if x.Owner != y.Owner || !goSamePackage(q, a, b) {
		return false
	}
	if x.Parent == facts.None || y.Parent == facts.None {
		return topLevel(x) && topLevel(y) || x.Owner != "" && x.Parent == y.Parent
	}
	p, o := Ref{a.File, x.Parent}, Ref{b.File, y.Parent}
	return q.Symbol(p).Name == q.Symbol(o).Name && goOne(q, p, o)
}
