package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"espy/internal/catalog"
	"espy/internal/discover/roots"
	"espy/internal/workspace/view"
)

// AttachOptions say how a folder becomes a repository.
type AttachOptions struct {
	Name       string // "": the folder's own, numbered where it is taken
	AllowBroad bool   // attach even / or the home folder
	Exact      bool   // the folder itself, not the nearest one above it with .git
}

// Attach returns the repository of a folder, adding it where it is new. Nothing
// is indexed yet.
func (w *Workspace) Attach(ctx context.Context, dir string, o AttachOptions) (*Repo, error) {
	root, err := view.Canonical(dir)
	if err != nil {
		return nil, fmt.Errorf("attach %s: %w", dir, err)
	}
	if !o.Exact {
		root = roots.Find(root, w.opts.Home)
	}
	if err := roots.Check(root, w.opts.Home, o.AllowBroad || w.attached(root)); err != nil {
		return nil, err
	}
	rec := catalog.Repo{Name: o.Name, Root: root, Git: view.SharedFolder(root)}
	if err := w.env.CheckRoots(rec); err != nil {
		return nil, err
	}
	if rec, err = w.env.Attach(ctx, rec, dir); err != nil {
		return nil, err
	}
	return w.replaced(rec)
}

// replaced returns the repository of a record. Where this process has one of
// the same place under another record, what was kept of that one was removed,
// perhaps with the data folder: it is let go of, and the answers say so.
func (w *Workspace) replaced(rec catalog.Repo) (*Repo, error) {
	w.mu.Lock()
	var lost *Repo
	for id, r := range w.repos {
		if id != rec.ID && r.Place() == rec.Place() && !w.env.Catalog.Has(id) {
			lost = r
			delete(w.repos, id)
			delete(w.families, r.view.Record().FamilyID())
		}
	}
	var closeErr error
	if lost != nil {
		closeErr = w.commits.closeOf(lost)
	}
	hooks := w.hooks
	w.mu.Unlock()
	r, err := w.repo(rec)
	if lost == nil || err != nil {
		return r, err
	}
	r.view.NoteLost()
	for _, h := range hooks {
		_, hookErr := h.Remove(lost)
		closeErr = errors.Join(closeErr, hookErr)
	}
	if err := errors.Join(closeErr, lost.close()); err != nil { // it has nothing left to keep
		w.opts.Log.Info("let go of a repository that is gone", "repo", r.Name(), "err", err)
	}
	return r, nil
}

// attached reports whether a folder is a repository already: a broad one was
// allowed then.
func (w *Workspace) attached(root string) bool {
	records, err := w.env.Catalog.List()
	return err == nil && slices.ContainsFunc(records, func(rec catalog.Repo) bool { return rec.Root == root })
}

// AttachURL returns the repository of an address, adding it where it is new. A
// branch, tag or commit other than the newest one of the machine stands behind
// a # in it. The password in the address, and the user of https, are not kept:
// Index is given them again. Nothing is cloned before that.
func (w *Workspace) AttachURL(ctx context.Context, address, name string) (*Repo, error) {
	remote, err := catalog.RemoteOf(address)
	if err != nil {
		return nil, err
	}
	rec, err := w.env.Attach(ctx, catalog.Repo{Name: name, Remote: &remote}, address)
	if err != nil {
		return nil, err
	}
	return w.repo(rec)
}

// Abandon forgets a repository on another machine that was never cloned, as when
// its address is wrong.
func (w *Workspace) Abandon(ctx context.Context, r *Repo) error {
	rec := r.view.Record()
	if rec.Remote == nil || rec.Remote.Commit != "" {
		return nil
	}
	return w.Remove(ctx, r)
}
