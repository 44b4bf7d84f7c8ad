package indexed

import (
	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/store"
)

// Clear tells which files of an attached repository have no secret, as was found when they
// were indexed. It is safe for concurrent use.
type Clear struct {
	snap  *store.Snapshot
	below string // what stands before paths to make them those of the repository
}

// OpenClear returns what is known of the repository that a folder is in, as it was
// committed last, nil where nothing is. Paths are relative to the folder.
func OpenClear(dataDir, dir string) *Clear {
	snap, below, err := snapshot(dataDir, dir)
	if err != nil || snap == nil {
		return nil
	}
	if below != "" {
		below += "/"
	}
	return &Clear{snap, below}
}

// Has reports whether a file had the bytes of a hash when it was indexed, and these have no
// secret.
func (c *Clear) Has(path string, h code.Hash) (is bool) {
	if c == nil {
		return false
	}
	path = c.below + path
	err := segment.Guard(func() error {
		for i := range c.snap.Segments {
			s := &c.snap.Segments[i]
			if f, ok := s.FindPath(path); ok && s.FileHash(f) == h && s.IsClear(f) {
				is = true
			}
		}
		return nil
	})
	return is && err == nil
}

// Close gives the index back.
func (c *Clear) Close() {
	if c != nil {
		c.snap.Close() //nolint:errcheck // nothing was written
	}
}
