package workspace

import (
	"context"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/store/changelog"
	"espy/internal/workspace/origin"
)

// Checkout is where in the history of a repository its files are.
type Checkout struct {
	Repo           string         // name
	Commit, Branch string         // empty where there is none
	Shallow        bool           // only the newest commits are known
	Freshness      code.Freshness // as History tells it
}

// History opens the history of the repository at what is checked out;
// *NoHistoryError where there is none.
func (r *Repo) History(ctx context.Context) (*git.Repository, Checkout, error) {
	f := r.Freshness(ctx)
	history, at, err := r.Commits(ctx)
	at.Freshness = f
	return history, at, err
}

// Commits is History without regard to how fresh the index is.
func (r *Repo) Commits(ctx context.Context) (*git.Repository, Checkout, error) {
	at := Checkout{Repo: r.Name()}
	if root, err := r.Open(); err == nil {
		root.Close()
	} else if !r.Frozen() {
		return nil, at, err
	}
	history, err := r.origin.Repository()
	if err != nil {
		return nil, at, &origin.NoHistoryError{Repo: r.Name(), Err: err}
	}
	if at.Commit, at.Branch, err = r.origin.Head(); err != nil {
		return nil, at, err
	}
	at.Shallow = history.Shallow()
	return history, at, ctx.Err()
}

// Resolve returns the id of the commit that a branch, a tag or another revision
// of git names; *origin.RefError where there is none.
func (r *Repo) Resolve(ctx context.Context, ref string) (id string, err error) {
	at, err := r.resolve(ctx, ref)
	return at.ID, err
}

// Log returns the newest generation, 0 where there is no index, and what each
// commit of the index changed.
func (r *Repo) Log() (generation uint64, records []changelog.Record, err error) { return r.view.Log() }
