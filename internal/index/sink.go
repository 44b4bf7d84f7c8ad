package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"espy/internal/segment"
	"espy/internal/store"
)

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
	pace  pace

	publishAt atomic.Int64 // nanoseconds since began
	mu        sync.Mutex   // one publication at a time
}

func newCommitter(b *store.Batch, p *Plan, o Options) *committer {
	c := &committer{batch: b, plan: p, opts: o, first: b.First(), began: time.Now(), pace: cmp.Or(o.publish, defaultPace)}
	c.publishAt.Store(int64(c.pace.first))
	return c
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
	leaves, dead, reused := slices.Clone(r.leaves), slices.Clone(r.dead), slices.Clone(r.reused)
	r.mu.Unlock()
	if err := errors.Join(c.batch.Tombstone(dead), c.batch.Reuse(reused)); err != nil {
		return err
	}
	took := time.Now()
	_, err := c.batch.Commit(context.Background(), c.plan.generation(c.opts, leaves, max(1, len(leaves))))
	c.publishAt.Store(int64(time.Since(c.began) + c.pace.every + 10*time.Since(took)))
	return err
}
