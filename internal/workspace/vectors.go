package workspace

import (
	"context"
	"errors"

	"espy/internal/embedding"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace/coverage"
	"espy/internal/workspace/job"
)

// embedWork is a pass over the vectors of the newest generation by the model of
// the program.
func (r *Repo) embedWork() job.Work { return r.embedBy(r.opts.Models.Local, coverage.Vectors) }

// remoteWork is the same by a model on another machine.
func (r *Repo) remoteWork() job.Work { return r.embedBy(r.opts.Models.Remote, coverage.Remote) }

func (r *Repo) embedBy(model embedding.Model, pass coverage.Pass) job.Work {
	return job.Work{Do: func(ctx context.Context, j *job.Job) error {
		return r.counted(&r.opts.Tally.Vectors, func() error { return r.embedAll(ctx, j, model, pass) })
	}}
}

func (r *Repo) embedAll(ctx context.Context, j *job.Job, model embedding.Model, pass coverage.Pass) error {
	if model == nil || r.opts.Team.Answers() {
		return nil
	}
	o := r.Options()
	o.Hooks.Progress = j.Tell
	rep, err := index.Vectors(ctx, index.VectorOptions{Pass: r.pass(j), Model: model, Remote: pass == coverage.Remote}, o)
	if errors.Is(err, store.ErrNoIndex) {
		return nil // it was removed meanwhile
	}
	if err == nil {
		j.Analysed.Store(int64(rep.Embedded - rep.Copied))
		r.left.Set(pass, coverage.Run{Generation: rep.Generation, Files: rep.Waiting, Why: rep.Why})
	}
	return err
}

// EmbedRemote waits for the vectors of a model on another machine, where there is one,
// and publishes them where the index is published.
func (r *Repo) EmbedRemote(ctx context.Context, tell func(progress.Report)) error {
	embed := func() error {
		_, err := r.remote.Finish(ctx, r.remoteWork(), tell)
		return err
	}
	if r.opts.Models.Remote != nil && r.source != nil && !r.opts.Team.Answers() {
		return r.source.Renew(ctx, embed)
	}
	return embed()
}

// Learn learns what the commits teach about questions by meaning, unless that was
// done for the one that is checked out.
func (r *Repo) Learn(ctx context.Context) error {
	_, err := r.learn.Finish(ctx, r.learnWork(), nil)
	return err
}

func (r *Repo) learnWork() job.Work {
	return job.Work{Do: func(ctx context.Context, _ *job.Job) error {
		if r.opts.Team.Answers() || r.opts.Models.Local == nil {
			return nil
		}
		return r.Look(ctx, Wait{}, func(s *store.Snapshot) error { return r.book.Study(ctx, s, r.opts.Models.Local, r.origin) })
	}}
}

// learned gives a snapshot the adapter of questions. A process that stays learns
// it where the checkout has changed; nobody waits for that.
func (r *Repo) learned(s *store.Snapshot, model string) {
	s.Adapter = r.book.Adapter(model)
	if r.opts.Watch && !r.opts.Team.Answers() && r.Ref() == "" && !r.book.Studied(model, s.Freshness.Commit) && !r.learn.Yields() {
		r.learn.Start(r.learnWork())
	}
}

// embedRemote begins to embed by the model on another machine, where there is
// one, in a process that stays. Nobody waits for it.
func (r *Repo) embedRemote() {
	if r.opts.Models.Remote != nil && r.opts.Watch && !r.remote.Yields() {
		r.remote.Start(r.remoteWork())
	}
}

// embedded waits until the files of a snapshot have vectors of the model of the
// program, as parsed does for their symbols.
func (r *Repo) embedded(ctx context.Context, q question, s *store.Snapshot) (*store.Snapshot, error) {
	model := r.opts.Models.Local
	if model == nil {
		return s, nil
	}
	s, _, err := r.finished(ctx, q, s, need{
		of: coverage.Vectors, slot: r.embed, work: r.embedWork,
		pending: func(s *store.Snapshot) int { return s.VectorsPending(model.Identity()) },
	})
	if err == nil {
		r.learned(s, model.Identity())
	}
	return s, err
}

// embedDelta embeds the files of an overlay. When that fails they are pending.
func (r *Repo) embedDelta(ctx context.Context, d *store.Delta) {
	model := r.opts.Models.Local
	if model == nil || segment.Guard(func() error { return index.EmbedDelta(ctx, d, model) }) != nil {
		d.Vectors = nil
	}
}
