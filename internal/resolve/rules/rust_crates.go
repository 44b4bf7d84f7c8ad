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

// crate is what the Cargo.toml of a folder says.
type crate struct {
	name    string            // of its library
	folder  string            // of the Cargo.toml
	library string            // path of the top module of the library where it is written, else empty
	tops    []string          // paths of the top modules that are written
	renamed map[string]string // names of crates by what this one calls them
}

// readCrates reads the Cargo.toml files, the deepest folder first.
func readCrates(c *corpus.Corpus) []crate {
	var all []crate
	for i := range corpus.FileID(c.NumFiles()) {
		if path.Base(c.Path(i)) != "Cargo.toml" {
			continue
		}
		if text, err := c.Text(i); err == nil {
			if crate := readCargo(string(text), c.Folder(i)); crate.name != "" || len(crate.renamed) > 0 {
				all = append(all, crate)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b crate) int { return cmp.Compare(len(b.folder), len(a.folder)) })
	return all
}

// readCargo reads the names and paths in a Cargo.toml.
func readCargo(text, folder string) crate {
	c := crate{folder: folder, renamed: map[string]string{}}
	section, pkg := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] \t")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !ok {
			continue
		}
		kind, dependency := dependencySection(section)
		switch {
		case kind && dependency != "":
			if key == "package" {
				c.renamed[rustName(dependency)] = rustName(tomlText(value))
			}
		case kind:
			if _, rest, ok := strings.Cut(value, "package"); ok {
				if _, rest, ok = strings.Cut(rest, "="); ok {
					c.renamed[rustName(key)] = rustName(tomlText(rest))
				}
			}
		case section == "package" && key == "name":
			pkg = tomlText(value)
		case section == "lib" && key == "name":
			c.name = tomlText(value)
		case key == "path" && slices.Contains([]string{"lib", "bin", "test", "example", "bench"}, section):
			if p, ok := corpus.Join(folder, tomlText(value)); ok {
				c.tops = append(c.tops, p)
				if section == "lib" {
					c.library = p
				}
			}
		}
	}
	c.name = rustName(cmp.Or(c.name, pkg))
	return c
}

// dependencySection reports whether a section lists dependencies, or says more of
// the one it returns.
func dependencySection(section string) (is bool, of string) {
	for _, word := range []string{"dependencies", "dev-dependencies", "build-dependencies"} {
		if section == word || strings.HasSuffix(section, "."+word) {
			return true, ""
		}
		if i := strings.LastIndex(section, word+"."); i == 0 || i > 0 && section[i-1] == '.' {
			return true, section[i+len(word)+1:]
		}
	}
	return false, ""
}

// tomlText is the text within the first quotes of a value.
func tomlText(value string) string {
	i := strings.IndexAny(value, "'\"")
	if i < 0 {
		return value
	}
	text, _, _ := strings.Cut(value[i+1:], value[i:i+1])
	return text
}

// rustName is the name that code has for a package.
func rustName(pkg string) string { return strings.ReplaceAll(strings.Trim(pkg, `"'`), "-", "_") }

// crateOf is the crate that a file belongs to.
func (r *rust) crateOf(p string) *crate {
	all := r.crates()
	for i := range all {
		if all[i].folder == "" || strings.HasPrefix(p, all[i].folder+"/") {
			return &all[i]
		}
	}
	return nil
}

// folderOf is the folder of the crate that a file belongs to.
func (r *rust) folderOf(p string) string {
	if c := r.crateOf(p); c != nil {
		return c.folder
	}
	return ""
}

// library is the file of the top module of a crate, as others see it.
func (r *rust) library(c *crate) (corpus.FileID, bool) {
	if c.library != "" {
		return r.corpus.Find(c.library)
	}
	for _, name := range []string{"src/lib.rs", "src/main.rs", "lib.rs", "main.rs"} {
		if id, ok := r.corpus.Find(corpus.Child(c.folder, name)); ok {
			return id, true
		}
	}
	return 0, false
}

