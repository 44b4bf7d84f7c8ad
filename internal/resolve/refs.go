package resolve

import (
	"slices"

	"espy/internal/resolve/corpus"
)

func setOf(refs []corpus.Ref) map[corpus.Ref]bool {
	set := make(map[corpus.Ref]bool, len(refs))
	for _, r := range refs {
		set[r] = true
	}
	return set
}

func hasAny(refs []corpus.Ref, of map[corpus.Ref]bool) bool {
	return slices.ContainsFunc(refs, func(r corpus.Ref) bool { return of[r] })
}

func isSubset(refs []corpus.Ref, of map[corpus.Ref]bool) bool {
	return !slices.ContainsFunc(refs, func(r corpus.Ref) bool { return !of[r] })
}
