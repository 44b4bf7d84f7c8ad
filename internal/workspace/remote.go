package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"espy/internal/catalog"
	"espy/internal/git"
	"espy/internal/git/clone"
	"espy/internal/progress"
)

// A repository on another machine has an address and no root. Its newest commit
// is received into a bare, shallow clone beside its index, and shown as any
// commit: nothing is checked out, and only Index asks the other machine again.

// RemoteOptions are the bounds and means of receiving from other machines.
type RemoteOptions struct {
	MaxBytes     int64  // of a clone on disk; 0 for the default of clone.Options
	AllowPrivate bool   // also from this machine and private networks
	CAFile       string // certificates to trust instead of the system's, "" for those
	Proxy        string // of https, "" for none
	SSHAgent     string // socket of the agent that holds the keys of ssh, "" for none
}

var scpLike = regexp.MustCompile(`^[\w.-]+@[\w.-]+:`)

// IsURL reports whether a text is meant as the address of a repository on
// another machine, good or bad, and not as a folder.
func IsURL(text string) bool {
	if !strings.Contains(text, "://") && !strings.Contains(text, "::") && !scpLike.MatchString(text) {
		return false
	}
	_, err := os.Lstat(text)
	return err != nil
}

// AttachURL returns the repository of an address, adding it where it is new. A
// branch, tag or commit other than the newest one of the machine stands behind
// a # in it. The password in the address, and the user of https, are not kept:
// Index is given them again. Nothing is received before that.
func (w *Workspace) AttachURL(ctx context.Context, address, name string) (*Repo, error) {
	remote, err := remoteOf(address)
	if err != nil {
		return nil, err
	}
	rec, err := w.catalog.Attach(ctx, catalog.Repo{Name: name, Remote: &remote})
	if err != nil {
		return nil, err
	}
	return w.repo(rec)
}

// remoteOf takes an address and the ref behind it apart.
func remoteOf(address string) (catalog.Remote, error) {
	address, ref, _ := strings.Cut(address, "#")
	public, err := clone.PublicURL(address)
	return catalog.Remote{URL: strings.TrimRight(public, "/"), Ref: ref}, err
}

// Abandon forgets a repository on another machine of which nothing was ever
// received, as when its address is wrong.
func (w *Workspace) Abandon(ctx context.Context, r *Repo) error {
	rec := r.rec()
	if rec.Remote == nil || rec.Remote.Commit != "" {
		return nil
	}
	return w.Remove(ctx, r)
}

// URL returns the address of a repository on another machine, as its Place;
// empty for one that has a root.
func (r *Repo) URL() string {
	if rec := r.rec(); rec.Remote != nil && r.of == nil {
		return rec.Place()
	}
	return ""
}

// Place returns where the repository is: its root, or its URL.
func (r *Repo) Place() string { return r.rec().Place() }

func (r *Repo) cloneDir() string { return filepath.Join(r.ws.catalog.Folder(r.ID()), "clone") }

// repository opens the git repository that commits are read from.
func (r *Repo) repository() (*git.Repository, error) {
	if r.rec().Remote != nil {
		return git.OpenBare(r.cloneDir())
	}
	return git.Open(r.Root())
}

// receive brings the clone up to date where that is asked for; questions ask
// for nothing. What was received before stays when that fails, and the failure
// is noted. The caller holds the writer's lock.
func (r *Repo) receive(ctx context.Context, o IndexOptions, tell func(progress.Report)) error {
	if !o.receive {
		if _, err := git.OpenBare(r.cloneDir()); err != nil {
			return fmt.Errorf("nothing is here of %s: `espy index %s` receives it", r.URL(), r.Name())
		}
		return nil
	}
	began := time.Now()
	tell(progress.Report{Phase: progress.Clone})
	from := r.ws.opts.Remote
	c := clone.Options{
		URL: r.rec().Remote.URL, Ref: r.rec().Remote.Ref, Dir: r.cloneDir(),
		MaxBytes: from.MaxBytes, AllowPrivate: from.AllowPrivate, CAFile: from.CAFile, Proxy: from.Proxy, SSHAgent: from.SSHAgent,
		Progress: func(bytes int64) {
			tell(progress.Report{Phase: progress.Clone, Bytes: bytes, Elapsed: time.Since(began)})
		},
	}
	if o.URL != "" {
		c.URL, _, _ = strings.Cut(o.URL, "#")
	}
	return r.noteReceived(ctx, r.update(ctx, c, o.Force))
}

