package workspace

import (
	"context"
	"slices"

	"espy/internal/hit"
	"espy/internal/similar"
	"espy/internal/store"
)

// Similar finds code like that of a query in repositories as they are now. Its
// place stands in home, which need not be one of them.
func (w *Workspace) Similar(ctx context.Context, home *Repo, repos []*Repo, q *similar.Query, wait Wait) (*similar.Result, error) {
	all, at := repos, slices.Index(repos, home)
	if at < 0 {
		all, at = append(slices.Clone(repos), home), len(repos)
	}
	var found *similar.Result
	need := question{Wait: wait, vectors: true, syntax: q.NeedsSymbols()}
	_, err := w.over(ctx, all, need, func(ctx context.Context, snaps []*store.Snapshot) (res *hit.Result, err error) {
		if found, err = q.Run(ctx, snaps[at], snaps[:len(repos)], w.opts.Models.Local); err == nil {
			res = found.Result
		}
		return res, err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}
