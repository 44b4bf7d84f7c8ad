package store

import (
	"context"
	"io"
	"math/bits"
	"slices"

	"espy/internal/segment"
)

// Compaction keeps the number of segments small: a query looks into each. The
// live text of segments is sorted into tiers, each four times the one below;
// a tier that holds tierSegments of them becomes one segment of a tier above,
// so that a byte is rewritten a logarithmic number of times. A segment that is
// mostly dead is rewritten by itself.
const (
	tierSegments  = 8
	smallestTier  = 1 << 20 // bytes of text; all that is below is one tier
	maxMergedText = 1 << 30 // bytes of text a merged segment may hold
)

// compactLocked merges until no tier is full.
func (b *Batch) compactLocked(ctx context.Context) error {
	for {
		var picked []member
		err := segment.Guard(func() error { picked = pick(b.members); return nil })
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

// pick chooses the segments to merge next, nil for none.
func pick(members []member) []member {
	tiers := map[int][]member{}
	sums := map[int]int64{}
	for _, m := range members {
		live, all := m.live.LiveStats().TextBytes, m.live.Stats().TextBytes
		if live*2 < all {
			return []member{m}
		}
		t := bits.Len64(uint64(live)/smallestTier) / 2
		tiers[t] = append(tiers[t], m)
		sums[t] += live
	}
	for t := range 32 {
		if len(tiers[t]) >= tierSegments && sums[t] <= maxMergedText {
			return tiers[t]
		}
	}
	return nil
}

func (b *Batch) mergeLocked(picked []member) error {
	in := make([]segment.Live, len(picked))
	for i, m := range picked {
		in[i] = m.live
	}
	merged, err := b.family.putSegment(func(w io.Writer) error { _, err := segment.Merge(w, in); return err })
	if err != nil {
		return err
	}
	merged.base = true
	err = b.keepLocked(func(m member) bool {
		return !slices.ContainsFunc(picked, func(p member) bool { return p.part == m.part })
	})
	b.members = append(b.members, merged)
	return err
}
