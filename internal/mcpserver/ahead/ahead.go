// Package ahead works out, before it is asked, what the first questions of a server take
// long for.
package ahead

import (
	"context"
	"errors"
	"sync"
	"time"

	"espy/internal/deps"
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
// tests, the newest commits, and what the symbol that most files import affects. A question
// that comes at once is left the files.
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
	found, _, err := overview.Ask(quick, r, overview.Request{}, w)
	if err = errors.Join(err, impact.Prepare(quick, r, w)); err != nil {
		return err
	}
	_, err = learn(quick, r, found, w)
	return err
}

// learn asks what a change of the symbol that most files import affects, nil where there is
// none: what that looks up, of types above all, most further questions need, and a question
// that ends leaves it to the next one.
func learn(ctx context.Context, r *workspace.Repo, o *overview.Answer, w workspace.Wait) (*impact.Impact, error) {
	if len(o.Symbols.Items) == 0 {
		return nil, nil
	}
	return impact.Find(ctx, deps.Question{Repos: []*workspace.Repo{r}, Wait: w}, impact.Request{What: o.Symbols.Items[0].ID})
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
