package job

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"espy/internal/progress"
)

// Options say what the jobs of a slot are called.
type Options struct {
	Shared Shared
	Repo   func() string // name, for the log
	Log    *slog.Logger
}

// Slot runs one kind of job of a repository. It is safe for concurrent use.
type Slot struct {
	opts Options

	mu     sync.Mutex
	job    *Job // the one running or last run, guarded by mu
	closed bool // guarded by mu
}

// NewSlot returns a slot that has run nothing yet.
func NewSlot(o Options) *Slot { return &Slot{opts: o} }

// Start begins a job, unless one is running, which is returned instead with
// fresh false. On a closed slot the job has ended with context.Canceled.
func (s *Slot) Start(w Work) (j *Job, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.job != nil && s.job.running() {
		return s.job, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	j = &Job{done: make(chan struct{}), cancel: cancel, started: time.Now(), brief: w.Brief}
	if s.closed {
		j.err = context.Canceled
		cancel()
		close(j.done)
		return j, true
	}
	s.job = j
	go func() {
		defer close(j.done)
		defer cancel()
		j.err = s.run(ctx, j, w)
		if w.After != nil {
			w.After(j.err)
		}
		s.logEnd(j)
	}()
	return j, true
}

// run does the work, which other processes see unless it is brief.
func (s *Slot) run(ctx context.Context, j *Job, w Work) error {
	if w.Brief {
		return w.Do(ctx, j)
	}
	return s.opts.Shared.alone(ctx, j, w)
}

// Finish runs a job that begins now, and waits for it. A job that was running
// may have begun before the newest change: it is waited for first.
func (s *Slot) Finish(ctx context.Context, w Work, tell func(progress.Report)) (*Job, error) {
	j, fresh := s.Start(w)
	for ; !fresh; j, fresh = s.Start(w) {
		err := j.Wait(ctx, tell)
		if ctx.Err() != nil {
			return j, ctx.Err()
		}
		if errors.Is(err, ErrCancelled) {
			return j, err
		}
	}
	err := j.Wait(ctx, tell)
	if ctx.Err() != nil {
		j.Stop()
	}
	return j, err
}

// last returns the job running or last run, nil before the first.
func (s *Slot) last() *Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.job
}

// Await waits for the job that is running, if any.
func (s *Slot) Await(ctx context.Context, tell func(progress.Report)) {
	if j := s.last(); j != nil {
		j.Wait(ctx, tell)
	}
}

// Idle reports whether no job runs.
func (s *Slot) Idle() bool {
	j := s.last()
	return j == nil || !j.running()
}

// Failed returns what ended the last job; nil for one that runs, did its work,
// or gave way to another writer.
func (s *Slot) Failed() error {
	if j := s.last(); j != nil && !j.running() && !j.gaveWay() {
		return j.err
	}
	return nil
}

// Close keeps jobs from beginning. The one that runs ends when it is stopped,
// which is left to the function that is returned.
func (s *Slot) Close() (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.job == nil {
		return func() {}
	}
	return s.job.Stop
}

// logEnd logs a job that failed. Nobody waits for a brief one, so that only the
// log shows its error; an index that may not be written is no fault.
func (s *Slot) logEnd(j *Job) {
	if j.err == nil || j.gaveWay() {
		return
	}
	level := slog.LevelInfo
	if j.brief && !errors.Is(j.err, fs.ErrPermission) && !errors.Is(j.err, syscall.EROFS) {
		level = slog.LevelWarn
	}
	s.opts.Log.Log(context.Background(), level, "indexing ended with an error", "repo", s.opts.Repo(), "err", j.err)
}

// Yields reports whether the last run was cancelled and none was asked for
// since: work of a watcher waits until then.
func (s *Slot) Yields() bool { return s.opts.Shared.yields() }

// Cancel ends the run, in whichever process, and waits until it has ended; false
// where none was under way.
func (s *Slot) Cancel(ctx context.Context) (ended bool, err error) {
	return s.opts.Shared.cancelRun(ctx)
}

// Look returns the state of jobs, later ones first: of this process, and where
// this one has none or waits, of others.
func Look(slots ...*Slot) (st State) {
	for _, s := range slots {
		switch j := s.last(); {
		case j == nil:
		case j.running():
			st.Progress, st.Process = &progress.Report{Phase: progress.Scan}, os.Getpid()
			if p := j.progress.Load(); p != nil {
				st.Progress = p
			}
		case j.err != nil:
			st.LastError = plain(j.err).Error()
		}
	}
	if st.Progress != nil && !st.Progress.Waiting() {
		return st
	}
	for _, s := range slots {
		s.opts.Shared.look(&st)
	}
	return st
}
