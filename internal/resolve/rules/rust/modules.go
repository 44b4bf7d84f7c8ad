package rust

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// crateOf is the crate that a file belongs to.
func (r *rust) crateOf(p string) *Crate {
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
func (r *rust) library(c *Crate) (corpus.FileID, bool) {
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

// moduleFolder is the folder of the modules below the one of a file.
func moduleFolder(p string) string {
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

// inner is a module within a file, or that of the file where the symbol is None. The
// first of twins stands for all.
func (r *rust) inner(id corpus.FileID, symbol int32) *infer.Module {
	m := r.module(id)
	if symbol != facts.None {
		if r.read.File(id).Symbol(symbol).Kind == code.KindModule {
			symbol = r.infer.Together(corpus.Ref{File: id, Index: symbol})[0].Index
		}
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
func (r *rust) around(folder string, c *Crate) []corpus.FileID {
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
