package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"espy/internal/code"
)

// visited is the file in the folder of a repository that only questions have asked
// about: nobody asked for its index. Its time is that of the last of them.
const visited = "visited"

func (c *Catalog) visit(id code.RepoID) string { return filepath.Join(c.Folder(id), visited) }

// Visit notes that a question was asked about a repository that nobody asked to
// index, at a time.
func (c *Catalog) Visit(id code.RepoID, at time.Time) error {
	f, err := os.OpenFile(c.visit(id), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("note a visit: %w", err)
	}
	return errors.Join(f.Close(), os.Chtimes(c.visit(id), at, at))
}

// Visited returns when the last question was asked about a repository that nobody
// asked to index. ok is false for one that is kept.
func (c *Catalog) Visited(id code.RepoID) (last time.Time, ok bool) {
	info, err := os.Lstat(c.visit(id))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// Keep notes that a repository was asked to be indexed.
func (c *Catalog) Keep(id code.RepoID) error {
	if err := os.Remove(c.visit(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep repository: %w", err)
	}
	return nil
}
