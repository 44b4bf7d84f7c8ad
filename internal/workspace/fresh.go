package workspace

import (
	"cmp"
	"context"
	"errors"
	"time"

	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/parallel"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace/job"
	"espy/internal/workspace/origin"
)

// Wait says how long a question waits for the index, and who learns meanwhile
// how far it is. Zero waits until it is done.
type Wait struct {
	First    time.Duration // for the first indexing of a repository, and for symbols
	Fresh    time.Duration // for changed files to be seen
	Vectors  bool          // for the vectors of every file too
	Below    []string      // globs that cover all files that the answer shows; none for all
	Progress func(progress.Report)
}

// question is a question to the index of a repository.
type question struct {
	Wait
	syntax  bool      // the symbols of every file are needed too
	vectors bool      // the vectors of every file are
	away    bool      // they may be where the repository is published
	until   time.Time // everything that is waited for; zero without a bound
}

// A question that does not wait for the index counts the files that differ from
// HEAD for dirtyTime, one that does for dirtyWait. That is enough wherever git
// has written its index since the files were last copied or restored; else each
// must be read. What was read is kept for the next question of the process.
const (
	dirtyTime = 100 * time.Millisecond
	dirtyWait = 2 * time.Second
)

func (w Wait) dirtyLimit() time.Duration {
	if w.Fresh > 0 {
		return min(w.Fresh, dirtyTime)
	}
	return dirtyWait
}

// overlayBytes bounds the changed text that is analysed while a question waits;
// more is left to a job. overlaySyntaxBytes is the same of the text that is
// parsed: about a third of a second of the slowest parser.
const (
	overlayBytes       = 4 << 20
	overlaySyntaxBytes = 1 << 20
)

// Snapshot returns the index as it is now: with changed files overlaid, or
// marked with what it does not show yet. The first call for a repository
// begins its indexing. The snapshot must be closed.
func (r *Repo) Snapshot(ctx context.Context, w Wait) (s *store.Snapshot, err error) {
	err = r.Recover(func() error { s, err = r.snapshot(ctx, question{Wait: w}); return err })
	return s, err
}

// Followed returns the files as they are, which takes no walk where they are followed and
// nothing has changed. It is nil where they are not, or the index does not show them all.
func (r *Repo) Followed(ctx context.Context) (*listing.Tree, error) {
	s, err := r.newest()
	if err != nil {
		return nil, err
	}
	whole := !s.Freshness.Partial && r.origin.Complete(s)
	if err := s.Close(); err != nil || !whole || !r.opts.Watch || r.Frozen() {
		return nil, err
	}
	if s, err = r.Snapshot(ctx, Wait{Fresh: time.Minute}); err != nil {
		return nil, err
	}
	defer s.Close()
	if f := &s.Freshness; f.Partial || f.Unchecked || f.PendingFiles > 0 {
		return nil, nil
	}
	return s.Tree()
}

// Ready reads what every question needs of the index and of git, and begins to follow the
// files where they are followed.
func (r *Repo) Ready(ctx context.Context) error {
	s, err := r.newest()
	if err != nil {
		return err
	}
	defer s.Close()
	tell := r.origin.Look(ctx, dirtyTime)
	_, err = s.Tree()
	if tell(nil, nil); err == nil && r.opts.Watch && !r.Frozen() && !s.Freshness.Partial {
		err = r.Watch()
	}
	return err
}

// Look calls f with the index as it is now, and again where f comes upon damage
// that is taken out of use: f must be able to start over. Errors of f are returned.
func (r *Repo) Look(ctx context.Context, w Wait, f func(*store.Snapshot) error) error {
	return r.ask(ctx, question{Wait: w}, f)
}

// ask is Look for a question.
func (r *Repo) ask(ctx context.Context, q question, f func(*store.Snapshot) error) error {
	return r.Recover(func() error {
		s, err := r.snapshot(ctx, q)
		if err != nil {
			return err
		}
		return errors.Join(segment.Guard(func() error { return f(s) }), s.Close())
	})
}

// A question that waits for the index leaves a fifth of its time to look at it, more
// for symbols: those of 80,000 files take a second or two to open. One that looks at
// it leaves a tenth of what is left to write the answer.
const (
	waitParts   = 5
	answerParts = 10
	symbolsTime = 4 * time.Second // but half of the time at most
)

// lookFrom is when a question is to look at the index, ready or not; zero without a bound.
func (q question) lookFrom(ctx context.Context) (at time.Time) {
	if end, ok := ctx.Deadline(); ok {
		look := time.Until(end) / waitParts
		if q.syntax {
			look = max(look, min(time.Until(end)/2, symbolsTime))
		}
		at = end.Add(-look)
	}
	return at
}

// inTime bounds what a question waits for.
func (q question) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if q.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, q.until)
}

