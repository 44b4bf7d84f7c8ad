// Package store keeps families: one repository with all its worktrees and
// named sessions. A family's folder holds
//
//	<hash>.lex        segments: immutable, written once, mapped (package segment)
//	<hash>.syn        the syntax parts of segments, added by a later pass (package segment/syn)
//	<hash>.win        windows over the segments of one view (package segment)
//	<hash>.tree       what one generation of a view saw (package merkle)
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
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store/blob/local"
	"espy/internal/windows/win"
)

// MainView is the view of a repository's own work tree.
const MainView = "main"

// ErrNoIndex says that a view has no generation yet.
var ErrNoIndex = errors.New("not indexed yet")

// Family is an open family. It is safe for concurrent use.
type Family struct {
	dir *local.Dir

	mu    sync.Mutex
	parts map[string]*part // mapped by part name, guarded by mu
	bad   map[string]error // parts found damaged, guarded by mu
}

// part is a mapped segment, syntax part, or part of windows, shared by
// snapshots. Its fields other than refs are fixed; one of the readers is set.
type part struct {
	name    string
	mapped  *local.Mapped
	reader  *segment.Reader
	syntax  *syn.Reader
	windows *win.Reader
	refs    int // guarded by Family.mu
}

// Open returns the family kept in a folder, which is made where it is missing.
func Open(path string) (*Family, error) {
	dir, err := local.Open(path)
	if err != nil {
		return nil, err
	}
	return &Family{dir: dir, parts: map[string]*part{}, bad: map[string]error{}}, nil
}

