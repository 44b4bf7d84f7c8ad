package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/orm"
)

// python is the rules of Python.
type python struct {
	asker
	roots     func() pythonRoots
	exporting lookups
}

func pythonLanguage(a asker, roots func() pythonRoots) *infer.Language {
	p := &python{a, roots, a.lookups()}
	return &infer.Language{
		Rules: p, Dynamic: true, ExplicitReceiver: true, NamedArguments: true, InheritsAttributes: true, Overrides: infer.AllApart,
		Constructor: "__init__", Element: p.element, Metatypes: map[string]bool{"type": true, "Type": true}, Descriptor: "__get__", Leading: map[string]bool{"AsyncGenerator": true},
		KeyLoops: map[string]bool{"dict": true, "Dict": true, "Mapping": true, "MutableMapping": true, "defaultdict": true, "OrderedDict": true},
		Containers: map[string]infer.Gives{
			"get": infer.AnElement, "pop": infer.AnElement, "popleft": infer.AnElement, "setdefault": infer.AnElement,
			"get_nowait": infer.AnElement, "values": infer.AllElements, "keys": infer.AKey, "items": infer.AllEntries,
			"popitem": infer.AllEntries, "most_common": infer.AllEntries, "copy": infer.TheSame,
		},
		Models: &infer.Models{Gives: orm.Python, Managers: true, Named: p.classNamed},
	}
}

// classNamed is the only class of a name outside of functions that a file may mean.
func (p *python) classNamed(id corpus.FileID, name string) (class corpus.Ref, ok bool) {
	for _, r := range p.read.Of(id).Named(name) {
		if s := p.read.Symbol(r); p.corpus.Family(r.File) != corpus.Python || !s.Kind.IsType() || s.Parent != facts.None {
			continue
		}
		if ok {
			return class, false
		}
		class, ok = r, true
	}
	return class, ok
}

// element follows the special methods of a class.
func (p *python) element(t infer.Thing, which infer.Part, b infer.Budget) ([]infer.Thing, bool) {
	iterated := func(things []infer.Thing) []infer.Thing {
		return infer.Each(things, func(t infer.Thing) []infer.Thing { return p.infer.Element(t, infer.ElementPart, b.Deeper()) })
	}
	switch which {
	case infer.AwaitedPart:
		got, ok := p.infer.Through(t, []string{"__await__"}, b)
		return iterated(got), ok
	case infer.EnteredPart:
		return p.infer.Through(t, []string{"__aenter__", "__enter__"}, b)
	}
	loops := func() ([]infer.Thing, bool) {
		got, ok := p.infer.Through(t, []string{"__iter__", "__aiter__"}, b)
		return iterated(got), ok
	}
	if which == infer.LoopPart {
		if got, ok := loops(); ok {
			return got, true
		}
	}
	if got, ok := p.infer.Through(t, []string{"__getitem__", "__next__", "__anext__"}, b); ok {
		return got, true
	}
	return loops()
}

// pythonRoots are the folders that may hold the first part of a module's name,
// by that part, the shortest path first.
type pythonRoots map[string][]string

