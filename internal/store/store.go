// Package store keeps families: one repository with all its worktrees and
// named sessions. A family's folder holds
//
//	<hash>.lex        segments: immutable, written once, mapped (package segment)
//	<hash>.syn        the syntax parts of segments, added by a later pass (package segment/syn)
//	<hash>.vec        the vectors of segments, added by a later pass (package segment/vec)
//	<hash>.win        windows over the segments of one view (package segment)
//	<hash>.tree       what one generation of a view saw (package listing)
//	view-<name>.json  the manifest of a view: its generation, its tree, and its
//	                  segments with the bitmap of the files that are live
//	<hash>.lex.bad    a damaged segment until the next writer removes it
//	lock              the writer's lock, with the number of the process that has it
//
// A segment stores a file once per path and content; a view lists segments, so
// an edit, a removal or a branch switch is a new manifest and nothing seen
// before is analysed again. Generations only go forward. A reader sees the one
// Snapshot it opened: mapped parts stay whole after the writer removes them.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// ErrDamaged says that a file of the index is not what was written.
var ErrDamaged = local.ErrDamaged

// ErrNoIndex says that a view has no generation yet.
var ErrNoIndex = errors.New("not indexed yet")

// FormatError says that an index was written in another format.
type FormatError = manifest.FormatError

// Rebuildable reports whether indexing anew gets past an error of opening an
// index: there is none, it is damaged, or it is of an older format.
func Rebuildable(err error) bool {
	var format *FormatError
	return errors.Is(err, ErrNoIndex) || errors.Is(err, ErrDamaged) || errors.As(err, &format) && !format.Newer()
}

// MainView is the view of a repository's own work tree.
const MainView = "main"

// Family is an open family. It is safe for concurrent use.
type Family struct {
	dir  *local.Dir
	pool *part.Pool
}

// Open returns the family kept in a folder, which is made where it is missing.
func Open(path string) (*Family, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Family{dir: dir, pool: part.NewPool(dir, kinds())}, nil
}

// Quarantine takes a damaged part out of use, for all processes where the
// folder can be written: snapshots opened from now on leave it out and say so,
// and the next sync writes its files anew.
func (f *Family) Quarantine(name string, cause error) { f.pool.Quarantine(name, cause) }

// Holds reports whether the segment of a name, as segment.Reader.Name gives
// it, is a part of the family.
func (f *Family) Holds(segment string) bool { return filepath.Dir(segment) == f.dir.Path() }

// Recheck quarantines mapped parts whose file is not as long as it was, and
// reports whether there are any.
func (f *Family) Recheck() (found bool) { return f.pool.Recheck() }

// Lock waits for the writer's lock; TryLock answers local.ErrLocked at once.
func (f *Family) Lock(ctx context.Context) (unlock func(), err error) { return f.dir.Lock(ctx) }

// Holder returns the number of the process that has the writer's lock, or had
// it last and still runs; 0 where that is not known.
func (f *Family) Holder() int { return f.dir.Holder() }

// TryLock takes the writer's lock if no one holds it.
func (f *Family) TryLock() (unlock func(), err error) { return f.dir.TryLock() }

// Reserve fails where too little room is left on the disk to begin writing the
// index of so many bytes of source, with an error that wraps syscall.ENOSPC. It
// is a quick look that saves analysing what could not be kept; a write may still
// fail.
func (f *Family) Reserve(source int64) error {
	return f.dir.Reserve(min(source/4, enoughFree))
}

const enoughFree = 8 << 20

// readManifest reads the newest generation of a view: ErrNoIndex where there
// is none, *FormatError for another format.
func (f *Family) readManifest(view string) (*manifest.Manifest, error) {
	name := manifest.Name(view)
	b, err := f.dir.Record(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoIndex
	case errors.Is(err, ErrDamaged):
		if newer := f.foreign(name); newer != nil {
			return nil, newer
		}
		return nil, fmt.Errorf("read manifest: %w", err)
	case err != nil:
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	return manifest.Parse(b, filepath.Join(f.dir.Path(), name))
}

// foreign looks whether a record without a checksum is of a newer program,
// which may end its records in another way; nil where it is not.
func (f *Family) foreign(name string) error {
	b, err := f.dir.Read(name)
	if err != nil {
		return fmt.Errorf("read manifest: %w", err)
	}
	if bytes.Contains(b, []byte("\nxxh3:")) {
		return nil
	}
	_, err = manifest.Parse(b, filepath.Join(f.dir.Path(), name))
	if format := (*FormatError)(nil); errors.As(err, &format) && format.Newer() {
		return format
	}
	return nil
}

// Stamp identifies the newest generation of a view without reading it: each
// commit changes it. It is zero where there is no generation.
func (f *Family) Stamp(view string) Stamp {
	info, err := f.dir.Stat(manifest.Name(view))
	if err != nil {
		return Stamp{}
	}
	s := Stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode = sys.Ino
	}
	return s
}

// Stamp is comparable.
type Stamp struct {
	size, mtime int64
	inode       uint64
}
