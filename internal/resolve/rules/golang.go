package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// golang is the rules of Go.
type golang struct {
	asker
	modules func() []goModule // the longest path first
}

func goLanguage(a asker, modules func() []goModule) *infer.Language {
	return &infer.Language{
		Rules: &golang{a, modules}, Structural: true, FolderPrivate: true, LiteralKeys: true, Merges: true, Bases: infer.InBody,
		Infers: true, Spreads: true, RestsAreLists: true, Containers: goContainers, Library: goLibrary,
	}
}

// goModule is a module and the folder that its import path stands for.
type goModule struct{ path, folder string } // the path is empty of the standard library

// readGoModules reads the go.mod files: the path of each module, and its local
// replacements. A module without one is known by how others import it.
func readGoModules(c *corpus.Corpus) []goModule {
	var all []goModule
	for i := range c.Files() {
		if p := c.Path(i); p == "go.mod" || strings.HasSuffix(p, "/go.mod") {
			if text, err := c.Text(i); err == nil {
				all = append(all, parseGoMod(string(text), c.Folder(i))...)
			}
		}
	}
	for _, p := range c.Published(corpus.Go) {
		if !slices.ContainsFunc(all, func(m goModule) bool { return m.path == p.Import }) {
			all = append(all, goModule{p.Import, strings.TrimPrefix(path.Dir("/"+p.Path), "/")})
		}
	}
	slices.SortStableFunc(all, func(a, b goModule) int { return cmp.Compare(len(b.path), len(a.path)) })
	return all
}

// parseGoMod returns the module of a go.mod file and the modules that it
// replaces by a folder of the repository.
func parseGoMod(text, dir string) []goModule {
	var all []goModule
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
			all = append(all, goModule{modulePath(strings.Trim(words[1], `"`)), dir})
		}
		if at := slices.Index(words, "=>"); words[0] == "replace" && at >= 2 && at+1 < len(words) {
			if to := strings.Trim(words[at+1], `"`); strings.HasPrefix(to, ".") {
				if target, ok := corpus.Join(dir, to); ok {
					all = append(all, goModule{strings.Trim(words[1], `"`), target})
				}
			}
		}
	}
	return all
}

// modulePath is what import paths begin with. Those of the standard library begin
// with nothing.
func modulePath(module string) string {
	if module == "std" {
		return ""
	}
	return module
}

// folder finds the folder of the package with an import path, as a file in a folder
// writes it: a vendor folder is for those beside and below it.
func (g *golang) folder(importPath, from string) (string, bool) {
	for _, m := range g.modules() {
		rest, ok := strings.CutPrefix(importPath, m.path)
		if !ok || rest != "" && rest[0] != '/' && m.path != "" {
			continue
		}
		dir, ok := corpus.Join(m.folder, strings.TrimPrefix(rest, "/"))
		if ok && len(g.corpus.In(dir)) > 0 {
			return dir, true
		}
	}
	for {
		vendored := path.Join(from, "vendor", importPath)
		if len(g.corpus.In(vendored)) > 0 || from == "" {
			return vendored, len(g.corpus.In(vendored)) > 0
		}
		from = strings.TrimPrefix(path.Dir("/"+from), "/")
	}
}

// Import finds the package that an import brings. A test that stands apart from the
// package of its folder also gets what the tests in the package declare.
func (g *golang) Import(f *corpus.File, m *facts.Import, _ infer.Budget) infer.Answer {
	dir, ok := g.folder(m.Module, g.corpus.Folder(f.ID))
	if !ok {
		return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Generic: goGeneric[m.Module]}
	}
	mod := &infer.Module{Path: dir, Family: f.Family}
	var tests []corpus.FileID
	for _, id := range g.corpus.In(dir) {
		switch p := g.corpus.Path(id); {
		case !strings.HasSuffix(p, ".go"):
		case !isGoTest(p):
			mod.Files = append(mod.Files, id)
		case f.Folder == dir && isGoTest(f.Path) && !strings.HasSuffix(g.read.File(id).Facts.Package(), "_test"):
			tests = append(tests, id)
		}
	}
	mod.Files = append(mod.Files, tests...)
	if len(mod.Files) == 0 {
		return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere"}
	}
	return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported package"}
}

func isGoTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

// goGeneric are the packages of the standard library whose functions return
// what they are given.
var goGeneric = map[string]bool{"slices": true, "maps": true, "cmp": true, "iter": true, "sync": true, "sync/atomic": true}

