package workspace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"espy/internal/code"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/tally"
	"espy/internal/workspace/coverage"
	"espy/internal/workspace/job"
	"espy/internal/workspace/view"
)

// startSync begins a job that brings the index up to date, waiting for the
// writer's lock when another process has it. One that runs already is returned
// with fresh false.
func (r *Repo) startSync(o IndexOptions) (j *job.Job, fresh bool) { return r.sync.Start(r.syncWork(o)) }

func (r *Repo) syncWork(o IndexOptions) job.Work {
	return job.Work{
		Do: func(ctx context.Context, j *job.Job) error {
			defer r.past.Keep(ctx, r.origin)()
			return r.counted(&r.opts.Tally.Files, func() error { return r.update(ctx, o, j) })
		},
		After: r.passNext,
		Own:   o.Force || o.Paranoid || o.fetch || o.enter != nil,
	}
}

// counted runs a pass over the repository, and counts it.
func (r *Repo) counted(c *tally.Count, f func() error) error {
	err := r.Recover(f)
	c.Note(err == nil)
	return err
}

// settleTries bounds how often files are looked at again because git checked
// something else out meanwhile. What it then finds names no commit.
const settleTries = 4

// update brings the index up to date, until git leaves the files alone.
func (r *Repo) update(ctx context.Context, o IndexOptions, j *job.Job) error {
	u := &view.Update{Target: r.view, Job: j, Force: o.Force, Paranoid: o.Paranoid, Enter: o.enter, Fetch: o.fetch, URL: o.URL}
	for try := 1; ; try++ {
		settled, err := r.origin.Update(ctx, u)
		if err != nil || settled || try == settleTries {
			return err
		}
		u.Force = false
	}
}

// startCommit begins a job that writes an overlay made on a snapshot, if no one
// else is writing and the snapshot is the newest generation. done is called in
// any case, when they are not used any more.
func (r *Repo) startCommit(base *store.Snapshot, plan *index.Plan, d store.Delta, done func() error) {
	_, fresh := r.sync.Start(job.Work{
		Do: func(ctx context.Context, _ *job.Job) error {
			return errors.Join(r.commitDelta(ctx, base, plan, d), done())
		},
		After: r.passNext,
		Brief: true,
	})
	if !fresh {
		done()
	}
}

func (r *Repo) commitDelta(ctx context.Context, base *store.Snapshot, plan *index.Plan, d store.Delta) error {
	unlock, err := r.view.Family.TryLock()
	if err != nil {
		return err
	}
	batch, err := r.view.Family.Begin(r.view.Key, unlock, false)
	if err != nil {
		return err
	}
	r.view.NoteOldSyntax(batch.Base())
	if batch.Follows(base) && plan.Settled() {
		_, err = index.Commit(ctx, batch, plan, d, r.Options())
	}
	if errors.Is(err, store.ErrGone) {
		err = nil // the next look at the files finds it out
	}
	return errors.Join(err, batch.Close())
}

// follow brings the index up to date for the watcher, in a job as any other.
// A job that was running may have read folders before they were watched. After
// one that was cancelled it waits until somebody asks.
func (r *Repo) follow(ctx context.Context, enter func(dir string)) error {
	if r.sync.Yields() {
		return job.ErrCancelled
	}
	o := IndexOptions{enter: enter}
	j, fresh := r.startSync(o)
	for ; !fresh && ctx.Err() == nil; j, fresh = r.startSync(o) {
		j.Wait(ctx, nil)
	}
	err := j.Wait(ctx, nil)
	if ctx.Err() != nil {
		j.Stop()
	}
	return err
}

// Update brings the index up to date with the files as they are now, and waits.
// The job goes on where ctx ends first.
func (r *Repo) Update(ctx context.Context, tell func(progress.Report)) error {
	j, fresh := r.startSync(IndexOptions{})
	err := j.Wait(ctx, tell)
	if !fresh && err == nil { // it may have begun before the newest change
		j, _ = r.startSync(IndexOptions{})
		err = j.Wait(ctx, tell)
	}
	return err
}

// IndexReport says what an index holds after indexing.
type IndexReport struct {
	RepoID     code.RepoID
	Name, Root string
	URL        string // of a repository on another machine, which has no root
	Freshness  code.Freshness
	Files      int // indexed
	Chunks     int
	Analysed   int   // files whose words and outlines were made in this run; the others are as they were, or were reused
	Parsed     int   // the same of their symbols
	Skipped    int   // left out, a folder counting once
	Bytes      int64 // of the indexed files
	Syntax     coverage.OfSyntax
	Vectors    []coverage.OfVectors // of each model
	Duration   time.Duration
	Generation uint64
	Notices    []string // what was not done as it should be
}

// Index brings the index up to date, parses its files, and waits for both. Where a
// team shares it, it then publishes it.
func (r *Repo) Index(ctx context.Context, o IndexOptions) (IndexReport, error) {
	if r.source != nil {
		return r.publish(ctx, o)
	}
	return r.index(ctx, o)
}

func (r *Repo) index(ctx context.Context, o IndexOptions) (IndexReport, error) {
	began := time.Now()
	o.fetch = r.URL() != ""
	sync, err := r.sync.Finish(ctx, r.syncWork(o), o.Progress)
	if err != nil {
		return IndexReport{}, fmt.Errorf("index %s: %w", r.Name(), err)
	}
	if _, err := r.embed.Finish(ctx, r.embedWork(), o.Progress); err != nil {
		return IndexReport{}, fmt.Errorf("embed %s: %w", r.Name(), err)
	}
	parse, err := r.parse.Finish(ctx, r.parseWork(), o.Progress)
	if err != nil {
		return IndexReport{}, fmt.Errorf("parse %s: %w", r.Name(), err)
	}
	rep, err := r.report()
	rep.Duration = time.Since(began)
	rep.Analysed, rep.Parsed = int(sync.Analysed.Load()), int(parse.Analysed.Load())
	if why := r.view.WhyRebuilt(); why != "" {
		rep.Notices = append(rep.Notices, "the index was made anew: "+why)
	}
	rep.Freshness = r.Freshness(ctx)
	return rep, err
}

// report counts the newest generation.
func (r *Repo) report() (IndexReport, error) {
	rep := IndexReport{RepoID: r.ID(), Name: r.Name(), Root: r.Root(), URL: r.URL()}
	err := r.Recover(func() error {
		s, err := r.newest()
		if err != nil {
			return err
		}
		defer s.Close()
		return segment.Guard(func() error {
			stats := s.Stats()
			rep.Files, rep.Chunks, rep.Bytes = stats.Files, stats.Chunks, stats.SourceBytes
			rep.Skipped, rep.Generation, rep.Notices = s.Left(), s.Freshness.Generation, r.view.Warnings()
			rep.Syntax, rep.Vectors, rep.Freshness = r.left.Syntax(s), r.left.Vectors(s, r.opts.Models, r.opts.Team != nil), s.Freshness
			return nil
		})
	})
	return rep, err
}

// lookEvery is how often Next looks for a generation.
const lookEvery = 100 * time.Millisecond

// Next waits for a generation other than the given one, by whichever process,
// and reports it.
func (r *Repo) Next(ctx context.Context, generation uint64) (IndexReport, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var stamp store.Stamp
	for {
		if now := r.view.Family.Stamp(r.view.Key); now != stamp {
			stamp = now
			if rep, err := r.report(); err != nil || rep.Generation != generation {
				return rep, err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return IndexReport{}, ctx.Err()
		}
	}
}
