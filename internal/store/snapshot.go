package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/embedding/adapt"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
	"espy/internal/windows/win"
)

// Snapshot is one generation of a view, perhaps overlaid with changes that are
// not committed yet. It is immutable and safe for concurrent use until Close.
// Its methods that look into segments belong inside a segment.Guard.
type Snapshot struct {
	Repo      code.RepoID
	Name      string // of the repository, as answers print it
	Freshness code.Freshness
	Segments  []Segment
	Windows   []*win.Reader // over these segments, in path order; none for a view without
	Damaged   []Damage      // parts that are left out
	Unparsed  []Damage      // parts beside segments that are left out, of segments that are not
	Replaced  []Damage      // damaged parts whose files the overlay shows

	Adapter   *adapt.Adapter // turns questions about meaning, as the repository taught; nil for none
	Elsewhere vec.Keeper     // answers for vectors that are away; nil for none

	family   *Family
	manifest *manifest.Manifest
	windows  []*part.Part

	pendingOnce sync.Once
	pending     int // files that were not parsed yet

	statsOnce sync.Once
	stats     segment.Stats
	tree      *lazyTree
	closeOnce sync.Once
}

// Clone returns the same snapshot for one more user, which must close it too.
func (s *Snapshot) Clone() *Snapshot {
	c := &Snapshot{
		Repo: s.Repo, Name: s.Name, Freshness: s.Freshness, Segments: s.Segments, Windows: s.Windows,
		Damaged: s.Damaged, Unparsed: s.Unparsed, Replaced: s.Replaced, Adapter: s.Adapter, Elsewhere: s.Elsewhere,
		family: s.family, manifest: s.manifest, windows: s.windows, tree: s.tree,
	}
	if s.tree != nil {
		s.tree.users.Add(1)
	}
	if s.family != nil {
		s.family.pool.Retain(s.parts()...)
	}
	return c
}

// Damage is a part that cannot be read.
type Damage struct {
	Part string
	Err  error
}

// parts returns the parts that the snapshot holds. Some are nil.
func (s *Snapshot) parts() []*part.Part { return append(partsOf(s.Segments), s.windows...) }

// Same reports whether two snapshots show the same segments, with the same files
// live and the same syntax.
func (s *Snapshot) Same(o *Snapshot) bool {
	return slices.EqualFunc(s.Segments, o.Segments, func(a, b Segment) bool {
		return a.Reader == b.Reader && a.Syntax == b.Syntax && slices.Equal(a.Live.Live, b.Live.Live)
	})
}

// Close gives the snapshot's parts back. A second call does nothing.
func (s *Snapshot) Close() error {
	var err error
	s.closeOnce.Do(func() {
		if s.family != nil {
			err = s.family.pool.Release(s.parts()...)
		}
		err = errors.Join(err, s.tree.release())
	})
	return err
}

// Written is when the generation was committed; zero for one that never was.
func (s *Snapshot) Written() time.Time { return s.generation().Written }

// Checkout returns the commit and branch whose files the generation shows, as
// they were changed; empty where git had none checked out, or changed it meanwhile.
func (s *Snapshot) Checkout() (commit, branch string) {
	m := s.generation()
	return m.Commit, m.Branch
}

// Policy is the discovery policy the generation was made under.
func (s *Snapshot) Policy() discover.Policy { return s.generation().Policy }

// generation returns the manifest, an empty one for a snapshot that has none.
func (s *Snapshot) generation() *manifest.Manifest {
	if s.manifest == nil {
		return &manifest.Manifest{}
	}
	return s.manifest
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

// IndexBytes is what the parts of the snapshot take on disk.
func (s *Snapshot) IndexBytes() (n int64) {
	for _, p := range s.parts() {
		if p != nil {
			n += p.Content.Size()
		}
	}
	return n
}

// SyntaxBytes is what the syntax parts of the snapshot take on disk.
func (s *Snapshot) SyntaxBytes() int64 { return s.bytes(syntaxKind{}) }

// VectorBytes is the same of the vectors by one of the two models.
func (s *Snapshot) VectorBytes(remote bool) int64 { return s.bytes(vectorsKind{remote}) }

func (s *Snapshot) bytes(k companion) (n int64) {
	for i := range s.Segments {
		if p := k.of(&s.Segments[i]); p != nil {
			n += p.Content.Size()
		}
	}
	return n
}

// Release gives the memory of what was read of the snapshot's files back to the
// system, which reads it again when it is touched.
func (s *Snapshot) Release() (err error) {
	for _, p := range s.parts() {
		err = errors.Join(err, p.Drop())
	}
	return err
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
	all := make([]place, 0, s.Stats().Files)
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

// Tree returns what the generation saw, or a later look at the files that found none of
// them changed, an empty tree for a generation that was never committed. It is shared: do not change it. When the tree is damaged, the error
// wraps ErrDamaged and the result is made from the segments: the paths and hashes
// of the live files, without stats.
func (s *Snapshot) Tree() (*listing.Tree, error) {
	if s.tree == nil {
		return &listing.Tree{}, nil
	}
	s.tree.once.Do(func() { s.tree.tree, s.tree.err = s.readTree() })
	return s.tree.tree, s.tree.err
}

func (s *Snapshot) readTree() (t *listing.Tree, err error) {
	err = s.tree.why
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &listing.Tree{}, fmt.Errorf("read tree: %w", err)
	}
	if err == nil {
		err = segment.Guard(func() (err error) { t, err = listing.Decode(bytes.Clone(s.tree.mapped.Data)); return err })
	}
	if err == nil {
		return t, nil
	}
	err = fmt.Errorf("read tree %s: %w", s.manifest.Tree, errors.Join(ErrDamaged, err))
	t, guessErr := s.liveTree()
	return t, errors.Join(err, guessErr)
}

// liveTree makes a tree without stats of the live files.
func (s *Snapshot) liveTree() (*listing.Tree, error) {
	t := &listing.Tree{}
	err := segment.Guard(func() error {
		s.Each(func(seg, file int) bool {
			l := s.Segments[seg]
			t.Leaves = append(t.Leaves, listing.Leaf{Path: l.Path(file), Hash: l.FileHash(file)})
			return true
		})
		return nil
	})
	return t, err
}

// Left is how many paths the generation left out, a folder counting once.
func (s *Snapshot) Left() int {
	if s.tree == nil {
		return 0
	}
	s.tree.leftOnce.Do(func() {
		list := s.Excluded()
		if slices.ContainsFunc(list, func(x discover.Exclusion) bool { return x.Reason != discover.ReasonVCS }) {
			s.tree.left = len(list)
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