func readPythonRoots(c *corpus.Corpus) pythonRoots {
	roots := pythonRoots{}
	add := func(name, root string) {
		if !slices.Contains(roots[name], root) {
			roots[name] = append(roots[name], root)
		}
	}
	for i := range c.Files() {
		if c.Family(i) != corpus.Python {
			continue
		}
		base := path.Base(c.Path(i))
		if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "__init__" {
			add(stem, c.Folder(i))
		}
		for d := c.Folder(i); d != ""; d = corpus.Folder(d) { // packages without __init__.py too
			add(path.Base(d), corpus.Folder(d))
		}
	}
	for _, r := range roots {
		slices.SortFunc(r, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	}
	return roots
}

func (p *python) isPackage(folder string) bool {
	_, ok := p.corpus.Find(corpus.Child(folder, "__init__.py"))
	return ok
}

// module finds the module at a path without its extension, nil where there is none.
func (p *python) module(at string) *infer.Module {
	for _, name := range []string{at + ".py", at + "/__init__.py", at + ".pyi", at + "/__init__.pyi"} {
		if id, ok := p.corpus.Find(name); ok {
			return &infer.Module{Files: []corpus.FileID{id}, Path: at, Family: p.corpus.Family(id)}
		}
	}
	if at == "" {
		return nil
	}
	for _, id := range p.corpus.Under(at) {
		if p.corpus.Family(id) == corpus.Python {
			return &infer.Module{Path: at, Family: corpus.Python}
		}
	}
	return nil
}

// find finds the module that a dotted name means in a file: by its dots, beside
// the file and above it, then in every folder that has its first part, those
// outside of packages first.
func (p *python) find(f *corpus.File, name string) *infer.Module {
	if rest := strings.TrimLeft(name, "."); rest != name {
		return p.relative(f.Folder, len(name)-len(rest), rest)
	}
	first, _, _ := strings.Cut(name, ".")
	roots := p.roots()[first]
	at := strings.ReplaceAll(name, ".", "/")
	for d := f.Folder; ; d = corpus.Folder(d) {
		if slices.Contains(roots, d) && (!p.isPackage(d) || d == "") {
			if m := p.module(corpus.Child(d, at)); m != nil {
				return m
			}
		}
		if d == "" {
			break
		}
	}
	for _, inside := range []bool{false, true} {
		for _, root := range roots {
			if p.isPackage(root) == inside {
				if m := p.module(corpus.Child(root, at)); m != nil && (!inside || root == f.Folder) {
					return m
				}
			}
		}
	}
	return nil
}

// relative finds the module of a name behind dots: one dot is the folder of the
// file, each further one the folder above.
func (p *python) relative(folder string, dots int, name string) *infer.Module {
	for range dots - 1 {
		folder = corpus.Folder(folder)
	}
	if name == "" {
		return p.module(folder)
	}
	return p.module(corpus.Child(folder, strings.ReplaceAll(name, ".", "/")))
}

// Import finds a module, or what a module has under a name.
func (p *python) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	mod := p.find(f, m.Module)
	if mod == nil {
		return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
	}
	if m.Name == "" || m.Name == "*" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported module"}
	}
	return p.Exported(mod, m.Name, b)
}

// Exported finds what a module has under a name: what it declares, what it
// imports, a module within it, or what comes with a wildcard.
func (p *python) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	return p.exporting.Recall(lookup{m.Path, name}, b, func() infer.Answer { return p.exported(m, name, b) })
}

func (p *python) exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	state := infer.Absent
	for _, id := range m.Files {
		f := p.read.File(id)
		if refs := f.TopNamed(name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported from " + f.Path}
		}
		for i := range f.Facts.NumImports() {
			row := f.Facts.Import(i)
			if row.In != facts.None || row.Local != name && row.Name != "*" {
				continue
			}
			a := p.imported(f, i, b)
			if row.Name == "*" {
				if a = p.star(a, name, b); a.State == infer.Absent {
					continue
				}
			}
			if a.State == infer.Found {
				return a
			}
			state = infer.Outside
		}
	}
	if sub := p.module(corpus.Child(m.Path, name)); sub != nil && p.holdsModules(m) {
		return infer.Answer{Modules: []*infer.Module{sub}, State: infer.Found, Reason: "imported module"}
	}
	return infer.Answer{State: state}
}

// star finds what a wildcard import brings under a name.
func (p *python) star(imported infer.Answer, name string, b infer.Budget) infer.Answer {
	if imported.State != infer.Found {
		return imported
	}
	for _, mod := range imported.Modules {
		if a := p.infer.Exported(mod, name, b); a.State == infer.Found {
			return a
		}
	}
	return infer.Answer{State: infer.Absent}
}

// holdsModules reports whether a module is a package.
func (p *python) holdsModules(m *infer.Module) bool {
	return len(m.Files) == 0 || strings.HasPrefix(path.Base(p.corpus.Path(m.Files[0])), "__init__.")
}

// Free looks a name up in what wildcard imports bring.
func (p *python) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Name == "*" {
			if a := p.star(p.imported(f, i, b), u.Name, b); a.State == infer.Found {
				return a
			}
		}
	}
	return infer.Answer{State: infer.Outside}
}

// Owns is false: members stand in their types.
func (p *python) Owns(corpus.Ref, corpus.Ref, infer.Budget) bool { return false }

// Same reports whether two symbols are declared in one scope of one file.
func (p *python) Same(a, b corpus.Ref) bool { return p.sameScope(a, b) }
