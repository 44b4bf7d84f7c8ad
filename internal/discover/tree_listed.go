package discover

import (
	"io/fs"
	"sort"
	"strings"

	"espy/internal/listing"
)

// listedTree is a tree whose names and stats a listing tells. What that does not
// tell comes from the tree itself: folders that were left out, the stat of files that
// were left out by their names, and the text of ignore files.
type listedTree struct {
	tree
	leaves []listing.Leaf
}

// openDir opens a folder of the listing, or of the tree where the listing stands for
// what is below it.
func (t *listedTree) openDir(path string) (folder, error) {
	for at := path; at != ""; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		if l, ok := t.find(at); ok && (l.Dir || at == path && l.Count > 0) {
			return t.tree.openDir(path)
		}
	}
	if l, ok := t.find("."); ok && path == "" && l.Count > 0 { // of the root
		return t.tree.openDir(path)
	}
	return &listedFolder{t: t, path: path}, nil
}

func (t *listedTree) find(path string) (*listing.Leaf, bool) {
	return (&listing.Tree{Leaves: t.leaves}).Find(path)
}

// listedFolder is a folder of a listing. The folder itself is opened when something of
// it is read.
type listedFolder struct {
	t    *listedTree
	path string
	real folder // nil while nothing was read of it
}

func (d *listedFolder) list(prefix string, _ *scratch, into []dirent) ([]dirent, error) {
	rest := d.t.leaves
	rest = rest[sort.Search(len(rest), func(i int) bool { return rest[i].Path >= prefix }):]
	for len(rest) > 0 && strings.HasPrefix(rest[0].Path, prefix) {
		l := &rest[0]
		end := strings.IndexByte(l.Path[len(prefix):], '/')
		if end < 0 {
			if l.Path != prefix && l.Path != "." {
				into = append(into, dirent{path: l.Path, typ: typeOf(l)})
			}
			rest = rest[1:]
			continue
		}
		name := l.Path[:len(prefix)+end]
		into = append(into, dirent{path: name, typ: fs.ModeDir})
		for rest = rest[1:]; len(rest) > 0 && strings.HasPrefix(rest[0].Path, name) && len(rest[0].Path) > len(name) && rest[0].Path[len(name)] == '/'; {
			rest = rest[1:]
		}
	}
	return into, nil
}

// typeOf is the type of what a leaf stands for. A file that was left out by its name
// counts as a regular one until its stat is asked for.
func typeOf(l *listing.Leaf) fs.FileMode {
	switch {
	case l.Dir:
		return fs.ModeDir
	case Reason(l.Reason) == ReasonSymlink:
		return fs.ModeSymlink
	case Reason(l.Reason) == ReasonSpecial:
		return fs.ModeIrregular
	case Reason(l.Reason) == ReasonUnreadable, Reason(l.Reason) == ReasonVCS:
		return typeUnknown
	}
	return 0
}

func (d *listedFolder) self() listing.Stat { return listing.Stat{} }

func (d *listedFolder) within(string) folder { return nil }

func (d *listedFolder) stat(name string, e *Entry) error {
	path := name
	if d.path != "" {
		path = d.path + "/" + name
	}
	if l, ok := d.t.find(path); ok && !l.Dir && (l.Reason == "" || l.Read) {
		e.Size, e.MtimeNS, e.CtimeNS, e.Inode = l.Stat.Size, l.Stat.MTime, l.Stat.CTime, l.Stat.Inode
		return nil
	}
	if err := d.reach(); err != nil {
		return err
	}
	return d.real.stat(name, e)
}

func (d *listedFolder) open(name string) (file, error) {
	if err := d.reach(); err != nil {
		return nil, err
	}
	return d.real.open(name)
}

func (d *listedFolder) reach() (err error) {
	if d.real == nil {
		d.real, err = d.t.openParent(d.path)
	}
	return err
}

func (d *listedFolder) close() {
	if d.real != nil {
		d.real.close()
	}
}
