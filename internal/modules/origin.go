package modules

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/locate"
	"espy/internal/manifest"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Kind says where what a repository does not hold comes from.
type Kind string

// The kinds.
const (
	Standard Kind = "standard library"
	Declared Kind = "third party"  // a manifest asks for it
	Passed   Kind = "passed on"    // the same, and the package is one of the repository: it names what it has from elsewhere, or what a build makes
	Unknown  Kind = "unknown"      // no manifest names it
	Missing  Kind = "missing file" // a path within the repository that is not there
)

// Origin is where something from elsewhere comes from.
type Origin struct {
	Kind     Kind
	Package  string // of a third party, as its manifest names it
	Version  string // as the manifest writes it
	Manifest string // path of the file that asks for it
	Line     int    // of the manifest
}

func (o *Origin) identity() string { return string(o.Kind) + "\x00" + o.Manifest + "\x00" + o.Package }

// name is what is listed for an import: the package of a third party, else the
// module as it is written.
func (o *Origin) name(m *facts.Import) string {
	if o.Package != "" {
		return o.Package
	}
	return m.Module
}

// Origins tells where imports from elsewhere come from, by the manifests of a repository.
type Origins struct {
	corpus    *corpus.Corpus
	manifests map[string][]manifest.Manifest // by folder
	own       map[string]bool                // names of the packages of the repository, as pip compares them
	packages  map[ownPackage][]string        // folders of the packages of the repository, tests aside
}

// ownPackage is a package of the repository.
type ownPackage struct {
	of   manifest.Ecosystem
	name string
}

// OriginsOf reads the manifests of a repository. What it returns may be used from any
// number of goroutines.
func OriginsOf(a *locate.Ask) *Origins {
	o := &Origins{a.Corpus, map[string][]manifest.Manifest{}, map[string]bool{}, map[ownPackage][]string{}}
	for _, m := range Manifests(a) {
		o.own[pipName(m.Name)] = true
		folder := corpus.Folder(m.Path)
		if f, ok := a.Corpus.Find(m.Path); ok && m.Name != "" && !a.Corpus.Class(f).Has(code.ClassTest) {
			of := ownPackage{m.Ecosystem, m.Name}
			o.packages[of] = append(o.packages[of], folder)
		}
		if path.Base(folder) == "requirements" {
			folder = corpus.Folder(folder)
		}
		if len(m.Dependencies) > 0 {
			o.manifests[folder] = append(o.manifests[folder], m)
		}
	}
	return o
}

// folders are those of the packages of the repository, by name.
func (o *Origins) folders(of manifest.Ecosystem) map[string][]string {
	all := map[string][]string{}
	for p, folders := range o.packages {
		if p.of == of {
			all[p.name] = folders
		}
	}
	return all
}

// manifests are those of a repository.
type manifests struct{ all []manifest.Manifest }

// Manifests returns the manifests of a repository, by path. Do not change them.
func Manifests(a *locate.Ask) []manifest.Manifest {
	return locate.Keep(a, func() (*manifests, bool) {
		m := &manifests{}
		for f := range corpus.FileID(a.Corpus.NumFiles()) {
			if !manifest.Is(a.Corpus.Path(f)) {
				continue
			}
			if text, err := a.Corpus.Text(f); err == nil {
				if one, ok := manifest.Read(a.Corpus.Path(f), text); ok {
					m.all = append(m.all, one)
				}
			}
		}
		return m, true
	}).all
}

// of says where an import comes from that no file of the repository is.
func (o *Origins) of(f corpus.FileID, m *facts.Import, s resolve.Source) Origin {
	family := o.corpus.Family(f)
	e, ok := ecosystems[family]
	if o.corpus.Language(f) == "dart" {
		e, ok = dart, true
	}
	if !ok {
		return Origin{Kind: Unknown}
	}
	if e.inside != nil && e.inside(m.Module) {
		return Origin{Kind: Missing}
	}
	if e.standard(m) {
		return Origin{Kind: Standard}
	}
	for d := o.corpus.Folder(f); ; d = corpus.Folder(d) {
		if found, ok := o.declared(d, e, m); ok {
			return found
		}
		if d == "" {
			return Origin{Kind: Unknown}
		}
	}
}

