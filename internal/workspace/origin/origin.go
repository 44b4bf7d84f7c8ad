// Package origin knows what a repository shows: a work tree (tree.go), a commit
// (commit.go), or a clone of a repository on another machine (remote.go). Each
// brings the index of its view up to date in its own way; a work tree also
// compares the index with its files, counts what git calls changed, and is
// watched.
package origin

import (
	"context"
	"errors"
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

// Origin is what a repository shows: a work tree, a commit of one, or a clone
// of a repository on another machine. It is safe for concurrent use.
type Origin interface {
	files

	// Repository opens the git repository that commits are read from.
	Repository() (*git.Repository, error)
	// Head returns the commit and the branch that are shown.
	Head() (commit, branch string, err error)
	// Label writes into the freshness of a snapshot which ref it shows.
	Label(s *store.Snapshot)
	// Unindexed is the freshness of an answer where there is no index.
	Unindexed() code.Freshness
	// Complete reports whether a generation that is whole shows all that a
	// question may ask of the origin.
	Complete(s *store.Snapshot) bool
	// Update brings the index up to date, and reports whether git has left the
	// files alone meanwhile.
	Update(ctx context.Context, u *view.Update) (settled bool, err error)
}

// Of returns the origin of what a repository shows by itself: a work tree, a
// package whose files never change, or a clone. sync brings the
// index up to date for the watcher of a tree, and calls enter with each folder
// before it is read.
func Of(e *view.View, means RemoteOptions, sync func(ctx context.Context, enter func(dir string)) error) Origin {
	switch rec := e.Record(); {
	case rec.Remote != nil:
		return &remote{noFiles{e}, means}
	case rec.Package != nil && rec.Package.Fixed:
		return &fixed{tree: newTree(e, sync)}
	}
	return newTree(e, sync)
}

// files are the files that are checked out, if there are any.
type files interface {
	// Frozen reports that there are none, because a commit is shown.
	Frozen() bool
	// Open opens the root of the files.
	Open() (*os.Root, error)
	// Look asks git what is checked out. An answer asks before its files are
	// compared: git moves HEAD after it has written them. The function that is
	// returned writes it into the freshness of a snapshot, with how many files
	// differ from it, in no more time than the limit. seen is what the files are
	// where the snapshot does not show them, nil where it does or that is unknown.
	Look(ctx context.Context, limit time.Duration) (tell func(s *store.Snapshot, seen *listing.Tree))
	// Compare compares a snapshot with the files; nil where nothing has changed. Where
	// the files are not followed, only those are compared that globs cover, if there
	// are any, and the freshness of the snapshot says so.
	Compare(ctx context.Context, s *store.Snapshot, only []string) (*Comparison, error)
	// Watch begins to follow the files; a second call does nothing.
	Watch() error
	// Watching says how the files are followed, by whichever process; empty
	// where they are not.
	Watching(ctx context.Context) string
	// Close ends what runs.
	Close()
}

// Comparison is how a snapshot and the files differ, and the files.
type Comparison struct {
	Plan *index.Plan
	Root *os.Root // to be closed when the plan is not used any more
}

// NoHistoryError says that a repository has no history.
type NoHistoryError struct {
	Repo string
	Err  error
}

func (e *NoHistoryError) Error() string {
	return fmt.Sprintf("repo %s has no history: %v", e.Repo, e.Err)
}

// Explain returns the error and where a history is, or how it can be read.
func (e *NoHistoryError) Explain() (problem, hint string) {
	if errors.Is(e.Err, ErrPublished) {
		return e.Error(), whereHistory
	}
	var why interface{ Explain() (problem, hint string) }
	if errors.As(e.Err, &why) {
		problem, hint = why.Explain()
		return fmt.Sprintf("repo %s has no history: %s", e.Repo, problem), hint
	}
	return e.Error(), ""
}

// Unwrap returns the reason.
func (e *NoHistoryError) Unwrap() error { return e.Err }
