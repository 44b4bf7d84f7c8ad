package changes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/workspace"
	"espy/internal/worktree"
)

// inWorkTree lists the files of the work tree that differ from a commit: that
// of since, else the one that is checked out. A difference in mode or line
// endings alone does not count.
func inWorkTree(ctx context.Context, r *workspace.Repo, d difference, since string) ([]File, error) {
	c := d.answer
	c.To = Side{Name: theWorkTree}
	var err error
	if c.From, err = d.since(ctx, r, since); err != nil {
		return nil, err
	}
	t, err := openTree(ctx, r, d)
	if err != nil {
		return nil, err
	}
	defer t.close()
	var files []File
	paths := slices.Sorted(maps.Keys(t.paths))
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if half := d.half; !half.IsZero() && time.Now().After(half) {
			c.Left = len(paths) - i
			c.Notes = append(c.Notes, fmt.Sprintf("partial: %d of %d files were not looked at in time; name a path", c.Left, len(paths)))
			break
		}
		f, differs, err := t.file(path)
		if err != nil {
			return nil, fmt.Errorf("look at %q: %w", path, err)
		}
		if differs {
			files = append(files, f)
		}
	}
	c.Notes = append(c.Notes, t.notes()...)
	return renames(files, t)
}

// workTree is what is known of a work tree and of the commit it is compared with.
type workTree struct {
	*sides
	like  string                    // an id, for the kind of ids
	paths map[string]bool           // of all below
	base  map[string]git.TreeEntry  // files of the commit
	files map[string]discover.Entry // that the walk let through
	index map[string]followed       // nil where git's index cannot be read
	wrote int64                     // when git's index was written

	converted bool // git may keep a file otherwise than it is here
	doubtful  int  // files that differ, unless git converts them
}

// followed is what git's index says of a file.
type followed struct {
	id    string
	mode  git.Mode
	stat  listing.Stat
	stage int
	skip  bool
}

func openTree(ctx context.Context, r *workspace.Repo, d difference) (*workTree, error) {
	s, err := openSides(ctx, r, d.history)
	if err != nil {
		return nil, err
	}
	t := &workTree{sides: s, like: d.answer.Checkout.Commit, paths: map[string]bool{}, base: map[string]git.TreeEntry{}, files: map[string]discover.Entry{}}
	if err := t.load(ctx, r, d); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *workTree) load(ctx context.Context, r *workspace.Repo, d difference) error {
	c := d.answer
	if c.From.Commit != "" {
		entries, err := d.history.Tree(ctx, c.From.Commit)
		if err != nil {
			return err
		}
		for _, e := range entries {
			t.base[e.Path], t.paths[e.Path] = e, true
		}
	}
	o := r.Options()
	walked, err := discover.Walk(ctx, t.root, o.Policy, discover.Options{GlobalIgnore: o.GlobalIgnore})
	if err != nil {
		return err
	}
	inner := nested(walked)
	for _, e := range walked.Entries {
		if !worktree.Below(e.Path, inner) {
			t.files[e.Path], t.paths[e.Path] = e, true
		}
	}
	t.converted = worktree.Converts(t.root, t.reader, maps.Keys(t.files))
	x, err := git.ReadIndex(t.root, t.like)
	if err != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("%v: every file was read, and untracked files are not known", err))
		return nil
	}
	t.index, t.wrote = map[string]followed{}, x.Stamp.MTime
	for e := range x.Entries() {
		path := string(e.Path)
		t.paths[path] = true
		t.index[path] = followed{
			id: hex.EncodeToString(e.ID), mode: git.Mode(e.Mode), stage: e.Stage, skip: e.Skip,
			stat: listing.Stat{Size: int64(e.Size), MTime: e.MTime, CTime: e.CTime, Inode: uint64(e.Inode)},
		}
	}
	return nil
}

// nested returns the folders of a listing that are repositories of their own,
// submodules among them.
func nested(l *discover.Listing) map[string]bool {
	folders := map[string]bool{}
	for _, x := range l.Excluded {
		if folder, ok := strings.CutSuffix(x.Path, "/.git"); ok && x.Reason == discover.ReasonVCS {
			folders[folder] = true
		}
	}
	return folders
}

// notes tell what is not certain.
func (t *workTree) notes() []string {
	if t.doubtful == 0 {
		return nil
	}
	return []string{fmt.Sprintf("whether %d of these files differs is not certain: git stores some in another form (filter, ident or working-tree-encoding in .gitattributes)", t.doubtful)}
}

// file compares one path of the work tree with the commit.
func (t *workTree) file(path string) (f File, differs bool, err error) {
	base, inBase := t.base[path]
	known, tracked := t.index[path]
	entry, inWalk := t.files[path]
	f = File{Path: path, oldID: base.ID, oldMode: base.Mode, Untracked: t.index != nil && !tracked}
	if !inWalk {
		var there bool
		if entry, there = t.stat(path); !there {
			if tracked && known.skip { // not checked out
				f.newID, f.newMode = known.id, known.mode
				return t.settle(f, inBase, known.id != base.ID)
			}
			f.Status = Removed
			f.Untracked = false
			return f, inBase, nil
		}
		if !inBase && !tracked {
			return f, false, nil // left out, and of no concern to git
		}
	}
	f.inTree, f.newMode = true, modeOf(entry.Mode)
	switch {
	case entry.Mode.IsDir():
		return t.submodule(f, inBase, known.id)
	case entry.Mode&fs.ModeSymlink != 0:
		target, err := t.root.Readlink(path)
		if err != nil {
			return f, false, err
		}
		f.newID = t.id([]byte(target))
		return t.settle(f, inBase, f.newID != base.ID || base.Mode != git.ModeLink)
	case tracked && known.stage == 0 && known.mode.IsFile() && t.untouched(entry, known):
		f.newID = known.id
		return t.settle(f, inBase, known.id != base.ID || !base.Mode.IsFile())
	}
	return t.read(f, inBase, base, entry)
}

