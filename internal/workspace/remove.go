package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/permit"
	"espy/internal/progress"
	"espy/internal/store"
)

// Remove forgets a repository and deletes its index, except for what other work
// trees of its family use; its files are not touched. Of a repository at a ref
// only the index of that commit is deleted.
func (w *Workspace) Remove(ctx context.Context, r *Repo) error {
	if err := permit.Check(ctx, permit.Admin, "removing a repository"); err != nil {
		return err
	}
	if r.Ref() != "" {
		r.view.Forget()
		return r.view.Family.Drop(ctx, func(view string) bool { return view == r.view.Key })
	}
	w.mu.Lock()
	delete(w.repos, r.ID())
	err := w.commits.closeOf(r)
	hooks := w.hooks
	w.mu.Unlock()
	var drops []func(view string) bool
	for _, h := range hooks {
		drop, hookErr := h.Remove(r)
		drops, err = append(drops, drop), errors.Join(err, hookErr)
	}
	if err := errors.Join(err, r.close()); err != nil {
		return err
	}
	locking, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	unlock, err := r.Lock(locking, func(p progress.Report) {
		w.opts.Log.Warn("removing waits for the process that writes the index", "repo", r.Name(), "pid", p.Holder)
	})
	if err != nil {
		return fmt.Errorf("remove %s: %w", r.Name(), err)
	}
	defer unlock()
	if err := w.env.Catalog.Remove(ctx, r.ID()); err != nil {
		return err
	}
	if r.source != nil {
		if err := r.source.Withdraw(ctx); err != nil {
			return err
		}
	}
	return w.leave(r, drops)
}

// removeTime is how long a process that writes an index to be removed may take to end.
const removeTime = 10 * time.Second

// leave drops what a removed repository has left in the folder of a family that
// others use: its own views and those for which one of drops is true. The
// caller holds the writer's lock.
func (w *Workspace) leave(r *Repo, drops []func(view string) bool) error {
	rec := r.view.Record()
	all, err := w.env.Catalog.List()
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, o := range all {
		if o.FamilyID() == rec.FamilyID() {
			used[cmp.Or(o.View(), store.MainView)] = true
		}
	}
	if len(used) == 0 { // the folder is gone
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.families, rec.FamilyID())
		return nil
	}
	err = r.view.Family.DropLocked(func(view string) bool {
		tree, ok := store.TreeOf(view)
		return ok && !used[tree] || slices.ContainsFunc(drops, func(drop func(string) bool) bool { return drop(view) })
	})
	if err != nil || rec.ID != rec.FamilyID() {
		return err
	}
	entries, err := os.ReadDir(r.Folder())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "watch") { // of its files, or of sessions
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.Folder(), e.Name())))
		}
	}
	return err
}