// named is the top module of the crate that a file knows under a name.
func (r *rust) named(name, from string) (*infer.Module, bool) {
	if c := r.crateOf(from); c != nil && c.renamed[name] != "" {
		name = c.renamed[name]
	} else if n := r.workspaceName(name); n != "" {
		name = n
	}
	all := r.crates()
	for i := range all {
		if all[i].name == name && name != "" {
			if id, ok := r.library(&all[i]); ok {
				return r.module(id), true
			}
		}
	}
	return nil, false
}

// workspaceName is what the top Cargo.toml calls another name, for all its members.
func (r *rust) workspaceName(name string) string {
	if all := r.crates(); len(all) > 0 && all[len(all)-1].folder == "" {
		return all[len(all)-1].renamed[name]
	}
	return ""
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

// inner is a module within a file, or that of the file where the symbol is None.
func (r *rust) inner(id corpus.FileID, symbol int32) *infer.Module {
	m := r.module(id)
	if symbol != facts.None {
		m.Inside = symbol + 1
		m.Path += "::" + r.read.File(id).Symbol(symbol).Name
	}
	return m
}

// maxModules bounds how deep modules lie within each other.
const maxModules = 64

// top is the file of the top module of the crate that a file is part of.
func (r *rust) top(id corpus.FileID) corpus.FileID {
	for range maxModules {
		up := r.up(id)
		if up == id {
			break
		}
		id = up
	}
	return id
}

// up is the file whose module declares that of a file: the file itself where none does.
func (r *rust) up(id corpus.FileID) corpus.FileID {
	up, ok := r.above[id]
	if !ok {
		up = r.findUp(id)
		r.above[id] = up
	}
	return up
}

func (r *rust) findUp(id corpus.FileID) corpus.FileID {
	p := r.corpus.Path(id)
	c := r.crateOf(p)
	if c != nil && slices.Contains(c.tops, p) {
		return id
	}
	folder, name := corpus.Folder(p), strings.TrimSuffix(path.Base(p), ".rs")
	if name == "mod" {
		folder, name = corpus.Folder(folder), path.Base(folder)
	}
	first := id
	for _, up := range r.around(folder, c) {
		switch {
		case up == id:
		case r.declares(up, name):
			return up
		case first == id:
			first = up
		}
	}
	if isTop(p, name) {
		return id
	}
	return first
}

// around are the files that may declare the modules of a folder: the module of
// that folder, and the top modules in it.
func (r *rust) around(folder string, c *crate) []corpus.FileID {
	paths := []string{folder + ".rs", corpus.Child(folder, "mod.rs"), corpus.Child(folder, "lib.rs"), corpus.Child(folder, "main.rs")}
	if c != nil {
		for _, p := range c.tops {
			if corpus.Folder(p) == folder {
				paths = append(paths, p)
			}
		}
	}
	var all []corpus.FileID
	for _, p := range paths {
		if id, ok := r.corpus.Find(p); ok {
			all = append(all, id)
		}
	}
	if ofPrograms(folder) {
		for _, id := range r.corpus.In(folder) {
			if r.corpus.Family(id) == corpus.Rust && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// ofPrograms reports whether each file of a folder is a program of its own.
func ofPrograms(folder string) bool {
	switch path.Base(folder) {
	case "tests", "examples", "benches", "bin":
		return true
	}
	return false
}

// isTop reports whether a file of this name is the top of a crate where no module
// declares it.
func isTop(p, name string) bool {
	switch name {
	case "lib", "main", "build":
		return true
	}
	return ofPrograms(corpus.Folder(p))
}

// declares reports whether a file has mod name;
func (r *rust) declares(id corpus.FileID, name string) bool {
	f := r.read.File(id)
	for i := range f.Facts.SymbolsNamed(name) {
		if s := f.Symbol(int32(i)); s.Kind == code.KindModule && s.Flags&facts.Abstract != 0 {
			return true
		}
	}
	return false
}

// isWithin reports whether a file is part of the module of another, or that file.
func (r *rust) isWithin(id, outer corpus.FileID) bool {
	for range maxModules {
		if id == outer {
			return true
		}
		up := r.up(id)
		if up == id {
			break
		}
		id = up
	}
	return false
}
