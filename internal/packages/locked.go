package packages

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"espy/internal/manifest"
	"espy/internal/pattern"
)

// asked are the packages that the manifests of an ecosystem ask for, by folder
// and name.
func (f *finder) asked(of manifest.Ecosystem) map[string]manifest.Dependency {
	all := map[string]manifest.Dependency{}
	for _, m := range f.in.Manifests {
		read, ok := manifest.Read(m.Path, m.Text)
		if !ok || read.Ecosystem != of || isFixture(m.Path) {
			continue
		}
		for _, d := range read.Dependencies {
			all[d.Name] = d
		}
	}
	return all
}

// cargo lists the crates of the Cargo.lock files.
func (f *finder) cargo() {
	asked := f.asked(manifest.Cargo)
	locked := false
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "Cargo.lock" {
			continue
		}
		var lock struct {
			Package []struct{ Name, Version, Source string }
		}
		if toml.Unmarshal(m.Text, &lock) != nil {
			f.note("%s cannot be read as TOML", m.Path)
			continue
		}
		locked = true
		for _, c := range lock.Package {
			if c.Source == "" {
				continue // of the repository itself
			}
			d, direct := asked[c.Name]
			p := Package{
				Ecosystem: manifest.Cargo, Name: c.Name, Version: c.Version, Wanted: d.Version, Direct: direct && !isFixture(m.Path),
				Path: m.Path, Line: lineOf(m.Text, `name = "`+c.Name+`"`),
			}
			f.crate(&p, c.Source)
			f.add(p)
		}
	}
	if !locked {
		f.unlocked(manifest.Cargo, "Cargo.lock", asked)
	}
}

// unlocked adds what manifests ask for where no lock file tells the versions.
func (f *finder) unlocked(of manifest.Ecosystem, lock string, asked map[string]manifest.Dependency) {
	for _, m := range f.in.Manifests {
		read, ok := manifest.Read(m.Path, m.Text)
		if !ok || read.Ecosystem != of || isFixture(m.Path) {
			continue
		}
		for _, d := range read.Dependencies {
			if _, ok := asked[d.Name]; ok {
				f.add(Package{Ecosystem: of, Name: d.Name, Wanted: d.Version, Direct: true, Path: m.Path, Line: d.Line, Lacks: "there is no " + lock + " that tells its version"})
			}
		}
	}
}

// crate finds the sources of a crate.
func (f *finder) crate(p *Package, source string) {
	folder, names := path.Dir(p.Path), p.Name+"-"+p.Version
	switch {
	case !plain(p.Name) || !plain(p.Version):
	case f.within(path.Join(folder, "vendor", names), p), f.within(path.Join(folder, "vendor", p.Name), p):
	case !strings.HasPrefix(source, "registry+") && !strings.HasPrefix(source, "sparse+"):
		p.Lacks = "it is not of a registry but of " + shorten(source)
	case f.places.CargoHome == "":
		p.Lacks = "the folder of Cargo's registry is not known"
	default:
		src := filepath.Join(f.places.CargoHome, "registry", "src")
		p.Lacks = "not in Cargo's registry: cargo fetch brings it"
		for _, registry := range f.disk.names(src) {
			if dir := filepath.Join(src, registry.Name(), names); isFolder(dir) && f.beside(dir, p) {
				p.Source.Fixed, p.Lacks = true, ""
				return
			}
		}
	}
}

// lockedGem is a line of a Gemfile.lock with a gem and its version.
var lockedGem = pattern.New(`^    ([A-Za-z0-9_.-]+) \(([^)]+)\)$`)

// ruby lists the gems of the Gemfile.lock files.
func (f *finder) ruby() {
	asked := f.asked(manifest.Ruby)
	locked := false
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "Gemfile.lock" {
			continue
		}
		locked = true
		section, n := "", 0
		for line := range strings.Lines(string(m.Text)) {
			n++
			line = strings.TrimRight(line, "\r\n")
			if line != "" && line[0] != ' ' {
				section = line
			}
			g := lockedGem().FindStringSubmatch(line)
			if g == nil || section == "PATH" {
				continue
			}
			d, direct := asked[g[1]]
			p := Package{Ecosystem: manifest.Ruby, Name: g[1], Version: g[2], Wanted: d.Version, Direct: direct && !isFixture(m.Path), Path: m.Path, Line: n}
			f.gem(&p)
			f.add(p)
		}
	}
	if !locked {
		f.unlocked(manifest.Ruby, "Gemfile.lock", asked)
	}
}

// gem finds the sources of a gem.
func (f *finder) gem(p *Package) {
	if !plain(p.Name) || !plain(p.Version) {
		return
	}
	name, folder := p.Name+"-"+p.Version, path.Dir(p.Path)
	if f.in.Root != "" {
		bundle := path.Join(folder, "vendor/bundle/ruby")
		for _, version := range f.disk.names(filepath.Join(f.in.Root, filepath.FromSlash(bundle))) {
			if f.within(path.Join(bundle, version.Name(), "gems", name), p) {
				return
			}
		}
	}
	p.Lacks = "not among the gems that are installed"
	for _, gems := range matches(f.places.Gems) {
		if dir := filepath.Join(gems, name); isFolder(dir) && f.beside(dir, p) {
			p.Lacks = ""
			return
		}
	}
}

// composer lists the packages of the composer.lock files.
func (f *finder) composer() {
	asked := f.asked(manifest.PHP)
	locked := false
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "composer.lock" {
			continue
		}
		type entry struct{ Name, Version string }
		var lock struct {
			Packages []entry
			Dev      []entry `json:"packages-dev"`
		}
		if json.Unmarshal(m.Text, &lock) != nil {
			f.note("%s cannot be read as JSON", m.Path)
			continue
		}
		locked = true
		for _, c := range append(lock.Packages, lock.Dev...) {
			d, direct := asked[c.Name]
			p := Package{
				Ecosystem: manifest.PHP, Name: c.Name, Version: c.Version, Wanted: d.Version, Direct: direct && !isFixture(m.Path),
				Path: m.Path, Line: lineOf(m.Text, `"name": "`+c.Name+`"`),
			}
			if plain(p.Name) && !f.within(path.Join(path.Dir(m.Path), "vendor", p.Name), &p) && p.Lacks == "" {
				p.Lacks = "not in vendor"
			}
			f.add(p)
		}
	}
	if !locked {
		f.unlocked(manifest.PHP, "composer.lock", asked)
	}
}

// maven lists what the build files ask for. Its sources are archives, which are
// not read.
func (f *finder) maven() {
	for _, m := range f.in.Manifests {
		read, ok := manifest.Read(m.Path, m.Text)
		if !ok || read.Ecosystem != manifest.Maven || isFixture(m.Path) {
			continue
		}
		for _, d := range read.Dependencies {
			f.add(Package{
				Ecosystem: manifest.Maven, Name: strings.ReplaceAll(d.Name, ":", "/"), Version: exactVersion(d.Version), Wanted: d.Version, Direct: true,
				Path: m.Path, Line: d.Line, Lacks: "its sources are an archive, and archives are not read",
			})
		}
	}
}

// exactVersion is a version as it is written, empty where it is a range or a property.
func exactVersion(v string) string {
	if strings.ContainsAny(v, "${}[](),<>=^~* ") {
		return ""
	}
	return v
}

// lineOf is the number of the line on which a part of a text begins, 1 where it is none.
func lineOf(text []byte, part string) int {
	before, _, ok := strings.Cut(string(text), part)
	if !ok {
		return 1
	}
	return strings.Count(before, "\n") + 1
}