// goContainers are methods of generic types of the standard library.
var goContainers = map[string]infer.Gives{"Load": infer.AnElement, "Swap": infer.AnElement}

// goLibrary are functions of the standard library, by what they make of their first argument.
var goLibrary = map[string]infer.Gives{
	"slices.Max": infer.AnElement, "slices.MaxFunc": infer.AnElement, "slices.Min": infer.AnElement, "slices.MinFunc": infer.AnElement,
	"slices.Clone": infer.TheSame, "slices.Compact": infer.TheSame, "slices.CompactFunc": infer.TheSame, "slices.Delete": infer.TheSame, "slices.DeleteFunc": infer.TheSame,
	"slices.Insert": infer.TheSame, "slices.Replace": infer.TheSame, "slices.Grow": infer.TheSame, "slices.Clip": infer.TheSame, "slices.Repeat": infer.TheSame,
	"slices.All": infer.TheSame, "slices.Values": infer.TheSame, "slices.Backward": infer.TheSame, "slices.Collect": infer.TheSame, "slices.Concat": infer.TheSame,
	"slices.Sorted": infer.TheSame, "slices.SortedFunc": infer.TheSame, "slices.SortedStableFunc": infer.TheSame,
	"maps.Clone": infer.TheSame, "maps.All": infer.TheSame, "maps.Keys": infer.AllKeys, "maps.Values": infer.AllElements,
}

// Exported finds what a package declares under a name.
func (g *golang) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	dir := g.corpus.Folder(m.Files[0])
	refs := g.declared(dir, name, func(f *corpus.File) bool { return !isGoTest(f.Path) || slices.Contains(m.Files, f.ID) })
	if len(refs) == 0 {
		return infer.Answer{State: infer.Absent}
	}
	return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported package"}
}

// declared finds what the wanted files of a folder declare at their top under a name.
func (g *golang) declared(dir, name string, want func(*corpus.File) bool) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range g.read.Named(name) {
		if g.corpus.Folder(r.File) != dir {
			continue
		}
		if f := g.read.File(r.File); corpus.AtTop(f.Symbol(r.Index)) && want(f) {
			refs = append(refs, r)
		}
	}
	return refs
}

// Free looks a name up in the package, in packages that are imported with a
// dot, and among packages whose name differs from the last part of their path.
func (g *golang) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	pkg := f.Facts.Package()
	own := func(o *corpus.File) bool { return o.Facts.Package() == pkg && o.Family == f.Family }
	if refs := g.declared(f.Folder, u.Name, own); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this package"}
	}
	for i := range f.Facts.NumImports() {
		a := g.imported(f, i, b)
		row := f.Facts.Import(i)
		if row.Name == "*" {
			for _, mod := range a.Modules {
				if e := g.infer.Exported(mod, u.Name, b); e.State == infer.Found {
					return e
				}
			}
			continue
		}
		if len(a.Modules) == 1 && row.Local != u.Name && g.read.File(a.Modules[0].Files[0]).Facts.Package() == u.Name {
			return a
		}
	}
	return infer.Answer{State: infer.Outside}
}

// Owns reports whether a method and a type are of one package.
func (g *golang) Owns(typ, method corpus.Ref, _ infer.Budget) bool {
	if g.corpus.Folder(method.File) != g.corpus.Folder(typ.File) {
		return false
	}
	a, b := g.read.File(method.File), g.read.File(typ.File)
	return a == b || a.Facts.Package() == b.Facts.Package()
}

// Same reports whether two symbols are declarations of one thing for different
// systems or build tags.
func (g *golang) Same(a, b corpus.Ref) bool {
	if a.File == b.File || g.corpus.Folder(a.File) != g.corpus.Folder(b.File) {
		return false
	}
	x, y := g.read.Symbol(a), g.read.Symbol(b)
	if x.Owner != y.Owner || !g.Owns(b, a, infer.Budget{}) {
		return false
	}
	if x.Parent == facts.None || y.Parent == facts.None {
		return corpus.AtTop(x) && corpus.AtTop(y) || x.Owner != "" && x.Parent == y.Parent
	}
	p, o := corpus.Ref{File: a.File, Index: x.Parent}, corpus.Ref{File: b.File, Index: y.Parent}
	return g.read.Symbol(p).Name == g.read.Symbol(o).Name && g.Same(p, o)
}
