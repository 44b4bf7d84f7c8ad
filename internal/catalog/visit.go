package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// visited is the file in the folder of a repository that only questions have asked
// about: nobody asked for its index. Its time is that of the last of them.
const visited = "visited"

// Visit notes in the folder of a repository that a question was asked about it, which
// nobody asked to index, at a time.
func Visit(folder string, at time.Time) error {
	name := filepath.Join(folder, visited)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("note a visit: %w", err)
	}
	return errors.Join(f.Close(), os.Chtimes(name, at, at))
}

// Visited returns when the last question was asked about the repository of a folder,
// which nobody asked to index. ok is false for one that is kept.
func Visited(folder string) (last time.Time, ok bool) {
	info, err := os.Lstat(filepath.Join(folder, visited))
	if err != nil || !info.Mode().IsRegular() {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// Keep notes in the folder of a repository that it was asked to be indexed.
func Keep(folder string) error {
	if err := os.Remove(filepath.Join(folder, visited)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep repository: %w", err)
	}
	return nil
}
