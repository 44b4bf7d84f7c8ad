package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func rustLanguage() *language {
	return &language{
		family: familyRust, module: rustImport, free: rustFree, exported: rustExported, hierarchy: true,
		same: rustSame,
		one:  func(*Question, Ref, Ref) bool { return false },
	}
}

// rustSame reports whether an impl is of a type: of the one that its module
// knows under that name, else of any in its crate.
func rustSame(q *Question, owned, typ Ref) bool {
	if known := q.rustOwners(owned); len(known) > 0 {
		return slices.Contains(known, typ)
	}
	a, _ := q.c.rustCrate(q.c.files[owned.File].path)
	b, _ := q.c.rustCrate(q.c.files[typ.File].path)
	return a == b
}

// rustOwners are the types that the owner of a symbol names, in a module within
// the file or in that of the file.
func (q *Question) rustOwners(owned Ref) []Ref {
	f, s := q.file(owned.File), q.Symbol(owned)
	name := lastName(s.Owner)
	if s.Parent != facts.None {
		for i := range f.SymbolsNamed(name) {
			if x := f.symbol(int32(i)); x.Parent == s.Parent && x.Kind.IsType() {
				return []Ref{{f.id, int32(i)}}
			}
		}
	}
	key := exportKey{f.path, name}
	known, ok := q.owners[key]
	if !ok {
		known = rustExported(q, q.rustModule(f.id), name).refs
		q.owners[key] = known
	}
	return known
}

// rustCrates are the crates of a repository, the deepest folders first.
type rustCrates []rustCrate

type rustCrate struct{ name, dir string }

// rustLayout reads the names of the crates in the Cargo.toml files.
func (c *Corpus) rustLayout() rustCrates {
	l := &c.layouts[familyRust]
	l.once.Do(func() {
		var all rustCrates
		for i := range c.files {
			f := &c.files[i]
			if path.Base(f.path) != "Cargo.toml" {
				continue
			}
			if text, err := c.Text(FileID(i)); err == nil {
				if name := cargoName(string(text)); name != "" {
					all = append(all, rustCrate{strings.ReplaceAll(name, "-", "_"), f.dir})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b rustCrate) int { return cmp.Compare(len(b.dir), len(a.dir)) })
		l.it = all
	})
	return l.it.(rustCrates)
}

// cargoName is the name of the package that a Cargo.toml describes; that of a
// library in it wins.
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

// rustCrate is the folder of the crate that a file belongs to.
func (c *Corpus) rustCrate(p string) (rustCrate, bool) {
	for _, r := range c.rustLayout() {
		if r.dir == "" || strings.HasPrefix(p, r.dir+"/") {
			return r, true
		}
	}
	return rustCrate{}, false
}

// rustRoot is the file that the modules of a crate hang from, as seen by a file.
func (q *Question) rustRoot(crate rustCrate, from string) (FileID, bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(from, crate.dir), "/")
	if !strings.HasPrefix(rest, "src/") || strings.HasPrefix(rest, "src/bin/") {
		if id, ok := q.c.byPath[from]; ok && from != "" {
			return id, true // a test, an example, a program of its own
		}
	}
	return q.rustLibrary(crate)
}

func (q *Question) rustLibrary(crate rustCrate) (FileID, bool) {
	for _, name := range []string{"src/lib.rs", "src/main.rs", "lib.rs", "main.rs"} {
		if id, ok := q.c.byPath[inFolder(crate.dir, name)]; ok {
			return id, true
		}
	}
	return 0, false
}

// rustDir is the folder of the modules below the one of a file.
func rustDir(p string) string {
	switch path.Base(p) {
	case "mod.rs", "lib.rs", "main.rs":
		return folder(p)
	}
	return strings.TrimSuffix(p, ".rs")
}

// rustModule is the module that a file is.
func (q *Question) rustModule(id FileID) *module {
	f := &q.c.files[id]
	return &module{files: []FileID{id}, dir: f.path, language: f.language}
}

// rustParent is the module above the one of a file.
func (q *Question) rustParent(p string) *module {
	dir := rustDir(p)
	if dir == folder(p) { // mod.rs
		dir = folder(dir)
	} else {
		dir = folder(p)
	}
	for _, name := range []string{dir + ".rs", inFolder(dir, "mod.rs"), inFolder(dir, "lib.rs"), inFolder(dir, "main.rs")} {
		if id, ok := q.c.byPath[name]; ok && name != p {
			return q.rustModule(id)
		}
	}
	return nil
}

func rustImport(q *Question, f *file, m *facts.Import) meaning {
	at := q.rustPath(f, m.Module)
	if m.Name == "" || m.Name == "*" || at.state != stateFound {
		return at
	}
	return q.rustMember(at, m.Name)
}

