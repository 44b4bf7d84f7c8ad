package grep

import (
	"path/filepath"
	"sync"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/grep/indexed"
	"espy/internal/grep/show"
)

// cleared tells by the index of a repository which files have no secret. It is opened once
// so many lines were looked through that this costs more.
type cleared struct {
	mu    sync.Mutex
	lines int                        // looked through, guarded by mu
	open  map[*folder]*indexed.Clear // nil for folders without an index, guarded by mu
}

// Bounds of when and how often indexes are opened.
const (
	worthOpening = 1000 // lines
	maxOpen      = 4
)

// clearness tells whether a file, whose bytes are raw, is known to have no secret; nil where
// that cannot be known.
func (s *searcher) clearness(t *target, raw []byte) func() show.Clear {
	if !s.req.Show.Hide || s.req.Raw || t.in == nil || t.stdin {
		return nil
	}
	return func() show.Clear {
		x, wait := s.cleared.of(s.env.DataDir, t.in)
		switch {
		case wait:
			return show.Unasked
		case x.Has(t.path, code.Hash(xxh3.Hash128(raw).Bytes())):
			return show.IsClear
		}
		return show.Unclear
	}
}

// of returns what is known of the files of a folder, nil for nothing, once that is worth
// its time.
func (c *cleared) of(dataDir string, in *folder) (x *indexed.Clear, wait bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines++; c.lines < worthOpening {
		return nil, true
	}
	x, known := c.open[in]
	if !known && len(c.open) < maxOpen {
		if c.open == nil {
			c.open = map[*folder]*indexed.Clear{}
		}
		x = indexed.OpenClear(dataDir, filepath.Clean(in.dir))
		c.open[in] = x
	}
	return x, false
}

// close gives the indexes back.
func (c *cleared) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open {
		x.Close()
	}
}
