package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/claim"
	"espy/internal/code"
	"espy/internal/progress"
)

// The jobs that processes share.
const (
	jobIndex  = "index"  // files are compared, analysed, committed
	jobSyntax = "syntax" // what is committed is parsed
)

// ErrCancelled is how an indexing ends that somebody had ended.
var ErrCancelled = fmt.Errorf("indexing was %w", claim.ErrCancelled)

// claimEvery is how often a process looks whether another is done.
const claimEvery = 20 * time.Millisecond

// shared returns a job of the repository as all processes see it.
func (r *Repo) shared(kind string) claim.Job {
	return claim.Job{Dir: r.ws.jobsDir(r.ID()), Name: r.view + "." + kind}
}

func (w *Workspace) jobsDir(id code.RepoID) string {
	return filepath.Join(w.catalog.Folder(id), "jobs")
}

// alone does work unless another process does the same already. That one is
// then waited for: where a run that began after this call was asked for did the
// work, nothing is left to do, and where one was cancelled meanwhile so is this
// one. Work that is particular to the caller is done in any case.
func (r *Repo) alone(ctx context.Context, kind string, particular bool, j *job, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	run, err := r.claim(ctx, kind, j, cancel)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // a folder that cannot be written, or a process that was stopped: the writer's lock decides
		return work(ctx)
	}
	before := run.Before
	switch {
	case before.State == claim.Cancelled && before.Updated.After(j.asked):
		err = ErrCancelled
	case !particular && before.State == claim.Done && before.Began.After(j.asked):
	default:
		j.run.Store(run)
		err = work(ctx)
		j.run.Store(nil)
	}
	if err != nil && errors.Is(context.Cause(ctx), claim.ErrCancelled) {
		err = ErrCancelled
	}
	run.End(err)
	return err
}

// claim begins a run, waiting for the one under way. It does not wait for a
// process that was stopped.
func (r *Repo) claim(ctx context.Context, kind string, j *job, cancel func(error)) (*claim.Run, error) {
	began := time.Now()
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	for shared := r.shared(kind); ; {
		run, err := shared.Start(cancel)
		if !errors.Is(err, claim.ErrBusy) {
			return run, err
		}
		if rec, ok := shared.Look(); ok && rec.State == claim.Running {
			if time.Since(began) > silent {
				j.tell(waitingFor(rec, time.Since(began)))
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

// progressOf reads the progress that a record tells.
func progressOf(rec claim.Record) (p progress.Report) {
	if json.Unmarshal(rec.Progress, &p) != nil || p.Phase == "" {
		p = progress.Report{Phase: progress.Scan}
	}
	return p
}

// othersStatus tells of the job under way, or of how the last one ended, as
// its record has it.
func (r *Repo) othersStatus(st *Status) {
	for _, kind := range []string{jobSyntax, jobIndex} {
		rec, ok := r.shared(kind).Look()
		if !ok {
			continue
		}
		p := progressOf(rec)
		switch rec.State {
		case claim.Running:
			st.Indexing, st.Process = &p, rec.PID
		case claim.Failed:
			st.LastError = cmp.Or(st.LastError, rec.Error)
		case claim.Cancelled:
			st.LastError = cmp.Or(st.LastError, ErrCancelled.Error())
		}
	}
}

// tidyJobs removes what is left of jobs for views that are gone.
func (r *Repo) tidyJobs() error {
	views, err := r.family.Views()
	if err != nil {
		return err
	}
	return claim.Clean(r.ws.jobsDir(r.ID()), func(name string) bool {
		view := strings.TrimSuffix(strings.TrimSuffix(name, "."+jobIndex), "."+jobSyntax)
		return view == r.view || slices.Contains(views, view)
	})
}

// rests reports whether a job was cancelled and nobody has asked for it since.
func (r *Repo) rests(kind string) bool {
	rec, ok := r.shared(kind).Look()
	return ok && rec.State == claim.Cancelled
}

// endTime is how long a process may take to end a job that was cancelled.
const endTime = 10 * time.Second

// Cancel ends the indexing of the repository, in whichever process, and waits
// until it has ended; false where none was under way. What it has published
// stays, and the next question or indexing goes on from there.
func (r *Repo) Cancel(ctx context.Context) (ended bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	for _, kind := range []string{jobIndex, jobSyntax} {
		one, err := r.cancelJob(ctx, kind)
		if err != nil {
			return ended, err
		}
		ended = ended || one
	}
	return ended, nil
}

func (r *Repo) cancelJob(ctx context.Context, kind string) (ended bool, err error) {
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	asked := ""
	for shared := r.shared(kind); ; {
		rec, ok := shared.Look()
		if !ok || rec.State != claim.Running || asked != "" && rec.ID != asked {
			return asked != "", nil
		}
		if asked == "" {
			if _, ok, err := shared.Cancel(); err != nil {
				return false, fmt.Errorf("cancel the indexing of %s: %w", r.Name(), err)
			} else if ok {
				asked = rec.ID
			}
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("cancel the indexing of %s: process %d does not end it: %w", r.Name(), rec.PID, ctx.Err())
		case <-tick.C:
		}
	}
}