// Quarantine takes a damaged part out of use, for all processes where the
// folder can be written: snapshots opened from now on leave it out and say so,
// and the next sync writes its files anew.
func (f *Family) Quarantine(name string, cause error) {
	if !errors.Is(cause, fs.ErrNotExist) {
		if err := f.dir.SetAside(name, badSuffix); err != nil {
			cause = errors.Join(cause, err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bad[name] = cause
}

// renew takes a part that was written anew out of quarantine. Who has the old
// file mapped keeps that one.
func (f *Family) renew(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.bad, name)
	delete(f.parts, name)
}

// Holds reports whether the segment of a name, as segment.Reader.Name gives
// it, is a part of the family.
func (f *Family) Holds(segment string) bool { return filepath.Dir(segment) == f.dir.Path() }

// Recheck quarantines mapped parts whose file is not as long as it was, and
// reports whether there are any.
func (f *Family) Recheck() (found bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, p := range f.parts {
		info, err := f.dir.Stat(name)
		if err == nil && info.Size() != int64(len(p.mapped.Data)) {
			f.bad[name] = fmt.Errorf("%s: %w: it is %d bytes long, not %d", name, ErrDamaged, info.Size(), len(p.mapped.Data))
			found = true
		}
	}
	return found
}

// Lock waits for the writer's lock; TryLock answers local.ErrLocked at once.
func (f *Family) Lock(ctx context.Context) (unlock func(), err error) { return f.dir.Lock(ctx) }

// Holder returns the number of the process that has the writer's lock, or had
// it last and still runs; 0 where that is not known.
func (f *Family) Holder() int { return f.dir.Holder() }

// TryLock takes the writer's lock if no one holds it.
func (f *Family) TryLock() (unlock func(), err error) { return f.dir.TryLock() }

// Reserve fails where too little room is left on the disk to begin writing the
// index of so many bytes of source, an error that wraps syscall.ENOSPC. It is
// a quick look that spares analysing what could not be kept; there may be too
// little room still.
func (f *Family) Reserve(source int64) error {
	need := min(source/4, enoughFree)
	if free := f.dir.Free(); free >= 0 && free < need {
		return fmt.Errorf("%s: %d KB of disk are free, at least %d KB are needed: %w", f.dir.Path(), free>>10, need>>10, syscall.ENOSPC)
	}
	return nil
}

const enoughFree = 8 << 20

// Snapshot opens the newest generation of a view, ErrNoIndex where there is
// none. A writer may remove a part between the reading of the manifest and its
// mapping; the manifest that replaced it is then taken.
func (f *Family) Snapshot(view string) (*Snapshot, error) {
	for try := 0; ; try++ {
		m, err := f.readManifest(view)
		if err != nil {
			return nil, err
		}
		s, missing, err := f.open(m)
		if err != nil {
			return nil, err
		}
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

// open maps the parts of a manifest. It names a part whose file is missing,
// leaves out what is damaged, and fails where the system does.
func (f *Family) open(m *manifest) (s *Snapshot, missing string, err error) {
	s = &Snapshot{family: f, manifest: m, Freshness: m.freshness(), tree: newLazyTree(f.dir, m.Tree)}
	if errors.Is(s.tree.why, fs.ErrNotExist) && f.damage(m.Tree) == nil {
		return nil, m.Tree, nil
	}
	for _, ref := range slices.Concat(m.Segments, m.Windows) {
		p, l, err := f.acquire(ref)
		switch {
		case err == nil && p.windows != nil:
			s.parts = append(s.parts, p)
			s.Windows = append(s.Windows, p.windows)
		case err == nil:
			s.parts = append(s.parts, p)
			s.Segments = append(s.Segments, l)
			missing, err = s.openSyntax(ref, l.Reader)
		case f.damage(ref.Part) != nil:
			s.Damaged = append(s.Damaged, Damage{Part: ref.Part, Err: err})
			err = nil
		case errors.Is(err, fs.ErrNotExist):
			missing, err = ref.Part, nil
		}
		if missing != "" || err != nil {
			return nil, missing, errors.Join(err, s.Close())
		}
	}
	return s, "", nil
}

func (f *Family) damage(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bad[name]
}

// acquire returns a mapped part, counting one more user of it, and its live
// files. A part that is not what the manifest says goes into quarantine.
func (f *Family) acquire(ref segmentRef) (*part, segment.Live, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.mapLocked(ref.Part)
	if err != nil {
		return nil, segment.Live{}, err
	}
	l, err := f.match(p, ref)
	if err := f.takeLocked(p, err); err != nil {
		return nil, segment.Live{}, err
	}
	return p, l, nil
}

// mapLocked returns a part that is in use, or maps it.
func (f *Family) mapLocked(name string) (*part, error) {
	if err := f.bad[name]; err != nil {
		return nil, err
	}
	if p := f.parts[name]; p != nil {
		return p, nil
	}
	mapped, err := f.dir.Map(name)
	if err != nil {
		return nil, err
	}
	return &part{name: name, mapped: mapped}, nil
}

// takeLocked counts one more user of a part or, given what is wrong with it,
// puts it into quarantine.
func (f *Family) takeLocked(p *part, wrong error) error {
	if wrong == nil {
		p.refs++
		f.parts[p.name] = p
		return nil
	}
	f.bad[p.name] = wrong
	if p.refs == 0 {
		wrong = errors.Join(wrong, p.mapped.Close())
	}
	return wrong
}

// match opens a part, where that was not done, and holds that it is the one
// its manifest means.
func (f *Family) match(p *part, ref segmentRef) (l segment.Live, err error) {
	name := filepath.Join(f.dir.Path(), ref.Part)
	if n := int64(len(p.mapped.Data)); n != ref.Size {
		return l, fmt.Errorf("%s: %w: it is %d bytes long, not %d", name, ErrDamaged, n, ref.Size)
	}
	err = segment.Guard(func() error {
		id, err := p.open(name)
		if err != nil {
			return err
		}
		if ref.ID != (code.Hash{}) && id != ref.ID {
			return fmt.Errorf("%s: %w: it holds segment %s of another index", name, ErrDamaged, id)
		}
		l, err = ref.live(p)
		return err
	})
	if err != nil && !errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("open part: %w", err)
	}
	return l, err
}

// open opens the part where that was not done, and returns what it says it is.
func (p *part) open(name string) (id code.Hash, err error) {
	switch {
	case p.windows != nil:
		return p.windows.Identity(), nil
	case p.syntax != nil:
		return p.syntax.Identity(), nil
	case p.reader != nil:
		return p.reader.Identity(), nil
	case strings.HasSuffix(name, syntaxSuffix):
		if p.syntax, err = syn.Open(p.mapped.Data, name); err != nil {
			return id, err
		}
		return p.syntax.Identity(), nil
	case strings.HasSuffix(name, windowsSuffix):
		if p.windows, err = win.Open(p.mapped.Data, name); err != nil {
			return id, err
		}
		return p.windows.Identity(), nil
	}
	if p.reader, err = segment.Open(p.mapped.Data, name); err != nil {
		return id, err
	}
	return p.reader.Identity(), nil
}

// drop gives the memory of a part's pages back, unless the part is none.
func (p *part) drop() error {
	if p == nil {
		return nil
	}
	if err := p.mapped.Drop(); err != nil {
		return fmt.Errorf("drop pages of %s: %w", p.name, err)
	}
	return nil
}

// retain counts one more user of parts that are in use. A nil part is none.
func (f *Family) retain(parts []*part) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range parts {
		if p != nil {
			p.refs++
		}
	}
}

// release counts one user less and unmaps parts without one.
func (f *Family) release(parts []*part) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range parts {
		if p == nil {
			continue
		}
		if p.refs--; p.refs == 0 {
			if f.parts[p.name] == p {
				delete(f.parts, p.name)
			}
			err = errors.Join(err, p.mapped.Close())
		}
	}
	return err
}
