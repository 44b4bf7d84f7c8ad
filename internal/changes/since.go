package changes

import (
	"context"
	"time"

	"espy/internal/git"
	"espy/internal/workspace"
)

// since finds the commit that a word means: HEAD, a revision, or for a day or
// time the newest ancestor of HEAD before it.
func (d difference) since(ctx context.Context, r *workspace.Repo, since string) (Side, error) {
	head := d.answer.Checkout.Commit
	if since == "" {
		return Side{Name: "HEAD", Commit: head}, nil
	}
	at, isTime := parseTime(since)
	if !isTime {
		id, err := r.Resolve(ctx, since)
		return Side{Name: since, Commit: id}, err
	}
	commits, err := d.history.Log(ctx, head, git.LogOptions{Before: at, Limit: 1})
	if err != nil || len(commits) == 0 {
		return Side{Name: "before the first commit"}, err
	}
	return Side{Name: since, Commit: commits[0].ID}, nil
}

// parseTime reads a day (2024-01-31, its beginning in UTC) or a moment (RFC 3339).
func parseTime(text string) (t time.Time, ok bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), true
		}
	}
	return t, false
}
