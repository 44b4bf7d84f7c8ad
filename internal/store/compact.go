package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/bits"
	"slices"

	"espy/internal/segment"
)

// Compaction keeps the number of segments small: a query looks into each.
// Segments are sorted into tiers by their live weight, each tier four times the
// one below; a tier that holds tierSegments of them becomes one segment of a
// tier above, so that a byte is rewritten a logarithmic number of times. A
// segment that is mostly dead is rewritten by itself.
const (
	tierSegments  = 6
	smallestTier  = 1 << 20  // weight; all that is below is one tier
	maxMergedText = 1 << 30  // weight a merged segment may have
	maxBriefText  = 16 << 20 // the same in a commit that somebody waits for
	fileWeight    = 256      // of a file beside its text
)

// weight is about how much work it is to rewrite what s counts, in bytes of text.
func weight(s segment.Stats) int64 { return s.TextBytes + fileWeight*int64(s.Files) }

// compactLocked merges up to a weight until no tier is full.
func (b *Batch) compactLocked(ctx context.Context, limit int64) error {
	for {
		var picked []member
		err := segment.Guard(func() error { picked = pick(b.members, limit); return nil })
		if err != nil || picked == nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.mergeLocked(picked); err != nil {
			return err
		}
	}
}

// weighed is a member with its live weight.
type weighed struct {
	member
	live int64
}

// pick chooses the segments to merge next, nil for none.
func pick(members []member, limit int64) []member {
	tiers := map[int][]weighed{}
	for _, m := range members {
		live, all := weight(m.live.LiveStats()), weight(m.live.Stats())
		if live*2 < all && live <= limit {
			return []member{m}
		}
		t := bits.Len64(uint64(live)/smallestTier) / 2
		tiers[t] = append(tiers[t], weighed{m, live})
	}
	for t := range 32 {
		if fit := lightest(tiers[t], limit); len(fit) >= tierSegments {
			return fit
		}
	}
	return nil
}

// lightest returns as many segments of a tier as a merged one may hold.
func lightest(tier []weighed, limit int64) (fit []member) {
	slices.SortStableFunc(tier, func(a, b weighed) int { return cmp.Compare(a.live, b.live) })
	sum := int64(0)
	for _, m := range tier {
		if sum += m.live; sum > limit {
			break
		}
		fit = append(fit, m.member)
	}
	return fit
}

func (b *Batch) mergeLocked(picked []member) error {
	in := make([]segment.Live, len(picked))
	for i, m := range picked {
		in[i] = m.live
	}
	merged, err := b.family.put(segmentSuffix, func(w io.Writer) error {
		w = &dropper{w: w, parts: picked}
		return segment.Guard(func() error { _, err := segment.Merge(w, in); return err })
	})
	if err != nil {
		return err
	}
	merged.base = true
	if merged.syntax, err = b.family.mergeSyntax(merged.live.Reader, picked); err != nil {
		return errors.Join(err, b.family.release([]*part{merged.part}))
	}
	err = b.keepLocked(func(m member) bool {
		return !slices.ContainsFunc(picked, func(p member) bool { return p.part == m.part })
	})
	b.members = append(b.members, merged)
	return err
}

// dropper gives the memory of parts back each time dropEvery bytes of what
// they become are written, so that a merge never holds the parts whole.
type dropper struct {
	w     io.Writer
	parts []member
	n     int
}

const dropEvery = 16 << 20

func (d *dropper) Write(p []byte) (int, error) {
	if d.n += len(p); d.n >= dropEvery {
		d.n = 0
		for _, m := range d.parts {
			if err := errors.Join(m.part.drop(), m.syntax.drop()); err != nil {
				return 0, err
			}
		}
	}
	return d.w.Write(p)
}
