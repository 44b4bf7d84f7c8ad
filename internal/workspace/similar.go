package workspace

import (
	"context"
	"errors"
	"slices"

	"espy/internal/parallel"
	"espy/internal/similar"
)

// Similar finds code like that of a query in repositories as they are now. Its
// place stands in home, which need not be one of them.
func (w *Workspace) Similar(ctx context.Context, home *Repo, repos []*Repo, q *similar.Query, wait Wait) (*similar.Result, error) {
	all := append(slices.Clone(repos), home)
	for try := 0; ; try++ {
		res, err := w.similarOnce(ctx, home, repos, q, wait)
		if err == nil || try == maxDamaged || !slices.ContainsFunc(all, func(r *Repo) bool { return r.Quarantine(err) }) {
			return res, err
		}
	}
}

func (w *Workspace) similarOnce(ctx context.Context, home *Repo, repos []*Repo, q *similar.Query, wait Wait) (*similar.Result, error) {
	snaps, err := snapshots(ctx, repos, question{Wait: wait, vectors: true})
	if err != nil {
		return nil, err
	}
	all := snaps
	i := slices.Index(repos, home)
	if i < 0 || q.NeedsSymbols() {
		own, err := home.snapshot(ctx, question{Wait: wait, syntax: q.NeedsSymbols()})
		if err != nil {
			return nil, errors.Join(err, closeAll(snaps))
		}
		i, all = len(snaps), append(slices.Clone(snaps), own)
	}
	var res *similar.Result
	quick, cancel := parallel.Early(ctx, answerParts)
	defer cancel()
	err = w.env.Answer(func() error { res, err = q.Run(quick, all[i], snaps, w.opts.Models.Local); return err })
	if err == nil {
		note(res.Result, repos, snaps)
	}
	if err = errors.Join(err, closeAll(all)); err != nil {
		return nil, err
	}
	return res, nil
}
