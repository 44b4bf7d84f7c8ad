package rules

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"espy/internal/resolve/corpus"
)

// scriptProject is what the configuration files of a repository say about the
// modules of JavaScript and TypeScript.
type scriptProject struct {
	corpus   *corpus.Corpus
	packages map[string]scriptPackage // by name
	inDir    map[string]scriptPackage // by folder
	paths    map[string]scriptPaths   // by the folder of the configuration
	built    map[string]string        // folders of sources by those that they are built to
}

// scriptPackage is a package.json.
type scriptPackage struct {
	dir                       string
	Name, Main, Module, Types string
	Source                    string
	Exports, Imports          any
}

// scriptPaths are the path mappings of a tsconfig.json.
type scriptPaths struct {
	base  string
	bare  bool // modules without a dot are looked up in base
	paths map[string][]string
}

func readScriptProject(c *corpus.Corpus) *scriptProject {
	s := &scriptProject{c, map[string]scriptPackage{}, map[string]scriptPackage{}, map[string]scriptPaths{}, map[string]string{}}
	for i := range corpus.FileID(c.NumFiles()) {
		switch base := path.Base(c.Path(i)); {
		case base == "package.json":
			s.readPackage(i)
		case base == "jsconfig.json", strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"):
			s.readConfig(i)
		}
	}
	return s
}

func (s *scriptProject) readPackage(id corpus.FileID) {
	dir := s.corpus.Folder(id)
	text, err := s.corpus.Text(id)
	if err != nil {
		return
	}
	p := scriptPackage{dir: dir}
	if json.Unmarshal(text, &p) != nil {
		return
	}
	s.inDir[dir] = p
	if old, again := s.packages[p.Name]; p.Name != "" && (!again || len(old.dir) > len(dir)) {
		s.packages[p.Name] = p
	}
}

func (s *scriptProject) readConfig(id corpus.FileID) {
	dir := s.corpus.Folder(id)
	text, err := s.corpus.Text(id)
	if err != nil {
		return
	}
	var config struct {
		CompilerOptions struct {
			BaseURL         string `json:"baseUrl"`
			Paths           map[string][]string
			OutDir, RootDir string
		}
	}
	if json.Unmarshal(plainJSON(text), &config) != nil {
		return
	}
	o := config.CompilerOptions
	if out, ok := corpus.Join(dir, o.OutDir); ok && o.OutDir != "" {
		if root, ok := corpus.Join(dir, o.RootDir); ok && o.RootDir != "" && root != out {
			s.built[out] = root
		}
	}
	if o.BaseURL == "" && len(o.Paths) == 0 {
		return
	}
	base, ok := corpus.Join(dir, o.BaseURL)
	if !ok {
		return
	}
	p := scriptPaths{base: base, bare: o.BaseURL != "", paths: o.Paths}
	if old, again := s.paths[dir]; again {
		for k, v := range old.paths {
			if _, ok := p.paths[k]; !ok {
				if p.paths == nil {
					p.paths = map[string][]string{}
				}
				p.paths[k] = v
			}
		}
	}
	s.paths[dir] = p
}