// update updates the clone, or makes it where there is none that can be read.
// One that is to be made anew is replaced only when the new one is whole.
func (r *Repo) update(ctx context.Context, c clone.Options, anew bool) error {
	if err := r.removeLeftovers(); err != nil {
		return err
	}
	held, err := git.OpenBare(c.Dir)
	if err == nil && !anew {
		if _, _, err = clone.Head(ctx, held); err == nil {
			return clone.Update(ctx, c)
		}
	}
	dir := c.Dir
	c.Dir += "-new"
	if err := clone.New(ctx, c); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(c.Dir, dir)
}

// removeLeftovers removes what a process left that was killed while it received.
func (r *Repo) removeLeftovers() error {
	left, err := filepath.Glob(filepath.Join(r.ws.catalog.Folder(r.ID()), clone.Prefix+"*"))
	for _, dir := range append(left, r.cloneDir()+"-new") {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// noteReceived records what the clone holds now, or why it could not be
// brought up to date, which it returns.
func (r *Repo) noteReceived(ctx context.Context, failed error) error {
	remote := *r.rec().Remote
	now := time.Now().UTC().Truncate(time.Second)
	if failed != nil {
		if ctx.Err() != nil {
			return failed // nobody wants it any more
		}
		remote.Failed, remote.FailedAt = failed.Error(), now
	} else {
		at, _, err := r.received(ctx)
		if err != nil {
			return err
		}
		remote.Commit, remote.Committed, remote.Fetched = at.id, at.time, now
		remote.Failed, remote.FailedAt = "", time.Time{}
	}
	if err := r.ws.catalog.SetRemote(ctx, r.ID(), remote); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(failed, err)
	}
	r.mu.Lock()
	r.record.Remote = &remote
	r.mu.Unlock()
	return failed
}

// received returns the commit that the clone holds.
func (r *Repo) received(ctx context.Context) (at pinned, held *git.Repository, err error) {
	if held, err = git.OpenBare(r.cloneDir()); err != nil {
		return at, nil, err
	}
	if at.id, at.ref, err = clone.Head(ctx, held); err != nil {
		return at, nil, err
	}
	at.ref = cmp.Or(at.ref, "HEAD")
	if newest, err := held.Log(ctx, at.id, git.LogOptions{Limit: 1}); err == nil && len(newest) == 1 {
		at.time = newest[0].Time
	}
	return at, held, nil
}

// source returns the repository and the commit to index.
func (r *Repo) source(ctx context.Context) (*git.Repository, pinned, error) {
	if r.of == nil {
		at, clone, err := r.received(ctx)
		return clone, at, err
	}
	history, err := r.repository()
	if err != nil {
		return nil, pinned{}, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	return history, *r.at, nil
}

// RemoteStatus is what there is to know of a repository on another machine.
type RemoteStatus struct {
	catalog.Remote
	Place string // URL, with # and the ref where one is wanted
	Bytes int64  // of the clone on disk
}

func (r *Repo) remoteStatus() *RemoteStatus {
	rec := r.rec()
	if rec.Remote == nil || r.of != nil {
		return nil
	}
	st := &RemoteStatus{Remote: *rec.Remote, Place: rec.Place()}
	filepath.WalkDir(r.cloneDir(), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				st.Bytes += info.Size()
			}
		}
		return nil // what cannot be read is not counted
	})
	return st
}

// historyAt is history of a repository that shows a commit.
func (r *Repo) historyAt(ctx context.Context) (*git.Repository, Checkout, error) {
	at := Checkout{Repo: r.Name(), Commit: r.at.id, Branch: r.at.ref, Freshness: r.Freshness(ctx)}
	history, err := r.repository()
	if err != nil {
		return nil, at, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	if r.of == nil {
		about, err := r.family.About(r.view)
		if err != nil {
			return nil, at, fmt.Errorf("history of %s: %w", r.Name(), err)
		}
		at.Commit, at.Branch = about.Commit, about.Branch
	}
	at.Shallow = history.Shallow()
	return history, at, ctx.Err()
}
