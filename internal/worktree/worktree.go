// Package worktree counts the files of a work tree that differ from the commit
// that is checked out, as `git status` does. What git's index says of a file's
// size and times decides where it can, so that few files are read.
package worktree

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
)

// Options say which work tree is counted.
type Options struct {
	Open    func() (*os.Root, error)        // its folder
	Policy  func() discover.Policy          // files that it leaves out do not count
	History func() (*git.Repository, error) // its commits
	Keep    func() string                   // the file where the next process finds what was read; nil for none
}

// Counter counts the files of a work tree that differ from HEAD: those that
// differ from git's index, those whose entry there differs from the commit,
// untracked files and removed ones. Modes, links, files of submodules and of
// nested repositories, and line endings alone do not count. It is safe for
// concurrent use.
type Counter struct {
	opts Options

	mu    sync.Mutex
	last  count                 // guarded by mu
	git   gitState              // guarded by mu
	blobs map[code.Hash]blobIDs // guarded by mu
	kept  *keptIDs              // guarded by mu; nil until they are needed
	read  int                   // files that were read and are not kept, guarded by mu
}

// count is the number of a tree at a checkout.
type count struct {
	tree  *listing.Tree
	at    git.Checkout
	n     int
	about bool
}

// gitState is what was read of git.
type gitState struct {
	index  *git.Index // as the last count found it
	commit string     // that staged was found with
	staged []string   // paths for which index differs from commit

	why     error // why index cannot be read, as it was at refused
	refused git.Checkout
}

// NewCounter returns a counter that has read nothing yet.
func NewCounter(o Options) *Counter { return &Counter{opts: o} }

// Count counts the files of a tree that differ from the commit checked out,
// and tells whether the number is only an estimate, as where git converts
// files. Where neither the tree nor git has changed since the last count it
// returns that. ErrChanging says that files changed meanwhile.
func (c *Counter) Count(ctx context.Context, at git.Checkout, tree *listing.Tree) (n int, about bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last.tree == tree && c.last.at == at {
		return c.last.n, c.last.about, nil
	}
	root, err := c.opts.Open()
	if err != nil {
		return 0, false, err
	}
	defer root.Close()
	began := time.Now()
	if n, about, err = c.count(ctx, root, at, tree); err != nil {
		return 0, false, err
	}
	if at.Index.Settled(began) {
		c.last = count{tree, at, n, about}
	}
	return n, about, nil
}

// Load reads what Count needs of git, if it is not known yet.
func (c *Counter) Load(ctx context.Context, at git.Checkout) error {
	root, err := c.opts.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.load(ctx, root, at)
}

// Loaded reports whether Load has nothing to do.
func (c *Counter) Loaded(at git.Checkout) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loaded(at)
}

// keptBlobs is how many ids are kept beside those of the files there are.
const keptBlobs = 1000

// ErrChanging says that a file is no longer as the tree has it.
var ErrChanging = errors.New("a file has changed since")

func (c *Counter) count(ctx context.Context, root *os.Root, at git.Checkout, tree *listing.Tree) (n int, about bool, err error) {
	if err := c.load(ctx, root, at); err != nil {
		return 0, false, err
	}
	reader, err := discover.NewReader(root, c.opts.Policy())
	if err != nil {
		return 0, false, err
	}
	defer reader.Close()
	if c.blobs == nil || len(c.blobs) > len(tree.Leaves)+keptBlobs {
		c.blobs = map[code.Hash]blobIDs{}
	}
	s := &scan{
		index: c.git.index, reader: reader, ids: c, commit: at.Commit, tree: tree,
		found: map[string]bool{}, nested: map[string]bool{},
	}
	for _, path := range c.git.staged {
		if s.holds(path) {
			s.found[path] = true
		}
	}
	err = s.merge(ctx)
	c.keep(at.Commit)
	if err != nil {
		return 0, false, err
	}
	return len(s.found), s.differs && s.converted(root), nil
}

// known returns the ids of a file that has a hash, if it was read before. Commits have ids
// of the same kind.
func (c *Counter) known(hash code.Hash, commit string) (ids blobIDs, ok bool) {
	if ids, ok = c.blobs[hash]; ok || c.opts.Keep == nil || hash == (code.Hash{}) {
		return ids, ok
	}
	if c.kept == nil {
		kept := readKept(c.opts.Keep(), len(commit)/2)
		c.kept = &kept
	}
	if ids, ok = c.kept.find(hash); ok {
		c.blobs[hash] = ids
	}
	return ids, ok
}

// keep keeps the ids of files for the next process where enough were read.
func (c *Counter) keep(commit string) {
	if c.opts.Keep != nil && c.read >= worthKept && commit != "" {
		writeKept(c.opts.Keep(), c.blobs, len(commit)/2)
		c.read = 0
	}
}

// loaded reports whether what was read of git is of that moment.
func (c *Counter) loaded(at git.Checkout) bool {
	if c.git.why != nil {
		return c.git.refused == at
	}
	return c.git.index != nil && c.git.index.Stamp == at.Index && c.git.commit == at.Commit
}

// load reads git's index, and asks what is staged, where either may differ from
// the last time.
func (c *Counter) load(ctx context.Context, root *os.Root, at git.Checkout) error {
	if c.loaded(at) {
		return c.git.why
	}
	c.git.index, c.git.staged, c.git.why = nil, nil, nil
	if len(c.git.commit) != len(at.Commit) {
		c.blobs, c.kept, c.read = nil, nil, 0 // ids are of another kind
	}
	c.git.commit = at.Commit
	if at.Commit == "" {
		c.git.index = &git.Index{Stamp: at.Index} // of which nothing is committed
		return nil
	}
	began := time.Now()
	x, err := git.ReadIndex(root, at.Commit)
	if err != nil {
		if at.Index.Settled(began) {
			c.git.why, c.git.refused = err, at
		}
		return err
	}
	history, err := c.opts.History()
	if err != nil {
		return err
	}
	if c.git.staged, err = history.Staged(ctx, at.Commit, x); err != nil {
		return err
	}
	c.git.index = x
	return nil
}
