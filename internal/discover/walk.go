package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"espy/internal/discover/globs"
	"espy/internal/discover/roots"
	"espy/internal/glob"
	"espy/internal/listing"
)

const (
	maxListedPerDir = 10_000 // exclusions listed one by one for each folder
)

// Options is what a walk needs beside its policy.
type Options struct {
	GlobalIgnore string // path of the user's global ignore file; "" for none; one that cannot be read is a notice
	Workers      int    // folders read side by side; 0 is one for each processor, at most 8

	// Enter is called with each folder before it is read, "" being the root, from any goroutine.
	Enter func(dir string)

	// Choose, where it is not nil, alone decides which files and folders are kept, by
	// what the ignore files say of them. It is called from any goroutine.
	Choose func(path string, dir bool, ignored glob.Verdict) bool

	// Stat, where it is not nil, says which files need sizes, times and inodes. Those of
	// others are 0: no limit counts their bytes. It is called from any goroutine.
	Stat func(path string) bool

	ByName     bool // the listing is in order of one name after the other, in which a folder stands by its name
	RequireGit bool // .gitignore files and the global one count within repositories alone

	// Listed, where it is not nil, is what a look at the tree saw, in the order of a
	// listing.Tree, and nothing of that has changed since: the disk is asked for the rest.
	// Files may lack in it that are not asked about.
	Listed []listing.Leaf

	// Before, where it is not nil, is what an earlier look at the tree saw, under any
	// policy. A folder that is as that look saw it is not listed again; its files are
	// looked at nevertheless.
	Before  *listing.Tree
	Folders bool // Listing.Folders is wanted

	portable bool // test hook: use the portable tree
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

// Listing is the result of a walk.
type Listing struct {
	Entries  []Entry          // sorted by path, or as Options.ByName has it
	Excluded []Exclusion      // sorted by path
	Bytes    int64            // sum of the sizes of Entries
	Dirs     int              // folders read
	Folders  []listing.Folder // those, in the order of a listing.Tree, where Options asks for them
	Notices  []string         // what was not as the policy asks, in words for the user
}

// Walk lists the files below root that the policy keeps. A folder that cannot
// be read is an exclusion and the walk goes on; the walk fails when ctx ends,
// when the root cannot be read or is no longer where it was opened, when the
// policy is invalid or when the process runs out of descriptors or memory.
func Walk(ctx context.Context, root *os.Root, p Policy, o Options) (*Listing, error) {
	w, err := newWalker(root, p, o)
	if err != nil {
		return nil, err
	}
	defer w.tree.close()
	l, err := w.listing(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("walk %s: %w", filepath.Clean(root.Name()), err)
	}
	return l, nil
}

// walker holds what one walk shares between its goroutines; nothing in it
// changes while they run except the counters.
type walker struct {
	tree     tree
	policy   Policy
	include  globs.List
	exclude  globs.List
	wild     *globs.Wild // instead of both, in DialectWild
	notices  []string    // for Listing.Notices
	ignorer  ignorer
	workers  int
	byName   bool                   // Options.ByName
	entered  func(dir string)       // called before a folder is read
	stat     func(path string) bool // Options.Stat
	choose   func(path string, dir bool, ignored glob.Verdict) bool
	memory   *listing.Memory              // of Options.Before; nil for none
	noted    bool                         // Options.Folders
	expected struct{ files, folders int } // in Options.Before
	maxSize  int64
	maxFiles int64
	maxBytes int64

	tasks   chan task
	pending atomic.Int64 // tasks sent or in work
	idle    atomic.Int64 // goroutines that wait for a task
	files   atomic.Int64
	bytes   atomic.Int64
}

// task is a folder to read, with everything below it, into run.
type task struct {
	dir     string // "" or a path
	known   int    // as dirent.known
	ignores ignores
	run     *run
}

// run collects what one goroutine found in path order. Folders that another
// goroutine took over are spliced in.
type run struct {
	entries  []Entry
	excluded []Exclusion
	folders  []listing.Folder
	splices  []splice
	dirs     int
}

type splice struct {
	entries, excluded, folders int // how many of each stood before
	run                        *run
}

// errOverLimit stops a parallel walk that found more than the policy allows.
var errOverLimit = errors.New("over the limit")

func newWalker(root *os.Root, p Policy, o Options) (*walker, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("discovery policy: %w", err)
	}
	w := &walker{policy: p, workers: o.workers(), byName: o.ByName, stat: o.Stat, entered: o.Enter, choose: o.Choose, maxSize: p.maxFileBytes(), maxFiles: p.maxFiles(), maxBytes: p.maxBytes()}
	w.ignorer = ignorer{git: !p.NoGitignore, files: p.ignoreFiles(), anywhere: !o.RequireGit}
	if p.Dialect == DialectWild {
		w.wild, _ = globs.NewWild(filepath.Clean(root.Name()), p.Include, p.Exclude)
	} else {
		w.include, _ = globs.New("include", p.Include)
		w.exclude, _ = globs.New("exclude", p.Exclude)
	}
	if !p.NoGitignore && o.GlobalIgnore != "" {
		text, err := readGlobal(o.GlobalIgnore)
		if err != nil { // git goes on without it too
			w.notices = append(w.notices, fmt.Sprintf("the global ignore file of git is not applied: %v", err))
		}
		w.ignorer.global = glob.ParseRules(text)
	}
	if w.entered == nil {
		w.entered = func(string) {}
	}
	var err error
	if w.tree, err = openTree(root, o.portable); err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	w.noted = o.Folders
	if o.Before != nil {
		w.memory = listing.Remember(o.Before)
		w.expected.files, w.expected.folders = len(o.Before.Leaves), len(o.Before.Folders)
	}
	if o.Listed != nil {
		w.tree = &listedTree{w.tree, o.Listed}
	}
	w.ignorer.tree = w.tree
	return w, nil
}

