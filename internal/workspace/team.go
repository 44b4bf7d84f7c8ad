package workspace

import (
	"context"

	"espy/internal/store/replica"
	"espy/internal/workspace/origin"
)

// share joins a repository with the place that a team shares, where there is one.
func (r *Repo) share() {
	if r.opts.Team == nil {
		return
	}
	lesson := replica.File{Name: "lesson", Read: r.book.Raw, Write: r.book.Restore}
	r.source = r.opts.Team.Source(r.view.Record(), r.view.Key, lesson, r.past.Beside(r.origin))
	if r.opts.Team.Answers() {
		r.origin = origin.NewPublished(r.view, r.source)
	}
}

// publish brings the index up to date, beginning with what is published, and
// publishes it; then what the commits teach.
func (r *Repo) publish(ctx context.Context, o IndexOptions) (rep IndexReport, err error) {
	err = r.source.Renew(ctx, func() error {
		rep, err = r.index(ctx, o)
		o.Force = false
		return err
	})
	if err == nil {
		err = r.source.Renew(ctx, func() error { return r.Learn(ctx) })
	}
	return rep, err
}
