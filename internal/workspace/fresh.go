package workspace

import (
	"context"
	"errors"
	"os"
	"time"

	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
)

// Wait says how long a question waits for the index. Zero waits until it is done.
type Wait struct {
	First    time.Duration // for the first indexing of a repository
	Fresh    time.Duration // for changed files to be seen
	Progress func(progress.Report)
	Syntax   bool // for the symbols of every file too, as long as for the first indexing
}

// overlayBytes bounds the changed text that is analysed while a question
// waits; more is left to a job.
const overlayBytes = 4 << 20

// Snapshot returns the index as it is now: with changed files overlaid, or
// marked with what it does not show yet. The first call for a repository
// begins its indexing. The snapshot must be closed.
func (r *Repo) Snapshot(ctx context.Context, w Wait) (s *store.Snapshot, err error) {
	err = r.Recover(func() error { s, err = r.snapshot(ctx, w); return err })
	return s, err
}

// Look calls f with the index as it is now, and again where f comes upon damage
// that is taken out of use: f must be able to start over. Errors of f are returned.
func (r *Repo) Look(ctx context.Context, w Wait, f func(*store.Snapshot) error) error {
	return r.Recover(func() error {
		s, err := r.snapshot(ctx, w)
		if err != nil {
			return err
		}
		return errors.Join(segment.Guard(func() error { return f(s) }), s.Close())
	})
}

func (r *Repo) snapshot(ctx context.Context, w Wait) (*store.Snapshot, error) {
	s, err := r.current(ctx, w)
	if err != nil || !w.Syntax {
		return s, err
	}
	return r.parsed(ctx, w, s)
}

// current is snapshot without regard to symbols of files that are committed.
func (r *Repo) current(ctx context.Context, w Wait) (*store.Snapshot, error) {
	if r.at != nil {
		return r.frozen(ctx, w)
	}
	at := r.lookGit()
	loaded := r.loadIndex(ctx, w.dirtyLimit(), at)
	s, seen, err := r.compared(ctx, w)
	if <-loaded; err == nil {
		r.tell(ctx, w.dirtyLimit(), s, at, seen)
	}
	return s, err
}

// frozen is current of a commit, which has no files to compare with.
func (r *Repo) frozen(ctx context.Context, w Wait) (*store.Snapshot, error) {
	r.family.NoteUse(r.view)
	s, err := r.newest()
	if err != nil || s.Freshness.Partial || !r.stands(s, *r.at) {
		return r.first(ctx, w, s, err)
	}
	return s, nil
}

// compared is current without what git says. Where changes are pending, it
// returns the tree as it is too.
func (r *Repo) compared(ctx context.Context, w Wait) (*store.Snapshot, *listing.Tree, error) {
	s, err := r.newest()
	if err != nil || s.Freshness.Partial {
		s, err = r.first(ctx, w, s, err)
		return s, nil, err
	}
	if r.ws.opts.Watch {
		if err := r.Watch(); err != nil {
			r.ws.opts.Log.Debug("cannot watch", "repo", r.Name(), "err", err)
		}
	}
	return r.refresh(ctx, w, s)
}

// newest returns the newest committed generation, kept open between questions.
func (r *Repo) newest() (*store.Snapshot, error) {
	stamp, cut := r.family.Stamp(r.view), r.family.Recheck()
	r.mu.Lock()
	defer r.mu.Unlock()
	if cut {
		r.forgetLocked()
	}
	if r.held != nil && r.stamp == stamp {
		return r.name(r.held.Clone()), nil
	}
	s, err := r.family.Snapshot(r.view)
	if err != nil {
		return nil, err
	}
	r.forgetLocked()
	r.stamp = stamp
	if !r.closed && len(s.Damaged) == 0 {
		r.held = s.Clone()
	}
	return r.name(s), nil
}

// name writes the repository's names into a snapshot. The caller holds r.mu.
func (r *Repo) name(s *store.Snapshot) *store.Snapshot {
	s.Repo, s.Name = r.record.ID, r.named(r.record.Name)
	s.Freshness.Rebuilt = r.rebuilt.tell(time.Now())
	if r.at != nil {
		s.Freshness.Ref, s.Freshness.Committed = r.at.ref, day(r.at.time)
	}
	if remote := r.record.Remote; remote != nil && r.of == nil {
		_, s.Freshness.Ref = s.Checkout()
		s.Freshness.Fetched = day(remote.Fetched)
		if remote.Commit == s.Freshness.Commit {
			s.Freshness.Committed = day(remote.Committed)
		}
	}
	return s
}

// stalled is how long a question waits for another process that indexes a
// repository, when a part of it can be searched.
var stalled = 5 * time.Second // tests wait less

