package workspace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"espy/internal/permit"
	"espy/internal/progress"
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
	used, err := r.view.Leave(drops)
	if err == nil && !used {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.families, r.view.Record().FamilyID())
	}
	return err
}

// removeTime is how long a process that writes an index to be removed may take to end.
const removeTime = 10 * time.Second
