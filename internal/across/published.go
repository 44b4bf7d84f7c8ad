package across

import (
	"path"
	"slices"
	"strings"

	"espy/internal/manifest"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/store"
)

// published is what a repository publishes: one that a manifest names, or headers that
// others include.
type published struct {
	Ecosystem manifest.Ecosystem
	Name      string // its coordinate, as manifests of others ask for it
	Folder    string // that holds it, from the root of the repository; empty for the root
	Private   bool   // it is not to be published: only who asks for it by name imports it

	family  corpus.Family
	imports []imported
	texts   []string // what code that imports it writes
}

// imported is a name that code imports a package by, and a file from whose folder that
// name leads to it.
type imported struct{ name, path string }

// families are the languages of ecosystems.
var families = map[manifest.Ecosystem]corpus.Family{
	manifest.Go: corpus.Go, manifest.Npm: corpus.Script, manifest.Cargo: corpus.Rust, manifest.Python: corpus.Python,
	manifest.Maven: corpus.Java, manifest.PHP: corpus.PHP, manifest.Ruby: corpus.Ruby, manifest.NuGet: corpus.CSharp,
}

// told reports whether what code writes tells a package for sure, whether or not a
// manifest asks for it: names that are unique by custom, as those of domains are.
func told(f corpus.Family) bool {
	switch f {
	case corpus.Go, corpus.Java, corpus.PHP, corpus.CSharp, corpus.C, corpus.Elixir:
		return true
	}
	return false
}

// source is what a state of a repository says of packages, before it is parsed.
type source struct {
	name      string
	parts     []corpus.Part
	published []published
	wants     map[manifest.Ecosystem]map[string]bool // coordinates that manifests ask for
}

// read reads the manifests of a snapshot. What is damaged says nothing here: the
// question itself meets it.
func read(s *store.Snapshot) *source {
	r := &reading{source: source{name: s.Name, wants: map[manifest.Ecosystem]map[string]bool{}}, modules: map[string]bool{}, sources: map[string][]string{}, some: map[string]string{}, libraries: map[string][]string{}, headers: map[string]string{}, applications: map[string]string{}}
	_ = segment.Guard(func() error {
		for _, l := range s.Segments {
			r.parts = append(r.parts, corpus.Part{Live: l.Live, Syntax: l.Syntax})
			for f := range l.NumFiles() {
				if l.Alive(f) {
					r.file(&l.Live, f)
				}
			}
		}
		return nil
	})
	r.finish()
	return &r.source
}

// reading is the work of reading what a repository publishes.
type reading struct {
	source
	manifests    []manifest.Manifest
	modules      map[string]bool     // paths of files of Python
	sources      map[string][]string // packages of Java, by the folder that holds src/main
	some         map[string]string   // of their files, the first by path
	libraries    map[string][]string // features that lie in a folder lib, by the folder that holds it
	applications map[string]string   // modules of Elixir at the top of folders lib, by their first word: one of their files
	headers      map[string]string   // what lies in folders include, by what an include begins with: one of its files
}

// file notes what the path of a file, and its text where that is a manifest, say.
func (r *reading) file(l *segment.Live, f int) {
	p := l.Path(f)
	switch path.Ext(p) {
	case ".py", ".pyi":
		r.modules[strings.Clone(p)] = true
	case ".java", ".kt":
		r.java(strings.Clone(p))
	case ".rb":
		if folder, name, ok := cutFolder(strings.Clone(p), "lib"); ok && !strings.Contains(name, "/") {
			r.libraries[folder] = append(r.libraries[folder], strings.TrimSuffix(name, ".rb"))
		}
	case ".ex":
		if _, name, ok := cutFolder(strings.Clone(p), "lib"); ok {
			word := firstWord(name)
			if at, again := r.applications[word]; word != "Mix" && (!again || p < at) { // whose tasks others hold
				r.applications[word] = strings.Clone(p)
			}
		}
	case ".h", ".hh", ".hpp", ".hxx":
		if _, name, ok := cutFolder(strings.Clone(p), "include"); ok {
			first, _, _ := strings.Cut(name, "/")
			if at, again := r.headers[first]; !again || p < at {
				r.headers[first] = strings.Clone(p)
			}
		}
	}
	if manifest.Is(p) {
		if text, err := l.Text(f, nil); err == nil {
			if m, ok := manifest.Read(strings.Clone(p), text); ok && m.Ecosystem != manifest.None {
				r.manifests = append(r.manifests, m)
			}
		}
	}
}

