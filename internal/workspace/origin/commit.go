package origin

import (
	"context"
	"fmt"
	"os"
	"time"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/workspace/view"
)

// noFiles are the files of an origin that shows a commit: none are checked out.
type noFiles struct{ view *view.View }

func (n noFiles) Frozen() bool { return true }

func (n noFiles) Open() (*os.Root, error) {
	return nil, fmt.Errorf("open %s: no files of it are checked out", n.view.Repo())
}

// Look notes that the commit was asked about, for as long as it is kept.
func (n noFiles) Look(context.Context, time.Duration) func(*store.Snapshot, *listing.Tree) {
	n.view.Family.NoteUse(n.view.Key)
	return func(*store.Snapshot, *listing.Tree) {}
}

func (n noFiles) Compare(context.Context, *store.Snapshot, []string) (*Comparison, error) {
	return nil, nil
}

func (n noFiles) Watch() error {
	return fmt.Errorf("watch %s: it shows a commit, and no files that could change", n.view.Repo())
}

func (n noFiles) Watching(context.Context) string { return "" }

func (n noFiles) Close() {}

// commit is the origin of a repository at a ref. It never changes, and its text
// is read from the index.
type commit struct {
	noFiles
	at     view.Commit
	source func() (*git.Repository, error) // opens the repository whose commit it is
}

// NewCommit returns the origin of a repository at a commit. source opens the
// repository that it is a commit of.
func NewCommit(e *view.View, at view.Commit, source func() (*git.Repository, error)) Origin {
	return &commit{noFiles: noFiles{e}, at: at, source: source}
}

func (c *commit) Repository() (*git.Repository, error) { return c.source() }

func (c *commit) Head() (commit, branch string, err error) { return c.at.ID, c.at.Ref, nil }

func (c *commit) Label(s *store.Snapshot) {
	s.Freshness.Ref, s.Freshness.Committed = c.at.Ref, view.Day(c.at.Time)
}

func (c *commit) Unindexed() code.Freshness {
	return code.Freshness{Commit: c.at.ID, Ref: c.at.Ref, Committed: view.Day(c.at.Time)}
}

func (c *commit) Complete(s *store.Snapshot) bool {
	return c.view.Complete(s, c.at.ID)
}

// Update needs no git where the commit is indexed already.
func (c *commit) Update(ctx context.Context, u *view.Update) (settled bool, err error) {
	_, err = u.Write(ctx, func(batch *store.Batch, o index.Options) (bool, error) {
		if c.view.Complete(batch.Base(), c.at.ID) {
			return true, nil
		}
		history, err := c.Repository()
		if err != nil {
			return false, &NoHistoryError{Repo: c.view.Repo(), Err: err}
		}
		return true, c.view.IndexCommit(ctx, batch, o, history, c.at)
	})
	if err == nil {
		c.view.TidyRefs(ctx)
	}
	return true, err
}
