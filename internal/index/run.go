package index

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/discover"
	"espy/internal/listing"
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
// collector runs (package frugal), and about 800 bytes for each file of the tree,
// whatever the size of the files. Measured for 1 GB in 96,000 files: 320 MB
// with two workers, 360 MB with four; 890 MB for 1,000,000 empty files.
const (
	buildText    = 40 << 20
	minFlushText = 3 << 20
)

// share is the text at which one of the builders is written.
func share(workers int) int64 { return max(minFlushText, buildText/int64(workers)) }

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

	mu     sync.Mutex
	leaves []listing.Leaf // of flushed files, guarded by mu
	dead   []string       // guarded by mu
	reused []store.Reused // guarded by mu
}

// worker is one goroutine of a run. Each takes the next file in path order, so
// that the paths of its builder increase.
type worker struct {
	run     *run
	builder *segment.Builder
	full    int64 // bytes of text at which the builder is flushed
	reader  *discover.Reader
	leaves  []listing.Leaf
	dead    []string
	reused  []store.Reused
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
		if rests {
			r.opts.rest(ctx)
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
	if r.opts.Hooks.Progress != nil && (files%64 == 0 || files == len(r.plan.Changed)) {
		r.opts.Hooks.Progress(progress.Report{
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
	w.run.reused = append(w.run.reused, w.reused...)
	w.run.mu.Unlock()
	w.leaves, w.dead, w.reused = w.leaves[:0], w.dead[:0], w.reused[:0]
	return nil
}
