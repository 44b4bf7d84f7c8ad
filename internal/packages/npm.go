package packages

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/manifest"
)

// npm lists what the package.json files of a repository ask for, and what those
// packages ask for in turn, as Node finds them: in the nearest node_modules.
func (f *finder) npm() {
	locked := f.packageLocks()
	n := &nodes{finder: f, locked: locked, walked: map[string]bool{}}
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "package.json" {
			continue
		}
		read, ok := manifest.Read(m.Path, m.Text)
		if !ok {
			continue
		}
		for _, d := range read.Dependencies {
			n.wanted(nodeDependency{folder: path.Dir(m.Path), name: d.Name, wanted: d.Version, from: m.Path, line: d.Line, direct: !isFixture(m.Path)})
		}
	}
	for len(n.todo) > 0 && len(f.Packages) < maxPackages {
		d := n.todo[0]
		n.todo = n.todo[1:]
		n.wanted(d)
	}
}

// nodeDependency is a package that another one, in a folder of the repository, asks for.
type nodeDependency struct {
	folder, name, wanted string
	from                 string
	line                 int
	direct               bool
}

// nodes walks the packages of npm.
type nodes struct {
	*finder
	locked map[string]string // versions, by folder of a lock file and path in node_modules
	walked map[string]bool   // folders of packages
	todo   []nodeDependency
}

// wanted adds a package and what it asks for.
func (n *nodes) wanted(d nodeDependency) {
	p := Package{Ecosystem: manifest.Npm, Name: d.name, Wanted: d.wanted, Direct: d.direct, Path: d.from, Line: d.line}
	if !plain(d.name) {
		n.add(p)
		return
	}
	folder, found := n.lookUp(d, &p)
	if !found {
		p.Version = n.lockedVersion(d)
		if p.Lacks == "" {
			p.Lacks = "not in node_modules"
		}
		if d.direct && !isLocalVersion(d.wanted) {
			n.add(p)
		}
		return
	}
	if p.Source.Inside != "" && !strings.Contains(p.Source.Inside, "node_modules") {
		return // a package of the repository itself
	}
	about := n.packageJSON(&p)
	p.Version = about.Version
	n.add(p)
	if n.walked[folder] || len(n.walked) >= maxPackages {
		return
	}
	n.walked[folder] = true
	for _, name := range slices.Sorted(maps.Keys(about.Dependencies)) {
		n.todo = append(n.todo, nodeDependency{folder: folder, name: name, wanted: about.Dependencies[name], from: d.from, line: d.line})
	}
}

// isLocalVersion reports whether a package is asked for by its folder.
func isLocalVersion(v string) bool {
	return strings.HasPrefix(v, "workspace:") || strings.HasPrefix(v, "file:") || strings.HasPrefix(v, "link:")
}

// lookUp finds the folder of a package from that of the one that asks for it, up
// to the root.
func (n *nodes) lookUp(d nodeDependency, p *Package) (folder string, found bool) {
	for at := d.folder; ; at = path.Dir(at) {
		if path.Base(at) != "node_modules" {
			candidate := path.Join(at, "node_modules", d.name)
			if n.within(candidate, p) {
				if _, rel, err := n.disk.real(candidate); err == nil && rel != "" {
					candidate = rel
				}
				return candidate, true
			}
		}
		if at == "." || at == "/" || at == "" {
			return "", false
		}
	}
}

// packageAbout is what a package says of itself.
type packageAbout struct {
	Version      string
	Dependencies map[string]string
}

func (n *nodes) packageJSON(p *Package) (about packageAbout) {
	dir := p.Source.Dir
	if dir == "" {
		dir = filepath.Join(n.in.Root, filepath.FromSlash(p.Source.Inside))
	}
	if n.in.Root == "" || json.Unmarshal([]byte(n.disk.text(filepath.Join(dir, "package.json"))), &about) != nil {
		return packageAbout{Version: about.Version}
	}
	return about
}

// lockedVersion is the version that a lock file has of a package.
func (n *nodes) lockedVersion(d nodeDependency) string {
	for at := d.folder; ; at = path.Dir(at) {
		if v := n.locked[at+"\x00"+d.name]; v != "" {
			return v
		}
		if at == "." || at == "/" {
			return ""
		}
	}
}

// packageLocks reads the versions of the lock files of npm.
func (f *finder) packageLocks() map[string]string {
	locked := map[string]string{}
	for _, m := range f.in.Manifests {
		if path.Base(m.Path) != "package-lock.json" && path.Base(m.Path) != "npm-shrinkwrap.json" {
			continue
		}
		var lock struct {
			Packages     map[string]struct{ Version string }
			Dependencies map[string]struct{ Version string }
		}
		if json.Unmarshal(m.Text, &lock) != nil {
			f.note("%s cannot be read as JSON", m.Path)
			continue
		}
		folder := path.Dir(m.Path)
		for at, p := range lock.Packages {
			if name, ok := strings.CutPrefix(at, "node_modules/"); ok && !strings.Contains(name, "node_modules/") {
				locked[folder+"\x00"+name] = p.Version
			}
		}
		for name, p := range lock.Dependencies {
			key := folder + "\x00" + name
			locked[key] = cmp.Or(locked[key], p.Version)
		}
	}
	return locked
}
