package worktree

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
)

// scan is one count.
type scan struct {
	index   *git.Index
	reader  *discover.Reader
	ids     *Counter // which knows those of files that were read
	commit  string
	tree    *listing.Tree
	found   map[string]bool // paths of files that differ
	left    map[string]bool // folders that are left out, or some names of them
	nested  map[string]bool // folders that are repositories of their own
	differs bool            // the content of some of found was read
}

// blobIDs are the ids that git may give a file that was read: of its bytes, and
// of its bytes with the ends of lines that git keeps where it converts them.
type blobIDs struct{ raw, lines string }

// merge goes through the tree and git's index side by side.
func (s *scan) merge(ctx context.Context) error {
	leaves := s.tree.Leaves
	for i := range leaves {
		if dir, ok := strings.CutSuffix(leaves[i].Path, "/.git"); ok && leaves[i].Reason == string(discover.ReasonVCS) {
			s.nested[dir] = true
		}
	}
	for l, e := range listing.Join(leaves, s.index.Entries(), func(l *listing.Leaf, e *git.IndexEntry) int { return e.ComparePath(l.Path) }) {
		var err error
		switch {
		case e == nil:
			err = s.untracked(ctx, l)
		case l != nil:
			err = s.tracked(ctx, l, e)
		case e.Regular() && !e.Skip && !s.leftOut(string(e.Path)):
			s.found[string(e.Path)] = true
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// untracked counts a file that git's index does not have, unless it belongs to a
// submodule or a nested repository.
func (s *scan) untracked(ctx context.Context, l *listing.Leaf) error {
	if l.Reason != "" || Below(l.Path, s.nested) {
		return nil
	}
	if !l.Read {
		if _, text, err := s.blob(ctx, l); err != nil || !text {
			return err
		}
	}
	s.found[l.Path] = true
	return nil
}

// tracked counts a file that differs from its entry in git's index.
func (s *scan) tracked(ctx context.Context, l *listing.Leaf, e *git.IndexEntry) error {
	if l.Reason != "" || e.Stage == 0 && e.Regular() && s.untouched(l, e) {
		return nil
	}
	ids, text, err := s.blob(ctx, l)
	if err != nil || !text {
		return err
	}
	if e.Stage != 0 || !e.Regular() || ids.raw != string(e.ID) && ids.lines != string(e.ID) {
		s.found[l.Path], s.differs = true, true
	}
	return nil
}

// untouched reports whether a file is as git found it when it wrote the entry:
// by its stat, unless it may have been changed in the moment after.
func (s *scan) untouched(l *listing.Leaf, e *git.IndexEntry) bool {
	return l.Stat.MTime == e.MTime && (l.Stat.CTime == 0 || l.Stat.CTime == e.CTime) &&
		uint32(l.Stat.Size) == e.Size && uint32(l.Stat.Inode) == e.Inode && !l.Stat.Racy(s.index.Stamp.MTime)
}

// blob returns the ids of a file, and whether it is one that is indexed.
func (s *scan) blob(ctx context.Context, l *listing.Leaf) (ids blobIDs, text bool, err error) {
	if ids, ok := s.ids.known(l.Hash, s.commit); ok {
		return ids, true, nil
	}
	if err := ctx.Err(); err != nil {
		return ids, false, err
	}
	content, left, err := s.reader.Read(l.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && left != nil && l.Read:
		return ids, false, ErrChanging
	case err != nil || left != nil:
		return ids, false, err
	case l.Hash != (code.Hash{}) && l.Hash != content.Hash:
		return ids, false, ErrChanging
	}
	ids.raw = string(git.BlobID(s.commit, content.Raw))
	if bytes.Contains(content.Raw, []byte("\r\n")) {
		ids.lines = string(git.BlobID(s.commit, bytes.ReplaceAll(content.Raw, []byte("\r\n"), []byte("\n"))))
	}
	s.ids.blobs[content.Hash] = ids
	if l.Hash == content.Hash {
		s.ids.read++
	}
	return ids, true, nil
}

// holds reports whether a path that is staged counts.
func (s *scan) holds(path string) bool {
	if l, ok := s.tree.Find(path); ok {
		return l.Reason == ""
	}
	return !s.leftOut(path)
}

// leftOut reports whether a path that the tree does not have lies in a folder
// that is left out.
func (s *scan) leftOut(name string) bool {
	if s.left == nil {
		s.left = map[string]bool{}
		for i := range s.tree.Leaves {
			if l := &s.tree.Leaves[i]; l.Dir || l.Count > 0 {
				s.left[l.Path] = true
			}
		}
	}
	return s.left["."] && path.Dir(name) == "." || Below(name, s.left)
}

// converted reports whether git may keep files otherwise than they are in the
// work tree, so that another content need not be a change.
func (s *scan) converted(root *os.Root) bool {
	return Converts(root, s.reader, func(yield func(string) bool) {
		for i := range s.tree.Leaves {
			if l := &s.tree.Leaves[i]; l.Reason == "" && !yield(l.Path) {
				return
			}
		}
	})
}
