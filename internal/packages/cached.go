package packages

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/lang"
	"espy/internal/manifest"
)

// lockFiles are the names of files that tell versions.
var lockFiles = []string{"package-lock.json", "npm-shrinkwrap.json", "Cargo.lock", "Gemfile.lock", "composer.lock"}

// IsRead reports whether a file of a repository is a manifest or a lock file that
// Find reads: none of what others keep in the tree.
func IsRead(p string) bool {
	if lang.Classify(p).Has(code.ClassVendor) {
		return false
	}
	if slices.Contains(lockFiles, path.Base(p)) {
		return true
	}
	m, ok := manifest.Read(p, nil)
	return ok && m.Ecosystem != manifest.None
}

// cutVersion takes a name that Ref gave apart.
func cutVersion(ref string) (ecosystem manifest.Ecosystem, name, version string) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(ref, code.PackagePrefix), "/")
	i := strings.LastIndexByte(rest, '@')
	if i < 1 {
		return "", "", ""
	}
	return manifest.Ecosystem(kind), rest[:i], rest[i+1:]
}

// Cached finds a package by its name alone, in a cache that holds versions side
// by side: Go's modules, and the crates of Cargo.
func Cached(ref string, places Places) (*Package, bool) {
	ecosystem, name, version := cutVersion(ref)
	f := &finder{places: places, disk: &disk{notes: map[string]string{}}, seen: map[string]int{}}
	f.in.Holds = func(string) bool { return false }
	p := Package{Ecosystem: ecosystem, Name: name, Version: version, Path: "."}
	if !plain(name) || !plain(version) {
		return nil, false
	}
	switch ecosystem {
	case manifest.Go:
		f.module("go.mod", &goMod{}, goRequire{name: name, version: version})
	case manifest.Cargo:
		f.crate(&p, "registry+")
		f.add(p)
	}
	if len(f.Packages) != 1 || f.Packages[0].Source.Dir == "" {
		return nil, false
	}
	return &f.Packages[0], true
}

// Still reports whether a folder, which a package manager may change, holds the
// version that a name says.
func Still(ref, dir string) bool {
	ecosystem, name, version := cutVersion(ref)
	d := &disk{notes: map[string]string{}}
	switch ecosystem {
	case manifest.Npm:
		var about packageAbout
		return json.Unmarshal([]byte(d.text(filepath.Join(dir, "package.json"))), &about) == nil && about.Version == version
	case manifest.Python:
		f := &finder{disk: d}
		installed := map[string]*distribution{}
		f.distributions(site{dir: dir}, installed)
		found := installed[pipName(name)]
		if found == nil {
			return false
		}
		f.about(found)
		return found.version == version
	}
	return isFolder(dir)
}

// IsVersionOf reports whether a name that Ref gave is of some version of a package.
func IsVersionOf(ref string, p *Package) bool {
	ecosystem, name, _ := cutVersion(ref)
	return ecosystem == p.Ecosystem && name == p.Name
}

// Provides reports whether a package is likely the one that a module is of, as
// imports write it with dots between its parts.
func Provides(p *Package, module string) bool {
	name := p.Name
	switch p.Ecosystem {
	case manifest.Python:
		name, module = pipName(name), pipName(module)
		rest, ok := strings.CutPrefix(module, name)
		return ok && (rest == "" || rest[0] == '-')
	case manifest.Cargo:
		name = strings.ReplaceAll(name, "-", "_")
	}
	rest, ok := strings.CutPrefix(module, name)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '.')
}
