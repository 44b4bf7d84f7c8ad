package mcpserver

import (
	"context"
	"slices"

	"espy/internal/seen"
	"espy/internal/workspace"
)

// seenParams name what the caller holds already. Without the argument an answer
// has no token; an empty one asks for the first.
type seenParams struct {
	Seen *string `json:"seen,omitempty"`
}

// held reads the token of a call: nil for a call that wants none. The lines that
// it names are compared with those of the repositories as they are now.
func (p *seenParams) held(ctx context.Context, repos []*workspace.Repo) (*seen.Lines, error) {
	if p.Seen == nil {
		return nil, nil
	}
	return seen.Parse(*p.Seen, func(repo, path string) []string {
		i := slices.IndexFunc(repos, func(r *workspace.Repo) bool { return r.Name() == repo })
		if i < 0 {
			return nil
		}
		c, err := repos[i].Read(ctx, path)
		if err != nil { // then its lines are not held
			return nil
		}
		return seen.Split(c.Text)
	})
}
