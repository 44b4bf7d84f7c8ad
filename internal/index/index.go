// Package index brings a view up to date with its files. A sync walks the
// tree, compares it with what the view's last generation saw, reads and
// analyses only what differs (file.go), and either commits the result or
// hands it back as an overlay in memory.
package index

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/frugal"
	"espy/internal/git"
	"espy/internal/glob"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store"
)

// Plan is what differs between a snapshot and the files as they are. The
// snapshot stays open for as long as the plan is of use.
type Plan struct {
	Changed []discover.Entry // to read: new, or not what the snapshot saw
	Dead    []string         // indexed before and gone; sorted
	Bytes   int64            // size of Changed together
	Total   int              // files that the walk let through
	Damaged bool             // the snapshot lacks parts, which a commit replaces
	Notices []string         // of the walk

	root    *os.Root
	base    *store.Snapshot // that the files were compared with, nil for nothing
	only    []glob.Glob     // what was compared; all where it is empty
	looked  int64
	head    git.Checkout     // when the look began
	doubts  int              // of Changed, those that only may have changed
	failed  int              // of doubts, those that could not be read before
	kept    []*listing.Leaf  // of what the snapshot saw, settled without reading
	left    []listing.Leaf   // left out by the walk
	folders []listing.Folder // of the walk
	before  map[string]listing.Leaf
	lost    func(path string) bool // whether an indexed file is in a damaged part; needs a Guard
}

// Clean reports whether nothing differs.
func (p *Plan) Clean() bool { return len(p.Changed) == 0 && len(p.Dead) == 0 && !p.Damaged }

// Idle reports whether a delta made from the plan is not worth a generation:
// files were tried again that could not be read before, and still cannot.
func (p *Plan) Idle(d store.Delta) bool {
	return !p.Damaged && p.failed == len(p.Changed) && len(d.Dead)+len(d.Segments)+len(d.Reused) == 0
}

// Others is the tree that a walk found which found no change, nil where it left out
// what the snapshot left out.
func (p *Plan) Others() *listing.Tree {
	before, err := p.base.Tree()
	if err == nil && len(p.kept)+len(p.left) == len(before.Leaves) && !p.LeavesOutOthers() {
		return nil
	}
	return p.Seen()
}

// LeavesOutOthers reports whether the walk left out other files than the snapshot did.
func (p *Plan) LeavesOutOthers() bool {
	if p.base == nil || p.Bounded() {
		return false
	}
	before, err := p.base.Tree()
	left := p.left
	for i := range before.Leaves {
		if l := &before.Leaves[i]; l.Reason == "" || l.Read {
			continue
		} else if len(left) == 0 || left[0] != *l {
			return err == nil
		}
		left = left[1:]
	}
	return err == nil && len(left) > 0
}

// Seen is the tree that the walk found. Files that would have to be read to
// know whether they belong to the index stand in it as ones that were not.
func (p *Plan) Seen() *listing.Tree {
	changed := make([]listing.Leaf, len(p.Changed))
	for i, e := range p.Changed {
		changed[i] = listing.Leaf{Path: e.Path, Stat: statOf(e)}
	}
	return p.tree(changed)
}

// tree is what the plan saw, given the leaves of the files that were read.
func (p *Plan) tree(read []listing.Leaf) *listing.Tree {
	leaves := make([]listing.Leaf, 0, len(p.kept)+len(p.left)+len(read))
	for _, l := range p.kept {
		leaves = append(leaves, *l)
	}
	leaves = append(append(leaves, p.left...), read...)
	listing.Sort(leaves)
	return &listing.Tree{Looked: p.looked, Leaves: leaves, Folders: p.folders}
}

// generation is what a commit records of the plan, of whose files done are
// indexed so far; 0 stands for all.
func (p *Plan) generation(o Options, read []listing.Leaf, done int) store.Generation {
	g := store.Generation{Tree: p.tree(read), Policy: o.Policy, Commit: o.Frozen.Commit, Branch: o.Frozen.Ref, Written: time.Now()}
	if o.Frozen.Commit == "" && p.Settled() { // or else the files may be of several commits
		g.Commit, g.Branch = p.head.Commit, p.head.Branch
	}
	if done > 0 {
		g.Indexed, g.Total = done, p.Total
	}
	return g
}

// Settled reports whether the files that the plan saw are those of what git has
// checked out: it did nothing from before they were looked at until now.
func (p *Plan) Settled() bool { return !p.head.Busy && p.head == git.Look(p.root) }

// Recorded reports whether a generation says that it is of what was checked out
// when the files were looked at.
func (p *Plan) Recorded(s *store.Snapshot) bool {
	commit, branch := s.Checkout()
	return commit == p.head.Commit && branch == p.head.Branch
}

// paths yields the paths of the changed files.
func (p *Plan) paths(yield func(string) bool) {
	for i := range p.Changed {
		if !yield(p.Changed[i].Path) {
			return
		}
	}
}

// Files is how many files differ by what the file system says of them.
func (p *Plan) Files() int { return len(p.Changed) - p.doubts + len(p.Dead) }

