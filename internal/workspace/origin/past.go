package origin

import (
	"context"
	"sync"

	"espy/internal/companions"
	"espy/internal/git"
)

// Past keeps what the newest commits up to the one that was checked out last changed.
// It is safe for concurrent use.
type Past struct {
	mu      sync.Mutex
	commit  string // guarded by mu, as what follows
	commits companions.Past
}

// Of returns what the commits of an origin changed; nothing of one without a history.
func (p *Past) Of(ctx context.Context, o Origin) (companions.Past, error) {
	history, err := o.Repository()
	if err != nil {
		return nil, nil // a folder without a history
	}
	head, _, err := o.Head()
	if err != nil || head == "" {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commit != head {
		commits, err := history.Together(ctx, head, git.LogOptions{Limit: companions.MaxCommits})
		if err != nil {
			return nil, err
		}
		p.commit, p.commits = head, commits
	}
	return p.commits, nil
}
