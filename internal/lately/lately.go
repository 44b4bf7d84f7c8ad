// Package lately has which files the commits of a repository changed last, and
// how often: what a search may be told of the work that it is part of (hit.Work).
package lately

import (
	"context"
	"math"
	"time"

	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// maxCommits is how many commits are looked at, the newest.
const maxCommits = 1000

// Since adds to a caller's work the files that commits changed after one of them,
// as a branch, a tag or its id names it, or since a day, 2024-01-31. Commits
// count from the one that is checked out, so that the same checkout gives the
// same; changes that are not committed do not count. What names no commit is a
// *usage.Error.
func Since(ctx context.Context, r *workspace.Repo, since string, w *hit.Work) error {
	history, at, err := r.Commits(ctx)
	if err != nil {
		return err
	}
	o := git.LogOptions{Limit: maxCommits}
	last := ""
	if o.Since, err = time.Parse(time.DateOnly, since); err != nil {
		o.Since = time.Time{}
		if last, err = history.Resolve(ctx, since); err != nil {
			return &usage.Error{Arg: "changed-since", Value: since, Msg: "neither a commit nor a day", Hint: "a branch, a tag or a commit, or a day as in 2024-01-31"}
		}
	}
	commits, err := history.Changed(ctx, at.Commit, o)
	if err != nil {
		return err
	}
	for i := range commits {
		if commits[i].ID == last {
			commits = commits[:i]
			break
		}
	}
	Weigh(commits, w)
	return nil
}

// Weigh adds to a caller's work the files that commits changed, the newest first.
func Weigh(commits []git.Changed, w *hit.Work) {
	w.Recent, w.Churn = map[string]float64{}, map[string]float64{}
	times, most := map[string]int{}, 0
	for i := range commits {
		for _, e := range commits[i].Entries {
			if _, known := w.Recent[e.Path]; !known {
				w.Recent[e.Path] = 1 - float64(i)/float64(len(commits))
			}
			times[e.Path]++
			most = max(most, times[e.Path])
		}
	}
	for path, n := range times {
		w.Churn[path] = math.Log(float64(1+n)) / math.Log(float64(1+most))
	}
}

// Touched tells when a commit of the one that is checked out, or of those before it,
// last changed each file since a time; nothing outside git.
func Touched(ctx context.Context, r *workspace.Repo, since time.Time) (map[string]time.Time, error) {
	history, at, err := r.Commits(ctx)
	if err != nil {
		return nil, err
	}
	touches, err := history.Touches(ctx, at.Commit, git.LogOptions{Since: since, Limit: maxCommits})
	if err != nil {
		return nil, err
	}
	last := map[string]time.Time{}
	for i := range touches {
		for _, p := range touches[i].Paths {
			if touches[i].Time.After(last[p]) {
				last[p] = touches[i].Time
			}
		}
	}
	return last, nil
}
