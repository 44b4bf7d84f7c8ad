package workspace

import (
	"context"
	"errors"
	"sync"

	"espy/internal/code"
	"espy/internal/companions"
	"espy/internal/git"
	"espy/internal/store"
	"espy/internal/store/changelog"
	"espy/internal/workspace/origin"
)

// Checkout is where in the history of a repository its files are.
type Checkout struct {
	Repo           string // name
	Commit, Branch string // empty where there is none
	Shallow        bool   // only the newest commits are known
	Freshness      code.Freshness
}

// History opens the history of the repository at what is checked out;
// *NoHistoryError where there is none.
func (r *Repo) History(ctx context.Context) (*git.Repository, Checkout, error) {
	at := Checkout{Repo: r.Name(), Freshness: r.Freshness(ctx)}
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

// Past returns what the newest commits up to the one that is checked out changed; nothing
// of a repository without a history. The last answer is kept.
func (r *Repo) Past(ctx context.Context) (companions.Past, error) {
	history, at, err := r.History(ctx)
	var none *origin.NoHistoryError
	if errors.As(err, &none) || err == nil && at.Commit == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.past.Lock()
	defer r.past.Unlock()
	if r.past.commit != at.Commit || at.Shallow { // of a shallow one there may be more by now
		commits, err := history.Together(ctx, at.Commit, git.LogOptions{Limit: companions.MaxCommits})
		if err != nil {
			return nil, err
		}
		r.past.commit, r.past.commits = at.Commit, commits
	}
	return r.past.commits, nil
}

// past is what the commits up to one changed.
type past struct {
	sync.Mutex
	commit  string // guarded by the lock, as what follows
	commits companions.Past
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
	records, err = r.view.Family.Log(r.view.Key)
	return generation, records, err
}
