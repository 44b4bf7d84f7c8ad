package score

import (
	"math"

	"espy/internal/segment"
)

// bitmapOf returns the places of the values that are not zero, without a branch
// for each of them.
func bitmapOf[T comparable](values []T) segment.Bitmap {
	set := segment.EmptyBitmap(len(values))
	var zero T
	for i := range set {
		for k, v := range values[64*i : min(64*(i+1), len(values))] {
			bit := uint64(0)
			if v != zero {
				bit = 1
			}
			set[i] |= bit << k
		}
	}
	return set
}

// nextAtLeast returns the first index from i on of a score that reaches a
// threshold, or len(scores). Numbers that are not negative are in the order of
// their bits, so that the sign of an AND of differences tells whether eight are
// all below.
func nextAtLeast(scores []float32, i int, threshold float32) int {
	t := math.Float32bits(threshold)
	rest := scores[i:]
	for len(rest) >= 8 {
		s := (*[8]float32)(rest)
		below := math.Float32bits(s[0]) - t
		below &= math.Float32bits(s[1]) - t
		below &= math.Float32bits(s[2]) - t
		below &= math.Float32bits(s[3]) - t
		below &= math.Float32bits(s[4]) - t
		below &= math.Float32bits(s[5]) - t
		below &= math.Float32bits(s[6]) - t
		below &= math.Float32bits(s[7]) - t
		if int32(below) >= 0 {
			break
		}
		rest = rest[8:]
	}
	i = len(scores) - len(rest)
	for i < len(scores) && scores[i] < threshold {
		i++
	}
	return i
}