// settle sets the status of a file.
func (t *workTree) settle(f File, inBase, differs bool) (File, bool, error) {
	switch {
	case !inBase:
		f.Status, differs = Added, true
	case f.oldMode.IsFile() != f.newMode.IsFile():
		f.Status, differs = Type, true
	default:
		f.Status = Modified
	}
	return f, differs, nil
}

func modeOf(m fs.FileMode) git.Mode {
	switch {
	case m.IsDir():
		return git.ModeSubmodule
	case m&fs.ModeSymlink != 0:
		return git.ModeLink
	}
	return git.ModeFile
}

// stat looks at a path that the walk left out.
func (t *workTree) stat(path string) (e discover.Entry, there bool) {
	info, err := t.root.Lstat(path)
	if err != nil {
		return e, false
	}
	e = discover.Entry{Path: path, Size: info.Size(), MtimeNS: info.ModTime().UnixNano(), Mode: info.Mode()}
	return e, e.Mode.IsRegular() || e.Mode.IsDir() || e.Mode&fs.ModeSymlink != 0
}

// submodule compares what is checked out in a folder with the commit it should be.
func (t *workTree) submodule(f File, inBase bool, known string) (File, bool, error) {
	if f.oldMode != git.ModeSubmodule && known == "" {
		f.Status, f.inTree = Removed, false // a folder stands in place of the file
		return f, inBase, nil
	}
	f.newID = known
	if sub, err := t.root.OpenRoot(f.Path); err == nil {
		if commit, _ := git.Head(sub); commit != "" {
			f.newID = commit
		}
		sub.Close()
	}
	return t.settle(f, inBase, f.newID != f.oldID)
}

// untouched reports whether a file is as git found it when it wrote its index.
func (t *workTree) untouched(e discover.Entry, x followed) bool {
	return t.looksUntouched(e, x) && !index.Racy(listing.Stat{MTime: e.MtimeNS, CTime: e.CtimeNS}, t.wrote)
}

// looksUntouched is untouched but for what was changed in the moment when git looked.
func (t *workTree) looksUntouched(e discover.Entry, x followed) bool {
	return e.MtimeNS == x.stat.MTime && (e.CtimeNS == 0 || e.CtimeNS == x.stat.CTime) && uint32(e.Size) == uint32(x.stat.Size) &&
		(e.Inode == 0 || uint32(e.Inode) == uint32(x.stat.Inode))
}

func (t *workTree) id(content []byte) string {
	return hex.EncodeToString(git.BlobID(t.like, content))
}

// read compares the content of a file.
func (t *workTree) read(f File, inBase bool, base git.TreeEntry, entry discover.Entry) (File, bool, error) {
	known, tracked := t.index[f.Path]
	content, left, err := t.reader.Read(f.Path)
	raw := content.Raw
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Status, f.inTree = Removed, false
		return f, inBase, nil
	case err != nil:
		return f, false, err
	case left == nil:
	case left.Reason == discover.ReasonBinary || left.Reason == discover.ReasonEncoding:
		raw = t.reader.Raw()
		f.Why = left.Reason.Explain()
	case tracked && known.id == base.ID && t.looksUntouched(entry, known):
		return f, false, nil // it may only have been changed in the moment when git looked
	default:
		f.Why = "whether it differs is not known: " + left.Reason.Explain()
		return t.settle(f, inBase, true)
	}
	f.newID = t.id(raw)
	if !inBase || f.newID == base.ID {
		return t.settle(f, inBase, false)
	}
	same, err := t.sameText(raw, base)
	if err == nil && !same && t.converted {
		t.doubtful++
	}
	if err != nil {
		return f, false, err
	}
	return t.settle(f, inBase, !same)
}

// sameText reports whether a content is that of a commit but for the ends of
// its lines, or is what a pointer of Git LFS stands for.
func (t *workTree) sameText(raw []byte, base git.TreeEntry) (bool, error) {
	lines := bytes.Contains(raw, []byte("\r\n"))
	if lines && t.id(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))) == base.ID {
		return true, nil
	}
	if !base.Mode.IsFile() || !lines && !t.converted {
		return false, nil
	}
	old, err := t.blobs.Read(base.ID, maxCompared)
	if errors.Is(err, git.ErrMissing) || errors.Is(err, git.ErrLarge) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return isPointer(old, raw) || lines && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))), nil
}

// isPointer reports whether a blob stands for a content in Git LFS (its
// specification: docs/spec.md).
func isPointer(blob, content []byte) bool {
	if len(blob) > 1024 || !bytes.HasPrefix(blob, []byte("version https://git-lfs.github.com/spec/")) {
		return false
	}
	sum := sha256.Sum256(content)
	return bytes.Contains(blob, []byte("\noid sha256:"+hex.EncodeToString(sum[:])+"\n"))
}
