package store

import (
	"sync"
	"sync/atomic"

	"espy/internal/listing"
	"espy/internal/store/blob/local"
)

// lazyTree is a tree that is decoded when it is first asked for. Its part is
// mapped until then, so that it can be read though a writer has removed it.
type lazyTree struct {
	users  atomic.Int32  // snapshots that share it
	mapped *local.Mapped // nil where the part cannot be read, or for a tree that is no part
	why    error         // why it cannot be read

	once sync.Once
	tree *listing.Tree
	err  error

	leftOnce sync.Once
	left     int // leaves with a reason
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

// treeSuffix ends the names of trees.
const treeSuffix = ".tree"
