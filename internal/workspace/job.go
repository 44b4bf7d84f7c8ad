package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"espy/internal/claim"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/store/blob/local"
)

// job is one piece of writing for a repository. A repository has at most one
// at a time in a process, and the writer's lock sees to it that only one
// process works.
type job struct {
	done     chan struct{}
	err      error // readable once done is closed
	progress atomic.Pointer[progress.Report]
	run      atomic.Pointer[claim.Run] // that other processes see, nil while there is none
	analysed atomic.Int64              // files
	cancel   context.CancelFunc
	asked    time.Time // when it was
	brief    bool      // only commits what is analysed: close waits for it
}

// tell notes how far the job has come.
func (j *job) tell(p progress.Report) {
	j.progress.Store(&p)
	if run := j.run.Load(); run != nil {
		run.Tell(p)
	}
}

// running reports whether the job has not ended.
func (j *job) running() bool {
	select {
	case <-j.done:
		return false
	default:
		return true
	}
}

// stop ends the job, a brief one when it is finished, and waits for it.
func (j *job) stop() {
	if !j.brief {
		j.cancel()
	}
	<-j.done
}

// wait waits for the job, telling its progress as it changes.
func (j *job) wait(ctx context.Context, tell func(progress.Report)) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-j.done:
			return j.err
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if p := j.progress.Load(); p != nil && tell != nil {
				tell(*p)
			}
		}
	}
}

