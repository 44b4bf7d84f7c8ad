package filter

import (
	"espy/internal/code"
)

// KindSet is a set of kinds of symbols as bits; the empty one lets all through.
type KindSet uint32

func newKindSet(kinds []code.Kind) (s KindSet) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has reports whether the set lets a kind through.
func (s KindSet) Has(k code.Kind) bool { return s == 0 || s>>k&1 != 0 }
