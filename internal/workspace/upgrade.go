package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"

	"espy/internal/progress"
	"espy/internal/workspace/coverage"
)

// Upgrade brings the indexes of all attached repositories to the format of this
// program, one after the other. What fails for one does not keep the others.
func (w *Workspace) Upgrade(ctx context.Context, tell func(progress.Report)) ([]coverage.Upgraded, error) {
	repos, err := w.Repos(ctx)
	if err != nil {
		return nil, err
	}
	var list []coverage.Upgraded
	for _, r := range repos {
		u := r.upgrade(ctx, tell)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		list = append(list, u)
	}
	return list, nil
}

func (r *Repo) upgrade(ctx context.Context, tell func(progress.Report)) coverage.Upgraded {
	u := coverage.Upgraded{Name: r.Name(), Root: r.Root()}
	todo, err := r.outdated(&u)
	if err == nil && todo {
		err = r.renew(ctx, tell)
	}
	if err == nil && (u.State == coverage.UpgradeDone || u.State == coverage.UpgradeCurrent) {
		u.Dropped, err = r.view.DropOldRefs(ctx)
		err = errors.Join(err, r.view.TidyJobs())
	}
	if err != nil {
		u.State, u.Detail = coverage.UpgradeFailed, err.Error()
	}
	return u
}

// outdated says in u what state a repository is in, and whether its index is to
// be renewed.
func (r *Repo) outdated(u *coverage.Upgraded) (todo bool, err error) {
	s, err := r.newest()
	if err == nil {
		defer s.Close()
	}
	if u.State, u.Detail, err = coverage.Outdated(s, err, r.opts.Models.Local); err != nil {
		return false, err
	}
	if _, err := os.Stat(r.Root()); err != nil && r.URL() == "" && u.State != coverage.UpgradeNewer {
		u.State, u.Detail = coverage.UpgradeVanished, fmt.Sprintf("%s is gone; `espy remove %s` forgets it", r.Root(), r.Name())
	}
	return u.State == coverage.UpgradeDone || u.State == coverage.UpgradeIndexed, nil
}

// renew indexes and parses what is to be, asking no other machine.
func (r *Repo) renew(ctx context.Context, tell func(progress.Report)) error {
	o := IndexOptions{Progress: tell}
	if _, err := r.sync.Finish(ctx, r.syncWork(o), tell); err != nil {
		return err
	}
	_, err := r.embed.Finish(ctx, r.embedWork(), tell)
	if err == nil {
		_, err = r.parse.Finish(ctx, r.parseWork(), tell)
	}
	return err
}
