package packages

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/manifest"
	"espy/internal/pattern"
)

// python lists what the manifests of a repository ask for, and what those
// packages ask for in turn, as they are installed: in an environment within the
// repository, in that of the user, in the folders of the interpreter.
func (f *finder) python() {
	sites := f.sites()
	installed := map[string]*distribution{}
	for _, site := range sites {
		f.distributions(site, installed)
	}
	var todo []string
	asked := map[string]bool{}
	for _, m := range f.in.Manifests {
		read, ok := manifest.Read(m.Path, m.Text)
		if !ok || read.Ecosystem != manifest.Python {
			continue
		}
		for _, d := range read.Dependencies {
			p := Package{Ecosystem: manifest.Python, Name: d.Name, Wanted: d.Version, Direct: !isFixture(m.Path), Path: m.Path, Line: d.Line}
			todo = append(todo, f.distribution(p, installed[pipName(d.Name)], len(sites) > 0)...)
			asked[pipName(d.Name)] = true
		}
	}
	for len(todo) > 0 && len(f.Packages) < maxPackages {
		name := todo[0]
		todo = todo[1:]
		if d := installed[name]; d != nil && !asked[name] {
			asked[name] = true
			todo = append(todo, f.distribution(Package{Ecosystem: manifest.Python, Name: d.name}, d, true)...)
		}
	}
}

// site is a folder of installed packages.
type site struct {
	dir    string // absolute, without links
	inside string // the folder of the repository, if it is one
}

// sites are the folders that are looked into, the first first.
func (f *finder) sites() (sites []site) {
	system := true
	for _, venv := range f.venvs() {
		cfg := f.disk.text(filepath.Join(venv, "pyvenv.cfg"))
		system = system && strings.Contains(strings.ToLower(strings.ReplaceAll(cfg, " ", "")), "include-system-site-packages=true")
		for _, lib := range f.disk.names(filepath.Join(venv, "lib")) {
			sites = f.site(sites, filepath.Join(venv, "lib", lib.Name(), "site-packages"), venv)
		}
		sites = f.site(sites, filepath.Join(venv, "Lib", "site-packages"), venv)
	}
	if !system {
		return sites
	}
	for _, dir := range matches(f.places.Python) {
		if f.in.Allowed == nil || f.in.Allowed(dir) == nil {
			sites = f.site(sites, dir, dir)
		}
	}
	return sites
}

// site adds a folder, unless a link leads it out of the one that it belongs to.
func (f *finder) site(sites []site, dir, of string) []site {
	of, ofErr := filepath.EvalSymlinks(of)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || ofErr != nil || !isFolder(real) || slices.ContainsFunc(sites, func(s site) bool { return s.dir == real }) {
		return sites
	}
	if _, ok := code.Below(of, real); !ok {
		f.note("%s is a link that leads out of %s: it is not looked into", dir, of)
		return sites
	}
	s := site{dir: real}
	if rel, err := filepath.Rel(f.in.Root, real); f.in.Root != "" && err == nil && filepath.IsLocal(rel) {
		s.inside = filepath.ToSlash(rel)
	}
	return append(sites, s)
}

// venvs are the environments within the repository: at its root and beside its
// manifests. Only where there is none is it that of the user. A link that leads
// out of the repository is none.
func (f *finder) venvs() (venvs []string) {
	folders := []string{"."}
	for _, m := range f.in.Manifests {
		if read, ok := manifest.Read(m.Path, nil); ok && read.Ecosystem == manifest.Python && !isFixture(m.Path) {
			folders = append(folders, path.Dir(m.Path))
		}
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		if f.in.Root == "" {
			break
		}
		dir := filepath.Join(f.in.Root, filepath.FromSlash(folder))
		for _, e := range f.disk.names(dir) {
			if isFile(filepath.Join(dir, e.Name(), "pyvenv.cfg")) {
				if real, rel, err := f.disk.real(path.Join(folder, e.Name())); err == nil && rel != "" {
					venvs = append(venvs, real)
				}
			}
		}
	}
	if v := f.places.Venv; len(venvs) == 0 && v != "" && (f.in.Allowed == nil || f.in.Allowed(v) == nil) {
		venvs = append(venvs, v)
	}
	return venvs
}

// distribution is a package as pip and the system install it.
type distribution struct {
	name, version string
	site          site
	info          string // its folder, or file, of notes
	text          string // of the note about it
}

var (
	infoFolder = pattern.New(`^([A-Za-z0-9._]+)-([A-Za-z0-9.!+_]+?)(?:-py[0-9.]+)?\.(?:dist-info|egg-info)$`)
	metadata   = pattern.New(`(?m)^(Name|Version):[ \t]*(\S+)`)
	requires   = pattern.New(`(?m)^Requires-Dist:[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)([^\n]*)`)
)