// snapshot returns the index as it is now, with the symbols and the vectors of
// every file where the question needs them.
func (r *Repo) snapshot(ctx context.Context, q question) (*store.Snapshot, error) {
	q.until = q.lookFrom(ctx)
	s, err := r.current(ctx, q)
	if err == nil && q.syntax {
		s, err = r.parsed(ctx, q, s)
	}
	if err == nil && q.vectors && !q.away && r.source != nil {
		s, err = r.source.Whole(ctx, s, r.newest)
	}
	if err == nil && q.vectors {
		s, err = r.embedded(ctx, q, s)
	}
	return s, err
}

// current is snapshot without regard to symbols and vectors of files that are committed.
func (r *Repo) current(ctx context.Context, q question) (*store.Snapshot, error) {
	limit := q.dirtyLimit()
	if len(q.Below) > 0 && !r.opts.Watch {
		limit = 0 // they are not counted
	}
	tell := r.origin.Look(ctx, limit)
	s, seen, err := r.compared(ctx, q)
	tell(s, seen)
	return s, err
}

// compared is current without what git says. Where changes are pending, it
// returns the tree as it is too.
func (r *Repo) compared(ctx context.Context, q question) (*store.Snapshot, *listing.Tree, error) {
	s, err := r.newest()
	if err != nil || s.Freshness.Partial || !r.origin.Complete(s) {
		s, err = r.first(ctx, q, s, err)
		return s, nil, err
	}
	if r.opts.Watch && !r.Frozen() {
		if err := r.Watch(); err != nil {
			r.view.Env.Log.Debug("cannot watch", "repo", r.Name(), "err", err)
		}
	}
	return r.refresh(ctx, q, s)
}

// patience is the default of Options.Patience.
const patience = 5 * time.Second

func (r *Repo) patience() time.Duration { return cmp.Or(r.opts.Patience, patience) }

// first waits for the first whole generation, or for q.First and then for any.
// What there is when the indexing fails, or another process does not get on
// with it, is handed out too, marked as partial.
func (r *Repo) first(ctx context.Context, q question, s *store.Snapshot, err error) (*store.Snapshot, error) {
	some := s != nil
	if some {
		s.Close()
	} else if !store.Rebuildable(err) {
		return nil, err
	}
	j, _ := r.startSync(IndexOptions{})
	quick, done := q.inTime(ctx)
	defer done()
	if q.First <= 0 || q.First > r.patience() {
		begun := j.Begun(quick, r.patience())
		late := errors.Is(begun, context.DeadlineExceeded) && ctx.Err() == nil
		if late && some {
			return r.newest()
		}
		if late {
			if waits := job.Unready(r.Name(), r.sync, err); waits.Stopped() {
				return nil, waits
			}
		}
	}
	waitCtx, cancel := parallel.Within(quick, q.First)
	defer cancel()
	jobErr := j.Wait(waitCtx, q.Progress)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s, err = r.newest()
	if err != nil && waitCtx.Err() != nil {
		return nil, job.Unready(r.Name(), r.sync, err)
	}
	if err != nil && jobErr != nil {
		return nil, jobErr
	}
	return s, err
}

// refresh looks for changes and shows them, or returns the tree that they are
// pending in. It owns s.
func (r *Repo) refresh(ctx context.Context, q question, s *store.Snapshot) (*store.Snapshot, *listing.Tree, error) {
	quick, done := q.inTime(ctx)
	defer done()
	quick, cancel := parallel.Within(quick, q.Fresh)
	defer cancel()
	c, err := r.origin.Compare(quick, s, q.Below)
	if err != nil {
		s, err = r.unchecked(ctx, s, err)
		return s, nil, err
	}
	if c == nil {
		return s, nil, nil
	}
	if c.Plan.Clean() {
		return s, nil, r.noteHead(quick, s, c)
	}
	if c.Plan.Bytes <= overlayBytes {
		if d, err := index.Overlay(quick, c.Plan, r.Options()); err == nil {
			if q.syntax && c.Plan.Bytes <= overlaySyntaxBytes {
				r.parseDelta(quick, &d)
			}
			r.embedDelta(quick, &d)
			s, err = r.overlay(s, c, d)
			return s, nil, err
		}
	}
	c.Root.Close()
	if ctx.Err() != nil {
		return nil, nil, errors.Join(ctx.Err(), s.Close())
	}
	return r.pending(ctx, q, s, c.Plan)
}

// noteHead leaves it to a job to note that the files of a snapshot, in which
// nothing has changed, are those of another commit now. It owns c.root.
func (r *Repo) noteHead(ctx context.Context, s *store.Snapshot, c *origin.Comparison) error {
	if c.Plan.Bounded() || c.Plan.Recorded(s) || !c.Plan.Settled() {
		return c.Root.Close()
	}
	d, err := index.Overlay(ctx, c.Plan, r.Options())
	if err != nil {
		return c.Root.Close() // the next question finds the same
	}
	base := s.Clone()
	r.startCommit(base, c.Plan, d, func() error { return errors.Join(d.Close(), c.Root.Close(), base.Close()) })
	return nil
}

