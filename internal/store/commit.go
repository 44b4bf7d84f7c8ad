package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store/changelog"

	"espy/internal/store/manifest"
)

// Generation is what a commit records beside the segments.
type Generation struct {
	Tree           *listing.Tree
	Policy         discover.Policy
	Commit, Branch string
	Indexed, Total int // files of an unfinished indexing; zero when it is finished
	Written        time.Time
	Brief          bool // the commit should be quick: only small segments are merged
}

// Commit publishes what was added as the next generation. Where the same files
// can be found as in the generation before, it keeps that number and renews only
// the tree. When it fails nothing is published, and the batch can go on or be
// closed.
func (b *Batch) Commit(ctx context.Context, g Generation) (generation uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.tidyLocked(ctx, g); err != nil {
		return 0, err
	}
	m := &manifest.Manifest{
		Format: manifest.Format, Analysis: manifest.Analysis, Generation: b.manifest.Generation + 1, Written: g.Written.UTC(),
		Commit: g.Commit, Branch: g.Branch, Total: g.Total, Indexed: g.Indexed, Policy: g.Policy,
	}
	if m.Segments, err = b.refsLocked(); err != nil {
		return 0, err
	}
	base := b.manifest.Generation
	if m.Same(b.manifest) {
		m.Generation = base
	}
	if m.Tree, err = b.putTree(g.Tree); err != nil {
		return 0, err
	}
	if err := b.keepOldLocked(m); err != nil {
		return 0, err
	}
	if err := b.replaceLocked(m); err != nil {
		return 0, err
	}
	b.logged = nil
	if m.Generation != base && m.Total == 0 {
		b.logged = b.recordLocked(m, base)
	}
	return m.Generation, nil
}

// recordLocked returns the log record of a commit, without its changes.
func (b *Batch) recordLocked(m *manifest.Manifest, base uint64) *changelog.Record {
	r := &changelog.Record{Generation: m.Generation, Base: base, Time: m.Written, Commit: m.Commit}
	if b.base == nil {
		r.Base = 0
		for _, member := range b.members {
			r.Files += member.Count()
		}
	}
	return r
}

// Log adds to the log of the view what the last commit changed: the number of
// files, and the changes that are worth telling. It does nothing where that
// commit made no new generation, or one of an unfinished indexing. For a batch
// that started from nothing it logs only the number of files. A record that
// cannot be written leaves a gap that readers detect: the next record names
// another base.
func (b *Batch) Log(files int, changes []changelog.Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.logged == nil {
		return
	}
	if b.base != nil {
		b.logged.Files, b.logged.Changes = files, changes
	}
	_ = changelog.Append(b.family.dir, b.view, b.logged)
	b.logged = nil
}

// tidyLocked drops segments without a live file and merges small ones.
func (b *Batch) tidyLocked(ctx context.Context, g Generation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.keepLocked(func(m member) bool { return m.Count() > 0 }); err != nil {
		return err
	}
	if g.Total > 0 {
		return nil // more is to come
	}
	limit := int64(maxMergedText)
	if g.Brief {
		limit = maxBriefText
	}
	return b.compactLocked(ctx, limit)
}

// compactLocked merges segments up to a weight until no tier is full.
func (b *Batch) compactLocked(ctx context.Context, limit int64) error {
	for {
		var picked []Segment
		err := segment.Guard(func() error { picked = pick(b.segmentsLocked(), limit); return nil })
		if err != nil || picked == nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		merged, err := b.family.merge(picked)
		if err != nil {
			return err
		}
		err = b.keepLocked(func(m member) bool {
			return !slices.ContainsFunc(picked, func(p Segment) bool { return p.lex == m.lex })
		})
		b.members = append(b.members, member{merged, true})
		if err != nil {
			return err
		}
	}
}

func (b *Batch) segmentsLocked() (all []Segment) {
	for _, m := range b.members {
		all = append(all, m.Segment)
	}
	return all
}

func (b *Batch) refsLocked() (refs []manifest.Segment, err error) {
	err = segment.Guard(func() error {
		for i := range b.members {
			ref, err := b.members[i].newRef()
			if err != nil {
				return err
			}
			refs = append(refs, ref)
		}
		return nil
	})
	return refs, err
}

func (b *Batch) putTree(t *listing.Tree) (name string, err error) {
	data := t.Encode()
	name = code.Hash(xxh3.Hash128(data).Bytes()).String() + treeSuffix
	_, err = b.family.dir.Put(func(w io.Writer) error { _, err := w.Write(data); return err }, func() string { return name })
	return name, err
}

// replaceLocked publishes a manifest as the newest generation.
func (b *Batch) replaceLocked(m *manifest.Manifest) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	if err := b.family.dir.Replace(manifest.Name(b.view), data); err != nil {
		return err
	}
	b.manifest = m
	return nil
}
