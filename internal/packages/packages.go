// Package packages knows which packages of others a repository uses, at which
// versions, and where their sources lie on this machine: in the module cache of
// Go, in the registry of Cargo, in node_modules, in the site-packages of Python,
// among the gems of Ruby and in vendor folders. It reads manifests, lock files
// and what package managers note beside what they install. It downloads nothing,
// runs nothing, and follows no link out of the repository but to such a cache.
package packages

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/manifest"
)

// Package is a package at a version that a repository uses.
type Package struct {
	Ecosystem manifest.Ecosystem
	Name      string
	Version   string // exact; empty where no lock file and no installed copy tells
	Wanted    string // the version as the manifest writes it
	Direct    bool   // a manifest asks for it; otherwise packages of others do
	Path      string // of the manifest or lock file that names it, in the repository
	Line      int    // of Path
	Source    Source
	Lacks     string // why its sources are not at hand; empty where they are
}

// Source is where the sources of a package lie.
type Source struct {
	Dir    string   // absolute, without links; empty where there are none
	Only   []string // files and folders of Dir that are the package's, with slashes; none for all
	Fixed  bool     // Dir is of a cache: what lies there never changes
	Inside string   // the folder of the repository with whose files they are indexed; Dir is empty then
}

// Ref is what answers call the package: deps/ECOSYSTEM/NAME@VERSION.
func (p *Package) Ref() string {
	return code.PackagePrefix + string(p.Ecosystem) + "/" + p.Name + "@" + cmp.Or(p.Version, "unknown")
}

// At reports whether the sources are at hand, in the repository or beside it.
func (p *Package) At() bool { return p.Source.Dir != "" || p.Source.Inside != "" }

// CutRef takes the name of a package, of the form that Ref gives, and a path in
// it apart: a slash or a colon stands between them. ok is false of any other text.
func CutRef(s string) (ref, path string, ok bool) {
	rest, ok := strings.CutPrefix(s, code.PackagePrefix)
	if !ok {
		return "", "", false
	}
	ecosystem, rest, ok := strings.Cut(rest, "/")
	if !ok || !slices.Contains(ecosystems, manifest.Ecosystem(ecosystem)) {
		return "", "", false
	}
	for from := 0; ; {
		at := strings.IndexByte(rest[from:], '@')
		if at < 0 {
			return "", "", false
		}
		if at += from; at > 0 && rest[at-1] != '/' { // an @ that begins a name is of npm
			end := strings.IndexAny(rest[at:], "/:")
			if end < 0 {
				end = len(rest) - at
			}
			ref = code.PackagePrefix + ecosystem + "/" + rest[:at+end]
			return ref, strings.TrimLeft(rest[at+end:], "/: "), at+1 < at+end
		}
		from = at + 1
	}
}

// ecosystems are those whose packages are found, in the order of lists.
var ecosystems = []manifest.Ecosystem{manifest.Go, manifest.Npm, manifest.Python, manifest.Cargo, manifest.Ruby, manifest.PHP, manifest.Maven}

// Bounds of a listing.
const (
	maxPackages = 5_000    // that are listed
	maxText     = 16 << 20 // bytes of a lock file or a note of a package manager
	maxNames    = 50_000   // of one folder
)

// List is the packages of a repository: by ecosystem, the direct ones first, then
// by name.
type List struct {
	Packages []Package
	Notes    []string // what could not be read, and limits that were reached
}

// Repository is what is read of a repository.
type Repository struct {
	Root      string                   // absolute, without links; empty where nothing is checked out
	Manifests []File                   // its manifests and lock files, by path
	Left      []string                 // manifests and lock files that are not indexed, and why
	Holds     func(folder string) bool // whether files below a folder are indexed with it
	Allowed   func(dir string) error   // refuses folders beside the repository that may not be read
}

// File is a manifest or a lock file.
type File struct {
	Path string
	Text []byte
}
