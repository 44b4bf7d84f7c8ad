package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"espy/internal/discover"
	"espy/internal/lang"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace/view"
)

// Read returns a file of the repository as it is now. The path is relative to
// the root; nothing outside it is read, and secrets and what is no regular
// text file are refused with the reason. A path with U+FFFD is also that of the
// one file whose name is not UTF-8 and looks like it in JSON; the entry of the
// content has its true name.
func (r *Repo) Read(ctx context.Context, path string) (discover.Content, error) {
	c, err := r.read(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) || !strings.ContainsRune(path, utf8.RuneError) {
		return c, err
	}
	if name := r.broken(ctx, path); name != "" {
		return r.read(ctx, name)
	}
	return c, err
}

// broken returns the path of the one file that reads as path where its bytes that
// are not UTF-8 are replaced, "" where there is none or more than one.
func (r *Repo) broken(ctx context.Context, path string) (found string) {
	n := 0
	err := r.Look(ctx, untilDeadline(ctx), func(s *store.Snapshot) error {
		s.Each(func(seg, file int) bool {
			name := s.Segments[seg].Reader.File(file).Path
			if !utf8.ValidString(name) && string([]rune(name)) == path {
				found = strings.Clone(name)
				n++
			}
			return true
		})
		return nil
	})
	if err != nil || n > 1 {
		return ""
	}
	return found
}

// read is Read of the very path.
func (r *Repo) read(ctx context.Context, path string) (discover.Content, error) {
	if r.Frozen() {
		return r.readIndexed(ctx, path)
	}
	root, err := r.Open()
	if err != nil {
		return discover.Content{}, err
	}
	defer root.Close()
	reader, err := discover.NewReader(root, r.view.Policy())
	if err != nil {
		return discover.Content{}, err
	}
	defer reader.Close()
	c, left, err := reader.Read(path)
	if err != nil {
		return discover.Content{}, fmt.Errorf("read %s: %w", path, err)
	}
	if left != nil && isFolder(r, path) {
		return discover.Content{}, fmt.Errorf("read %s: %w", path, ErrFolder)
	}
	if left != nil {
		return discover.Content{}, fmt.Errorf("read %s: %s", path, left.Reason.Explain())
	}
	c.Raw, c.Text = bytes.Clone(c.Raw), bytes.Clone(c.Text)
	c.Class |= lang.Classify(path)
	return c, nil
}

// ErrFolder says that a path is no file but a folder.
var ErrFolder = errors.New("it is a folder")

// isFolder reports whether a path below the root is a folder itself, no link to one.
func isFolder(r *Repo, path string) bool {
	root, err := r.Open()
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Lstat(path)
	return err == nil && info.IsDir()
}

// readIndexed returns a file of the commit out of the index.
func (r *Repo) readIndexed(ctx context.Context, name string) (discover.Content, error) {
	var c discover.Content
	name = path.Clean(name)
	err := r.Look(ctx, untilDeadline(ctx), func(s *store.Snapshot) error {
		seg, file, ok := s.Find(name)
		if !ok && s.Freshness.Partial {
			return fmt.Errorf("%d of %d files are indexed so far: ask again", s.Freshness.IndexedFiles, s.Freshness.TotalFiles)
		}
		if !ok {
			if holds(s, name) {
				return ErrFolder
			}
			return view.WhyNot(s, name)
		}
		l := s.Segments[seg]
		text, err := l.Text(file, &segment.TextCache{})
		if err != nil {
			return err
		}
		c = discover.Content{Text: bytes.Clone(text), Hash: l.FileHash(file), Class: l.File(file).Class | lang.Classify(name)}
		c.Raw, c.Entry = c.Text, discover.Entry{Path: name, Size: l.File(file).Size}
		return nil
	})
	if err != nil {
		return discover.Content{}, fmt.Errorf("read %s: %w", name, err)
	}
	return c, nil
}

// untilDeadline waits for a commit to be indexed for nearly as long as a question may take.
func untilDeadline(ctx context.Context) (w Wait) {
	if end, ok := ctx.Deadline(); ok {
		w.First = max(time.Until(end)-time.Second, time.Millisecond)
	}
	return w
}

// holds reports whether an index has files below a folder.
func holds(s *store.Snapshot, folder string) (found bool) {
	s.Each(func(seg, file int) bool {
		found = strings.HasPrefix(s.Segments[seg].Reader.File(file).Path, folder+"/")
		return !found
	})
	return found
}
