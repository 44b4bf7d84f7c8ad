// Package npm finds the files that modules of JavaScript and TypeScript are, by the
// configuration files of a repository: package.json, tsconfig.json, jsconfig.json.
//
// A package of a workspace stands for its sources: where what it exports is built,
// and the built file is not there, it is the file that it is built from.
package npm

import (
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// Project is what the configuration files of a repository say about its modules. It
// may be used from any number of goroutines.
type Project struct {
	corpus   *corpus.Corpus
	packages map[string]manifest // by name
	inDir    map[string]manifest // by folder
	paths    map[string]mapping  // by the folder of the configuration
	built    map[string]string   // folders of sources by those that they are built to
}

// Read reads the configuration files of a corpus. Those that cannot be read say
// nothing.
func Read(c *corpus.Corpus) *Project {
	s := &Project{c, map[string]manifest{}, map[string]manifest{}, map[string]mapping{}, map[string]string{}}
	for i := range c.Files() {
		switch base := path.Base(c.Path(i)); {
		case base == "package.json":
			s.readPackage(i)
		case base == "jsconfig.json", strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"):
			s.readConfig(i)
		}
	}
	return s
}

// Find finds the file that the name of a module means in a folder; ok is false where
// the repository has none.
func (s *Project) Find(folder, name string) (corpus.FileID, bool) {
	name, _, _ = strings.Cut(name, "?")
	if strings.HasPrefix(name, ".") {
		p, ok := corpus.Join(folder, name)
		if !ok {
			return 0, false
		}
		if id, ok := s.file(p); ok {
			return id, true
		}
		return s.source(p)
	}
	if id, ok := s.mapped(folder, name); ok {
		return id, true
	}
	if strings.HasPrefix(name, "#") {
		return s.private(folder, name)
	}
	return s.packaged(name)
}

// mapped follows the path mappings of the configurations above a folder, the nearest first.
func (s *Project) mapped(folder, name string) (corpus.FileID, bool) {
	for d := folder; ; d = corpus.Folder(d) {
		if p, ok := s.paths[d]; ok {
			targets := match(p.paths, name)
			if p.bare {
				targets = append(slices.Clip(targets), name)
			}
			for _, to := range targets {
				if at, ok := corpus.Join(p.base, to); ok {
					if id, ok := s.file(at); ok {
						return id, true
					}
				}
			}
		}
		if d == "" {
			return 0, false
		}
	}
}

// Guess finds the file that the name of a module usually means where no configuration
// says so: bundlers are told in their own that @/, ~/ and $lib/ stand for the folder of
// sources above a file, within its package.
func (s *Project) Guess(folder, name string) (corpus.FileID, bool) {
	short, rest, ok := strings.Cut(name, "/")
	if !ok {
		return 0, false
	}
	var places []string
	switch short {
	case "@", "~", "$", "@@", "~~":
		places = []string{"src/" + rest, "app/" + rest, rest}
	case "$lib":
		places = []string{"src/lib/" + rest}
	default:
		return 0, false
	}
	for d := folder; ; d = corpus.Folder(d) {
		for _, place := range places {
			if id, ok := s.file(corpus.Child(d, place)); ok {
				return id, true
			}
		}
		if _, whole := s.inDir[d]; whole || d == "" {
			return 0, false
		}
	}
}

// match returns the places that patterns with at most one star give a name, by
// the longest pattern.
func match(paths map[string][]string, name string) []string {
	if to, ok := paths[name]; ok {
		return to
	}
	var best string // the pattern, of those as long the first by name
	var before, after string
	for p := range paths {
		head, tail, star := strings.Cut(p, "*")
		if !star || len(head)+len(tail) > len(name) || !strings.HasPrefix(name, head) || !strings.HasSuffix(name, tail) {
			continue
		}
		if best == "" || len(head) > len(before) || len(head) == len(before) && p < best {
			best, before, after = p, head, tail
		}
	}
	if best == "" {
		return nil
	}
	var to []string
	for _, t := range paths[best] {
		to = append(to, strings.Replace(t, "*", name[len(before):len(name)-len(after)], 1))
	}
	return to
}

// private follows the imports of the nearest package.json.
func (s *Project) private(folder, name string) (corpus.FileID, bool) {
	for d := folder; ; d = corpus.Folder(d) {
		if p, ok := s.inDir[d]; ok {
			return s.target(d, match(conditions(p.Imports), name))
		}
		if d == "" {
			return 0, false
		}
	}
}

// packaged finds the file of a package of the repository.
func (s *Project) packaged(name string) (corpus.FileID, bool) {
	pkg, sub := name, ""
	for depth := 0; ; depth++ {
		if p, ok := s.packages[pkg]; ok {
			return s.entry(p, strings.TrimPrefix(sub, "/"))
		}
		i := strings.LastIndexByte(pkg, '/')
		if i < 0 || depth > 8 {
			return 0, false
		}
		pkg, sub = pkg[:i], name[i:]
	}
}

// entry finds what a package exports under a path within it, "" for the package itself.
func (s *Project) entry(p manifest, sub string) (corpus.FileID, bool) {
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	var places []string
	if exports := conditions(p.Exports); len(exports) > 0 {
		places = match(exports, key)
	}
	if sub == "" {
		for _, s := range []string{p.Source, p.Types, p.Module, p.Main} {
			if s != "" {
				places = append(places, s)
			}
		}
		places = append(places, "src/index", "index", "src/main", "lib/index")
	} else {
		places = append(places, sub, "src/"+sub)
	}
	return s.target(p.dir, places)
}

// target finds the first of several places in a package that exists, or the
// source that it is built from.
func (s *Project) target(dir string, places []string) (corpus.FileID, bool) {
	for _, place := range places {
		at := corpus.Child(dir, strings.TrimSuffix(strings.TrimPrefix(place, "./"), ".d.ts"))
		if id, ok := s.file(at); ok {
			return id, true
		}
		if id, ok := s.source(at); ok {
			return id, true
		}
	}
	return 0, false
}

// builtTo are the folders that packages are commonly built to.
var builtTo = []string{"dist", "lib", "build", "out", "es", "esm", "cjs"}

// flavours are the folders in these for kinds of modules.
var flavours = []string{"esm", "es", "cjs", "types", "src"}

// source finds the file that one in a folder of built files is made from, which
// need not exist: dist/a.js is made from src/a.ts. The folder is what the compiler
// is told, else one of the common names, the innermost first.
func (s *Project) source(p string) (corpus.FileID, bool) {
	for d := corpus.Folder(p); d != ""; d = corpus.Folder(d) {
		rest := strings.TrimPrefix(p, d+"/")
		if root, ok := s.built[d]; ok {
			if id, ok := s.file(corpus.Child(root, rest)); ok {
				return id, true
			}
		}
		if !slices.Contains(builtTo, path.Base(d)) {
			continue
		}
		src := corpus.Child(corpus.Folder(d), "src")
		if id, ok := s.file(src + "/" + rest); ok {
			return id, true
		}
		if flavour, inner, ok := strings.Cut(rest, "/"); ok && slices.Contains(flavours, flavour) {
			if id, ok := s.file(src + "/" + inner); ok {
				return id, true
			}
		}
	}
	return 0, false
}

// extensions are the extensions that the name of a module may lack, the
// likeliest first.
var extensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// sources are the extensions of sources by those of their outputs.
var sources = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// file finds the file of a module at a path of the repository.
func (s *Project) file(p string) (corpus.FileID, bool) {
	ext := path.Ext(p)
	for _, e := range sources[ext] {
		if id, ok := s.corpus.Find(strings.TrimSuffix(p, ext) + e); ok {
			return id, true
		}
	}
	if id, ok := s.corpus.Find(p); ok && p != "" {
		return id, true
	}
	for _, e := range extensions {
		if id, ok := s.corpus.Find(p + e); ok && p != "" {
			return id, true
		}
	}
	for _, e := range extensions {
		if id, ok := s.corpus.Find(corpus.Child(p, "index"+e)); ok {
			return id, true
		}
	}
	return 0, false
}
