package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// rust is the rules of Rust.
type rust struct {
	asker
	crates    func() []crate
	exporting lookups
	owners    map[lookup][]corpus.Ref // types by the file of an impl and the name there
}

func rustLanguage(a asker, crates func() []crate) *infer.Language {
	r := &rust{a, crates, lookups{}, map[lookup][]corpus.Ref{}}
	return &infer.Language{
		Rules: r, Hierarchy: true, Bases: infer.InFile, Namespace: r.namespace,
		Containers: map[string]infer.Gives{
			"unwrap": infer.AnElement, "expect": infer.AnElement, "unwrap_or": infer.AnElement, "unwrap_or_default": infer.AnElement,
			"unwrap_or_else": infer.AnElement, "next": infer.AnElement, "borrow": infer.AnElement, "borrow_mut": infer.AnElement,
			"load": infer.AnElement, "get_mut": infer.TheSame, "take": infer.TheSame, "as_ref": infer.TheSame, "as_mut": infer.TheSame,
			"clone": infer.TheSame, "iter": infer.TheSame, "iter_mut": infer.TheSame, "into_iter": infer.TheSame, "lock": infer.TheSame,
			"read": infer.TheSame, "write": infer.TheSame, "pop": infer.TheSame, "last": infer.TheSame, "first": infer.TheSame,
			"get": infer.TheSame, "filter": infer.TheSame, "rev": infer.TheSame, "skip": infer.TheSame, "cloned": infer.TheSame,
			"copied": infer.TheSame, "ok_or": infer.TheSame, "drain": infer.TheSame,
		},
	}
}

// namespace is the module of a file that another file declares: mod name;
func (r *rust) namespace(ref corpus.Ref, s *facts.Symbol) (*infer.Module, bool) {
	if s.Flags&facts.Abstract == 0 {
		return nil, false
	}
	f := r.read.File(ref.File)
	dir := rustDir(f.Path)
	for _, p := range []string{corpus.Child(dir, s.Name+".rs"), corpus.Child(dir, s.Name+"/mod.rs"), corpus.Child(f.Folder, s.Name+".rs"), corpus.Child(f.Folder, s.Name+"/mod.rs")} {
		if id, ok := r.corpus.Find(p); ok {
			return r.module(id), true
		}
	}
	return nil, true
}

// Owns reports whether an impl is of a type: of the one that its module knows
// under that name, else of any in its crate.
func (r *rust) Owns(typ, owned corpus.Ref, b infer.Budget) bool {
	if known := r.ownersOf(owned, b); len(known) > 0 {
		return slices.Contains(known, typ)
	}
	x, _ := r.crateOf(r.corpus.Path(owned.File))
	y, _ := r.crateOf(r.corpus.Path(typ.File))
	return x == y
}

// ownersOf are the types that the owner of a symbol names, in a module within
// the file or in that of the file.
func (r *rust) ownersOf(owned corpus.Ref, b infer.Budget) []corpus.Ref {
	f, s := r.read.File(owned.File), r.read.Symbol(owned)
	name := corpus.LastName(s.Owner)
	if s.Parent != facts.None {
		for i := range f.Facts.SymbolsNamed(name) {
			if x := f.Symbol(int32(i)); x.Parent == s.Parent && x.Kind.IsType() {
				return []corpus.Ref{{File: f.ID, Index: int32(i)}}
			}
		}
	}
	key := lookup{f.Path, name}
	known, ok := r.owners[key]
	if !ok {
		known = r.Exported(r.module(f.ID), name, b).Refs
		r.owners[key] = known
	}
	return known
}

// Same is false: a symbol is declared once.
func (r *rust) Same(corpus.Ref, corpus.Ref) bool { return false }

// crate is a crate of the repository.
type crate struct{ name, folder string }

