package packages

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// finder lists the packages of one repository.
type finder struct {
	List
	in     Repository
	places Places
	disk   *disk
	seen   map[string]int // the number of a package of the list by its Ref
}

// add adds a package, once each version. A direct one stays direct.
func (f *finder) add(p Package) {
	if !plain(p.Name) || !plain(p.Version) && p.Version != "" {
		f.note("%s:%d names a package %q that cannot be one", p.Path, p.Line, shorten(p.Name+"@"+p.Version))
		return
	}
	if i, ok := f.seen[p.Ref()]; ok {
		old := &f.Packages[i]
		if p.Direct && !old.Direct {
			old.Direct, old.Path, old.Line, old.Wanted = true, p.Path, p.Line, p.Wanted
		}
		if !old.At() && p.At() {
			old.Source, old.Lacks = p.Source, ""
		}
		return
	}
	if len(f.Packages) >= maxPackages {
		f.note("only the first %d packages are listed", maxPackages)
		return
	}
	f.seen[p.Ref()] = len(f.Packages)
	f.Packages = append(f.Packages, p)
}

func shorten(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return s
}

// plain reports whether a name or a version of a lock file can be a part of a
// path: one that leads elsewhere never is.
func plain(s string) bool {
	if s == "" || len(s) > 512 || strings.ContainsAny(s, "\x00\\:*?\"<>|\n\r\t ") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "-") {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// beside tells where a folder of a cache is, or why it cannot be read.
func (f *finder) beside(dir string, p *Package) bool {
	if f.in.Allowed != nil {
		if err := f.in.Allowed(dir); err != nil {
			p.Lacks = err.Error()
			return false
		}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		p.Lacks = "not in " + filepath.Dir(dir)
		if !isGone(err) {
			p.Lacks = "cannot be read: " + reason(err)
		}
		return false
	}
	if !isFolder(real) {
		p.Lacks = dir + " is no folder"
		return false
	}
	p.Source.Dir = real
	return true
}

// within tells where a folder of the repository is.
func (f *finder) within(folder string, p *Package) bool {
	if f.in.Root == "" {
		if f.in.Holds(folder) {
			p.Source.Inside, p.Lacks = folder, ""
			return true
		}
		return false
	}
	real, rel, err := f.disk.real(folder)
	switch {
	case err != nil && isGone(err):
		return false
	case err != nil:
		p.Lacks = folder + " cannot be read: " + reason(err)
		return false
	case rel != "" && f.in.Holds(rel):
		p.Source, p.Lacks = Source{Inside: rel}, ""
		return true
	case rel == "" && !f.isStore(real):
		p.Lacks = folder + " is a link that leads out of the repository"
		return false
	}
	p.Source, p.Lacks = Source{Dir: real}, ""
	return true
}

// isStore reports whether a folder lies where links of node_modules may lead.
func (f *finder) isStore(dir string) bool {
	return slices.ContainsFunc(f.places.Stores, func(store string) bool {
		rel, err := filepath.Rel(store, dir)
		return store != "" && err == nil && filepath.IsLocal(rel) && (f.in.Allowed == nil || f.in.Allowed(dir) == nil)
	})
}

// note says what could not be read.
func (l *List) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(l.Notes, n) && len(l.Notes) < maxNotes {
		l.Notes = append(l.Notes, n)
	}
}

// maxNotes bounds what is said of what could not be read.
const maxNotes = 20
