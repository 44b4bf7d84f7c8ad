package workspace

import (
	"context"
	"errors"
	"time"

	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/worktree"
)

// lookGit tells what is checked out. An answer asks before its files are
// compared: git moves HEAD after it has written them.
func (r *Repo) lookGit() git.Checkout {
	root, err := r.Open()
	if err != nil {
		return git.Checkout{}
	}
	defer root.Close()
	return git.Look(root)
}

// tell writes into a snapshot's freshness what was checked out before it was
// compared with the files, and how many of them differ from that. Where the
// snapshot does not show the files as they are, seen is what they are instead,
// or nil where that is not known. It counts no longer than the limit.
func (r *Repo) tell(ctx context.Context, limit time.Duration, s *store.Snapshot, at git.Checkout, seen *listing.Tree) {
	f := &s.Freshness
	f.Head, f.Branch = at.Commit, at.Branch
	if f.Unchecked || f.Partial || f.PendingFiles > 0 && seen == nil {
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
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	n, about, err := r.dirty.Count(bounded, at, now)
	if after := r.lookGit(); at.Busy || after != at {
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

// A question that does not wait for the index counts the files that differ from
// HEAD for dirtyTime, one that does for dirtyWait. That is enough wherever git
// has written its index since the files were last copied or restored; else each
// must be read. What was read is kept for the next question of the process.
const (
	dirtyTime = 100 * time.Millisecond
	dirtyWait = 2 * time.Second
)

func (w Wait) dirtyLimit() time.Duration {
	if w.Fresh > 0 {
		return min(w.Fresh, dirtyTime)
	}
	return dirtyWait
}

// loadIndex reads what Count needs of git while the files are compared, and
// closes the channel when it is done. What fails is met again by Count.
func (r *Repo) loadIndex(ctx context.Context, limit time.Duration, at git.Checkout) <-chan struct{} {
	done := make(chan struct{})
	if at.Commit == "" || r.dirty.Loaded(at) {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if err := r.dirty.Load(ctx, at); err != nil {
			r.ws.opts.Log.Debug("git's index is not told", "repo", r.Name(), "err", err)
		}
	}()
	return done
}
