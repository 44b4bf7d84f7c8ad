package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"espy/internal/hit"
	"espy/internal/parallel"
	"espy/internal/ranked/past"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace/origin"
)

// Search answers a query over repositories as they are now. A part of an
// index found damaged on the way is left out, named in the notes, and rebuilt.
func (w *Workspace) Search(ctx context.Context, repos []*Repo, q *search.Query, wait Wait) (*hit.Result, error) {
	need := question{Wait: wait, vectors: q.Request.Mode == hit.ModeSemantic, away: !q.Request.Passages}
	means := search.Means{Models: w.opts.Models, Trees: w.opts.Trees, Past: PastOf(repos...)}
	answer := func(ctx context.Context, snaps []*store.Snapshot) (*hit.Result, error) {
		return q.Run(ctx, snaps, means)
	}
	res, err := w.over(ctx, repos, need, answer)
	if err == nil && res.Unasked != nil {
		why := res.Unasked
		need.away = false
		if res, err = w.over(ctx, repos, need, answer); err == nil {
			res.Notes = append(res.Notes, fmt.Sprintf("the vectors were taken from the database, which does not compare them itself: %v", why))
		}
	}
	return res, err
}

// PastOf tells of the commits of repositories, up to those that are checked out.
func PastOf(repos ...*Repo) past.Reader {
	return func(ctx context.Context, name string) (*past.Log, error) {
		for _, r := range repos {
			if r.Name() == name {
				return r.past.Of(ctx, r.origin)
			}
		}
		return nil, nil
	}
}

// over has a question answered over snapshots of repositories, again where it came
// upon damage.
func (w *Workspace) over(ctx context.Context, repos []*Repo, need question, answer func(context.Context, []*store.Snapshot) (*hit.Result, error)) (*hit.Result, error) {
	for try := 0; ; try++ {
		res, err := w.overOnce(ctx, repos, need, answer)
		if err == nil || try == maxDamaged || !slices.ContainsFunc(repos, func(r *Repo) bool { return r.Quarantine(err) }) {
			return res, err
		}
	}
}

func (w *Workspace) overOnce(ctx context.Context, repos []*Repo, need question, answer func(context.Context, []*store.Snapshot) (*hit.Result, error)) (*hit.Result, error) {
	snaps, err := snapshots(ctx, repos, need)
	if err != nil {
		return nil, err
	}
	var res *hit.Result
	quick, cancel := parallel.Early(ctx, answerParts)
	defer cancel()
	err = w.env.Answer(func() error { res, err = answer(quick, snaps); return err })
	if err == nil {
		note(res, repos, snaps)
	}
	if err = errors.Join(err, closeAll(snaps)); err != nil {
		return nil, err
	}
	return res, nil
}

// snapshots opens the repositories side by side.
func snapshots(ctx context.Context, repos []*Repo, q question) ([]*store.Snapshot, error) {
	snaps := make([]*store.Snapshot, len(repos))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for i, r := range repos {
		group.Go(func() (err error) {
			err = r.Recover(func() error { snaps[i], err = r.snapshot(ctx, q); return err })
			if err != nil {
				err = fmt.Errorf("%s: %w", r.Name(), err)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(err, closeAll(snaps))
	}
	return snaps, nil
}

func closeAll(snaps []*store.Snapshot) (err error) {
	for _, s := range snaps {
		if s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// maxDamaged bounds how many damaged parts one search gets past.
const maxDamaged = 100

// staleChecks bounds how many hits of an answer are looked at again.
const staleChecks = 1000

// Notes are what the reader of an answer over a snapshot must know of its repository.
func (r *Repo) Notes(s *store.Snapshot) []string {
	notes := slices.Clone(r.view.Warnings())
	for _, d := range s.Replaced {
		notes = append(notes, fmt.Sprintf("%s: a damaged part of the index was read anew from its files and is being replaced: %v", s.Name, d.Err))
	}
	if err := r.sync.Failed(); err != nil && (s.Freshness.Partial || s.Freshness.PendingFiles > 0 || len(s.Damaged) > 0) {
		notes = append(notes, fmt.Sprintf("the index of %s cannot be brought up to date: %v", s.Name, err))
	}
	return notes
}

// note adds to a result what the reader must know of the repositories, and
// marks hits whose file has changed since it was indexed.
func note(res *hit.Result, repos []*Repo, snaps []*store.Snapshot) {
	for i, s := range snaps {
		for _, n := range repos[i].Notes(s) {
			if !slices.Contains(res.Notes, n) {
				res.Notes = append(res.Notes, n)
			}
		}
		if repos[i].Frozen() {
			continue
		}
		root, err := repos[i].Open()
		if err != nil {
			res.Notes = append(res.Notes, fmt.Sprintf("the files of %s cannot be read any more (%v): the answer is from the index", s.Name, err))
			continue
		}
		tree, err := s.Tree()
		for h := range res.Hits[:min(len(res.Hits), staleChecks)] {
			if hit := &res.Hits[h]; hit.Repo == s.Name {
				leaf, ok := tree.Find(hit.Path)
				hit.Stale = err == nil && (!ok || origin.Differs(root, leaf))
			}
		}
		root.Close()
	}
}
