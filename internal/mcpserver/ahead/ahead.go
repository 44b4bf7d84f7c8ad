// Package ahead works out, before it is asked, what the first questions of a server take
// long for.
package ahead

import (
	"context"
	"errors"
	"sync"
	"time"

	"espy/internal/impact"
	"espy/internal/overview"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// Bounds of what is worked out.
const (
	maxFiles = 50_000          // more take seconds that nobody may ask for
	longest  = 5 * time.Second // for the answers
	quiet    = time.Second / 4 // that is left to questions
)

// Prepare works out, of a repository that is indexed and whose files are followed, how the
// files differ from the index, what imports what, what frameworks run, which files are
// tests, and the newest commits. A question that comes at once is left the files.
func Prepare(ctx context.Context, r *workspace.Repo) error {
	if err := errors.Join(r.Ready(ctx), pause(ctx, origin.Early)); err != nil {
		return err
	}
	tree, err := r.Followed(ctx)
	if err != nil || tree == nil || len(tree.Leaves) > maxFiles {
		return err
	}
	if err := pause(ctx, quiet); err != nil {
		return err
	}
	var side sync.WaitGroup
	defer side.Wait()
	side.Go(func() { workspace.PastOf(r)(ctx, r.Name()) }) //nolint:errcheck // a question that needs them says what is wrong
	quick, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	w := workspace.Wait{First: time.Millisecond, Fresh: time.Second}
	_, _, err = overview.Ask(quick, r, overview.Request{}, w)
	return errors.Join(err, impact.Prepare(quick, r, w))
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
