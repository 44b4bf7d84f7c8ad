package origin

import (
	"context"
	"errors"
	"os"
	"time"

	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/workspace/view"
	"espy/internal/worktree"
)

// checkout tells what git has checked out in a work tree.
type checkout struct {
	view  *view.View
	open  func() (*os.Root, error)
	dirty *worktree.Counter
}

// now returns what is checked out.
func (c *checkout) now() git.Checkout {
	root, err := c.open()
	if err != nil {
		return git.Checkout{}
	}
	defer root.Close()
	return git.Look(root)
}

// load reads what Count needs of git while the files are compared, and closes
// the channel when it is done. Count meets again what fails.
func (c *checkout) load(ctx context.Context, limit time.Duration, at git.Checkout) <-chan struct{} {
	done := make(chan struct{})
	if at.Commit == "" || limit == 0 || c.dirty.Loaded(at) {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if err := c.dirty.Load(ctx, at); err != nil {
			c.view.Env.Log.Debug("git's index cannot be used", "repo", c.view.Repo(), "err", err)
		}
	}()
	return done
}

// tell writes into a snapshot's freshness what was checked out before it was
// compared with the files, and how many files differ from that. Where the
// snapshot does not show the files as they are, seen is what they are instead,
// or nil where that is not known.
func (c *checkout) tell(ctx context.Context, s *store.Snapshot, at git.Checkout, seen *listing.Tree) {
	f := &s.Freshness
	f.Head, f.Branch = at.Commit, at.Branch
	if f.Unchecked || f.Partial || f.PendingFiles > 0 && seen == nil {
		return
	}
	if f.Compared != "" {
		f.DirtyUnknown = "only a part of the files was compared"
		return
	}
	if at.Commit == "" && at.Branch == "" { // outside git
		f.Commit = ""
		return
	}
	now := seen
	if now == nil {
		var err error
		if now, err = s.Tree(); err != nil {
			f.DirtyUnknown = "a part of the index is damaged"
			return
		}
	}
	n, about, err := c.dirty.Count(ctx, at, now)
	if after := c.now(); at.Busy || after != at {
		f.Head, f.Branch, f.DirtyUnknown = after.Commit, after.Branch, "git is at work"
		return
	}
	if err != nil {
		f.DirtyUnknown = notCounted(err)
	} else {
		f.Dirty, f.DirtyAbout = &n, about
	}
	if seen == nil {
		f.Commit = at.Commit // with which the files were found to be those of the snapshot
	}
}

// notCounted says why files were not counted, in a few words.
func notCounted(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "not counted in time"
	case errors.Is(err, worktree.ErrChanging):
		return "files are changing"
	}
	return err.Error()
}
