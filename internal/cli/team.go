package cli

import (
	"context"
	"errors"
	"io"
	"time"

	"espy/internal/app"
	"espy/internal/httpd/metrics"
	"espy/internal/permit"
	"espy/internal/touches"
)

// figures are those of a team's database for Prometheus, nil where there is none.
func (p *program) figures(ctx context.Context, a *app.App) (func(context.Context) (metrics.Team, error), error) {
	ask, err := a.Figures(ctx)
	if ask == nil || err != nil {
		return nil, err
	}
	return func(ctx context.Context) (metrics.Team, error) {
		f, err := ask(ctx)
		jobs := map[string]int{}
		for state, n := range f.Jobs.Jobs {
			jobs[string(state)] = n
		}
		return metrics.Team{
			Jobs: jobs, Oldest: f.Jobs.Oldest, Views: f.Published.Views, Parts: f.Published.Parts, Bytes: f.Published.Bytes, NewestAge: f.Published.NewestAge,
			Conns: f.Conns, Max: f.Max,
		}, err
	}, nil
}

// closers closes several things.
type closers []io.Closer

func (c closers) Close() (err error) {
	for _, one := range c {
		err = errors.Join(err, one.Close())
	}
	return err
}

// trail is what keeps the audit in a team's database for some days, 0 for ever, nil where
// there is none, and what closes it and the file.
func (p *program) trail(a *app.App, days int, file io.Closer) (func(permit.Touch, string), io.Closer) {
	t := a.Trail(time.Duration(days) * 24 * time.Hour)
	if t == nil {
		return nil, file
	}
	return func(one permit.Touch, from string) {
		t.Add(touches.Touch{At: time.Now().UTC(), Who: one.Who, Tool: one.Tool, Repo: one.Repo, Remote: from})
	}, closers{t, file}
}
