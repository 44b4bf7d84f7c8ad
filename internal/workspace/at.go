package workspace

import (
	"context"
	"errors"
	"fmt"

	"espy/internal/git"
	"espy/internal/store"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// Ref is what was asked for with At; empty for what is checked out.
func (r *Repo) Ref() string { return r.view.Ref() }

// At returns the repository as it is in the commit that a revision of git names,
// without checking it out; itself for an empty one. Nothing is read or indexed before
// the first question. Of a repository that is published it is the one that was
// published at the revision.
func (r *Repo) At(ctx context.Context, ref string) (*Repo, error) {
	if ref == "" {
		return r, nil
	}
	if at := r.Ref(); at != "" {
		return nil, fmt.Errorf("repo %s is at %s already: ask for one ref", r.Name(), at)
	}
	if r.Published() {
		return r.publishedAt(ctx, ref)
	}
	at, err := r.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	return r.commit(at), nil
}

// resolve finds the commit of a name.
func (r *Repo) resolve(ctx context.Context, ref string) (view.Commit, error) {
	at := view.Commit{Ref: ref}
	history, err := r.origin.Repository()
	if err == nil {
		at.ID, err = history.Resolve(ctx, ref)
	}
	var unknown *git.RevisionError
	switch {
	case err == nil:
	case git.IsCommitID(ref) && r.view.Family.Stamp(view.RefPrefix+ref) != (store.Stamp{}):
		at.ID = ref // an indexed commit needs no git
		return at, nil
	case errors.As(err, &unknown):
		return at, &origin.RefError{Repo: r.Name(), Ref: ref, Nearest: origin.NearestRefs(ctx, history, ref), Shallow: history.Shallow()}
	default:
		return at, &origin.NoHistoryError{Repo: r.Name(), Err: err}
	}
	if newest, err := history.Log(ctx, at.ID, git.LogOptions{Limit: 1}); err == nil && len(newest) == 1 {
		at.Time = newest[0].Time
	}
	return at, ctx.Err()
}

// Refs lists the branches and tags, those with the newest commits first; none outside
// git. Of a repository that is published it lists what is published.
func (r *Repo) Refs(ctx context.Context) ([]string, error) {
	if r.Published() {
		published, err := r.published(ctx)
		return published.Refs(), err
	}
	history, err := r.origin.Repository()
	if err != nil {
		return nil, &origin.NoHistoryError{Repo: r.Name(), Err: err}
	}
	return history.Refs(ctx)
}
