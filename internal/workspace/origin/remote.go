package origin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/git/clone"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace/view"
)

// RemoteOptions are the bounds and means of cloning from other machines.
type RemoteOptions struct {
	MaxBytes     int64  // of a clone on disk; 0 for the default of clone.Options
	AllowPrivate bool   // also from this machine and private networks
	CAFile       string // certificates to trust instead of the system's, "" for those
	Proxy        string // of https, "" for none
	SSHAgent     string // socket of the agent that holds the keys of ssh, "" for none
}

// remote is the origin of a repository on another machine, which has a URL and no
// root. Its newest commit is fetched into a bare, shallow clone beside its index,
// and shown as any commit: nothing is checked out, and only Repo.Index of
// package workspace asks the other machine again.
type remote struct {
	noFiles
	means RemoteOptions
}

func (c *remote) dir() string { return cloneDir(c.view) }

func cloneDir(e *view.View) string { return filepath.Join(e.Folder(), "clone") }

func (c *remote) Repository() (*git.Repository, error) { return git.OpenBare(c.dir()) }

func (c *remote) Head() (commit, branch string, err error) {
	about, err := c.view.Family.About(c.view.Key)
	if err != nil {
		return "", "", fmt.Errorf("history of %s: %w", c.view.Repo(), err)
	}
	return about.Commit, about.Branch, nil
}

func (c *remote) Label(s *store.Snapshot) { labelRemote(c.view, s) }

// labelRemote says which commit of another machine is shown.
func labelRemote(v *view.View, s *store.Snapshot) {
	remote := v.Record().Remote
	_, s.Freshness.Ref = s.Checkout()
	s.Freshness.Fetched = view.Day(remote.Fetched)
	if remote.Commit == s.Freshness.Commit {
		s.Freshness.Committed = view.Day(remote.Committed)
	}
}

func (c *remote) Unindexed() code.Freshness { return code.Freshness{} }

// Complete asks for no certain commit: any will do for a question.
func (c *remote) Complete(s *store.Snapshot) bool {
	return c.view.Complete(s, "")
}

func (c *remote) Update(ctx context.Context, u *view.Update) (settled bool, err error) {
	_, err = u.Write(ctx, func(batch *store.Batch, o index.Options) (bool, error) {
		if err := c.fetch(ctx, u, o.Hooks.Progress); err != nil {
			return false, err
		}
		at, history, err := c.fetched(ctx)
		if err != nil {
			return false, err
		}
		return true, c.view.IndexCommit(ctx, batch, o, history, at)
	})
	if err == nil {
		c.view.TidyRefs(ctx)
	}
	return true, err
}

// fetch brings the clone up to date where that is asked for; questions do not.
// What was fetched before stays when that fails, and the failure is noted. The
// caller holds the writer's lock.
func (c *remote) fetch(ctx context.Context, u *view.Update, tell func(progress.Report)) error {
	rec := c.view.Record()
	if !u.Fetch {
		if _, err := c.Repository(); err != nil {
			return fmt.Errorf("%s is not cloned yet: `espy index %s` clones it", rec.Place(), c.view.Repo())
		}
		return nil
	}
	began := time.Now()
	tell(progress.Report{Phase: progress.Clone})
	from := c.means
	co := clone.Options{
		URL: rec.Remote.URL, Ref: rec.Remote.Ref, Dir: c.dir(),
		MaxBytes: from.MaxBytes, AllowPrivate: from.AllowPrivate, CAFile: from.CAFile, Proxy: from.Proxy, SSHAgent: from.SSHAgent,
		Progress: func(bytes int64) {
			tell(progress.Report{Phase: progress.Clone, Bytes: bytes, Elapsed: time.Since(began)})
		},
	}
	if u.URL != "" {
		co.URL, _, _ = strings.Cut(u.URL, "#")
	}
	return c.note(ctx, c.updateClone(ctx, co, u.Force))
}

// updateClone fetches into the clone, or clones where there is none that can be
// read. One that is to be made anew is replaced only when the new one is whole.
func (c *remote) updateClone(ctx context.Context, o clone.Options, anew bool) error {
	if err := c.removeLeftovers(); err != nil {
		return err
	}
	r, err := git.OpenBare(o.Dir)
	if err == nil && !anew {
		if _, _, err = clone.Head(ctx, r); err == nil {
			return clone.Update(ctx, o)
		}
	}
	dir := o.Dir
	o.Dir += "-new"
	if err := clone.New(ctx, o); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(o.Dir, dir)
}

// removeLeftovers removes what a process left that was killed while it cloned.
func (c *remote) removeLeftovers() error {
	left, err := filepath.Glob(filepath.Join(c.view.Folder(), clone.Prefix+"*"))
	for _, dir := range append(left, c.dir()+"-new") {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// note records what the clone holds now, or why it could not be brought up to
// date, which it returns.
func (c *remote) note(ctx context.Context, failed error) error {
	rec := c.view.Record()
	remote := *rec.Remote
	now := time.Now().UTC().Truncate(time.Second)
	if failed != nil {
		if ctx.Err() != nil {
			return failed // nobody wants it any more
		}
		remote.Failed, remote.FailedAt = failed.Error(), now
	} else {
		at, _, err := c.fetched(ctx)
		if err != nil {
			return err
		}
		remote.Commit, remote.Committed, remote.Fetched = at.ID, at.Time, now
		remote.Failed, remote.FailedAt = "", time.Time{}
	}
	if err := c.view.Env.Catalog.SetRemote(ctx, rec.ID, remote); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(failed, err)
	}
	c.view.SetRemote(remote)
	return failed
}

// fetched returns the commit that the clone holds.
func (c *remote) fetched(ctx context.Context) (at view.Commit, r *git.Repository, err error) {
	if r, err = c.Repository(); err != nil {
		return at, nil, err
	}
	if at.ID, at.Ref, err = clone.Head(ctx, r); err != nil {
		return at, nil, err
	}
	at.Ref = cmp.Or(at.Ref, "HEAD")
	if newest, err := r.Log(ctx, at.ID, git.LogOptions{Limit: 1}); err == nil && len(newest) == 1 {
		at.Time = newest[0].Time
	}
	return at, r, nil
}

// RemoteStatus is what there is to know of a repository on another machine.
type RemoteStatus struct {
	catalog.Remote
	Place string // URL, with # and the ref where one is wanted
	Bytes int64  // of the clone on disk
}

// RemoteStatusOf returns the status of a repository on another machine, nil for
// any other.
func RemoteStatusOf(e *view.View) *RemoteStatus {
	rec := e.Record()
	if rec.Remote == nil || e.Ref() != "" {
		return nil
	}
	st := &RemoteStatus{Remote: *rec.Remote, Place: rec.Place()}
	filepath.WalkDir(cloneDir(e), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				st.Bytes += info.Size()
			}
		}
		return nil // what cannot be read is not counted
	})
	return st
}
