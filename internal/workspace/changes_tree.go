package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"espy/internal/diff"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
)

// inWorkTree lists the files of the work tree that differ from a commit: that
// of since, else the one that is checked out. Neither modes nor the ends of
// lines make a file differ.
func (r *Repo) inWorkTree(ctx context.Context, c *Changes, history *git.Repository, req *ChangesRequest) ([]FileChange, error) {
	c.To = Side{Name: WorkTree}
	var err error
	if c.From, err = r.since(ctx, history, c.Checkout.Commit, req.Since); err != nil {
		return nil, err
	}
	t, err := r.openTree(ctx, history, c)
	if err != nil {
		return nil, err
	}
	defer t.close()
	var files []FileChange
	for _, path := range slices.Sorted(maps.Keys(t.paths)) {
		if err := ctx.Err(); err != nil {
			return nil, err
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
	return t.renames(files)
}

// since finds the commit that a word means: HEAD, a revision, or for a day or
// time the newest commit before it, of those that HEAD comes from.
func (r *Repo) since(ctx context.Context, history *git.Repository, head, since string) (Side, error) {
	if since == "" {
		return Side{Name: "HEAD", Commit: head}, nil
	}
	at, isTime := ParseTime(since)
	if !isTime {
		found, err := r.resolve(ctx, since)
		return Side{Name: since, Commit: found.id}, err
	}
	commits, err := history.Log(ctx, head, git.LogOptions{Before: at, Limit: 1})
	if err != nil || len(commits) == 0 {
		return Side{Name: "before the first commit"}, err
	}
	return Side{Name: since, Commit: commits[0].ID}, nil
}

// ParseTime reads a day (2024-01-31, its beginning in UTC) or a moment (RFC 3339).
func ParseTime(text string) (t time.Time, ok bool) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), true
		}
	}
	return t, false
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

