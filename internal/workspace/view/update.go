package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/git/export"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace/job"
)

// Update is one run that brings the view of a repository up to date.
type Update struct {
	Target   *View
	Job      *job.Job
	Force    bool             // from nothing
	Paranoid bool             // hash every file, whatever its stat says
	Enter    func(dir string) // called with each folder before it is read; nil for nothing

	Fetch bool   // ask another machine for what is new
	URL   string // its address with user and password, "" without
}

// Write calls f with a batch under the writer's lock, and commits the batch. It
// returns whether f found that the files are those of what git has checked out.
func (u *Update) Write(ctx context.Context, f func(*store.Batch, index.Options) (settled bool, err error)) (settled bool, err error) {
	unlock, err := u.Target.Lock(ctx, u.Job.Tell)
	if err != nil {
		return false, err
	}
	u.Job.Tell(progress.Report{Phase: progress.Scan})
	batch, err := u.Target.Family.Begin(u.Target.Key, unlock, u.Force)
	if err != nil {
		return false, err
	}
	u.Target.noteAnew(batch.Anew())
	u.Target.NoteOldSyntax(batch.Base())
	o := u.Target.Options()
	o.Paranoid, o.Hooks.Enter = u.Paranoid, u.Enter
	if u.Force {
		o.Siblings = nil
	}
	o.Hooks.Progress, o.Hooks.Analysed = u.Job.Tell, &u.Job.Analysed
	settled, err = f(batch, o)
	if closeErr := batch.Close(); err == nil {
		err = closeErr
	}
	return settled, err
}

// Compare compares a snapshot with the files below a root, and keeps what the
// walk could not do.
func (v *View) Compare(ctx context.Context, root *os.Root, s *store.Snapshot, o index.Options) (*index.Plan, error) {
	plan, err := index.Compare(ctx, root, s, o)
	if err == nil {
		v.setNotices(plan.Notices)
	}
	return plan, err
}

// IndexFiles indexes the files below a root, and reports whether git has left
// them alone meanwhile.
func (v *View) IndexFiles(ctx context.Context, batch *store.Batch, root *os.Root, o index.Options) (settled bool, err error) {
	plan, err := v.Compare(ctx, root, batch.Base(), o)
	if err != nil {
		return false, err
	}
	if settled = plan.Settled(); plan.Clean() && !batch.First() && (!settled || plan.Recorded(batch.Base())) {
		return settled, nil
	}
	if err := v.Family.Reserve(plan.Bytes); err != nil {
		return false, err
	}
	_, err = index.Sync(ctx, batch, plan, o)
	return plan.Settled(), err
}

// Commit is a commit that a repository shows.
type Commit struct {
	Ref  string // the name it was asked for by
	ID   string
	Time time.Time // of its author, UTC; zero where it is not known
}

// Day is the day of a time, empty where it is not known.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// Complete reports whether a snapshot is all of a commit, any where id is empty,
// under the policy of now.
func (v *View) Complete(s *store.Snapshot, id string) bool {
	return s != nil && !s.Freshness.Partial && (id == "" || s.Freshness.Commit == id) && len(s.Damaged) == 0 && samePolicy(s.Policy(), v.Policy())
}

// samePolicy reports whether a policy that was stored is one of the settings.
func samePolicy(stored, now discover.Policy) bool {
	a, errA := json.Marshal(stored)
	b, errB := json.Marshal(now)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// Bounds of a commit that is exported, far above what the policy keeps of it.
const (
	maxExportFiles = 2 * discover.DefaultMaxFiles
	maxExportBytes = 16 << 30
)

// IndexCommit indexes the files of a commit, which it exports into a scratch
// folder meanwhile, without those that another commit has indexed. A commit that is indexed already, perhaps by another process
// that had the lock until now, is left as it is.
func (v *View) IndexCommit(ctx context.Context, batch *store.Batch, o index.Options, history *git.Repository, at Commit) (err error) {
	if v.Complete(batch.Base(), at.ID) {
		return nil
	}
	dir, err := v.Family.Scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	o.Policy = v.Env.Policy // that of the work tree leaves out an index inside it
	entries, err := history.SizedTree(ctx, at.ID)
	if err != nil {
		return fmt.Errorf("export commit %.12s: %w", at.ID, err)
	}
	held, release, err := v.indexed(ctx, batch, o, history, entries)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e git.TreeEntry) bool { return held[e.Path].Leaf.Read })
	x, err := export.Commit(ctx, history, entries, root, export.Options{MaxFiles: maxExportFiles, MaxBytes: maxExportBytes, Hollow: o.Policy.Unread})
	if err != nil {
		return fmt.Errorf("export commit %.12s: %w", at.ID, err)
	}
	o.Frozen = index.Frozen{Commit: at.ID, Ref: at.Ref, Left: leftOut(x.Left), Held: held}
	_, err = v.IndexFiles(ctx, batch, root, o)
	return err
}

// leftOut says in the words of a walk what an export left out.
func leftOut(list []export.LeftOut) (out []discover.Exclusion) {
	for _, l := range list {
		x := discover.Exclusion{Path: l.Path, Reason: discover.ReasonUnreadable, Detail: l.Detail}
		switch l.Why {
		case export.WhyLink:
			x.Reason = discover.ReasonSymlink
		case export.WhySubmodule:
			x.Reason, x.Dir = discover.ReasonSubmodule, true
		case export.WhyMissing:
			x.Detail = "the repository does not hold its text"
		case export.WhyName:
			x.Detail = cmp.Or(l.Detail, "no file may have this name")
		}
		out = append(out, x)
	}
	return out
}
