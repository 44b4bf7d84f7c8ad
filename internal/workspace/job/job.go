// Package job runs the writing for a repository: at most one run of a kind at a
// time in a process (Slot), which processes share. One does the work; the others
// wait, see how far it has come, and use what it did (package claim). The
// writer's lock decides who writes: a record of a run that is lost costs time
// and never an index.
package job

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"espy/internal/claim"
	"espy/internal/progress"
	"espy/internal/store/blob/local"
)

// Job is one run.
type Job struct {
	Analysed atomic.Int64 // files

	done     chan struct{}
	err      error // readable once done is closed
	progress atomic.Pointer[progress.Report]
	run      atomic.Pointer[claim.Run] // that other processes see, nil while there is none
	cancel   context.CancelFunc
	started  time.Time
	brief    bool // only commits what is analysed: Stop waits for it
}

// Tell notes how far the job has come.
func (j *Job) Tell(p progress.Report) {
	j.progress.Store(&p)
	if run := j.run.Load(); run != nil {
		run.Tell(p)
	}
}

// running reports whether the job has not ended.
func (j *Job) running() bool {
	select {
	case <-j.done:
		return false
	default:
		return true
	}
}

// Stop ends the job, a brief one when it is finished, and waits for it.
func (j *Job) Stop() {
	if !j.brief {
		j.cancel()
	}
	<-j.done
}

// Wait waits for the job and returns its error. It tells the progress as it changes.
func (j *Job) Wait(ctx context.Context, tell func(progress.Report)) error {
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

// Begun waits until the job has the writer's lock, and at most for d.
func (j *Job) Begun(ctx context.Context, d time.Duration) error {
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

// gaveWay reports whether a job that ended was cancelled or found another writer.
func (j *Job) gaveWay() bool {
	return errors.Is(j.err, local.ErrLocked) || errors.Is(j.err, context.Canceled) || errors.Is(j.err, ErrCancelled)
}

// errInterrupted is what is told of a job whose process was ended, as by SIGINT.
var errInterrupted = errors.New("indexing was interrupted before it was done; the next one goes on")

// plain returns what is told of how a job ended.
func plain(err error) error {
	if errors.Is(err, context.Canceled) && !errors.Is(err, ErrCancelled) {
		return errInterrupted
	}
	return err
}

// ErrCancelled is how a job ends that somebody cancelled.
var ErrCancelled = fmt.Errorf("indexing was %w", claim.ErrCancelled)
