package view

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"espy/internal/store"
)

// WhyNot says why the index does not hold a file.
func WhyNot(s *store.Snapshot, name string) error {
	for _, x := range s.Excluded() {
		if x.Path == name || x.Dir && strings.HasPrefix(name, x.Path+"/") {
			return errors.New(x.Reason.Explain())
		}
	}
	if s.Freshness.Commit == "" {
		return fs.ErrNotExist
	}
	return fmt.Errorf("commit %.12s: %w", s.Freshness.Commit, fs.ErrNotExist)
}
