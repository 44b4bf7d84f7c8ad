package corpus

import "slices"

// SetOf is the set of symbols.
func SetOf(refs []Ref) map[Ref]bool {
	set := make(map[Ref]bool, len(refs))
	for _, r := range refs {
		set[r] = true
	}
	return set
}

// HasAny reports whether one of the symbols is in a set.
func HasAny(refs []Ref, of map[Ref]bool) bool {
	return slices.ContainsFunc(refs, func(r Ref) bool { return of[r] })
}

// Overlap reports whether two lists have a symbol in common.
func Overlap(a, b []Ref) bool {
	return slices.ContainsFunc(a, func(r Ref) bool { return slices.Contains(b, r) })
}
