package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/discover"
	"espy/internal/merkle"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
)

// Bounds of the memory of a build. The builders of all workers together hold
// buildText bytes of text, but each at least minFlushText; one that reaches its
// share is written as a segment. A builder takes about 2.5 bytes for one of
// text and flushes too when it holds 4, as one of very many small files does.
// Each worker has 18 MB of tables beside it. The memory of a build is then about
// 2.5 * buildText + 25 MB for each worker, a third as much again before the garbage
// collector runs (frugal.go), and about 800 bytes for each file of the tree,
// whatever the size of the files. Measured for 1 GB in 96,000 files: 320 MB
// with two workers, 360 MB with four; 890 MB for 1,000,000 empty files.
const (
	buildText    = 40 << 20
	minFlushText = 3 << 20
	maxWorkers   = 16
)

// share is the text at which one of the builders is written.
func share(workers int) int64 { return max(minFlushText, buildText/int64(workers)) }

// A first indexing publishes what it has after firstPublish, and then every
// publishEvery, so that questions find answers while it runs. Tests publish
// more often.
var (
	firstPublish = 1 * time.Second
	publishEvery = 4 * time.Second
)

// Sync analyses what a plan found and commits it as the next generation.
func Sync(ctx context.Context, b *store.Batch, p *Plan, o Options) (generation uint64, err error) {
	defer saveMemory()()
	c := &committer{batch: b, plan: p, opts: o, first: b.First(), began: time.Now()}
	c.publishAt.Store(int64(firstPublish))
	var known *store.Known
	if o.Siblings != nil {
		known = b.Known(o.Siblings, p.paths)
		defer func() { err = errors.Join(err, known.Close()) }()
	}
	r, err := p.run(ctx, o, c, known)
	if err != nil {
		return 0, errors.Join(err, c.rescue(r))
	}
	o.report(progress.Report{Phase: progress.Commit, Files: p.Total, TotalFiles: p.Total, Bytes: p.Bytes, TotalBytes: p.Bytes, Elapsed: time.Since(c.began)})
	if err := b.Bury(p.allDead(r.dead)); err != nil {
		return 0, err
	}
	if err := b.Revive(r.revived); err != nil {
		return 0, err
	}
	if err := p.rootStands(); err != nil {
		return 0, err
	}
	return b.Commit(ctx, logged(b, p.generation(o, r.leaves, 0)))
}

// Overlay analyses what a plan found into segments in memory. The delta must be
// closed.
func Overlay(ctx context.Context, p *Plan, o Options) (store.Delta, error) {
	c := &collector{}
	var known *store.Known
	if o.Siblings != nil && p.base != nil {
		known = p.base.Known(o.Siblings, p.paths)
	}
	r, err := p.run(ctx, o, c, known)
	if err == nil {
		err = p.rootStands()
	}
	if err != nil {
		return store.Delta{}, errors.Join(err, known.Close())
	}
	return store.Delta{Dead: p.allDead(r.dead), Segments: c.segments, Revived: r.revived, Known: known, Tree: p.tree(r.leaves)}, nil
}

// Commit writes an overlay made from a plan as the next generation.
func Commit(ctx context.Context, b *store.Batch, p *Plan, d store.Delta, o Options) (generation uint64, err error) {
	if err := b.Bury(d.Dead); err != nil {
		return 0, err
	}
	if err := b.Revive(d.Revived); err != nil {
		return 0, err
	}
	for i, data := range d.Segments {
		var syntax []byte
		if d.Syntax != nil {
			syntax = d.Syntax[i]
		}
		if err := b.AddSegment(data, syntax); err != nil {
			return 0, err
		}
	}
	g := p.generation(o, nil, 0)
	g.Tree, g.Brief = d.Tree, true
	return b.Commit(ctx, logged(b, g))
}

