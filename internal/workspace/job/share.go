package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"espy/internal/claim"
	"espy/internal/progress"
)

// The kinds of jobs that processes share.
const (
	index   = "index"   // files are compared, analysed, committed
	syntax  = "syntax"  // what is committed is parsed
	vectors = "vectors" // what is committed is embedded by the model of the program
	remote  = "remote"  // the same by a model on another machine
	lessons = "lessons" // what the commits teach is learned
)

// Shared is a kind of job of a repository as all processes see it.
type Shared claim.Job

// Index is the indexing of a view, whose records lie in a folder.
func Index(dir, view string) Shared { return Shared{Dir: dir, Name: view + "." + index} }

// Syntax is the pass over the syntax of a view, whose records lie in a folder.
func Syntax(dir, view string) Shared { return Shared{Dir: dir, Name: view + "." + syntax} }

// Vectors is the pass over the vectors of a view, whose records lie in a folder.
func Vectors(dir, view string) Shared { return Shared{Dir: dir, Name: view + "." + vectors} }

// Remote is the same pass by a model on another machine.
func Remote(dir, view string) Shared { return Shared{Dir: dir, Name: view + "." + remote} }

// Lessons is the study of the commits, whose records lie in a folder.
func Lessons(dir, view string) Shared { return Shared{Dir: dir, Name: view + "." + lessons} }

// Clean removes what is left in a folder of the jobs of views that are gone.
func Clean(dir string, keep func(view string) bool) error {
	return claim.Clean(dir, func(name string) bool {
		for _, kind := range []string{index, syntax, vectors, remote, lessons} {
			name = strings.TrimSuffix(name, "."+kind)
		}
		return keep(name)
	})
}

// claimEvery is how often a process looks whether another is done.
const claimEvery = 20 * time.Millisecond

// silent is how long another process is waited for without telling.
const silent = 2 * time.Second

// Work is what a job does.
type Work struct {
	Do    func(ctx context.Context, j *Job) error
	After func(err error) // called once other processes see that it ended; nil for nothing

	// Own is set where the work is not the same for each who asks: it is then
	// done even if another process has just done it.
	Own bool
	// Brief work only commits what is analysed. Other processes do not see it,
	// and it is finished before the slot closes.
	Brief bool
}

// alone does the work unless another process does the same already. That one is
// then waited for: where a run that began after the job was started did the work,
// nothing is left to do, and where one was cancelled meanwhile so is this one.
func (s Shared) alone(ctx context.Context, j *Job, w Work) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	run, err := s.claim(ctx, j, cancel)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // a folder that cannot be written, or a process that was stopped: the writer's lock decides
		return w.Do(ctx, j)
	}
	before := run.Before
	switch {
	case before.State == claim.Cancelled && before.Updated.After(j.started):
		err = ErrCancelled
	case !w.Own && before.State == claim.Done && before.Began.After(j.started):
	default:
		j.run.Store(run)
		err = w.Do(ctx, j)
		j.run.Store(nil)
	}
	if err != nil && errors.Is(context.Cause(ctx), claim.ErrCancelled) {
		err = ErrCancelled
	}
	run.End(plain(err))
	return err
}

// claim begins a run, waiting for the one under way. It does not wait for a
// process that was stopped.
func (s Shared) claim(ctx context.Context, j *Job, cancel func(error)) (*claim.Run, error) {
	began := time.Now()
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	for {
		run, err := claim.Job(s).Start(cancel)
		if !errors.Is(err, claim.ErrBusy) {
			return run, err
		}
		if rec, ok := claim.Job(s).Look(); ok && rec.State == claim.Running {
			if time.Since(began) > silent {
				j.Tell(waitingFor(rec, time.Since(began)))
			}
			if rec.Stopped(time.Now()) {
				return nil, err
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

// waitingFor is the progress of one that waits for another process: how far
// that one is.
func waitingFor(rec claim.Record, elapsed time.Duration) progress.Report {
	p := progressOf(rec)
	if p.Phase == progress.Wait { // it waits too
		p = progress.Report{}
	}
	return progress.Report{
		Phase: progress.Wait, Holder: rec.PID, Elapsed: elapsed,
		Files: p.Files, TotalFiles: p.TotalFiles, Bytes: p.Bytes, TotalBytes: p.TotalBytes,
	}
}

// yields reports whether the last run was cancelled and none was asked for
// since: work of a watcher waits until then.
func (s Shared) yields() bool {
	rec, ok := claim.Job(s).Look()
	return ok && rec.State == claim.Cancelled
}

// cancelRun ends the run, in whichever process, and waits until it has ended; false
// where none was under way.
func (s Shared) cancelRun(ctx context.Context) (ended bool, err error) {
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	id := "" // of the run that is cancelled
	for {
		rec, ok := claim.Job(s).Look()
		if !ok || rec.State != claim.Running || id != "" && rec.ID != id {
			return id != "", nil
		}
		if id == "" {
			if _, ok, err := claim.Job(s).Cancel(); err != nil {
				return false, err
			} else if ok {
				id = rec.ID
			}
		}
		select {
		case <-ctx.Done():
			return false, &stoppedError{rec.PID, ctx.Err()}
		case <-tick.C:
		}
	}
}

// stoppedError says that a process does not end a run that was cancelled.
type stoppedError struct {
	process int
	err     error
}

func (e *stoppedError) Error() string { return fmt.Sprintf("process %d does not end it", e.process) }

// Explain returns the error and what would end the run.
func (e *stoppedError) Explain() (problem, hint string) {
	return fmt.Sprintf("process %d does not end the indexing that it was asked to end", e.process),
		fmt.Sprintf("if it is stopped, continue it (kill -CONT %d), and it ends the indexing; or end it (kill %d)", e.process, e.process)
}

func (e *stoppedError) Unwrap() error { return e.err }

// State is what is known of the jobs of a repository.
type State struct {
	Progress  *progress.Report // of the job under way, in whichever process; nil when idle
	Process   int              // that does it
	LastError string           // of the last job
}

// look adds the state of the run under way, or how the last one ended, from its record.
func (s Shared) look(st *State) {
	rec, ok := claim.Job(s).Look()
	if !ok {
		return
	}
	switch rec.State {
	case claim.Running:
		p := progressOf(rec)
		st.Progress, st.Process = &p, rec.PID
	case claim.Failed:
		if st.LastError == "" {
			st.LastError = rec.Error
		}
	case claim.Cancelled:
		if st.LastError == "" {
			st.LastError = ErrCancelled.Error()
		}
	}
}

// progressOf reads the progress in a record.
func progressOf(rec claim.Record) (p progress.Report) {
	if json.Unmarshal(rec.Progress, &p) != nil || p.Phase == "" {
		p = progress.Report{Phase: progress.Scan}
	}
	return p
}
