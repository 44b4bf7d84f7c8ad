// Package index brings a view up to date with its files. A sync walks the
// tree, compares it with what the view's last generation saw, reads and
// analyses only what differs (file.go), and either commits the result or
// hands it back as an overlay in memory.
package index

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/merkle"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
)

// Options say how to look at the files. The zero value is the default.
type Options struct {
	Policy       discover.Policy
	GlobalIgnore string // path of the user's own ignore file, "" for none
	Paranoid     bool   // hash every file, whatever its stat says
	Workers      int    // files analysed side by side; 0 is one per processor
	NoTerms      bool   // for a view that is not ranked by chunks
	Progress     func(progress.Report)
	Analysed     *atomic.Int64    // counts the files that are analysed or parsed, and not taken over from elsewhere; nil counts none
	Enter        func(dir string) // called with each folder before it is read, from any goroutine
	Asked        func() bool      // whether somebody waits for an answer: all workers but one then stand back
	Parser       Parser           // of languages other than Go; without one their files wait to be parsed

	// Of a root that is no work tree but the files of a commit:
	Commit string               // its id; empty takes what is checked out
	Ref    string               // the name it was asked for by
	Left   []discover.Exclusion // what of it is not below the root, and why

	// Siblings tells which views of the family analyse files as this one does:
	// a file whose path and content one of them has, or this one had, is taken
	// over instead of analysed. Nil takes nothing over.
	Siblings func(view string) bool
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(max(1, runtime.GOMAXPROCS(0)), maxWorkers)
}

func (o Options) analysed(n int) {
	if o.Analysed != nil {
		o.Analysed.Add(int64(n))
	}
}

func (o Options) report(p progress.Report) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Plan is what differs between a snapshot and the files as they are. The
// snapshot stays open for as long as the plan is of use.
type Plan struct {
	Changed []discover.Entry // to read: new, or not what the snapshot saw
	Dead    []string         // indexed before and gone; sorted
	Bytes   int64            // size of Changed together
	Total   int              // files that the walk let through
	Damaged bool             // the snapshot lacks parts, which a commit replaces
	Notices []string         // of the walk

	root   *os.Root
	base   *store.Snapshot // that the files were compared with, nil for nothing
	looked int64
	head   git.Checkout  // when the look began
	doubts int           // of Changed, those that only may have changed
	failed int           // of doubts, those that could not be read before
	kept   []merkle.Leaf // settled without reading
	before map[string]merkle.Leaf
	lost   func(path string) bool // whether an indexed file is in a damaged part; needs a Guard
}

// Clean reports whether nothing differs.
func (p *Plan) Clean() bool { return len(p.Changed) == 0 && len(p.Dead) == 0 && !p.Damaged }

// Idle reports whether a delta made from the plan is not worth a generation:
// files were tried again that could not be read before, and still cannot.
func (p *Plan) Idle(d store.Delta) bool {
	return !p.Damaged && p.failed == len(p.Changed) && len(d.Dead)+len(d.Segments)+len(d.Revived) == 0
}

// Seen is the tree that the walk found. Files that would have to be read to
// know whether they belong to the index stand in it as ones that were not.
func (p *Plan) Seen() *merkle.Tree {
	changed := make([]merkle.Leaf, len(p.Changed))
	for i, e := range p.Changed {
		changed[i] = merkle.Leaf{Path: e.Path, Stat: statOf(e)}
	}
	return p.tree(changed)
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
	defer saveMemoryFor(s)()
	p := &Plan{root: root, base: s, head: git.Look(root), looked: time.Now().UnixNano(), before: map[string]merkle.Leaf{}}
	listing, err := discover.Walk(ctx, root, o.Policy, discover.Options{GlobalIgnore: o.GlobalIgnore, Enter: o.Enter})
	if err != nil {
		return nil, err
	}
	tree, err := p.seen(s)
	if err != nil {
		return nil, err
	}
	p.Total, p.Notices = len(listing.Entries), listing.Notices
	if err := segment.Guard(func() error { p.merge(tree, listing, o.Paranoid); return nil }); err != nil {
		return nil, err
	}
	for _, x := range slices.Concat(listing.Excluded, o.Left) {
		p.kept = append(p.kept, merkle.Leaf{
			Path: x.Path, Dir: x.Dir, Reason: string(x.Reason), Detail: x.Detail, Count: x.Count, Stat: merkle.Stat{Size: x.Size},
		})
	}
	return p, nil
}

// seen returns what the snapshot saw.
func (p *Plan) seen(s *store.Snapshot) (*merkle.Tree, error) {
	p.lost = func(string) bool { return false }
	if s == nil {
		return &merkle.Tree{}, nil
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

// merge goes through the old leaves and the new entries side by side.
func (p *Plan) merge(tree *merkle.Tree, listing *discover.Listing, paranoid bool) {
	old := tree.Leaves
	for _, e := range listing.Entries {
		for len(old) > 0 && old[0].Path < e.Path {
			p.gone(old[0])
			old = old[1:]
		}
		if len(old) == 0 || old[0].Path != e.Path {
			p.change(e, nil)
			continue
		}
		l := old[0]
		old = old[1:]
		same := l.Stat == statOf(e) && (l.Reason == "" && !p.lost(l.Path) || l.Read && l.Reason != "")
		failed := l.Stat == statOf(e) && l.Reason != "" && !l.Read
		if same && !Racy(l.Stat, tree.Looked) && !paranoid {
			p.kept = append(p.kept, l)
			continue
		}
		if same || failed {
			p.doubts++
		}
		if failed {
			p.failed++
		}
		p.change(e, &l)
	}
	for _, l := range old {
		p.gone(l)
	}
}

func (p *Plan) gone(l merkle.Leaf) {
	if l.Reason == "" {
		p.Dead = append(p.Dead, l.Path)
	}
}

func (p *Plan) change(e discover.Entry, l *merkle.Leaf) {
	p.Changed = append(p.Changed, e)
	p.Bytes += e.Size
	if l != nil {
		p.before[e.Path] = *l
	}
}

func statOf(e discover.Entry) merkle.Stat {
	return merkle.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode}
}

// Racy reports whether a file could have been changed again, after a look at
// it, without its stat showing that: its change time is as new as the look,
// to the granularity of the file system's clock. The kernel stamps files with
// a clock that ticks every 1 to 10 ms; file systems without finer times keep
// whole seconds. A look made while the clock stood behind the files doubts all
// of them. (The method of git's index: "racy git" in its documentation.)
func Racy(s merkle.Stat, looked int64) bool {
	changed := s.CTime
	if changed == 0 { // a system that tells none
		changed = s.MTime
	}
	granularity := int64(20 * time.Millisecond)
	if changed%int64(time.Second) == 0 {
		granularity = int64(2 * time.Second)
	}
	return changed > looked-granularity
}