// overlay shows a delta over the snapshot it was made on and leaves its commit
// to a job. It owns s and c.root.
func (r *Repo) overlay(s *store.Snapshot, c *origin.Comparison, d store.Delta) (*store.Snapshot, error) {
	if c.Plan.Idle(d) {
		return s, errors.Join(d.Close(), c.Root.Close())
	}
	done := func() error { return errors.Join(d.Close(), c.Root.Close(), s.Close()) }
	o, err := s.Overlay(d)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	if c.Plan.Bounded() {
		return o, done()
	}
	r.startCommit(s, c.Plan, d, done)
	return o, nil
}

// parseDelta parses the files of an overlay. When that fails or takes too long
// the overlay says that they are pending.
func (r *Repo) parseDelta(ctx context.Context, d *store.Delta) {
	if err := index.ParseDelta(ctx, d, r.Options()); err != nil {
		d.Syntax = nil
	}
}

// unchecked hands out a snapshot whose files cannot be read, or whose check for
// changes did not end in time.
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

// pending leaves many changes to a job, and waits for it where q.Fresh is zero.
// When the job fails, or another process does not let it begin, the old
// generation answers, marked with what is missing.
func (r *Repo) pending(ctx context.Context, q question, s *store.Snapshot, plan *index.Plan) (*store.Snapshot, *listing.Tree, error) {
	j, fresh := r.startSync(IndexOptions{})
	if q.Fresh > 0 {
		s.Freshness.PendingFiles = plan.Files()
		return s, plan.Seen(), nil
	}
	quick, cancel := q.inTime(ctx)
	defer cancel()
	err := j.Begun(quick, r.patience())
	if err == nil {
		err = j.Wait(quick, q.Progress)
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
		return r.compared(ctx, q) // the job had begun before the change
	}
	s, err = r.newest()
	return s, nil, err
}

// parseTries bounds how often a question has its files parsed: changes too large for
// its overlay are parsed once they are committed, which another commit may delay.
const parseTries = 3

// parsed waits until the files of a snapshot are parsed, which it owns, or for
// q.First, and returns one that has their symbols or says how many files wait.
func (r *Repo) parsed(ctx context.Context, q question, s *store.Snapshot) (*store.Snapshot, error) {
	s, left, err := r.finished(ctx, q, s, r.parsing())
	if err == nil {
		s.Freshness.SyntaxPending = left
	}
	return s, err
}

// finished waits for what a question needs of a snapshot, which it owns, or for
// q.First, and returns one that has it, and how many files wait for it.
func (r *Repo) finished(ctx context.Context, q question, s *store.Snapshot, n need) (_ *store.Snapshot, left int, err error) {
	quick, done := q.inTime(ctx)
	defer done()
	waitCtx, cancel := parallel.Within(quick, q.First)
	defer cancel()
	for try := 0; ; try++ {
		err := segment.Guard(func() error { left = n.pending(s); return nil })
		if err != nil {
			return nil, 0, errors.Join(err, s.Close())
		}
		if left == 0 || r.opts.Team.Answers() || try == parseTries || waitCtx.Err() != nil || r.left.InVain(n.of, s.Freshness.Generation, left) {
			return s, left, nil
		}
		whole := r.shows(s)
		if r.finish(waitCtx, n, q.Progress) != nil {
			try = parseTries - 1
		}
		late := waitCtx.Err() != nil
		switch {
		case late && !whole: // it shows changes that are not committed
		case whole && (late || !s.Freshness.Unchecked):
			s, err = r.further(s)
		default:
			if err = s.Close(); err == nil {
				s, err = r.current(ctx, q)
			}
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// further is the newest generation, with what passes have added since a snapshot, which
// it owns: the files are as they were found for that.
func (r *Repo) further(s *store.Snapshot) (*store.Snapshot, error) {
	f := s.Freshness
	if err := s.Close(); err != nil {
		return nil, err
	}
	s, err := r.newest()
	if err == nil {
		now := &s.Freshness
		f.Generation, f.Commit, f.Rebuilt = now.Generation, now.Commit, now.Rebuilt
		f.Partial, f.IndexedFiles, f.TotalFiles = now.Partial, now.IndexedFiles, now.TotalFiles
		s.Freshness = f
	}
	return s, err
}

// shows reports whether a snapshot is the newest generation, with nothing pending.
func (r *Repo) shows(s *store.Snapshot) bool {
	newest, err := r.newest()
	if err == nil {
		defer newest.Close()
	}
	return err == nil && s.Freshness.PendingFiles == 0 && s.Same(newest)
}
