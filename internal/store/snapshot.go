package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/merkle"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store/blob/local"
	"espy/internal/windows/win"
)

// Snapshot is one generation of a view, perhaps overlaid with changes that are
// not committed yet. It is immutable and safe for concurrent use until Close.
// Its methods that look into segments belong inside a segment.Guard.
type Snapshot struct {
	Repo      code.RepoID
	Name      string // of the repository, as answers print it
	Freshness code.Freshness
	Segments  []segment.Live
	Syntax    []*syn.Reader // of each segment what its files were parsed to; nil for nothing yet
	Windows   []*win.Reader // over these segments, in path order; none for a view without
	Damaged   []Damage      // parts that are left out
	Unparsed  []Damage      // syntax parts that are left out, of segments that are not
	Replaced  []Damage      // damaged parts whose files the overlay shows

	family   *Family
	manifest *manifest
	parts    []*part
	syntax   []*part // of each segment, nil for none

	pendingOnce sync.Once
	pending     int // files that were not parsed yet

	statsOnce sync.Once
	stats     segment.Stats
	tree      *lazyTree
	closeOnce sync.Once
}

// lazyTree is a tree that is decoded when it is first asked for. Its part is
// mapped until then, so that it can be read though a writer has removed it.
type lazyTree struct {
	users  atomic.Int32  // snapshots that share it
	mapped *local.Mapped // nil where the part cannot be read, or for a tree that is no part
	why    error         // why it cannot be read

	once sync.Once
	tree *merkle.Tree
	err  error

	leftOnce sync.Once
	left     int // leaves with a reason
}

// Clone returns the same snapshot for one more user, who must close it too.
func (s *Snapshot) Clone() *Snapshot {
	c := &Snapshot{
		Repo: s.Repo, Name: s.Name, Freshness: s.Freshness, Segments: s.Segments, Syntax: s.Syntax, Windows: s.Windows,
		Damaged: s.Damaged, Unparsed: s.Unparsed, Replaced: s.Replaced,
		family: s.family, manifest: s.manifest, parts: s.parts, syntax: s.syntax, tree: s.tree,
	}
	if s.tree != nil {
		s.tree.users.Add(1)
	}
	if s.family != nil {
		s.family.retain(s.parts)
		s.family.retain(s.syntax)
	}
	return c
}

// Damage is a part that cannot be read.
type Damage struct {
	Part string
	Err  error
}

// Close gives the snapshot's parts back. A second call does nothing.
func (s *Snapshot) Close() error {
	var err error
	s.closeOnce.Do(func() {
		if s.family != nil {
			err = errors.Join(s.family.release(s.parts), s.family.release(s.syntax))
		}
		err = errors.Join(err, s.tree.release())
	})
	return err
}

// Written is when the generation was committed; zero for one that never was.
func (s *Snapshot) Written() time.Time {
	if s.manifest == nil {
		return time.Time{}
	}
	return s.manifest.Written
}

// Checkout returns the commit and branch whose files the generation shows, as
// they were changed; empty where git had none checked out, or changed it meanwhile.
func (s *Snapshot) Checkout() (commit, branch string) {
	if s.manifest == nil {
		return "", ""
	}
	return s.manifest.Commit, s.manifest.Branch
}

// Policy is the discovery policy the generation was made under.
func (s *Snapshot) Policy() discover.Policy {
	if s.manifest == nil {
		return discover.Policy{}
	}
	return s.manifest.Policy
}

// Stats returns the counts over live files.
func (s *Snapshot) Stats() segment.Stats {
	s.statsOnce.Do(func() {
		for _, l := range s.Segments {
			s.stats.Add(l.LiveStats())
		}
	})
	return s.stats
}

// IndexBytes is what the snapshot's segments, their syntax and windows take on disk.
func (s *Snapshot) IndexBytes() int64 {
	n := s.SyntaxBytes()
	for _, l := range s.Segments {
		n += l.Size()
	}
	for _, w := range s.Windows {
		n += w.Size()
	}
	return n
}

// Find returns where the live file with a path is.
func (s *Snapshot) Find(path string) (seg, file int, ok bool) {
	for i, l := range s.Segments {
		if f, ok := l.FindPath(path); ok && l.Alive(f) {
			return i, f, true
		}
	}
	return 0, 0, false
}

// Each calls yield with every live file, in path order over all segments,
// until it returns false.
func (s *Snapshot) Each(yield func(seg, file int) bool) {
	type place struct {
		path      string
		seg, file int
	}
	var all []place
	for i, l := range s.Segments {
		for f := range l.NumFiles() {
			if l.Alive(f) {
				all = append(all, place{l.Path(f), i, f})
			}
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.path, b.path) })
	for _, p := range all {
		if !yield(p.seg, p.file) {
			return
		}
	}
}

// Tree returns what the generation saw, an empty tree for one that was never
// committed. It is shared: do not change it. Of a tree that is damaged, the
// error wraps ErrDamaged and the tree holds what the segments tell: the paths
// and hashes of the live files, to be compared with the files anew.
func (s *Snapshot) Tree() (*merkle.Tree, error) {
	if s.tree == nil {
		return &merkle.Tree{}, nil
	}
	s.tree.once.Do(func() { s.tree.tree, s.tree.err = s.readTree() })
	return s.tree.tree, s.tree.err
}

