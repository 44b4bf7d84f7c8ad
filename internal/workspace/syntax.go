package workspace

import (
	"context"
	"errors"

	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace/coverage"
	"espy/internal/workspace/job"
)

// parseWork is a pass over the syntax of the newest generation.
func (r *Repo) parseWork() job.Work {
	return job.Work{Do: func(ctx context.Context, j *job.Job) error {
		return r.counted(&r.opts.Tally.Syntax, func() error { return r.parseAll(ctx, j) })
	}}
}

func (r *Repo) parseAll(ctx context.Context, j *job.Job) error {
	if r.opts.Team.Answers() {
		return nil
	}
	if s, err := r.newest(); err == nil { // the pass meets the error too
		r.view.NoteOldSyntax(s)
		s.Close()
	}
	o := r.Options()
	o.Hooks.Progress = j.Tell
	rep, err := index.Syntax(ctx, r.pass(j), o)
	if errors.Is(err, store.ErrNoIndex) {
		return nil // it was removed meanwhile
	}
	if err == nil {
		j.Analysed.Store(int64(rep.Parsed + rep.Failed))
		r.left.Set(coverage.Syntax, coverage.Run{Generation: rep.Generation, Files: rep.Waiting, Why: rep.Why})
	}
	return err
}

// passNext goes on with the passes after a job that wrote the index, if the process stays.
func (r *Repo) passNext(err error) {
	if err != nil || !r.opts.Watch || r.opts.Team.Answers() {
		return
	}
	if !r.embed.Yields() {
		r.embed.Start(r.embedWork())
	}
	if !r.parse.Yields() {
		r.parse.Start(r.parseWork())
	}
	r.embedRemote()
}

// pass says where a pass of a job works.
func (r *Repo) pass(j *job.Job) index.Pass {
	lock := func(ctx context.Context) (func(), error) { return r.Lock(ctx, j.Tell) }
	return index.Pass{Family: r.view.Family, View: r.view.Key, Lock: lock}
}

// need is what a question needs beside the text: a pass that has nothing left.
type need struct {
	of      coverage.Pass
	pending func(*store.Snapshot) int // files; inside a segment.Guard
	slot    *job.Slot
	work    func() job.Work
}

// finish waits for a run of a pass that began after the changes that are being
// committed were. What cannot be done is no error of the question.
func (r *Repo) finish(ctx context.Context, n need, tell func(progress.Report)) error {
	r.sync.Await(ctx, tell)
	j, fresh := n.slot.Start(n.work())
	for ; !fresh && ctx.Err() == nil; j, fresh = n.slot.Start(n.work()) {
		if err := j.Wait(ctx, tell); errors.Is(err, job.ErrCancelled) {
			return err
		}
	}
	return j.Wait(ctx, tell)
}

// parsing is what a question about symbols needs.
func (r *Repo) parsing() need {
	return need{of: coverage.Syntax, pending: (*store.Snapshot).SyntaxPending, slot: r.parse, work: r.parseWork}
}