// distributions notes what is installed in a folder and was not found before.
func (f *finder) distributions(s site, installed map[string]*distribution) {
	for _, e := range f.disk.names(s.dir) {
		parts := infoFolder().FindStringSubmatch(e.Name())
		if parts == nil || e.Type()&fs.ModeSymlink != 0 {
			continue
		}
		d := &distribution{name: parts[1], version: parts[2], site: s, info: filepath.Join(s.dir, e.Name())}
		if key := pipName(d.name); installed[key] == nil {
			installed[key] = d
		}
	}
}

// about reads the name, the version and the requirements of a distribution.
func (f *finder) about(d *distribution) (needs []string) {
	for _, file := range []string{"METADATA", "PKG-INFO", ""} {
		if d.text = f.disk.text(filepath.Join(d.info, file)); d.text != "" {
			break
		}
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(d.text, "\r\n", "\n"), "\n\n")
	for _, m := range metadata().FindAllStringSubmatch(head, -1) {
		switch m[1] {
		case "Name":
			d.name = m[2]
		case "Version":
			d.version = m[2]
		}
	}
	for _, m := range requires().FindAllStringSubmatch(head, -1) {
		if !strings.Contains(m[2], "extra ==") && !strings.Contains(m[2], "extra==") {
			needs = append(needs, pipName(m[1]))
		}
	}
	return needs
}

// distribution adds a package as it is installed, nil where it is not, and
// returns what it needs.
func (f *finder) distribution(p Package, d *distribution, looked bool) (needs []string) {
	switch {
	case d == nil && looked:
		p.Lacks = "not installed in the site-packages that were looked into"
	case d == nil:
		p.Lacks = "no environment was found: neither in the repository nor VIRTUAL_ENV nor of the system"
	default:
		needs = f.about(d)
		p.Name, p.Version = cmp.Or(p.Name, d.name), d.version
		f.placeDistribution(&p, d)
	}
	p.Name = pipName(p.Name)
	f.add(p)
	return needs
}

// placeDistribution tells which files are those of a distribution.
func (f *finder) placeDistribution(p *Package, d *distribution) {
	only := f.recorded(d)
	if len(only) == 0 {
		only = f.likely(d)
	}
	switch {
	case len(only) == 0:
		p.Lacks = "it is installed, but no file of Python of it is in " + d.site.dir
	case d.site.inside != "" && f.in.Holds(path.Join(d.site.inside, only[0])):
		p.Source.Inside = path.Join(d.site.inside, only[0])
	default:
		p.Source = Source{Dir: d.site.dir, Only: only}
	}
}

// maxTops bounds the files and folders that a package is made of.
const maxTops = 200

// recorded are the files and folders that the notes of pip list: the modules of
// the top, and of a namespace, which others share, the folders in it.
func (f *finder) recorded(d *distribution) (only []string) {
	record := f.disk.text(filepath.Join(d.info, "RECORD"))
	if record == "" {
		return nil
	}
	r := csv.NewReader(strings.NewReader(record))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	var files []string
	regular := map[string]bool{} // folders with an __init__.py
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) || err != nil {
			break
		}
		if name := path.Clean(row[0]); plain(name) && isPython(name) {
			files = append(files, name)
			if base := path.Base(name); base == "__init__.py" || base == "__init__.pyi" {
				regular[path.Dir(name)] = true
			}
		}
	}
	tops := map[string]bool{}
	for _, name := range files {
		if top := topOf(name, regular); !tops[top] && len(tops) < maxTops {
			tops[top] = true
			only = append(only, top)
		}
	}
	slices.Sort(only)
	return only
}

func isPython(name string) bool {
	ext := path.Ext(name)
	return ext == ".py" || ext == ".pyi" || ext == ".pyx"
}

// topOf is the outermost package of a file, or the file itself.
func topOf(name string, regular map[string]bool) string {
	for i := range len(name) {
		if name[i] == '/' && regular[name[:i]] {
			return name[:i]
		}
	}
	return name
}

// likely are the files and folders of a distribution whose files nobody lists: those
// that top_level.txt names, or that bear its name.
func (f *finder) likely(d *distribution) (only []string) {
	names := strings.Fields(f.disk.text(filepath.Join(d.info, "top_level.txt")))
	if len(names) == 0 {
		name := strings.NewReplacer("-", "_", ".", "_").Replace(d.name)
		names = []string{name, strings.ToLower(name)}
	}
	for _, name := range names {
		for _, candidate := range []string{name, name + ".py"} {
			at := filepath.Join(d.site.dir, candidate)
			if plain(name) && !slices.Contains(only, candidate) && (candidate == name && isFolder(at) || candidate != name && isFile(at)) {
				only = append(only, candidate)
			}
		}
	}
	return only
}

// pipName writes a name as pip compares it (PEP 503).
func pipName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(s))
}
