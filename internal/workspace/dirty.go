package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
)

// dirty counts the files of a tree whose content is not that of the commit
// checked out: those that differ from git's index, those for which the index
// differs from the commit, and those that git does not follow or that are gone.
// What Espy leaves out does not count, and neither do modes, links, files of
// submodules and repositories within, or text that differs only in the ends of
// its lines. What git's index says of
// a file's stat decides where it can, so that few files are read.
type dirty struct {
	tree  *listing.Tree // what was counted last
	at    git.Checkout
	n     int
	about bool

	index  *git.Index // as the last count found it
	commit string     // that staged was found with
	staged []string   // paths for which index differs from commit
	blobs  map[code.Hash]blobIDs

	why     error // that index cannot be read, as it was at refused
	refused git.Checkout
}

// blobIDs are the ids that git may give a file that was read: of its bytes, and
// of its bytes with the ends of lines that git keeps where it converts them.
type blobIDs struct{ raw, lines string }

// keptBlobs is how many ids are kept beside those of the files there are.
const keptBlobs = 1000

// errChanging says that a file is not any more what the tree has.
var errChanging = errors.New("a file has changed since")

func (d *dirty) count(ctx context.Context, root *os.Root, p discover.Policy, at git.Checkout, tree *listing.Tree) (n int, about bool, err error) {
	if err := d.load(ctx, root, at); err != nil {
		return 0, false, err
	}
	reader, err := discover.NewReader(root, p)
	if err != nil {
		return 0, false, err
	}
	defer reader.Close()
	if d.blobs == nil || len(d.blobs) > len(tree.Leaves)+keptBlobs {
		d.blobs = map[code.Hash]blobIDs{}
	}
	c := &dirtyCount{dirty: d, ctx: ctx, reader: reader, commit: at.Commit, tree: tree, found: map[string]bool{}, nested: map[string]bool{}}
	for _, path := range d.staged {
		if c.holds(path) {
			c.found[path] = true
		}
	}
	if err := c.merge(); err != nil {
		return 0, false, err
	}
	return len(c.found), c.differs && c.converted(root), nil
}

// loaded reports whether what was read of git is of that moment.
func (d *dirty) loaded(at git.Checkout) bool {
	if d.why != nil {
		return d.refused == at
	}
	return d.index != nil && d.index.Stamp == at.Index && d.commit == at.Commit
}

// load reads git's index, and asks what is staged, where either may differ from
// the last time.
func (d *dirty) load(ctx context.Context, root *os.Root, at git.Checkout) error {
	if d.loaded(at) {
		return d.why
	}
	d.index, d.staged, d.why = nil, nil, nil
	if len(d.commit) != len(at.Commit) {
		d.blobs = nil // ids are of another kind
	}
	d.commit = at.Commit
	if at.Commit == "" {
		d.index = &git.Index{Stamp: at.Index} // of which nothing is committed
		return nil
	}
	began := time.Now()
	x, err := git.ReadIndex(root, at.Commit)
	if err != nil {
		if at.Index.Settled(began) {
			d.why, d.refused = err, at
		}
		return err
	}
	history, err := git.Open(root.Name())
	if err != nil {
		return err
	}
	if d.staged, err = history.Staged(ctx, at.Commit, x); err != nil {
		return err
	}
	d.index = x
	return nil
}

// dirtyCount is one count.
type dirtyCount struct {
	*dirty
	ctx     context.Context
	reader  *discover.Reader
	commit  string
	tree    *listing.Tree
	found   map[string]bool // the paths
	left    map[string]bool // folders that are left out, or some names of them
	nested  map[string]bool // folders that are repositories of their own
	differs bool            // of some of found the content was read
}