// listing walks the tree and makes sure that root was there all the time.
func (w *walker) listing(ctx context.Context, root *os.Root) (*Listing, error) {
	l, err := w.walk(ctx)
	if err != nil {
		return nil, err
	}
	if err := roots.Stands(root); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.Excluded, func(a, b Exclusion) int { return strings.Compare(a.Path, b.Path) })
	if why := w.whyNothing(l); why != "" {
		l.Notices = append(slices.Clip(l.Notices), why)
	}
	return l, nil
}

// walk lists the tree side by side, and once more one by one if a limit is
// reached, so that what a limit drops does not depend on timing.
func (w *walker) walk(ctx context.Context) (*Listing, error) {
	root, err := w.parallel(ctx)
	if errors.Is(err, errOverLimit) {
		root, err = w.serial(ctx)
	}
	if err != nil {
		return nil, err
	}
	l := &Listing{Notices: w.notices, Entries: root.entries, Excluded: root.excluded, Folders: root.folders, Bytes: w.bytes.Load(), Dirs: root.dirs}
	if len(root.splices) > 0 {
		l.Entries, l.Excluded, l.Folders, l.Dirs = slices.Grow([]Entry(nil), int(w.files.Load())), nil, nil, 0
		root.collect(l)
	}
	return l, nil
}

// collect appends the run and what is spliced into it to l.
func (r *run) collect(l *Listing) {
	entries, excluded, folders := 0, 0, 0
	for _, s := range r.splices {
		l.Entries = append(l.Entries, r.entries[entries:s.entries]...)
		l.Excluded = append(l.Excluded, r.excluded[excluded:s.excluded]...)
		l.Folders = append(l.Folders, r.folders[folders:s.folders]...)
		entries, excluded, folders = s.entries, s.excluded, s.folders
		s.run.collect(l)
	}
	l.Entries = append(l.Entries, r.entries[entries:]...)
	l.Excluded = append(l.Excluded, r.excluded[excluded:]...)
	l.Folders = append(l.Folders, r.folders[folders:]...)
	l.Dirs += r.dirs
}

func (w *walker) parallel(ctx context.Context) (*run, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.tasks = make(chan task)
	root := &run{entries: slices.Grow([]Entry(nil), w.expected.files), folders: slices.Grow([]listing.Folder(nil), w.expected.folders)}
	w.pending.Store(1)
	var group sync.WaitGroup
	for range w.workers {
		group.Go(func() {
			v := visitor{walker: w, ctx: ctx, given: map[int]*run{}}
			w.idle.Add(1)
			for t := range w.tasks {
				w.idle.Add(-1)
				if err := v.visit(t.dir, t.known, t.ignores, t.run); err != nil {
					cancel(err)
				}
				w.idle.Add(1)
				if w.pending.Add(-1) == 0 {
					close(w.tasks)
				}
			}
		})
	}
	w.tasks <- task{known: 1, run: root}
	group.Wait()
	return root, context.Cause(ctx)
}

func (w *walker) serial(ctx context.Context) (*run, error) {
	w.files.Store(0)
	w.bytes.Store(0)
	w.tasks = nil
	root := &run{}
	v := visitor{walker: w, ctx: ctx, capped: true}
	return root, v.visit("", 1, ignores{}, root)
}