// newLazyTree maps the part of a tree.
func newLazyTree(dir *local.Dir, name string) *lazyTree {
	t := &lazyTree{}
	t.users.Store(1)
	t.mapped, t.why = dir.Map(name)
	return t
}

// release counts one user less, and unmaps a tree without one.
func (t *lazyTree) release() error {
	if t == nil || t.users.Add(-1) > 0 || t.mapped == nil {
		return nil
	}
	return t.mapped.Close()
}

func (s *Snapshot) readTree() (t *merkle.Tree, err error) {
	err = s.tree.why
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &merkle.Tree{}, fmt.Errorf("read tree: %w", err)
	}
	if err == nil {
		err = segment.Guard(func() (err error) { t, err = merkle.Decode(bytes.Clone(s.tree.mapped.Data)); return err })
	}
	if err == nil {
		return t, nil
	}
	err = fmt.Errorf("read tree %s: %w", s.manifest.Tree, errors.Join(ErrDamaged, err))
	t, guessErr := s.liveTree()
	return t, errors.Join(err, guessErr)
}

// liveTree makes a tree without stats of the live files.
func (s *Snapshot) liveTree() (*merkle.Tree, error) {
	t := &merkle.Tree{}
	err := segment.Guard(func() error {
		s.Each(func(seg, file int) bool {
			l := s.Segments[seg]
			t.Leaves = append(t.Leaves, merkle.Leaf{Path: l.Path(file), Hash: l.FileHash(file)})
			return true
		})
		return nil
	})
	return t, err
}

// Left is how many paths the generation left out, a folder counting once.
func (s *Snapshot) Left() int {
	tree, _ := s.Tree()
	if s.tree == nil {
		return 0
	}
	s.tree.leftOnce.Do(func() {
		for i := range tree.Leaves {
			if tree.Leaves[i].Reason != "" {
				s.tree.left++
			}
		}
	})
	return s.tree.left
}

// Excluded lists what the generation left out, in path order.
func (s *Snapshot) Excluded() []discover.Exclusion {
	tree, _ := s.Tree()
	var out []discover.Exclusion
	for i := range tree.Leaves {
		if l := &tree.Leaves[i]; l.Reason != "" {
			out = append(out, discover.Exclusion{Path: l.Path, Dir: l.Dir, Reason: discover.Reason(l.Reason), Size: l.Stat.Size, Detail: l.Detail, Count: l.Count})
		}
	}
	return out
}

// Delta is what a sync found: the paths whose old files are no longer live,
// segments with the new ones, files that were known before, and the tree as it
// is now.
type Delta struct {
	Dead     []string // sorted
	Segments [][]byte // segments in memory
	Syntax   [][]byte // of each segment its syntax part, nil for none; nil for none at all
	Revived  []Revival
	Known    *Known // that Revived was found by, to be closed with the delta
	Tree     *merkle.Tree
}

// Close gives back what the delta needs.
func (d *Delta) Close() error { return d.Known.Close() }

// Overlay returns a snapshot that shows the delta without committing it: a
// delta that holds the files of damaged parts too. The snapshot s stays open
// and must be closed too.
func (s *Snapshot) Overlay(d Delta) (*Snapshot, error) {
	o := s.Clone()
	o.Segments, o.Syntax, o.Windows = nil, slices.Clone(s.Syntax), nil
	o.parts, o.syntax = slices.Clone(s.parts), slices.Clone(s.syntax)
	o.Damaged, o.Replaced = nil, s.Damaged
	err := segment.Guard(func() error {
		for _, l := range s.Segments {
			l, _ = bury(l, d.Dead)
			o.Segments = append(o.Segments, l)
		}
		o.overlayRevived(d.Revived)
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("overlay changes: %w", err), o.Close())
	}
	for i, data := range d.Segments {
		r, err := segment.Open(data, fmt.Sprintf("overlay segment %d", i))
		if err == nil {
			err = o.overlaySyntax(d, i)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("overlay changes: %w", err), o.Close())
		}
		o.Segments = append(o.Segments, segment.Live{Reader: r})
	}
	if err := o.tree.release(); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	o.tree = &lazyTree{tree: d.Tree}
	o.tree.users.Store(1)
	o.tree.once.Do(func() {})
	return o, nil
}

// overlaySyntax adds the syntax part of a segment of a delta.
func (s *Snapshot) overlaySyntax(d Delta, i int) error {
	if d.Syntax == nil || d.Syntax[i] == nil {
		s.Syntax = append(s.Syntax, nil)
		return nil
	}
	r, err := syn.Open(d.Syntax[i], fmt.Sprintf("overlay syntax %d", i))
	s.Syntax = append(s.Syntax, r)
	return err
}

// bury returns a segment with the paths no longer live in it, and whether any was.
func bury(l segment.Live, paths []string) (_ segment.Live, some bool) {
	for _, path := range paths {
		f, ok := l.FindPath(path)
		if !ok || !l.Alive(f) {
			continue
		}
		if !some {
			l.Live, some = liveCopy(l), true
		}
		l.Live.Clear(f)
	}
	return l, some
}

func liveCopy(l segment.Live) segment.Bitmap {
	if l.Live == nil {
		return segment.NewBitmap(l.NumFiles())
	}
	return l.Live.Clone()
}