// merge goes through the tree and git's index side by side.
func (c *dirtyCount) merge() error {
	leaves := c.tree.Leaves
	for i := range leaves {
		if dir, ok := strings.CutSuffix(leaves[i].Path, "/.git"); ok && leaves[i].Reason == string(discover.ReasonVCS) {
			c.nested[dir] = true
		}
	}
	for l, e := range listing.Join(leaves, c.index.Entries(), func(l *listing.Leaf, e *git.IndexEntry) int { return e.ComparePath(l.Path) }) {
		var err error
		switch {
		case e == nil:
			err = c.untracked(l)
		case l != nil:
			err = c.tracked(l, e)
		case e.Regular() && !e.Skip && !c.leftOut(string(e.Path)):
			c.found[string(e.Path)] = true
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// untracked counts a file that git's index does not have, unless it belongs to a
// submodule or another repository within.
func (c *dirtyCount) untracked(l *listing.Leaf) error {
	if l.Reason != "" || below(l.Path, c.nested) {
		return nil
	}
	if !l.Read {
		if _, text, err := c.blob(l); err != nil || !text {
			return err
		}
	}
	c.found[l.Path] = true
	return nil
}

// tracked counts a file that differs from its entry in git's index.
func (c *dirtyCount) tracked(l *listing.Leaf, e *git.IndexEntry) error {
	if l.Reason != "" || e.Stage == 0 && e.Regular() && c.untouched(l, e) {
		return nil
	}
	ids, text, err := c.blob(l)
	if err != nil || !text {
		return err
	}
	if e.Stage != 0 || !e.Regular() || ids.raw != string(e.ID) && ids.lines != string(e.ID) {
		c.found[l.Path], c.differs = true, true
	}
	return nil
}

// untouched reports whether a file is as git found it when it wrote the entry:
// by its stat, unless it may have been changed in the moment after.
func (c *dirtyCount) untouched(l *listing.Leaf, e *git.IndexEntry) bool {
	return l.Stat.MTime == e.MTime && (l.Stat.CTime == 0 || l.Stat.CTime == e.CTime) &&
		uint32(l.Stat.Size) == e.Size && uint32(l.Stat.Inode) == e.Inode && !index.Racy(l.Stat, c.index.Stamp.MTime)
}

// blob returns the ids of a file, and whether it is one that is indexed.
func (c *dirtyCount) blob(l *listing.Leaf) (ids blobIDs, text bool, err error) {
	if ids, ok := c.blobs[l.Hash]; ok {
		return ids, true, nil
	}
	if err := c.ctx.Err(); err != nil {
		return ids, false, err
	}
	content, left, err := c.reader.Read(l.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && left != nil && l.Read:
		return ids, false, errChanging
	case err != nil || left != nil:
		return ids, false, err
	case l.Hash != (code.Hash{}) && l.Hash != content.Hash:
		return ids, false, errChanging
	}
	ids.raw = string(git.BlobID(c.commit, content.Raw))
	if bytes.Contains(content.Raw, []byte("\r\n")) {
		ids.lines = string(git.BlobID(c.commit, bytes.ReplaceAll(content.Raw, []byte("\r\n"), []byte("\n"))))
	}
	c.blobs[content.Hash] = ids
	return ids, true, nil
}

// holds reports whether a path that is staged counts.
func (c *dirtyCount) holds(path string) bool {
	if l, ok := c.tree.Find(path); ok {
		return l.Reason == ""
	}
	return !c.leftOut(path)
}

// leftOut reports whether a path that the tree does not have lies in a folder
// that is left out.
func (c *dirtyCount) leftOut(name string) bool {
	if c.left == nil {
		c.left = map[string]bool{}
		for i := range c.tree.Leaves {
			if l := &c.tree.Leaves[i]; l.Dir || l.Count > 0 {
				c.left[l.Path] = true
			}
		}
	}
	return c.left["."] && path.Dir(name) == "." || below(name, c.left)
}

// converting are the attributes that have git keep a file otherwise than by its
// bytes or the ends of its lines.
var converting = regexp.MustCompile(`(?m)^[^#\n]*[ \t](filter=|ident\b|working-tree-encoding=)`)

// converted reports whether git may keep files otherwise than they are in the
// work tree, so that another content need not be a change.
func (c *dirtyCount) converted(root *os.Root) bool {
	return converts(root, c.reader, func(yield func(string) bool) {
		for i := range c.tree.Leaves {
			if l := &c.tree.Leaves[i]; l.Reason == "" && !yield(l.Path) {
				return
			}
		}
	})
}
