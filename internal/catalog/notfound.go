package catalog

import (
	"fmt"
	"strings"
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
