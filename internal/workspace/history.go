package workspace

import (
	"context"
	"errors"
	"fmt"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/store/changelog"
)

// Checkout is where in the history of a repository its files are.
type Checkout struct {
	Repo           string // name
	Commit, Branch string // empty where there is none
	Shallow        bool   // only the newest commits are known
	Freshness      code.Freshness
}

// NoHistoryError says that a repository has no history.
type NoHistoryError struct {
	Repo string
	Err  error
}

func (e *NoHistoryError) Error() string {
	return fmt.Sprintf("repo %s has no history: %v", e.Repo, e.Err)
}

// Unwrap returns the reason.
func (e *NoHistoryError) Unwrap() error { return e.Err }

var errNoCommit = errors.New("nothing is committed yet")

// History opens the history of the repository at what is checked out;
// *NoHistoryError where there is none.
func (r *Repo) History(ctx context.Context) (*git.Repository, Checkout, error) {
	if r.at != nil {
		return r.historyAt(ctx)
	}
	at := Checkout{Repo: r.Name(), Freshness: r.Freshness(ctx)}
	root, err := r.Open()
	if err != nil {
		return nil, at, err
	}
	defer root.Close()
	history, err := git.Open(r.Root())
	if err != nil {
		return nil, at, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	if at.Commit, at.Branch = git.Head(root); at.Commit == "" {
		return nil, at, &NoHistoryError{Repo: r.Name(), Err: errNoCommit}
	}
	at.Shallow = history.Shallow()
	return history, at, ctx.Err()
}

// Resolve returns the id of the commit that a branch, a tag or another revision
// of git names; *RefError where there is none.
func (r *Repo) Resolve(ctx context.Context, ref string) (id string, err error) {
	at, err := r.resolve(ctx, ref)
	return at.id, err
}

// Frozen reports whether the repository shows a commit, so that it has no work
// tree and never changes.
func (r *Repo) Frozen() bool { return r.at != nil }

// Update brings the index up to date with the files as they are now, and waits.
// The job goes on where ctx ends first.
func (r *Repo) Update(ctx context.Context, tell func(progress.Report)) error {
	j, fresh := r.startSync(IndexOptions{})
	err := j.wait(ctx, tell)
	if !fresh && err == nil { // it may have begun before the newest change
		j, _ = r.startSync(IndexOptions{})
		err = j.wait(ctx, tell)
	}
	return err
}

// Log returns the newest generation, 0 where there is no index, and what each
// commit of the index changed.
func (r *Repo) Log() (generation uint64, records []changelog.Record, err error) {
	s, err := r.newest()
	if err == nil {
		generation = s.Freshness.Generation
		err = s.Close()
	}
	if err != nil && !errors.Is(err, store.ErrNoIndex) {
		return generation, nil, err
	}
	records, err = r.family.Log(r.view)
	return generation, records, err
}