// Of says where an import comes from that no file of the repository is.
func (o *Origins) Of(f corpus.FileID, m *facts.Import) Origin { return o.of(f, m, resolve.Source{}) }

// isNamesake reports whether files only bear the name of a module of Python that
// is from elsewhere: the standard library has it, or a manifest asks for it, and
// the files lie where the import does not look first: within a package, or in a
// folder that does not hold the file that imports.
func (o *Origins) isNamesake(f corpus.FileID, m *facts.Import, files []corpus.FileID) bool {
	if o.corpus.Family(f) != corpus.Python || isRelative(m.Module) || len(files) == 0 {
		return false
	}
	from := o.of(f, m, resolve.Source{})
	if from.Kind != Standard && (from.Kind != Declared && from.Kind != Passed || o.own[pipName(from.Package)]) {
		return false
	}
	first, _, _ := strings.Cut(m.Module, ".")
	root := o.corpus.Path(files[0])
	for root != "" && path.Base(strings.TrimSuffix(strings.TrimSuffix(root, ".pyi"), ".py")) != first {
		root = corpus.Folder(root)
	}
	root = corpus.Folder(root)
	_, inPackage := o.corpus.Find(corpus.Child(root, "__init__.py"))
	folder := o.corpus.Folder(f)
	return inPackage || root != "" && folder != root && !strings.HasPrefix(folder, root+"/")
}

// declared finds a module among the dependencies of the manifests of a folder.
func (o *Origins) declared(folder string, e ecosystem, m *facts.Import) (found Origin, ok bool) {
	for _, of := range o.manifests[folder] {
		if of.Ecosystem != e.name {
			continue
		}
		best := -1
		for i, d := range of.Dependencies {
			if e.provides(d.Name, m) && (best < 0 || len(d.Name) > len(of.Dependencies[best].Name)) {
				best = i
			}
		}
		if best >= 0 && (!ok || len(of.Dependencies[best].Name) > len(found.Package)) {
			d := of.Dependencies[best]
			found, ok = Origin{Declared, d.Name, d.Version, of.Path, d.Line}, true
			if len(o.packages[ownPackage{e.name, d.Name}]) > 0 {
				found.Kind = Passed
			}
		}
	}
	return found, ok
}

// ecosystem is where the modules of a family of languages come from.
type ecosystem struct {
	name     manifest.Ecosystem
	standard func(m *facts.Import) bool                    // of the language or its system
	provides func(dependency string, m *facts.Import) bool // whether a module is of a package
	inside   func(module string) bool                      // whether a module is a path of the repository; nil for none
}

var ecosystems = map[corpus.Family]ecosystem{
	corpus.Go:     {manifest.Go, isGoStandard, providesPath, nil},
	corpus.Script: {manifest.Npm, isNodeStandard, providesNpm, isRelative},
	corpus.Python: {manifest.Python, isPythonStandard, providesPython, isRelative},
	corpus.Rust:   {manifest.Cargo, isRustStandard, providesCrate, isOwnCrate},
	corpus.Java:   {manifest.Maven, isJavaStandard, providesMaven, nil},
	corpus.PHP:    {manifest.PHP, isPHPStandard, providesComposer, nil},
	corpus.C:      {manifest.None, isCStandard, providesNothing, nil},
	corpus.Ruby:   {manifest.Ruby, isRubyStandard, providesGem, isRelative},
	corpus.CSharp: {manifest.None, isNETStandard, providesNothing, nil},
}

// dart is where the libraries of Dart come from, whose imports are read line by line.
var dart = ecosystem{manifest.Pub, isDartStandard, providesPub, isDartPath}

func isDartStandard(m *facts.Import) bool { return strings.HasPrefix(m.Module, "dart:") }

func providesPub(dependency string, m *facts.Import) bool {
	rest, ok := strings.CutPrefix(m.Module, "package:"+dependency)
	return ok && strings.HasPrefix(rest, "/")
}

func isDartPath(module string) bool {
	return strings.HasSuffix(module, ".dart") && !strings.Contains(module, ":")
}

func isRelative(module string) bool { return strings.HasPrefix(module, ".") }