// begun waits until the job has the writer's lock, and at most for d.
func (j *job) begun(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for p := j.progress.Load(); p == nil || p.Waiting(); p = j.progress.Load() {
		select {
		case <-j.done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

// start begins a job in a place that is guarded by r.mu, unless one is running
// there, which is returned instead with fresh false.
func (r *Repo) start(place **job, brief bool, work func(ctx context.Context, j *job) error) (j *job, fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *place != nil && (*place).running() {
		return *place, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	j = &job{done: make(chan struct{}), cancel: cancel, asked: time.Now(), brief: brief}
	if r.closed {
		j.err = context.Canceled
		cancel()
		close(j.done)
		return j, true
	}
	*place = j
	go func() {
		defer close(j.done)
		defer cancel()
		j.err = work(ctx, j)
		r.logEnd(j)
	}()
	return j, true
}

// logEnd tells of a job that failed. Nobody waits for a brief one, so that
// nobody else would tell; an index that may not be written is no fault.
func (r *Repo) logEnd(j *job) {
	if j.err == nil || errors.Is(j.err, local.ErrLocked) || errors.Is(j.err, context.Canceled) || errors.Is(j.err, ErrCancelled) {
		return
	}
	level := slog.LevelInfo
	if j.brief && !errors.Is(j.err, fs.ErrPermission) && !errors.Is(j.err, syscall.EROFS) {
		level = slog.LevelWarn
	}
	r.ws.opts.Log.Log(context.Background(), level, "indexing ended with an error", "repo", r.Name(), "err", j.err)
}

// startSync begins a job that brings the index up to date, waiting for the
// writer's lock when another process has it.
func (r *Repo) startSync(o IndexOptions) (*job, bool) {
	return r.start(&r.job, false, func(ctx context.Context, j *job) error {
		particular := o.Force || o.Paranoid || o.receive || o.enter != nil
		return r.parseNext(r.alone(ctx, jobIndex, particular, j, func(ctx context.Context) error {
			return r.Recover(func() error { return r.sync(ctx, o, j) })
		}))
	})
}

// RemovedError says that a repository was removed, perhaps by another process,
// while this one held it: it is not written for any more.
type RemovedError struct{ Repo, Place string }

func (e *RemovedError) Error() string {
	return fmt.Sprintf("repo %s was removed: `espy index %s` adds it again", e.Repo, e.Place)
}

// silent is how long the writer's lock is waited for without a word.
const silent = 2 * time.Second

// Lock waits for the writer's lock. When that takes long, as for a process
// that was stopped, it tells which process is waited for, once for each.
func (r *Repo) Lock(ctx context.Context, tell func(progress.Report)) (unlock func(), err error) {
	began := time.Now()
	for told := -1; ; {
		quiet, cancel := context.WithTimeout(ctx, silent)
		unlock, err := r.family.Lock(quiet)
		cancel()
		if err == nil && !r.ws.catalog.Has(r.ID()) {
			unlock()
			return nil, &RemovedError{Repo: r.Name(), Place: cmp.Or(r.Root(), r.URL())}
		}
		if ctx.Err() != nil || !errors.Is(err, local.ErrLocked) {
			return unlock, err
		}
		if pid := r.family.Holder(); pid != told && tell != nil {
			told = pid
			tell(progress.Report{Phase: progress.Wait, Holder: pid, Elapsed: time.Since(began)})
		}
	}
}

// settleTries bounds how often files are looked at again because git checked
// something else out meanwhile. What it then finds names no commit.
const settleTries = 4

// sync brings the index up to date, until git leaves the files alone.
func (r *Repo) sync(ctx context.Context, o IndexOptions, j *job) error {
	for try := 1; ; try++ {
		settled, err := r.syncOnce(ctx, o, j)
		if err != nil || settled || try == settleTries {
			return err
		}
		o.Force = false
	}
}

// syncOnce compares, analyses and commits under the writer's lock. It reports
// whether the files are those of what git has checked out now.
func (r *Repo) syncOnce(ctx context.Context, o IndexOptions, j *job) (settled bool, err error) {
	if err := r.awaitGit(ctx); err != nil {
		return false, err
	}
	unlock, err := r.Lock(ctx, j.tell)
	if err != nil {
		return false, err
	}
	j.tell(progress.Report{Phase: progress.Scan})
	batch, err := r.family.Begin(r.view, unlock, o.Force)
	if err != nil {
		return false, err
	}
	r.noteAnew(batch.Anew())
	r.noteOldSyntax(batch.Base())
	opts := r.Options()
	opts.Paranoid, opts.Hooks.Enter = o.Paranoid, o.enter
	if o.Force {
		opts.Siblings = nil
	}
	opts.Hooks.Progress, opts.Hooks.Analysed = j.tell, &j.analysed
	if r.URL() != "" {
		err = r.receive(ctx, o, opts.Hooks.Progress)
	}
	if err == nil {
		settled, err = r.syncBatch(ctx, batch, opts)
	}
	if closeErr := batch.Close(); err == nil {
		err = closeErr
	}
	if err == nil && r.at != nil {
		r.tidyRefs(ctx)
	}
	return settled, err
}

// awaitGit waits until git does not write the files any more, so that they are
// those of one commit.
func (r *Repo) awaitGit(ctx context.Context) error {
	if r.at != nil {
		return nil
	}
	root, err := r.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for git.Look(root).Busy {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (r *Repo) syncBatch(ctx context.Context, batch *store.Batch, opts index.Options) (settled bool, err error) {
	if r.at != nil {
		return true, r.syncCommit(ctx, batch, opts)
	}
	root, err := r.Open()
	if err != nil {
		return false, err
	}
	defer root.Close()
	return r.syncTree(ctx, batch, root, opts)
}

// syncTree indexes the files below a root, and reports whether git has left
// them alone meanwhile.
func (r *Repo) syncTree(ctx context.Context, batch *store.Batch, root *os.Root, opts index.Options) (settled bool, err error) {
	plan, err := r.look(ctx, root, batch.Base(), opts)
	if err != nil {
		return false, err
	}
	if settled = plan.Settled(); plan.Clean() && !batch.First() && (!settled || plan.Recorded(batch.Base())) {
		return settled, nil
	}
	if err := r.family.Reserve(plan.Bytes); err != nil {
		return false, err
	}
	_, err = index.Sync(ctx, batch, plan, opts)
	return plan.Settled(), err
}

// look compares a snapshot with the files and keeps what the walk had to say.
func (r *Repo) look(ctx context.Context, root *os.Root, s *store.Snapshot, o index.Options) (*index.Plan, error) {
	plan, err := index.Compare(ctx, root, s, o)
	if err == nil {
		r.mu.Lock()
		r.notices = plan.Notices
		r.mu.Unlock()
	}
	return plan, err
}

// told returns what the last look at the files could not do as it should.
func (r *Repo) told() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Concat(r.ws.opts.Notices, r.notices)
}

// startCommit begins a job that writes an overlay made on a snapshot, which it
// closes, if no one else is writing and the snapshot is the newest generation.
func (r *Repo) startCommit(base *store.Snapshot, plan *index.Plan, d store.Delta, done func() error) {
	_, fresh := r.start(&r.job, true, func(ctx context.Context, _ *job) error {
		err := r.commit(ctx, base, plan, d)
		return r.parseNext(errors.Join(err, done()))
	})
	if !fresh {
		done()
	}
}

func (r *Repo) commit(ctx context.Context, base *store.Snapshot, plan *index.Plan, d store.Delta) error {
	unlock, err := r.family.TryLock()
	if err != nil {
		return err
	}
	batch, err := r.family.Begin(r.view, unlock, false)
	if err != nil {
		return err
	}
	r.noteOldSyntax(batch.Base())
	if batch.Follows(base) && plan.Settled() {
		_, err = index.Commit(ctx, batch, plan, d, r.Options())
	}
	if errors.Is(err, store.ErrGone) {
		err = nil // the next look at the files finds it out
	}
	return errors.Join(err, batch.Close())
}
