package resolve

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

func scriptLanguage() *language {
	return &language{
		family: familyScript, dynamic: true, module: scriptImport, free: scriptFree, exported: scriptExported,
		same: func(q *Question, owned, typ Ref) bool { return owned.File == typ.File }, one: sameScope, constructor: "constructor",
		hierarchy: true, changed: scriptChanged,
	}
}

// scriptChanged are the utility types of TypeScript that keep the names of the
// members of what they are given.
var scriptChanged = map[string]bool{
	"Partial": true, "Required": true, "Readonly": true, "Pick": true, "Omit": true, "NonNullable": true,
	"Extract": true, "Exclude": true, "ThisType": true, "NoInfer": true,
}

// scriptLayout is what the configuration files of a repository say about modules.
type scriptLayout struct {
	packages map[string]scriptPackage // by name
	inDir    map[string]scriptPackage // by folder
	paths    map[string]scriptPaths   // by the folder of the configuration
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

func (c *Corpus) scriptLayout() *scriptLayout {
	l := &c.layouts[familyScript]
	l.once.Do(func() {
		s := &scriptLayout{map[string]scriptPackage{}, map[string]scriptPackage{}, map[string]scriptPaths{}}
		for i := range c.files {
			f := &c.files[i]
			switch base := path.Base(f.path); {
			case base == "package.json":
				s.readPackage(c, FileID(i), f.dir)
			case base == "jsconfig.json", strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json"):
				s.readConfig(c, FileID(i), f.dir)
			}
		}
		l.it = s
	})
	return l.it.(*scriptLayout)
}

func (s *scriptLayout) readPackage(c *Corpus, id FileID, dir string) {
	text, err := c.Text(id)
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

func (s *scriptLayout) readConfig(c *Corpus, id FileID, dir string) {
	text, err := c.Text(id)
	if err != nil {
		return
	}
	var config struct {
		CompilerOptions struct {
			BaseURL string `json:"baseUrl"`
			Paths   map[string][]string
		}
	}
	if json.Unmarshal(plainJSON(text), &config) != nil {
		return
	}
	o := config.CompilerOptions
	if o.BaseURL == "" && len(o.Paths) == 0 {
		return
	}
	base, ok := join(dir, o.BaseURL)
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

// plainJSON takes comments and trailing commas out of JSON.
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
			for i += 2; i < len(text) && !(text[i] == '/' && text[i-1] == '*'); i++ {
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

// extensions that a module may be written without, the likeliest first.
var scriptExtensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json"}

// written are the extensions of sources that stand behind those of outputs.
var scriptWritten = map[string][]string{
	".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"},
}

// scriptFile finds the file of a module at a path of the repository.
func (q *Question) scriptFile(p string) (FileID, bool) {
	ext := path.Ext(p)
	for _, e := range scriptWritten[ext] {
		if id, ok := q.c.byPath[strings.TrimSuffix(p, ext)+e]; ok {
			return id, true
		}
	}
	if id, ok := q.c.byPath[p]; ok && p != "" {
		return id, true
	}
	for _, e := range scriptExtensions {
		if id, ok := q.c.byPath[p+e]; ok && p != "" {
			return id, true
		}
	}
	for _, e := range scriptExtensions {
		if id, ok := q.c.byPath[inFolder(p, "index"+e)]; ok {
			return id, true
		}
	}
	return 0, false
}

// scriptFind finds the file that a module's name means in a file.
func (q *Question) scriptFind(f *file, name string) (FileID, bool) {
	name, _, _ = strings.Cut(name, "?")
	if strings.HasPrefix(name, ".") {
		p, ok := join(f.dir, name)
		if !ok {
			return 0, false
		}
		return q.scriptFile(p)
	}
	if id, ok := q.scriptMapped(f, name); ok {
		return id, true
	}
	if strings.HasPrefix(name, "#") {
		return q.scriptPrivate(f, name)
	}
	return q.scriptPackaged(name)
}

// scriptMapped follows the path mappings of the nearest configurations.
func (q *Question) scriptMapped(f *file, name string) (FileID, bool) {
	l := q.c.scriptLayout()
	for d := f.dir; ; d = folder(d) {
		if p, ok := l.paths[d]; ok {
			for _, to := range mapped(p.paths, name) {
				if target, ok := join(p.base, to); ok {
					if id, ok := q.scriptFile(target); ok {
						return id, true
					}
				}
			}
			if p.bare {
				if target, ok := join(p.base, name); ok {
					if id, ok := q.scriptFile(target); ok {
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

// mapped are the places that patterns with at most one star give a name, by
// the longest pattern.
func mapped(paths map[string][]string, name string) []string {
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

// scriptPrivate follows the imports of the nearest package.json.
func (q *Question) scriptPrivate(f *file, name string) (FileID, bool) {
	l := q.c.scriptLayout()
	for d := f.dir; ; d = folder(d) {
		if p, ok := l.inDir[d]; ok {
			return q.scriptTarget(d, mapped(conditions(p.Imports), name))
		}
		if d == "" {
			return 0, false
		}
	}
}

// scriptPackaged finds the file of a package of the repository.
func (q *Question) scriptPackaged(name string) (FileID, bool) {
	l := q.c.scriptLayout()
	pkg, sub := name, ""
	for depth := 0; ; depth++ {
		if p, ok := l.packages[pkg]; ok {
			return q.scriptEntry(p, strings.TrimPrefix(sub, "/"))
		}
		i := strings.LastIndexByte(pkg, '/')
		if i < 0 || depth > 8 {
			return 0, false
		}
		pkg, sub = pkg[:i], name[i:]
	}
}

// scriptEntry finds what a package gives under a path within it.
func (q *Question) scriptEntry(p scriptPackage, sub string) (FileID, bool) {
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	var places []string
	if exports := conditions(p.Exports); len(exports) > 0 {
		places = mapped(exports, key)
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
	return q.scriptTarget(p.dir, places)
}

// scriptTarget finds the first of places in a package that exists, or the
// source that it is built from.
func (q *Question) scriptTarget(dir string, places []string) (FileID, bool) {
	for _, place := range places {
		for _, built := range []string{"", "dist", "lib", "build", "out", "es", "esm", "cjs"} {
			at := strings.TrimPrefix(place, "./")
			if built != "" {
				rest, ok := strings.CutPrefix(at, built+"/")
				if !ok {
					continue
				}
				at = "src/" + rest
			}
			if id, ok := q.scriptFile(inFolder(dir, strings.TrimSuffix(at, ".d.ts"))); ok {
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

// leaves are the places under conditions, those of sources and types first.
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
	}
	return nil
}

func scriptImport(q *Question, f *file, m *facts.Import) meaning {
	if m.Module == "" {
		return q.scriptOwn(f, m.Name)
	}
	id, ok := q.scriptFind(f, m.Module)
	if !ok {
		if strings.HasPrefix(m.Module, ".") {
			return meaning{state: stateAbsent}
		}
		if refs := q.scriptAugmented(m); len(refs) > 0 {
			return meaning{refs: refs, state: stateFound, reason: "declared for the module " + m.Module}
		}
		return meaning{state: stateOutside, reason: "imported from elsewhere", via: m.Name}
	}
	mod := &module{files: []FileID{id}, dir: q.c.files[id].path, language: f.language}
	if m.Name == "" || m.Name == "*" {
		return meaning{mods: []*module{mod}, state: stateFound, reason: "imported module"}
	}
	return scriptExported(q, mod, m.Name)
}

// scriptAugmented finds what the repository declares for a module from
// elsewhere: declare module "name".
func (q *Question) scriptAugmented(m *facts.Import) []Ref {
	var refs []Ref
	for _, r := range q.Named(m.Name) {
		s := q.Symbol(r)
		if s.Parent == facts.None {
			continue
		}
		if p := q.Symbol(Ref{r.File, s.Parent}); p.Kind == code.KindModule && strings.Trim(p.Name, "\"'") == m.Module {
			refs = append(refs, r)
		}
	}
	return refs
}

// scriptOwn finds what a file means by a name at its top.
func (q *Question) scriptOwn(f *file, name string) meaning {
	if refs := q.topNamed(f, name); len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "declared in this file"}
	}
	for i := range f.NumImports() {
		if row := f.Import(i); row.Local == name && row.Module != "" && row.Flags&facts.Reexport == 0 {
			return q.imported(f, int32(i))
		}
	}
	return meaning{state: stateAbsent}
}

// scriptExported finds what a file exports under a name.
func scriptExported(q *Question, m *module, name string) meaning {
	key := exportKey{m.dir, name}
	if q.exporting[key] || len(m.files) == 0 {
		return meaning{state: stateAbsent}
	}
	q.exporting[key] = true
	defer delete(q.exporting, key)
	f := q.file(m.files[0])
	var refs []Ref
	for _, r := range q.topNamed(f, name) {
		if q.Symbol(r).Flags&facts.Exported != 0 {
			refs = append(refs, r)
		}
	}
	if len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, reason: "imported from " + f.path}
	}
	st := stateAbsent
	for i := range f.NumImports() {
		row := f.Import(i)
		if row.Flags&facts.Reexport == 0 || row.Local != name && (row.Name != "*" || row.Local != "" || name == "default") {
			continue
		}
		got := q.imported(f, int32(i))
		if row.Name == "*" && row.Local == "" && got.state == stateFound {
			got = scriptExported(q, got.mods[0], name)
		}
		switch got.state {
		case stateFound:
			if row.Module != "" {
				got.reason = "passed on by " + f.path
			} else {
				got.reason = "imported from " + f.path
			}
			return got
		case stateOutside:
			st = stateOutside
		}
	}
	if name == "default" && st == stateAbsent {
		return meaning{mods: []*module{m}, state: stateFound, reason: "imported module"}
	}
	return meaning{state: st}
}

// scriptFree looks a name up among those that scripts, which import and export
// nothing, and declaration files declare for all.
func scriptFree(q *Question, f *file, u *facts.Use) meaning {
	var refs []Ref
	for _, r := range q.Named(u.Name) {
		o := q.file(r.File)
		if o.language != f.language || !topLevel(o.symbol(r.Index)) || o.id == f.id {
			continue
		}
		if o.NumImports() == 0 && o.symbol(r.Index).Flags&facts.Exported == 0 && strings.HasSuffix(o.path, ".d.ts") {
			refs = append(refs, r)
		}
	}
	if len(refs) > 0 {
		return meaning{refs: refs, state: stateFound, confidence: facts.Likely, reason: "declared for all files"}
	}
	return meaning{state: stateOutside}
}
