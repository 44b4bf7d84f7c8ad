package catalog

import (
	"fmt"
	"strings"

	"espy/internal/nearest"
)

// NotFoundError says that no attached repository is meant by a reference.
type NotFoundError struct {
	Ref     string
	Nearest []string // names of attached repositories, the likeliest first
}

func (e *NotFoundError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("no repository %q: none is attached yet", e.Ref)
	}
	return fmt.Sprintf("no repository %q: attached are %s", e.Ref, strings.Join(e.Nearest, ", "))
}

// NotFound returns the error for a reference among the repositories that there are: it
// lists those that it may have meant, or the first few.
func NotFound[R interface{ Name() string }](ref string, repos []R) *NotFoundError {
	var names []string
	for _, r := range repos {
		names = append(names, r.Name())
	}
	near := nearest.Of(ref, names, 5)
	if near == nil {
		near = names[:min(len(names), 5)]
	}
	return &NotFoundError{Ref: ref, Nearest: near}
}