// rootStands fails when the root was removed or replaced after the walk: its
// files then all seem gone, which is not to be committed.
func (p *Plan) rootStands() error {
	held, err := p.root.Stat(".")
	if err != nil {
		return fmt.Errorf("look at the root: %w", err)
	}
	if named, err := os.Stat(p.root.Name()); err != nil || !os.SameFile(held, named) {
		return errors.Join(discover.ErrRootGone, err)
	}
	return nil
}

func (p *Plan) allDead(changed []string) []string {
	dead := slices.Concat(p.Dead, changed)
	slices.Sort(dead)
	return dead
}

// tree is what the plan saw, given the leaves of the files that were read.
func (p *Plan) tree(read []merkle.Leaf) *merkle.Tree {
	leaves := slices.Concat(p.kept, read)
	merkle.Sort(leaves)
	return &merkle.Tree{Looked: p.looked, Leaves: leaves}
}

func (p *Plan) generation(o Options, read []merkle.Leaf, done int) store.Generation {
	g := store.Generation{Tree: p.tree(read), Policy: o.Policy, Commit: o.Commit, Branch: o.Ref, Written: time.Now()}
	if o.Commit == "" && p.Settled() { // or else the files may be of several commits
		g.Commit, g.Branch = p.head.Commit, p.head.Branch
	}
	if done > 0 {
		g.Indexed, g.Total = done, p.Total
	}
	return g
}

// run is one pass over the changed files of a plan.
type run struct {
	plan  *Plan
	opts  Options
	sink  sink
	known *store.Known
	began time.Time
	ended func() bool  // whether the run was told to end
	next  atomic.Int64 // index of the next file
	bytes atomic.Int64

	mu      sync.Mutex
	leaves  []merkle.Leaf   // of flushed files, guarded by mu
	dead    []string        // guarded by mu
	revived []store.Revival // guarded by mu
}

// worker is one goroutine of a run. Each takes the next file in path order, so
// that the paths of its builder increase.
type worker struct {
	run     *run
	builder *segment.Builder
	full    int64 // bytes of text at which the builder is flushed
	reader  *discover.Reader
	leaves  []merkle.Leaf
	dead    []string
	revived []store.Revival
}

func (p *Plan) run(ctx context.Context, o Options, s sink, known *store.Known) (*run, error) {
	r := &run{plan: p, opts: o, sink: s, known: known, began: time.Now(), ended: func() bool { return ctx.Err() != nil }}
	group, ctx := errgroup.WithContext(ctx)
	workers := max(1, min(o.workers(), len(p.Changed)/16))
	for i := range workers {
		group.Go(func() error { return r.work(ctx, i > 0, share(workers)) })
	}
	return r, group.Wait()
}

