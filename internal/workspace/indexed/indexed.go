// Package indexed reads files out of an index, where no work tree has them.
package indexed

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"espy/internal/discover"
	"espy/internal/lang"
	"espy/internal/segment"
	"espy/internal/store"
)

// ErrFolder says that a path is no file but a folder.
var ErrFolder = errors.New("it is a folder")

// Read returns a file of a snapshot, or says why it holds none of that name. It
// belongs inside a segment.Guard.
func Read(s *store.Snapshot, name string) (c discover.Content, err error) {
	seg, file, ok := s.Find(name)
	if !ok && s.Freshness.Partial {
		return c, fmt.Errorf("%d of %d files are indexed so far: ask again", s.Freshness.IndexedFiles, s.Freshness.TotalFiles)
	}
	if !ok {
		if holds(s, name) {
			return c, ErrFolder
		}
		return c, whyNot(s, name)
	}
	l := s.Segments[seg]
	text, err := l.Text(file, &segment.TextCache{})
	if err != nil {
		return c, err
	}
	c = discover.Content{Text: bytes.Clone(text), Hash: l.FileHash(file), Class: l.File(file).Class | lang.Classify(name)}
	c.Raw, c.Entry = c.Text, discover.Entry{Path: name, Size: l.File(file).Size}
	return c, nil
}

// holds reports whether an index has files below a folder.
func holds(s *store.Snapshot, folder string) (found bool) {
	s.Each(func(seg, file int) bool {
		found = strings.HasPrefix(s.Segments[seg].Reader.File(file).Path, folder+"/")
		return !found
	})
	return found
}

// whyNot says why the index does not hold a file.
func whyNot(s *store.Snapshot, name string) error {
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