func isOwnCrate(module string) bool {
	first, _, _ := strings.Cut(module, "::")
	return first == "crate" || first == "self" || first == "super"
}

func isGoStandard(m *facts.Import) bool {
	first, _, _ := strings.Cut(m.Module, "/")
	return !strings.Contains(first, ".")
}

func isNodeStandard(m *facts.Import) bool {
	if strings.HasPrefix(m.Module, "node:") {
		return true
	}
	first, _, _ := strings.Cut(m.Module, "/")
	return nodeModules[first]
}

func isPythonStandard(m *facts.Import) bool {
	first, _, _ := strings.Cut(m.Module, ".")
	return pythonModules[first]
}

func isRustStandard(m *facts.Import) bool {
	first, _, _ := strings.Cut(m.Module, "::")
	return slices.Contains([]string{"std", "core", "alloc", "proc_macro", "test"}, first)
}

func isJavaStandard(m *facts.Import) bool {
	first, _, _ := strings.Cut(m.Module, ".")
	return slices.Contains([]string{"java", "jdk", "sun"}, first) || slices.ContainsFunc(javaxPackages, func(p string) bool { return m.Module == p || strings.HasPrefix(m.Module, p+".") })
}

func isRubyStandard(m *facts.Import) bool {
	first, _, _ := strings.Cut(m.Module, "/")
	return rubyLibraries[first]
}

func isNETStandard(m *facts.Import) bool {
	return m.Module == "System" || strings.HasPrefix(m.Module, "System.")
}

// providesGem compares names as Bundler does when it requires a gem.
func providesGem(dependency string, m *facts.Import) bool {
	return providesPath(dependency, m) || providesPath(strings.ReplaceAll(dependency, "-", "/"), m)
}

// isPHPStandard reports whether a name has no namespace: classes that do not are PHP's own.
func isPHPStandard(m *facts.Import) bool { return m.Module == "" || m.Module == `\` }

func isCStandard(m *facts.Import) bool { return cHeaders[m.Module] }

// providesPath reports whether a path is a package or stands below it.
func providesPath(dependency string, m *facts.Import) bool {
	rest, ok := strings.CutPrefix(m.Module, dependency)
	return ok && (rest == "" || rest[0] == '/')
}

// providesNpm also knows the packages that hold only the types of others.
func providesNpm(dependency string, m *facts.Import) bool {
	return providesPath(dependency, m)
}

// providesPython compares names as pip does (PEP 503). A package may give modules
// other names than its own; the common ones are known.
func providesPython(dependency string, m *facts.Import) bool {
	name := pipName(dependency)
	first, _, _ := strings.Cut(m.Module, ".")
	if pipName(first) == name || slices.Contains(pythonAliases[name], first) {
		return true
	}
	module := pipName(strings.ReplaceAll(m.Module, ".", "-"))
	return strings.Contains(name, "-") && (module == name || strings.HasPrefix(module, name+"-"))
}

func pipName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(s))
}

func providesCrate(dependency string, m *facts.Import) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(m.Module, "::"), "::")
	if first == "" {
		first = m.Name
	}
	return strings.ReplaceAll(dependency, "-", "_") == first
}

// providesMaven reports whether a package is below the group of a dependency, and
// below group and artifact where that is how the package is called.
func providesMaven(dependency string, m *facts.Import) bool {
	group, _, _ := strings.Cut(dependency, ":")
	rest, ok := strings.CutPrefix(m.Module, group)
	return ok && (rest == "" || rest[0] == '.')
}

// providesComposer reports whether a namespace begins with the vendor of a package
// and its name, dashes aside.
func providesComposer(dependency string, m *facts.Import) bool {
	flat := func(s string) string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s)) }
	vendor, name, ok := strings.Cut(dependency, "/")
	parts := strings.Split(strings.Trim(m.Module, `\`), `\`)
	if !ok || flat(parts[0]) != flat(vendor) {
		return false
	}
	for _, p := range parts[1:] {
		if flat(p) == flat(name) {
			return true
		}
	}
	return flat(m.Name) == flat(name)
}

func providesNothing(string, *facts.Import) bool { return false }