// first waits for the first whole generation, or for w.First and then for any.
// What there is when the indexing fails, or another process does not get on
// with it, is handed out too, marked as partial.
func (r *Repo) first(ctx context.Context, w Wait, s *store.Snapshot, err error) (*store.Snapshot, error) {
	some := s != nil
	if some {
		s.Close()
	} else if !store.Rebuildable(err) {
		return nil, err
	}
	j, _ := r.startSync(IndexOptions{})
	if some && (w.First <= 0 || w.First > stalled) {
		if err := j.begun(ctx, stalled); errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return r.newest()
		}
	}
	waitCtx, cancel := withTimeout(ctx, w.First)
	defer cancel()
	jobErr := j.wait(waitCtx, w.Progress)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s, err = r.newest()
	if err != nil && jobErr != nil && waitCtx.Err() == nil {
		return nil, jobErr
	}
	return s, err
}

func withTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// refresh looks for changes and shows them, or returns the tree that they are
// pending in. It owns s.
func (r *Repo) refresh(ctx context.Context, w Wait, s *store.Snapshot) (*store.Snapshot, *listing.Tree, error) {
	root, err := r.Open()
	if err != nil {
		s.Freshness.Unchecked = true
		return s, nil, nil
	}
	quick, cancel := withTimeout(ctx, w.Fresh)
	defer cancel()
	plan, err := r.compare(quick, root, s)
	if err != nil {
		root.Close()
		s, err = r.unchecked(ctx, s, err)
		return s, nil, err
	}
	if plan == nil || plan.Clean() {
		return s, nil, r.noteHead(quick, s, plan, root)
	}
	if plan.Bytes <= overlayBytes {
		if d, err := index.Overlay(quick, plan, r.Options()); err == nil {
			if w.Syntax && plan.Bytes <= overlaySyntaxBytes {
				r.parseDelta(quick, &d)
			}
			s, err = r.overlay(s, plan, d, root)
			return s, nil, err
		}
	}
	root.Close()
	if ctx.Err() != nil {
		return nil, nil, errors.Join(ctx.Err(), s.Close())
	}
	return r.pending(ctx, w, s, plan)
}

// noteHead leaves it to a job to note that the files of a snapshot, in which
// nothing has changed, are those of another commit now. It owns root.
func (r *Repo) noteHead(ctx context.Context, s *store.Snapshot, plan *index.Plan, root *os.Root) error {
	if plan == nil || plan.Recorded(s) || !plan.Settled() {
		return root.Close()
	}
	d, err := index.Overlay(ctx, plan, r.Options())
	if err != nil {
		return root.Close() // the next question finds the same
	}
	base := s.Clone()
	r.startCommit(base, plan, d, func() error { return errors.Join(d.Close(), root.Close(), base.Close()) })
	return nil
}

// overlay shows a delta over the snapshot it was made on and leaves its commit
// to a job. It owns s and root.
func (r *Repo) overlay(s *store.Snapshot, plan *index.Plan, d store.Delta, root *os.Root) (*store.Snapshot, error) {
	if plan.Idle(d) {
		return s, errors.Join(d.Close(), root.Close())
	}
	done := func() error { return errors.Join(d.Close(), root.Close(), s.Close()) }
	o, err := s.Overlay(d)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	r.startCommit(s, plan, d, done)
	return o, nil
}

// unchecked hands out a snapshot whose check for changes did not end in time.
func (r *Repo) unchecked(ctx context.Context, s *store.Snapshot, err error) (*store.Snapshot, error) {
	var corrupt *segment.CorruptError
	if ctx.Err() != nil || errors.As(err, &corrupt) || errors.Is(err, segment.ErrTruncated) {
		return nil, errors.Join(err, s.Close())
	}
	s.Freshness.Unchecked = true
	if errors.Is(err, context.DeadlineExceeded) {
		r.startSync(IndexOptions{})
	}
	return s, nil
}

// pending leaves many changes to a job, and waits for it where w.Fresh is zero.
// When the job fails, or another process does not let it begin, the old
// generation answers, marked with what is missing.
func (r *Repo) pending(ctx context.Context, w Wait, s *store.Snapshot, plan *index.Plan) (*store.Snapshot, *listing.Tree, error) {
	j, fresh := r.startSync(IndexOptions{})
	if w.Fresh > 0 {
		s.Freshness.PendingFiles = plan.Files()
		return s, plan.Seen(), nil
	}
	err := j.begun(ctx, stalled)
	if err == nil {
		err = j.wait(ctx, w.Progress)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, errors.Join(err, s.Close())
		}
		s.Freshness.PendingFiles = plan.Files()
		return s, plan.Seen(), nil
	}
	if err := s.Close(); err != nil {
		return nil, nil, err
	}
	if !fresh {
		return r.compared(ctx, w) // the job had begun before the change
	}
	s, err = r.newest()
	return s, nil, err
}