// firstWord is that of the modules below a path of Elixir, which is named after them:
// Phoenix of phoenix_html/form.ex.
func firstWord(p string) string {
	word := p[:strings.IndexAny(p+".", "/._")]
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// javaRoots are the folders that sources of Java lie in, below that of their build.
var javaRoots = []string{"src/main/java/", "src/main/kotlin/", "src/java/"}

func (r *reading) java(p string) {
	for _, root := range javaRoots {
		if i := strings.Index("/"+p, "/"+root); i >= 0 {
			folder, pkg := strings.TrimSuffix(p[:i], "/"), strings.ReplaceAll(path.Dir(p[i+len(root):]), "/", ".")
			if at, ok := r.some[folder]; !ok || p < at {
				r.some[folder] = p
			}
			if !slices.Contains(r.sources[folder], pkg) {
				r.sources[folder] = append(r.sources[folder], pkg)
			}
			return
		}
	}
}

// cutFolder cuts a path at the first folder of a name.
func cutFolder(p, name string) (before, after string, ok bool) {
	i := strings.Index("/"+p, "/"+name+"/")
	if i < 0 {
		return "", "", false
	}
	return strings.TrimSuffix(p[:i], "/"), p[i+len(name)+1:], true
}

// finish makes packages of what was read.
func (r *reading) finish() {
	slices.SortFunc(r.manifests, func(a, b manifest.Manifest) int { return strings.Compare(a.Path, b.Path) })
	seen := map[string]bool{}
	for i := range r.manifests {
		m := &r.manifests[i]
		r.want(m)
		p := published{Ecosystem: m.Ecosystem, Name: m.Name, Folder: corpus.Folder(m.Path), Private: m.Private, family: families[m.Ecosystem]}
		key := string(m.Ecosystem) + "\n" + p.Folder + "\n" + p.Name
		if seen[key] || !r.names(&p, m) {
			continue
		}
		seen[key] = true
		r.published = append(r.published, p)
	}
	r.unnamed()
}

// want notes what a manifest asks for.
func (r *reading) want(m *manifest.Manifest) {
	if r.wants[m.Ecosystem] == nil {
		r.wants[m.Ecosystem] = map[string]bool{}
	}
	for _, d := range m.Dependencies {
		r.wants[m.Ecosystem][coordinate(m.Ecosystem, d.Name)] = true
	}
}

// coordinate writes the name of a package as all its spellings are compared.
func coordinate(e manifest.Ecosystem, name string) string {
	switch e {
	case manifest.Python: // PEP 503
		return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
	case manifest.NuGet, manifest.PHP:
		return strings.ToLower(name)
	case manifest.Cargo:
		return strings.ReplaceAll(name, "_", "-")
	}
	return name
}

// hasNamed reports whether another manifest of the ecosystem in the folder of one names
// a package.
func (r *reading) hasNamed(m *manifest.Manifest) bool {
	return slices.ContainsFunc(r.manifests, func(o manifest.Manifest) bool {
		return o.Ecosystem == m.Ecosystem && o.Name != "" && corpus.Folder(o.Path) == corpus.Folder(m.Path)
	})
}

// names says what code imports a package by; ok is false of what is no package.
func (r *reading) names(p *published, m *manifest.Manifest) (ok bool) {
	switch p.family {
	case corpus.Python:
		if m.Name == "" && (path.Base(m.Path) != "setup.py" || r.hasNamed(m)) {
			return false
		}
		p.imports = r.pythonRoots(p)
	case corpus.Java:
		p.texts = roots(r.sources[p.Folder])
		p.imports = []imported{{"", m.Path}}
		delete(r.sources, p.Folder)
		return len(p.texts) > 0
	case corpus.PHP, corpus.CSharp:
		p.texts = m.Imports
		p.imports = []imported{{"", m.Path}}
		return p.Name != "" && len(p.texts) > 0
	case corpus.Ruby:
		p.texts = slices.Sorted(slices.Values(r.libraries[p.Folder]))
		p.imports = []imported{{"", m.Path}}
		return p.Name != "" && len(p.texts) > 0
	default:
		for _, name := range m.Imports {
			p.imports = append(p.imports, imported{name, m.Path})
		}
	}
	for _, i := range p.imports {
		p.texts = append(p.texts, i.name)
	}
	return len(p.imports) > 0
}

// unnamed adds what no manifest names: sources of Java whose build file lies elsewhere,
// headers, modules of Elixir.
func (r *reading) unnamed() {
	for _, folder := range sorted(r.sources) {
		p := published{Ecosystem: manifest.Maven, Folder: folder, family: corpus.Java, texts: roots(r.sources[folder])}
		p.imports = []imported{{"", r.some[folder]}}
		if len(p.texts) > 0 {
			r.published = append(r.published, p)
		}
	}
	for _, word := range sorted(r.applications) {
		at := r.applications[word]
		folder, _, _ := cutFolder(at, "lib")
		r.published = append(r.published, published{Folder: folder, family: corpus.Elixir, imports: []imported{{"", at}}, texts: []string{word}})
	}
	for _, first := range sorted(r.headers) {
		at := r.headers[first]
		folder, _, _ := cutFolder(at, "include")
		p := published{Folder: folder, family: corpus.C, imports: []imported{{first, at}}, texts: []string{first}}
		if path.Ext(first) == "" {
			p.texts[0] += "/"
		}
		r.published = append(r.published, p)
	}
}

// aside are folders that are no part of a package of Python.
var aside = []string{"test", "tests", "testing", "doc", "docs", "example", "examples", "bench", "benchmark", "benchmarks", "script", "scripts", "tool", "tools", "setup", "conftest", "build", "ci", "t"}

// pythonRoots are the modules and packages at the top of a distribution.
func (r *reading) pythonRoots(p *published) (all []imported) {
	own := strings.ReplaceAll(coordinate(manifest.Python, p.Name), "-", "_")
	for _, below := range []string{"src", "lib", "python", ""} {
		folder := corpus.Child(p.Folder, below)
		if below == "" {
			folder = p.Folder
		}
		for _, at := range sorted(r.modules) {
			rest, ok := strings.CutPrefix(at, folder+"/")
			if folder == "" {
				rest, ok = at, true
			}
			name, inside, isFolder := strings.Cut(rest, "/")
			if !isFolder {
				name = strings.TrimSuffix(strings.TrimSuffix(name, ".pyi"), ".py")
			}
			whole := isFolder && (below == "src" || inside == "__init__.py" || inside == "__init__.pyi")
			module := !isFolder && (below == "src" || strings.EqualFold(name, own))
			if !ok || !whole && !module || name != own && slices.Contains(aside, name) || strings.HasPrefix(name, "_") && below == "" {
				continue
			}
			if !slices.ContainsFunc(all, func(i imported) bool { return i.name == name }) {
				all = append(all, imported{name, at})
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return all
}

// maxRoots bounds the names of packages that a repository is known by.
const maxRoots = 50

// roots are the packages of Java that are in no other of a list, those with two names
// at least.
func roots(packages []string) (all []string) {
	slices.Sort(packages)
	for _, p := range packages {
		if len(all) == maxRoots || !strings.Contains(p, ".") || len(all) > 0 && strings.HasPrefix(p, all[len(all)-1]+".") {
			continue
		}
		all = append(all, p)
	}
	return all
}
