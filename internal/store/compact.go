package store

import (
	"cmp"
	"errors"
	"io"
	"math/bits"
	"slices"

	"espy/internal/segment"
	"espy/internal/store/part"
)

// Compaction keeps the number of segments small: a query looks into each.
// Segments are sorted into tiers by their live weight, each tier four times the
// one below. A tier that holds tierSegments of them becomes one segment of a
// tier above, so that a byte is rewritten a logarithmic number of times. A
// segment that is more than half dead is rewritten by itself.
const (
	tierSegments  = 6
	smallestTier  = 1 << 20  // weight; all that is below is one tier
	maxMergedText = 1 << 30  // weight a merged segment may have
	maxBriefText  = 16 << 20 // the same in a brief commit
	fileWeight    = 256      // of a file beside its text
)

// weight is about how much work it is to rewrite what s counts, in bytes of text.
func weight(s segment.Stats) int64 { return s.TextBytes + fileWeight*int64(s.Files) }

// weighed is a segment with its live weight.
type weighed struct {
	Segment
	live int64
}

// pick chooses the segments to merge next, nil for none.
func pick(segments []Segment, limit int64) []Segment {
	tiers := map[int][]weighed{}
	for _, s := range segments {
		live, all := weight(s.LiveStats()), weight(s.Stats())
		if live*2 < all && live <= limit {
			return []Segment{s}
		}
		t := bits.Len64(uint64(live)/smallestTier) / 2
		tiers[t] = append(tiers[t], weighed{s, live})
	}
	for t := range 32 {
		if fit := lightest(tiers[t], limit); len(fit) >= tierSegments {
			return fit
		}
	}
	return nil
}

// lightest returns as many segments of a tier as a merged one may hold.
func lightest(tier []weighed, limit int64) (fit []Segment) {
	slices.SortStableFunc(tier, func(a, b weighed) int { return cmp.Compare(a.live, b.live) })
	sum := int64(0)
	for _, s := range tier {
		if sum += s.live; sum > limit {
			break
		}
		fit = append(fit, s.Segment)
	}
	return fit
}

// merge writes the live files of segments, and what is known of them, as one.
func (f *Family) merge(from []Segment) (Segment, error) {
	in := make([]segment.Live, len(from))
	for i := range from {
		in[i] = from[i].Live
	}
	merged, err := f.putSegment(func(w io.Writer) error { _, err := segment.Merge(part.Dropping(w, partsOf(from)), in); return err })
	if err != nil {
		return Segment{}, err
	}
	if err := merged.mergeCompanions(f.pool, from); err != nil {
		return Segment{}, errors.Join(err, f.pool.Release(merged.parts()...))
	}
	return merged, nil
}