// plainJSON removes comments and trailing commas from JSON.
func plainJSON(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			start := i
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out = append(out, text[start:min(i+1, len(text))]...)
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			for i += 3; i < len(text) && !(text[i] == '/' && text[i-1] == '*'); i++ {
			}
		case c == '}' || c == ']':
			for n := len(out); n > 0; n-- {
				if b := out[n-1]; b == ',' {
					out = out[:n-1]
				} else if b != ' ' && b != '\n' && b != '\t' && b != '\r' {
					break
				}
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// scriptExtensions are the extensions that the name of a module may lack, the
// likeliest first.
var scriptExtensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// scriptSources are the extensions of sources by those of their outputs.
var scriptSources = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// file finds the file of a module at a path of the repository.
func (s *scriptProject) file(p string) (corpus.FileID, bool) {
	ext := path.Ext(p)
	for _, e := range scriptSources[ext] {
		if id, ok := s.corpus.Find(strings.TrimSuffix(p, ext) + e); ok {
			return id, true
		}
	}
	if id, ok := s.corpus.Find(p); ok && p != "" {
		return id, true
	}
	for _, e := range scriptExtensions {
		if id, ok := s.corpus.Find(p + e); ok && p != "" {
			return id, true
		}
	}
	for _, e := range scriptExtensions {
		if id, ok := s.corpus.Find(corpus.Child(p, "index"+e)); ok {
			return id, true
		}
	}
	return 0, false
}

// find finds the file that the name of a module means in a folder.
func (s *scriptProject) find(folder, name string) (corpus.FileID, bool) {
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
func (s *scriptProject) mapped(folder, name string) (corpus.FileID, bool) {
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

// match returns the places that patterns with at most one star give a name, by
// the longest pattern.
func match(paths map[string][]string, name string) []string {
	if to, ok := paths[name]; ok {
		return to
	}
	var best string
	var to []string
	patterns := make([]string, 0, len(paths))
	for p := range paths {
		patterns = append(patterns, p)
	}
	slices.Sort(patterns)
	for _, p := range patterns {
		before, after, star := strings.Cut(p, "*")
		if !star || len(before)+len(after) > len(name) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) || to != nil && len(before) <= len(best) {
			continue
		}
		best, to = before, nil
		for _, t := range paths[p] {
			to = append(to, strings.Replace(t, "*", name[len(before):len(name)-len(after)], 1))
		}
	}
	return to
}

// private follows the imports of the nearest package.json.
func (s *scriptProject) private(folder, name string) (corpus.FileID, bool) {
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
func (s *scriptProject) packaged(name string) (corpus.FileID, bool) {
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
func (s *scriptProject) entry(p scriptPackage, sub string) (corpus.FileID, bool) {
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
func (s *scriptProject) target(dir string, places []string) (corpus.FileID, bool) {
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

// scriptBuilt are the folders that packages are commonly built to.
var scriptBuilt = wordSet("dist lib build out es esm cjs")

// scriptFlavours are the folders in these for kinds of modules.
var scriptFlavours = wordSet("esm es cjs types src")

// source finds the file that one in a folder of built files is made from, which
// need not exist: dist/a.js is made from src/a.ts. The folder is what the compiler
// is told, else one of the common names, the innermost first.
func (s *scriptProject) source(p string) (corpus.FileID, bool) {
	for d := corpus.Folder(p); d != ""; d = corpus.Folder(d) {
		rest := strings.TrimPrefix(p, d+"/")
		if root, ok := s.built[d]; ok {
			if id, ok := s.file(corpus.Child(root, rest)); ok {
				return id, true
			}
		}
		if !scriptBuilt[path.Base(d)] {
			continue
		}
		src := corpus.Child(corpus.Folder(d), "src")
		if id, ok := s.file(src + "/" + rest); ok {
			return id, true
		}
		if flavour, inner, ok := strings.Cut(rest, "/"); ok && scriptFlavours[flavour] {
			if id, ok := s.file(src + "/" + inner); ok {
				return id, true
			}
		}
	}
	return 0, false
}

// conditions flattens the exports or imports of a package.json to places by path.
func conditions(v any) map[string][]string {
	all := map[string][]string{}
	switch v := v.(type) {
	case string:
		all["."] = []string{v}
	case map[string]any:
		for key, to := range v {
			if strings.HasPrefix(key, ".") || strings.HasPrefix(key, "#") {
				all[key] = append(all[key], leaves(to, 0)...)
			}
		}
		if len(all) == 0 {
			all["."] = leaves(v, 0)
		}
	}
	return all
}

// leaves returns the places under conditions, those of sources and types first.
func leaves(v any, depth int) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		if depth > 8 {
			return nil
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		rank := func(k string) int {
			return slices.Index([]string{"source", "types", "import", "module", "default", "require"}, k)
		}
		slices.SortFunc(keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(uint(rank(a)), uint(rank(b))), cmp.Compare(a, b))
		})
		var all []string
		for _, k := range keys {
			all = append(all, leaves(v[k], depth+1)...)
		}
		return all
	case []any: // the first that can be used
		var all []string
		for _, one := range v[:min(len(v), 16)] {
			if depth <= 8 {
				all = append(all, leaves(one, depth+1)...)
			}
		}
		return all
	}
	return nil
}
