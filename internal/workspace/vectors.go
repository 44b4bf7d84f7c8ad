package workspace

import (
	"context"
	"errors"

	"espy/internal/embedding"
	"espy/internal/index"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace/job"
)

// embedWork is a pass over the vectors of the newest generation by the model of
// the program.
func (r *Repo) embedWork() job.Work {
	return job.Work{Do: func(ctx context.Context, j *job.Job) error {
		return r.Recover(func() error { return r.embedAll(ctx, j, r.opts.Models.Local, false) })
	}}
}

// remoteWork is the same by a model on another machine.
func (r *Repo) remoteWork() job.Work {
	return job.Work{Do: func(ctx context.Context, j *job.Job) error {
		return r.Recover(func() error { return r.embedAll(ctx, j, r.opts.Models.Remote, true) })
	}}
}

func (r *Repo) embedAll(ctx context.Context, j *job.Job, model embedding.Model, remote bool) error {
	if model == nil {
		return nil
	}
	o := r.Options()
	o.Hooks.Progress = j.Tell
	rep, err := index.Vectors(ctx, index.VectorOptions{Pass: r.pass(j), Model: model, Remote: remote}, o)
	if errors.Is(err, store.ErrNoIndex) {
		return nil // it was removed meanwhile
	}
	if err == nil {
		j.Analysed.Store(int64(rep.Embedded - rep.Copied))
		r.setLeft(passOf(remote), left{rep.Generation, rep.Waiting, rep.Why})
	}
	return err
}

func passOf(remote bool) pass {
	if remote {
		return remoteVectors
	}
	return localVectors
}

// embedRemote begins to embed by the model on another machine, where there is
// one, in a process that stays. Nobody waits for it.
func (r *Repo) embedRemote() {
	if r.opts.Models.Remote != nil && r.opts.Watch && !r.remote.Yields() {
		r.remote.Start(r.remoteWork())
	}
}

// VectorStatus counts the files of an index by whether a model was asked about
// their chunks.
type VectorStatus struct {
	Model    string // its identity
	Remote   bool   // it is on another machine
	Embedded int
	Pending  int
	Bytes    int64  // of vectors on disk
	Why      string // why some stay pending
}

// countVectors counts the live files of a snapshot, for each model.
func (r *Repo) countVectors(s *store.Snapshot) (all []VectorStatus) {
	for _, m := range []struct {
		embedding.Model
		remote bool
	}{{r.opts.Models.Local, false}, {r.opts.Models.Remote, true}} {
		if m.Model == nil {
			continue
		}
		n := VectorStatus{Model: m.Identity(), Remote: m.remote, Pending: s.VectorsPending(m.Identity()), Bytes: s.VectorBytes(m.remote)}
		n.Embedded, n.Why = s.Stats().Files-n.Pending, r.whyPending(passOf(m.remote))
		all = append(all, n)
	}
	return all
}

// embedded waits until the files of a snapshot have vectors of the model of the
// program, as parsed does for their symbols.
func (r *Repo) embedded(ctx context.Context, q question, s *store.Snapshot) (*store.Snapshot, error) {
	model := r.opts.Models.Local
	if model == nil {
		return s, nil
	}
	s, _, err := r.finished(ctx, q, s, need{
		of:      localVectors,
		pending: func(s *store.Snapshot) int { return s.VectorsPending(model.Identity()) },
		slot:    r.embed, work: r.embedWork,
	})
	return s, err
}

// embedDelta embeds the files of an overlay. When that fails they are pending.
func (r *Repo) embedDelta(ctx context.Context, d *store.Delta) {
	model := r.opts.Models.Local
	if model == nil || segment.Guard(func() error { return index.EmbedDelta(ctx, d, model) }) != nil {
		d.Vectors = nil
	}
}