// work indexes files until none is left. A worker that rests stands back while
// somebody waits for an answer, so that questions keep a processor.
func (r *run) work(ctx context.Context, rests bool, full int64) error {
	reader, err := discover.NewReader(r.plan.root, r.opts.Policy)
	if err != nil {
		return err
	}
	defer reader.Close()
	w := &worker{run: r, builder: segment.NewBuilder(), full: full, reader: reader}
	w.builder.NoTerms = r.opts.NoTerms
	for {
		for rests && r.opts.Asked != nil && r.opts.Asked() && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if err := ctx.Err(); err != nil {
			return errors.Join(err, w.rescue())
		}
		i := int(r.next.Add(1)) - 1
		if i >= len(r.plan.Changed) {
			return w.flush()
		}
		e := r.plan.Changed[i]
		if err := segment.Guard(func() error { return w.file(e) }); err != nil {
			return fmt.Errorf("index %q: %w", e.Path, err)
		}
		r.progress(i+1, r.bytes.Add(e.Size))
		if w.isFull() || r.sink.due(w) {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
}

func (r *run) progress(files int, bytes int64) {
	if r.opts.Progress != nil && (files%64 == 0 || files == len(r.plan.Changed)) {
		r.opts.Progress(progress.Report{
			Phase: progress.Index, Files: files, TotalFiles: len(r.plan.Changed),
			Bytes: bytes, TotalBytes: r.plan.Bytes, Elapsed: time.Since(r.began),
		})
	}
}

func (w *worker) isFull() bool {
	if w.builder.TextBytes() >= w.full {
		return true
	}
	return w.builder.Len()%1024 == 0 && w.builder.Memory() >= 4*w.full
}

func (w *worker) flush() error {
	if err := w.hand(); err != nil {
		return err
	}
	return w.run.sink.flushed(w.run)
}

// rescue hands on what the worker has done for a first indexing that was told
// to end: the next one need not do it again.
func (w *worker) rescue() error {
	if !w.run.sink.rescues(w.run) {
		return nil
	}
	return w.hand()
}

// hand gives the files of the builder to the sink.
func (w *worker) hand() error {
	if err := w.run.sink.flush(w.builder); err != nil {
		return err
	}
	w.run.mu.Lock()
	w.run.leaves = append(w.run.leaves, w.leaves...)
	w.run.dead = append(w.run.dead, w.dead...)
	w.run.revived = append(w.run.revived, w.revived...)
	w.run.mu.Unlock()
	w.leaves, w.dead, w.revived = w.leaves[:0], w.dead[:0], w.revived[:0]
	return nil
}

// sink takes what a run produces.
type sink interface {
	due(*worker) bool             // whether a worker should flush before its builder is full
	flush(*segment.Builder) error // takes the files of a builder, which is left empty
	flushed(r *run) error         // called after the leaves of flushed files are noted
	rescues(r *run) bool          // whether what is done of a run that fails is of use
}

// collector keeps segments in memory.
type collector struct {
	mu       sync.Mutex
	segments [][]byte
}

func (c *collector) due(*worker) bool   { return false }
func (c *collector) flushed(*run) error { return nil }
func (c *collector) rescues(*run) bool  { return false }

func (c *collector) flush(b *segment.Builder) error {
	if b.Len() == 0 {
		return nil
	}
	var buf bytes.Buffer
	if _, err := b.WriteTo(&buf); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.segments = append(c.segments, buf.Bytes())
	return nil
}

// committer writes segments to a batch and, in a first indexing, publishes
// generations on the way.
type committer struct {
	batch *store.Batch
	plan  *Plan
	opts  Options
	first bool
	began time.Time

	publishAt atomic.Int64 // nanoseconds since began
	mu        sync.Mutex   // one publication at a time
}

func (c *committer) due(w *worker) bool {
	return c.first && int64(time.Since(c.began)) >= c.publishAt.Load() && w.builder.Len() > 0
}

func (c *committer) flush(b *segment.Builder) error { return c.batch.Add(b) }

// rescue publishes what a first indexing has done that was told to end.
func (c *committer) rescue(r *run) error {
	if !c.rescues(r) || len(r.leaves) == 0 {
		return nil
	}
	return c.publish(r)
}

func (c *committer) rescues(r *run) bool { return c.first && r.ended() }

// flushed publishes what is done so far when the time for that has come.
func (c *committer) flushed(r *run) error {
	if !c.first || int64(time.Since(c.began)) < c.publishAt.Load() || int(r.next.Load()) >= len(c.plan.Changed) {
		return nil
	}
	return c.publish(r)
}

func (c *committer) publish(r *run) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.mu.Lock()
	leaves, dead, revived := slices.Clone(r.leaves), slices.Clone(r.dead), slices.Clone(r.revived)
	r.mu.Unlock()
	if err := errors.Join(c.batch.Bury(dead), c.batch.Revive(revived)); err != nil {
		return err
	}
	took := time.Now()
	_, err := c.batch.Commit(context.Background(), c.plan.generation(c.opts, leaves, max(1, len(leaves))))
	c.publishAt.Store(int64(time.Since(c.began) + publishEvery + 10*time.Since(took)))
	return err
}
