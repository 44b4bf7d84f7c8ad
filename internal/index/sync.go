package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"espy/internal/discover/roots"
	"espy/internal/frugal"
	"espy/internal/progress"
	"espy/internal/store"
)

// Sync analyses what a plan found and commits it as the next generation.
func Sync(ctx context.Context, b *store.Batch, p *Plan, o Options) (generation uint64, err error) {
	defer frugal.Build()()
	c := newCommitter(b, p, o)
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
	if err := b.Tombstone(p.allDead(r.dead)); err != nil {
		return 0, err
	}
	if err := b.Reuse(r.reused); err != nil {
		return 0, err
	}
	if err := roots.Stands(p.root); err != nil { // or else its files seem gone, which is not to be committed
		return 0, err
	}
	return commitLogged(ctx, b, p.generation(o, r.leaves, 0))
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
		err = roots.Stands(p.root)
	}
	if err != nil {
		return store.Delta{}, errors.Join(err, known.Close())
	}
	return store.Delta{Dead: p.allDead(r.dead), Segments: c.segments, Reused: r.reused, Known: known, Tree: p.tree(r.leaves)}, nil
}

// Commit writes an overlay made from a plan as the next generation.
func Commit(ctx context.Context, b *store.Batch, p *Plan, d store.Delta, o Options) (generation uint64, err error) {
	if err := b.Tombstone(d.Dead); err != nil {
		return 0, err
	}
	if err := b.Reuse(d.Reused); err != nil {
		return 0, err
	}
	for i := range d.Segments {
		if err := b.AddSegment(&d, i); err != nil {
			return 0, err
		}
	}
	g := p.generation(o, nil, 0)
	g.Tree, g.Brief = d.Tree, true
	return commitLogged(ctx, b, g)
}

func (p *Plan) allDead(changed []string) []string {
	dead := slices.Concat(p.Dead, changed)
	slices.Sort(dead)
	return dead
}
