// Package store keeps families: one repository with all its worktrees and
// named sessions. A family's folder holds
//
//	<hash>.lex        segments: immutable, written once, mapped (package segment)
//	<hash>.tree       what one generation of a view saw (package merkle)
//	view-<name>.json  the manifest of a view: its generation, its tree, and its
//	                  segments with the bitmap of the files that are live
//	lock              the writer's lock
//
// A segment stores a file once per path and content; a view lists segments, so
// an edit, a removal or a branch switch is a new manifest and nothing seen
// before is analysed again. Generations only go forward. A reader sees the one
// Snapshot it opened: mapped parts stay whole after the writer removes them.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/store/blob/local"
)

// MainView is the view of a repository's own work tree.
const MainView = "main"

// ErrNoIndex says that a view has no generation yet.
var ErrNoIndex = errors.New("not indexed yet")

// Family is an open family. It is safe for concurrent use.
type Family struct {
	dir *local.Dir

	mu    sync.Mutex
	parts map[string]*part // mapped segments by part name, guarded by mu
	bad   map[string]error // parts found damaged, guarded by mu
}

// part is a mapped segment shared by snapshots. Its fields other than refs are fixed.
type part struct {
	name   string
	mapped *local.Mapped
	reader *segment.Reader
	refs   int // guarded by Family.mu
}

// Open returns the family kept in a folder, which is made where it is missing.
func Open(path string) (*Family, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Family{dir: dir, parts: map[string]*part{}, bad: map[string]error{}}, nil
}

// Quarantine marks a part as damaged: snapshots opened from now on leave it
// out and say so, and the next sync writes its files anew.
func (f *Family) Quarantine(name string, cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad[name] = cause
}

// forgive takes a part that was written anew out of quarantine.
func (f *Family) forgive(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.bad, name)
}

// Lock waits for the writer's lock; TryLock answers local.ErrLocked at once.
func (f *Family) Lock(ctx context.Context) (unlock func(), err error) { return f.dir.Lock(ctx) }

// TryLock takes the writer's lock if no one holds it.
func (f *Family) TryLock() (unlock func(), err error) { return f.dir.TryLock() }

// Snapshot opens the newest generation of a view, ErrNoIndex where there is
// none. A writer may remove a part between the reading of the manifest and its
// mapping; the manifest that replaced it is then taken.
func (f *Family) Snapshot(view string) (*Snapshot, error) {
	for try := 0; ; try++ {
		m, err := f.readManifest(view)
		if err != nil {
			return nil, err
		}
		s, missing := f.open(m)
		if missing == "" {
			return s, nil
		}
		if now, err := f.readManifest(view); err == nil && now.Generation == m.Generation || try == 9 {
			f.Quarantine(missing, fs.ErrNotExist)
			continue
		}
	}
}

// Stamp identifies the newest generation of a view without reading it: it
// differs whenever another generation was committed. It is zero where there is none.
func (f *Family) Stamp(view string) Stamp {
	info, err := f.dir.Stat(manifestName(view))
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

// open maps the parts of a manifest. It names a part whose file is missing.
func (f *Family) open(m *manifest) (s *Snapshot, missing string) {
	s = &Snapshot{family: f, manifest: m, Freshness: m.freshness(), tree: &lazyTree{}}
	for _, ref := range m.Segments {
		p, l, err := f.acquire(ref)
		switch {
		case err == nil:
			s.parts = append(s.parts, p)
			s.Segments = append(s.Segments, l)
		case errors.Is(err, fs.ErrNotExist) && f.damage(ref.Part) == nil:
			s.Close()
			return nil, ref.Part
		default:
			s.Damaged = append(s.Damaged, Damage{Part: ref.Part, Err: err})
		}
	}
	return s, ""
}

func (f *Family) damage(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bad[name]
}

// acquire returns a mapped part, counting one more user of it, and its live files.
func (f *Family) acquire(ref segmentRef) (*part, segment.Live, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.bad[ref.Part]; err != nil {
		return nil, segment.Live{}, err
	}
	p := f.parts[ref.Part]
	if p == nil {
		var err error
		if p, err = f.mapPart(ref); err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				f.bad[ref.Part] = err
			}
			return nil, segment.Live{}, err
		}
		f.parts[ref.Part] = p
	}
	l, err := ref.live(p)
	if err != nil {
		err = fmt.Errorf("live files of %s: %w", ref.Part, errors.Join(ErrDamaged, err))
		if p.refs == 0 {
			delete(f.parts, p.name)
			err = errors.Join(err, p.mapped.Close())
		}
		return nil, l, err
	}
	p.refs++
	return p, l, nil
}

func (f *Family) mapPart(ref segmentRef) (*part, error) {
	mapped, err := f.dir.Map(ref.Part)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(f.dir.Path(), ref.Part)
	if int64(len(mapped.Data)) != ref.Size {
		err := fmt.Errorf("%s: %d bytes, its manifest says %d", name, len(mapped.Data), ref.Size)
		return nil, errors.Join(err, mapped.Close())
	}
	reader, err := segment.Open(mapped.Data, name)
	if err != nil {
		return nil, errors.Join(err, mapped.Close())
	}
	if ref.ID != (code.Hash{}) && reader.Identity() != ref.ID {
		err := fmt.Errorf("%s: holds segment %s of another index", name, reader.Identity())
		return nil, errors.Join(err, mapped.Close())
	}
	return &part{name: ref.Part, mapped: mapped, reader: reader}, nil
}

// retain counts one more user of parts that are in use.
func (f *Family) retain(parts []*part) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range parts {
		p.refs++
	}
}

// release counts one user less and unmaps parts without one.
func (f *Family) release(parts []*part) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range parts {
		if p.refs--; p.refs == 0 {
			delete(f.parts, p.name)
			err = errors.Join(err, p.mapped.Close())
		}
	}
	return err
}
