package workspace

import (
	"context"
	"errors"
	"slices"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/workspace/origin"
)

// arrive brings what was published since, where others index. What cannot be had is
// said with the freshness.
func (r *Repo) arrive(ctx context.Context) {
	if r.opts.Team.Answers() && r.source != nil {
		_ = r.source.Fetch(ctx, false)
	}
}

// Published reports whether others publish the index, so that there are neither files
// nor a history here.
func (r *Repo) Published() bool { return r.source != nil && r.opts.Team.Answers() }

// publishedAt returns the repository that was published at a revision.
func (r *Repo) publishedAt(ctx context.Context, ref string) (*Repo, error) {
	published, err := r.published(ctx)
	if err != nil {
		return nil, err
	}
	id, err := published.Find(ref)
	if err != nil || id == r.ID() {
		return r, err
	}
	return r.beside(ctx, id)
}

// published lists what is published of the code of the repository, itself first.
func (r *Repo) published(ctx context.Context) (*origin.Editions, error) {
	published := &origin.Editions{Of: r.view.Record()}
	published.Add(r.checkout(ctx))
	all, err := r.shown(ctx)
	for _, o := range all {
		if rec := o.view.Record(); rec.ID != r.ID() && published.SameCode(rec) {
			published.Add(o.checkout(ctx))
		}
	}
	return published, err
}

// checkout is what the newest generation shows. It is taken from the database only
// where the record does not say it.
func (r *Repo) checkout(ctx context.Context) origin.Edition {
	at := origin.Edition{ID: r.ID()}
	if remote := r.view.Record().Remote; remote != nil && remote.Ref != "" {
		at.Ref, at.Commit = remote.Ref, remote.Commit
		return at
	}
	r.arrive(ctx)
	if s, err := r.newest(); err == nil {
		at.Commit, at.Ref = s.Checkout()
		s.Close() // it was only looked at
	}
	return at
}

func (r *Repo) beside(ctx context.Context, id code.RepoID) (*Repo, error) {
	all, err := r.shown(ctx)
	if i := slices.IndexFunc(all, func(o *Repo) bool { return o.ID() == id }); i >= 0 {
		return all[i], err
	}
	return nil, errors.Join(err, catalog.NotFound(string(id), all))
}