// Compare walks the root and compares it with what a snapshot saw; a nil
// snapshot saw nothing. It reads no file but ignore files.
func Compare(ctx context.Context, root *os.Root, s *store.Snapshot, o Options) (*Plan, error) {
	defer frugal.Compare(files(s))()
	p := &Plan{root: root, base: s, head: git.Look(root), looked: time.Now().UnixNano(), before: map[string]listing.Leaf{}}
	if err := p.bound(&o); err != nil {
		return nil, err
	}
	tree, err := p.seen(s)
	if err != nil {
		return nil, err
	}
	walk := discover.Options{GlobalIgnore: o.GlobalIgnore, Enter: o.Hooks.Enter, Folders: p.remembers(o)}
	if !o.Paranoid {
		walk.Before = tree
	}
	found, err := discover.Walk(ctx, root, o.Policy, walk)
	if err != nil {
		return nil, err
	}
	p.folders = found.Folders
	entries := o.Frozen.join(found.Entries, p.looked)
	p.Total, p.Notices = len(entries), found.Notices
	p.kept = make([]*listing.Leaf, 0, len(entries))
	if err := segment.Guard(func() error { p.compare(tree, entries, o.Paranoid); return nil }); err != nil {
		return nil, err
	}
	for _, x := range slices.Concat(found.Excluded, o.Frozen.Left) {
		if !p.covers(x.Path, x.Dir) {
			continue
		}
		p.left = append(p.left, listing.Leaf{
			Path: x.Path, Dir: x.Dir, Reason: string(x.Reason), Detail: x.Detail, Count: x.Count, Stat: listing.Stat{Size: x.Size},
		})
	}
	return p, nil
}

// bound takes over what is to be compared. A policy that says itself which files are
// indexed is compared as a whole.
func (p *Plan) bound(o *Options) error {
	if len(o.Policy.Include) > 0 {
		return nil
	}
	for _, text := range o.Only {
		g, err := glob.Compile(text)
		if err != nil {
			return err
		}
		p.only = append(p.only, g)
	}
	o.Policy.Include = o.Only
	return nil
}

// covers reports whether a path was compared.
func (p *Plan) covers(path string, dir bool) bool {
	return len(p.only) == 0 || slices.ContainsFunc(p.only, func(g glob.Glob) bool { return g.Covers(path, dir) })
}

// Bounded reports whether only a part of the files was compared.
func (p *Plan) Bounded() bool { return len(p.only) > 0 }

// remembers reports whether the walk sees all that its folders hold, so that the next one
// need not list those that stay as they are.
func (p *Plan) remembers(o Options) bool { return !p.Bounded() && o.Frozen.Commit == "" }

// files returns how many files a snapshot has, 0 for none.
func files(s *store.Snapshot) (n int) {
	if s == nil {
		return 0
	}
	err := segment.Guard(func() error { n = s.Stats().Files; return nil })
	if err != nil {
		return 0 // the comparison meets the same damage and reports it
	}
	return n
}

// seen returns what the snapshot saw.
func (p *Plan) seen(s *store.Snapshot) (*listing.Tree, error) {
	p.lost = func(string) bool { return false }
	if s == nil {
		return &listing.Tree{}, nil
	}
	tree, err := s.Tree()
	var corrupt *segment.CorruptError
	if err != nil && (!errors.Is(err, store.ErrDamaged) || errors.As(err, &corrupt)) {
		return nil, err
	}
	p.Damaged = err != nil || len(s.Damaged) > 0
	if len(s.Damaged) > 0 {
		p.lost = func(path string) bool { _, _, ok := s.Find(path); return !ok }
	}
	return tree, nil
}

// compare goes through the old leaves and the new entries side by side.
func (p *Plan) compare(tree *listing.Tree, entries []discover.Entry, paranoid bool) {
	now := func(yield func(*discover.Entry) bool) {
		for i := range entries {
			if !yield(&entries[i]) {
				return
			}
		}
	}
	byPath := func(l *listing.Leaf, e *discover.Entry) int { return strings.Compare(l.Path, e.Path) }
	for l, e := range listing.Join(tree.Leaves, now, byPath) {
		switch {
		case e == nil && !p.covers(l.Path, l.Dir):
			p.kept = append(p.kept, l)
		case e == nil && l.Reason == "":
			p.Dead = append(p.Dead, l.Path)
		case e == nil:
		case l == nil || !p.keep(l, e, paranoid || l.Stat.Racy(tree.Looked)):
			p.change(e, l)
		}
	}
}

// keep keeps the leaf of a file whose stat is what it was, unless that is
// doubted, and reports whether it did.
func (p *Plan) keep(l *listing.Leaf, e *discover.Entry, doubted bool) bool {
	if l.Stat != statOf(*e) {
		return false
	}
	if l.Reason != "" && !l.Read {
		p.doubts++
		p.failed++
		return false
	}
	if l.Reason == "" && p.lost(l.Path) {
		return false
	}
	if doubted {
		p.doubts++
		return false
	}
	p.kept = append(p.kept, l)
	return true
}

func (p *Plan) change(e *discover.Entry, l *listing.Leaf) {
	p.Changed = append(p.Changed, *e)
	p.Bytes += e.Size
	if l != nil {
		p.before[e.Path] = *l
	}
}

func statOf(e discover.Entry) listing.Stat {
	return listing.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode}
}