func (r *Repo) openTree(ctx context.Context, history *git.Repository, c *Changes) (*workTree, error) {
	s, err := r.openSides(ctx, history)
	if err != nil {
		return nil, err
	}
	t := &workTree{sides: s, like: c.Checkout.Commit, paths: map[string]bool{}, base: map[string]git.TreeEntry{}, files: map[string]discover.Entry{}}
	if err := t.load(ctx, r, history, c); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *workTree) load(ctx context.Context, r *Repo, history *git.Repository, c *Changes) error {
	if c.From.Commit != "" {
		entries, err := history.Tree(ctx, c.From.Commit)
		if err != nil {
			return err
		}
		for _, e := range entries {
			t.base[e.Path], t.paths[e.Path] = e, true
		}
	}
	o := r.options()
	walked, err := discover.Walk(ctx, t.root, o.Policy, discover.Options{GlobalIgnore: o.GlobalIgnore})
	if err != nil {
		return err
	}
	inner := nested(walked)
	for _, e := range walked.Entries {
		if !below(e.Path, inner) {
			t.files[e.Path], t.paths[e.Path] = e, true
		}
	}
	t.converted = converts(t.root, t.reader, maps.Keys(t.files))
	x, err := git.ReadIndex(t.root, t.like)
	if err != nil {
		c.Notes = append(c.Notes, fmt.Sprintf("%v: every file was read, and which files git does not follow is not known", err))
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

// below reports whether a path lies in one of the folders.
func below(name string, folders map[string]bool) bool {
	for dir := path.Dir(name); len(folders) > 0 && dir != "."; dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
	}
	return false
}

// notes tell what is not certain.
func (t *workTree) notes() []string {
	if t.doubtful == 0 {
		return nil
	}
	return []string{fmt.Sprintf("whether %d of these files differs is not certain: git keeps some otherwise than they are here (filter, ident or working-tree-encoding in .gitattributes)", t.doubtful)}
}

// file compares one path of the work tree with the commit.
func (t *workTree) file(path string) (f FileChange, differs bool, err error) {
	base, inBase := t.base[path]
	known, tracked := t.index[path]
	entry, inWalk := t.files[path]
	f = FileChange{Path: path, oldID: base.ID, oldMode: base.Mode, Untracked: t.index != nil && !tracked}
	if !inWalk {
		var there bool
		if entry, there = t.stat(path); !there {
			if tracked && known.skip { // not checked out
				f.newID, f.newMode = known.id, known.mode
				return t.settle(f, inBase, known.id != base.ID)
			}
			f.Status = FileRemoved
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
func (t *workTree) settle(f FileChange, inBase, differs bool) (FileChange, bool, error) {
	switch {
	case !inBase:
		f.Status, differs = FileAdded, true
	case f.oldMode.IsFile() != f.newMode.IsFile():
		f.Status, differs = FileType, true
	default:
		f.Status = FileModified
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
func (t *workTree) submodule(f FileChange, inBase bool, known string) (FileChange, bool, error) {
	if f.oldMode != git.ModeSubmodule && known == "" {
		f.Status, f.inTree = FileRemoved, false // a folder stands in place of the file
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
func (t *workTree) read(f FileChange, inBase bool, base git.TreeEntry, entry discover.Entry) (FileChange, bool, error) {
	known, tracked := t.index[f.Path]
	content, left, err := t.reader.Read(f.Path)
	raw := content.Raw
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Status, f.inTree = FileRemoved, false
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

// converts reports whether attributes may have git keep a file otherwise than
// by its bytes or the ends of its lines. The files of the tree are given.
func converts(root *os.Root, reader *discover.Reader, files iter.Seq[string]) bool {
	for name := range files {
		if path.Base(name) != ".gitattributes" {
			continue
		}
		content, left, err := reader.Read(name)
		if err == nil && left == nil && converting.Match(content.Raw) {
			return true
		}
	}
	return converting.Match(git.Attributes(root))
}

// Files that were removed and others that were added are the same file renamed
// when they have the same content, or half of it. Contents are compared of so
// many files at most, each of so many bytes.
const (
	renameAlike = 0.5
	renameFiles = 300
	renameBytes = 1 << 20
)

// renames turns files that were removed and added into renamed ones.
func (t *workTree) renames(files []FileChange) ([]FileChange, error) {
	var gone, new []int
	for i := range files {
		switch f := &files[i]; {
		case f.Status == FileRemoved && f.oldMode.IsFile():
			gone = append(gone, i)
		case f.Status == FileAdded && f.newMode.IsFile():
			new = append(new, i)
		}
	}
	if len(gone) == 0 || len(new) == 0 {
		return files, nil
	}
	drop := map[int]bool{}
	rename := func(from, to int) {
		f := &files[to]
		f.Status, f.Old, f.oldID, f.oldMode = FileRenamed, files[from].Path, files[from].oldID, files[from].oldMode
		drop[from] = true
	}
	byID := map[string][]int{}
	for _, g := range gone {
		byID[files[g].oldID] = append(byID[files[g].oldID], g)
	}
	for _, n := range new {
		if same := byID[files[n].newID]; files[n].newID != "" && len(same) > 0 {
			at := max(slices.IndexFunc(same, func(g int) bool { return path.Base(files[g].Path) == path.Base(files[n].Path) }), 0)
			rename(same[at], n)
			byID[files[n].newID] = slices.Delete(same, at, at+1)
		}
	}
	gone = slices.DeleteFunc(gone, func(g int) bool { return drop[g] })
	new = slices.DeleteFunc(new, func(n int) bool { return files[n].Status == FileRenamed })
	if len(gone) <= renameFiles && len(new) <= renameFiles && len(gone)*len(new) > 0 {
		match, err := t.alike(files, gone, new)
		if err != nil {
			return nil, err
		}
		for n, g := range match {
			if g >= 0 {
				rename(gone[g], new[n])
			}
		}
	}
	kept := files[:0]
	for i, f := range files {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// alike pairs files by what of their contents is the same.
func (t *workTree) alike(files []FileChange, gone, new []int) ([]int, error) {
	removed, added := make([]*diff.Lineset, len(gone)), make([]*diff.Lineset, len(new))
	for i, g := range gone {
		raw, err := t.blobs.Read(files[g].oldID, renameBytes)
		if err != nil && !errors.Is(err, git.ErrLarge) && !errors.Is(err, git.ErrMissing) {
			return nil, err
		}
		removed[i] = diff.NewLineset(raw)
	}
	for i, n := range new {
		content, left, err := t.reader.Read(files[n].Path)
		if err != nil || left != nil || len(content.Raw) > renameBytes {
			content.Raw = nil
		}
		added[i] = diff.NewLineset(content.Raw)
	}
	return diff.Match(removed, added, renameAlike), nil
}
