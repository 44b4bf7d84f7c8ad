package workspace

import (
	"context"
	"path/filepath"

	"espy/internal/catalog"
	"espy/internal/workspace/origin"
)

// catalog opens the one that the options name.
func (o *Options) catalog() (catalog.Catalog, error) {
	if o.Team != nil {
		return o.Team.Catalog, nil
	}
	return catalog.Open(filepath.Join(o.DataDir, "repos"))
}

// share joins a repository with the place that a team shares, where there is one.
func (r *Repo) share() {
	if r.opts.Team == nil {
		return
	}
	r.source = r.opts.Team.Source(r.view.Record(), r.view.Key, r.book)
	if r.opts.Team.Answers() {
		r.origin = origin.NewPublished(r.view, r.source)
	}
}

// arrive brings what was published since, where others index. What cannot be had is
// said with the freshness.
func (r *Repo) arrive(ctx context.Context) {
	if r.opts.Team.Answers() && r.source != nil {
		_ = r.source.Fetch(ctx, false)
	}
}

// publish brings the index up to date, beginning with what is published, and
// publishes it.
func (r *Repo) publish(ctx context.Context, o IndexOptions) (rep IndexReport, err error) {
	err = r.source.Renew(ctx, func() error {
		if rep, err = r.index(ctx, o); err != nil {
			return err
		}
		o.Force = false
		return r.Learn(ctx)
	})
	return rep, err
}