// rustPath follows a path from a file.
func (q *Question) rustPath(f *file, p string) meaning {
	names := strings.Split(p, "::")
	crate, ok := q.c.rustCrate(f.path)
	at := meaning{mods: []*module{q.rustModule(f.id)}, state: stateFound, reason: "named by its path"}
	switch first := names[0]; {
	case first == "crate" || first == "$crate":
		root, found := q.rustRoot(crate, f.path)
		if !ok || !found {
			return meaning{state: stateOutside}
		}
		at.mods = []*module{q.rustModule(root)}
	case first == "self":
	case first == "super":
		up := q.rustParent(f.path)
		if up == nil {
			return at // from a module within the file
		}
		at.mods = []*module{up}
	default:
		if got := rustExported(q, at.mods[0], first); got.state == stateFound {
			at = got
			break
		}
		for _, c := range q.c.rustLayout() {
			if c.name == first {
				if id, ok := q.rustLibrary(c); ok {
					at.mods = []*module{q.rustModule(id)}
					return q.rustFollow(at, names[1:])
				}
			}
		}
		return meaning{state: stateOutside, reason: "imported from elsewhere"}
	}
	return q.rustFollow(at, names[1:])
}

func (q *Question) rustFollow(at meaning, names []string) meaning {
	for _, name := range names {
		if name == "super" && len(at.mods) == 1 {
			if up := q.rustParent(at.mods[0].dir); up != nil {
				at.mods = []*module{up}
			}
			continue
		}
		if name == "self" {
			continue
		}
		if at = q.rustMember(at, name); at.state != stateFound {
			return at
		}
	}
	return at
}

// rustMember finds what a module or a type has under a name.
func (q *Question) rustMember(at meaning, name string) meaning {
	for _, mod := range at.mods {
		if got := rustExported(q, mod, name); got.state == stateFound {
			return got
		}
	}
	for _, r := range at.refs {
		for _, t := range q.thingsOf(r, nil, 1) {
			if got, st := q.member(t, name, 1); st == stateFound {
				m := meaning{state: stateFound, reason: "named by its path"}
				for _, g := range got {
					if g.mod != nil {
						m.mods = append(m.mods, g.mod)
					} else {
						m.refs = append(m.refs, g.ref)
					}
				}
				return m
			}
		}
	}
	return meaning{state: stateAbsent}
}

// rustExported finds what the module of a file has under a name.
func rustExported(q *Question, m *module, name string) meaning {
	key := exportKey{m.dir, name}
	if q.exporting[key] || len(m.files) == 0 {
		return meaning{state: stateAbsent}
	}
	q.exporting[key] = true
	defer delete(q.exporting, key)
	f := q.file(m.files[0])
	if refs := q.topNamed(f, name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "named by its path"}
	}
	st := stateAbsent
	for i := range f.NumImports() {
		row := f.Import(i)
		if row.Local != name && row.Name != "*" {
			continue
		}
		got := q.imported(f, int32(i))
		if row.Name == "*" && got.state == stateFound {
			got = q.rustMember(got, name)
		}
		if got.state == stateFound {
			return got
		}
		if got.state == stateOutside {
			st = stateOutside
		}
	}
	return meaning{state: st}
}

// rustSub finds the file of a module that another file declares.
func (q *Question) rustSub(f *file, name string) (*module, bool) {
	dir := rustDir(f.path)
	for _, p := range []string{inFolder(dir, name+".rs"), inFolder(dir, name+"/mod.rs"), inFolder(f.dir, name+".rs"), inFolder(f.dir, name+"/mod.rs")} {
		if id, ok := q.c.byPath[p]; ok {
			return q.rustModule(id), true
		}
	}
	return nil, false
}

// rustFree looks a name up in what wildcards bring, and among the crates.
func rustFree(q *Question, f *file, u *facts.Use) meaning {
	if got := rustExported(q, q.rustModule(f.id), u.Name); got.state == stateFound {
		return got
	}
	for _, c := range q.c.rustLayout() {
		if c.name == u.Name {
			if id, ok := q.rustLibrary(c); ok {
				return meaning{mods: []*module{q.rustModule(id)}, state: stateFound, reason: "a crate of this repository"}
			}
		}
	}
	switch u.Name {
	case "crate", "self", "super":
		return q.rustPath(f, u.Name)
	}
	if u.Role == facts.RoleCall {
		if refs := q.rustMacros(u.Name); len(refs) > 0 {
			return meaning{refs: refs, state: stateFound, confidence: facts.Likely, reason: "the macro of that name"}
		}
	}
	return meaning{state: stateOutside, via: u.Name}
}

func (q *Question) rustMacros(name string) []Ref {
	var refs []Ref
	for _, r := range q.Named(name) {
		if q.Symbol(r).Kind == code.KindMacro && q.file(r.File).language.family == familyRust {
			refs = append(refs, r)
		}
	}
	return refs
}
