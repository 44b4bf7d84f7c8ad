package origin

import (
	"context"
	"sync"

	"espy/internal/git"
	"espy/internal/ranked/past"
)

// Past keeps the newest commits up to the one that was checked out last. They are read
// anew when another is, and when older ones were fetched to a shallow clone.
// It is safe for concurrent use.
type Past struct {
	mu    sync.Mutex
	of    upTo // guarded by mu, as what follows
	known *past.Log
}

// upTo is which commits are read.
type upTo struct {
	head  string
	depth git.Stamp
}

// Of returns the commits of an origin; none of one without a history.
func (p *Past) Of(ctx context.Context, o Origin) (*past.Log, error) {
	history, err := o.Repository()
	if err != nil {
		return nil, nil // a folder without a history
	}
	head, _, err := o.Head()
	if err != nil || head == "" {
		return nil, err
	}
	of := upTo{head, history.Depth()}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != of {
		commits, err := history.Together(ctx, head, git.LogOptions{Limit: past.MaxCommits + 1})
		if err != nil {
			return nil, err
		}
		p.of, p.known = of, past.New(commits)
	}
	return p.known, nil
}
