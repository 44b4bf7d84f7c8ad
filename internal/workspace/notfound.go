package workspace

import (
	"espy/internal/catalog"
	"espy/internal/nearest"
)

// notFound returns the error for a reference among the repositories that there are: it
// lists those it may have meant, or the first few.
func notFound(ref string, repos []*Repo) *catalog.NotFoundError {
	var names []string
	for _, r := range repos {
		names = append(names, r.Name())
	}
	near := nearest.Of(ref, names, 5)
	if near == nil {
		near = names[:min(len(names), 5)]
	}
	return &catalog.NotFoundError{Ref: ref, Nearest: near}
}
