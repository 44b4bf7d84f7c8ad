package session

import (
	"fmt"

	"espy/internal/discover"
)

// File is one file of a session.
type File struct {
	Path    string
	Size    int64 // bytes on disk when it was indexed
	Windows int
}

// LeftOutError says why a file is not one that can be shown.
type LeftOutError struct{ discover.Exclusion }

func (e *LeftOutError) Error() string { return fmt.Sprintf("read %s: %s", e.Path, e.Reason.Explain()) }
