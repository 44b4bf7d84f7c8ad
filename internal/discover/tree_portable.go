package discover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"espy/internal/listing"
)

// rootTree is the tree on any system: os.Root one component at a time, where
// each component is looked at before and after it is opened, because os.Root
// by itself follows links that stay inside the root.
type rootTree struct{ root *os.Root }

func (t *rootTree) close() {}

func (t *rootTree) openParent(path string) (folder, error) { return t.openDir(path) }

func (t *rootTree) openFile(path string) (file, error) {
	dir, name := splitPath(path)
	d, err := t.openParent(dir)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return d.open(name)
}

func (t *rootTree) openDir(path string) (folder, error) {
	at := rootFolder{root: t.root}
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		next, err := at.enter(name)
		at.close()
		if err != nil {
			return nil, err
		}
		at = rootFolder{root: next, own: true}
	}
	return at, nil
}

type rootFolder struct {
	root *os.Root
	own  bool // close closes root
}

func (d rootFolder) close() {
	if d.own {
		d.root.Close()
	}
}

func (d rootFolder) enter(name string) (*os.Root, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case before.Mode()&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: errLink}
	case !before.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	next, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, escapes(err, errLink)
	}
	after, err := next.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = &fs.PathError{Op: "open", Path: name, Err: errLink}
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// escapes returns instead where err is not the system's but os.Root's own: the
// name became a link out of the root after it was looked at.
func escapes(err, instead error) error {
	var system syscall.Errno
	if errors.As(err, &system) {
		return err
	}
	return instead
}

func (d rootFolder) list(prefix string, _ *scratch, into []dirent) ([]dirent, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return into, err
	}
	defer f.Close()
	names, err := f.ReadDir(-1)
	if err != nil {
		return into, err
	}
	for _, n := range names {
		into = append(into, dirent{path: prefix + n.Name(), typ: n.Type()})
	}
	return into, nil
}

func (d rootFolder) self() listing.Stat { return listing.Stat{} }

func (d rootFolder) within(string) folder { return nil }

func (d rootFolder) stat(name string, e *Entry) error {
	info, err := d.root.Lstat(name)
	if err != nil {
		return err
	}
	fillEntry(info, e)
	return nil
}

func (d rootFolder) open(name string) (file, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, errChanged
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, escapes(err, errChanged)
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = errChanged
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return rootFile{f}, nil
}

type rootFile struct{ f *os.File }

func (f rootFile) close() { f.f.Close() }

func (f rootFile) read(p []byte) (int, error) {
	n, err := f.f.Read(p)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f rootFile) stat(e *Entry) error {
	info, err := f.f.Stat()
	if err != nil {
		return err
	}
	fillEntry(info, e)
	return nil
}

func fillEntry(info fs.FileInfo, e *Entry) {
	e.Size, e.Mode, e.MtimeNS = info.Size(), info.Mode(), info.ModTime().UnixNano()
	e.CtimeNS, e.Inode = changeTimeAndInode(info)
}