// readCrates reads the names of the crates in the Cargo.toml files, the deepest
// folder first.
func readCrates(c *corpus.Corpus) []crate {
	var all []crate
	for i := range corpus.FileID(c.NumFiles()) {
		if path.Base(c.Path(i)) != "Cargo.toml" {
			continue
		}
		if text, err := c.Text(i); err == nil {
			if name := cargoName(string(text)); name != "" {
				all = append(all, crate{strings.ReplaceAll(name, "-", "_"), c.Folder(i)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b crate) int { return cmp.Compare(len(b.folder), len(a.folder)) })
	return all
}

// cargoName returns the name of the package of a Cargo.toml, or of its library
// where that has one.
func cargoName(text string) string {
	section, name := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(key) == "name" && (section == "[package]" || section == "[lib]") {
			name = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return name
}

// crateOf is the crate that a file belongs to.
func (r *rust) crateOf(p string) (crate, bool) {
	for _, c := range r.crates() {
		if c.folder == "" || strings.HasPrefix(p, c.folder+"/") {
			return c, true
		}
	}
	return crate{}, false
}

// root is the file that holds the top module of a crate, as seen from a file.
func (r *rust) root(c crate, from string) (corpus.FileID, bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(from, c.folder), "/")
	if !strings.HasPrefix(rest, "src/") || strings.HasPrefix(rest, "src/bin/") {
		if id, ok := r.corpus.Find(from); ok && from != "" {
			return id, true // a test, an example, a program of its own
		}
	}
	return r.library(c)
}

func (r *rust) library(c crate) (corpus.FileID, bool) {
	for _, name := range []string{"src/lib.rs", "src/main.rs", "lib.rs", "main.rs"} {
		if id, ok := r.corpus.Find(corpus.Child(c.folder, name)); ok {
			return id, true
		}
	}
	return 0, false
}

// named is the top module of the crate of a name.
func (r *rust) named(name string) (*infer.Module, bool) {
	for _, c := range r.crates() {
		if c.name == name {
			if id, ok := r.library(c); ok {
				return r.module(id), true
			}
		}
	}
	return nil, false
}

// rustDir is the folder of the modules below the one of a file.
func rustDir(p string) string {
	switch path.Base(p) {
	case "mod.rs", "lib.rs", "main.rs":
		return corpus.Folder(p)
	}
	return strings.TrimSuffix(p, ".rs")
}

// module is the module that a file is.
func (r *rust) module(id corpus.FileID) *infer.Module {
	return &infer.Module{Files: []corpus.FileID{id}, Path: r.corpus.Path(id), Family: r.corpus.Family(id)}
}

// parent is the module above that of a file, nil where there is none.
func (r *rust) parent(p string) *infer.Module {
	dir := rustDir(p)
	if dir == corpus.Folder(p) { // mod.rs
		dir = corpus.Folder(dir)
	} else {
		dir = corpus.Folder(p)
	}
	for _, name := range []string{dir + ".rs", corpus.Child(dir, "mod.rs"), corpus.Child(dir, "lib.rs"), corpus.Child(dir, "main.rs")} {
		if id, ok := r.corpus.Find(name); ok && name != p {
			return r.module(id)
		}
	}
	return nil
}

// Import follows the path of a use declaration.
func (r *rust) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	at := r.path(f, m.Module, b)
	if m.Name == "" || m.Name == "*" || at.State != infer.Found {
		return at
	}
	return r.member(at, m.Name, b)
}

// path follows a path from a file.
func (r *rust) path(f *corpus.File, p string, b infer.Budget) infer.Answer {
	names := strings.Split(p, "::")
	own := r.module(f.ID)
	at := infer.Answer{Modules: []*infer.Module{own}, State: infer.Found, Reason: "named by its path"}
	switch first := names[0]; first {
	case "crate", "$crate":
		c, ok := r.crateOf(f.Path)
		root, found := r.root(c, f.Path)
		if !ok || !found {
			return infer.Answer{State: infer.Outside}
		}
		at.Modules = []*infer.Module{r.module(root)}
	case "self":
	case "super":
		up := r.parent(f.Path)
		if up == nil {
			return at // from a module within the file
		}
		at.Modules = []*infer.Module{up}
	default:
		if a := r.Exported(own, first, b); a.State == infer.Found {
			at = a
		} else if mod, ok := r.named(first); ok {
			at.Modules = []*infer.Module{mod}
		} else {
			return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere"}
		}
	}
	return r.follow(at, names[1:], b)
}

// follow follows the rest of a path.
func (r *rust) follow(at infer.Answer, names []string, b infer.Budget) infer.Answer {
	for _, name := range names {
		if name == "super" && len(at.Modules) == 1 {
			if up := r.parent(at.Modules[0].Path); up != nil {
				at.Modules = []*infer.Module{up}
			}
			continue
		}
		if name == "self" {
			continue
		}
		if at = r.member(at, name, b); at.State != infer.Found {
			return at
		}
	}
	return at
}

// member finds what modules or types have under a name.
func (r *rust) member(at infer.Answer, name string, b infer.Budget) infer.Answer {
	for _, mod := range at.Modules {
		if a := r.Exported(mod, name, b); a.State == infer.Found {
			return a
		}
	}
	for _, ref := range at.Refs {
		for _, t := range r.infer.ThingsOf(ref, b.Restart()) {
			if found, state := r.infer.Member(t, name, b.Restart()); state == infer.Found {
				return asAnswer(found)
			}
		}
	}
	return infer.Answer{State: infer.Absent}
}

func asAnswer(found []infer.Member) infer.Answer {
	a := infer.Answer{State: infer.Found, Reason: "named by its path"}
	for _, m := range found {
		if m.Module != nil {
			a.Modules = append(a.Modules, m.Module)
		} else {
			a.Refs = append(a.Refs, m.Ref)
		}
	}
	return a
}

// Exported finds what the module of a file has under a name.
func (r *rust) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if len(m.Files) == 0 {
		return infer.Answer{State: infer.Absent}
	}
	return r.exporting.once(m.Path, name, func() infer.Answer { return r.exported(m, name, b) })
}

func (r *rust) exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	f := r.read.File(m.Files[0])
	if refs := f.TopNamed(name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "named by its path"}
	}
	state := infer.Absent
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		if row.Local != name && row.Name != "*" {
			continue
		}
		a := r.imported(f, i, b)
		if row.Name == "*" && a.State == infer.Found {
			a = r.member(a, name, b)
		}
		if a.State == infer.Found {
			return a
		}
		if a.State == infer.Outside {
			state = infer.Outside
		}
	}
	return infer.Answer{State: state}
}

// Free looks a name up in what wildcards bring, among the crates and the macros.
func (r *rust) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if a := r.Exported(r.module(f.ID), u.Name, b); a.State == infer.Found {
		return a
	}
	if mod, ok := r.named(u.Name); ok {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "a crate of this repository"}
	}
	switch u.Name {
	case "crate", "self", "super":
		return r.path(f, u.Name, b)
	}
	if u.Role == facts.RoleCall {
		if refs := r.macros(u.Name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely, Reason: "the macro of that name"}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

func (r *rust) macros(name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, m := range r.read.Named(name) {
		if r.read.Symbol(m).Kind == code.KindMacro && r.corpus.Family(m.File) == corpus.Rust {
			refs = append(refs, m)
		}
	}
	return refs
}
