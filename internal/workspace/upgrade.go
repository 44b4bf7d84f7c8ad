package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"

	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace/coverage"
)

// UpgradeState says what an upgrade found of a repository, or did.
type UpgradeState string

// The states.
const (
	UpgradeCurrent  UpgradeState = "current"  // nothing was to be done
	UpgradeDone     UpgradeState = "upgraded" // it was of an older format
	UpgradeIndexed  UpgradeState = "indexed"  // it had no index, or a damaged one
	UpgradeVanished UpgradeState = "vanished" // its folder is gone; what there is was left
	UpgradeNewer    UpgradeState = "newer"    // a newer program wrote it; it was left
	UpgradeFailed   UpgradeState = "failed"
)

// Upgraded is what an upgrade did for one repository.
type Upgraded struct {
	Name, Root string
	State      UpgradeState
	Detail     string // from which format, or what went wrong
	Dropped    int    // indexes of commits in an older format, which are made anew when they are asked for
}

// Upgrade brings the indexes of all attached repositories to the format of this
// program, one after the other. What fails for one does not keep the others.
func (w *Workspace) Upgrade(ctx context.Context, tell func(progress.Report)) ([]Upgraded, error) {
	repos, err := w.Repos(ctx)
	if err != nil {
		return nil, err
	}
	var list []Upgraded
	for _, r := range repos {
		u := r.upgrade(ctx, tell)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		list = append(list, u)
	}
	return list, nil
}

func (r *Repo) upgrade(ctx context.Context, tell func(progress.Report)) Upgraded {
	u := Upgraded{Name: r.Name(), Root: r.Root()}
	todo, err := r.outdated(&u)
	if err == nil && todo {
		err = r.renew(ctx, tell)
	}
	if err == nil && (u.State == UpgradeDone || u.State == UpgradeCurrent) {
		u.Dropped, err = r.view.DropOldRefs(ctx)
		err = errors.Join(err, r.view.TidyJobs())
	}
	if err != nil {
		u.State, u.Detail = UpgradeFailed, err.Error()
	}
	return u
}

// outdated says in u what state a repository is in, and whether its index is to
// be renewed.
func (r *Repo) outdated(u *Upgraded) (todo bool, err error) {
	s, err := r.newest()
	var format *store.FormatError
	switch {
	case err == nil:
		defer s.Close()
		u.State = UpgradeCurrent
		if old := s.OldSyntax(); old != 0 {
			u.State, u.Detail = UpgradeDone, fmt.Sprintf("its symbols were of version %d, now %d", old, store.Syntax)
		} else if n, err := coverage.Unembedded(s, r.opts.Models.Local); err != nil {
			return false, err
		} else if n > 0 {
			u.State, u.Detail = UpgradeDone, fmt.Sprintf("%d files had no vectors of this program's model", n)
		}
	case errors.As(err, &format) && format.Newer():
		u.State, u.Detail = UpgradeNewer, err.Error()
	case errors.As(err, &format):
		u.State, u.Detail = UpgradeDone, fmt.Sprintf("it was of format %d, now %d", format.Found, format.Wanted)
	case store.Rebuildable(err):
		u.State = UpgradeIndexed
	default:
		return false, err
	}
	if _, err := os.Stat(r.Root()); err != nil && r.URL() == "" && u.State != UpgradeNewer {
		u.State, u.Detail = UpgradeVanished, fmt.Sprintf("%s is gone; `espy remove %s` forgets it", r.Root(), r.Name())
	}
	return u.State == UpgradeDone || u.State == UpgradeIndexed, nil
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
