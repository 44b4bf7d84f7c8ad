package changes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
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
	for i := range t.doubts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if half := d.half; !half.IsZero() && time.Now().After(half) {
			c.Left = len(t.doubts) - i
			c.Notes = append(c.Notes, fmt.Sprintf("partial: %d of %d files were not looked at in time; name a path", c.Left, t.total))
			break
		}
		f, differs, err := t.file(&t.doubts[i])
		if err != nil {
			return nil, fmt.Errorf("look at %q: %w", t.doubts[i].name, err)
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
	like   string     // an id, for the kind of ids
	base   baseOf     // files of the commit
	walked []looked   // files that the walk let through
	index  *git.Index // nil where git's index cannot be read
	doubts []entry    // that may differ
	total  int        // of all paths

	converts func() bool // git may keep a file otherwise than it is here
	doubtful int         // files that differ, unless git converts them
}

func openTree(ctx context.Context, r *workspace.Repo, d difference) (*workTree, error) {
	s, err := openSides(ctx, r, d.history)
	if err != nil {
		return nil, err
	}
	t := &workTree{sides: s, like: d.answer.Checkout.Commit}
	t.converts = sync.OnceValue(func() bool { return worktree.Converts(t.root, t.reader, names(t.walked)) })
	if err := t.load(ctx, r, d); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// load reads what git and the walk say of all paths, and finds those that may differ.
func (t *workTree) load(ctx context.Context, r *workspace.Repo, d difference) (err error) {
	if t.walked, err = walk(ctx, r, t.root); err != nil {
		return err
	}
	if t.index, err = git.ReadIndex(t.root, t.like); err != nil {
		d.answer.Notes = append(d.answer.Notes, fmt.Sprintf("%v: every file was read, and untracked files are not known", err))
	}
	if t.base, err = baseOfCommit(ctx, d.history, d.answer.From.Commit, t.index); err == nil {
		t.doubts, t.total = doubtful(t.base, t.walked, t.index)
	}
	return err
}

// notes tell what is not certain.
func (t *workTree) notes() []string {
	if t.doubtful == 0 {
		return nil
	}
	return []string{fmt.Sprintf("whether %d of these files differs is not certain: git stores some in another form (filter, ident or working-tree-encoding in .gitattributes)", t.doubtful)}
}

// file compares one path of the work tree with the commit.
func (t *workTree) file(p *entry) (f File, differs bool, err error) {
	f = File{Path: p.name, oldID: p.base.ID, oldMode: p.base.Mode, Untracked: t.index != nil && !p.tracked}
	if !p.walked {
		var there bool
		if p.file, there = t.stat(p.name); !there {
			if p.tracked && p.known.skip { // not checked out
				f.newID, f.newMode = p.known.id, p.known.mode
				return t.settle(f, p.inBase, p.known.id != p.base.ID)
			}
			f.Status = Removed
			f.Untracked = false
			return f, p.inBase, nil
		}
		if !p.inBase && !p.tracked {
			return f, false, nil // left out, and of no concern to git
		}
	}
	f.inTree, f.newMode = true, modeOf(p.file.Mode)
	switch {
	case p.file.Mode.IsDir():
		return t.submodule(f, p.inBase, p.known.id)
	case p.file.Mode&fs.ModeSymlink != 0:
		target, err := t.root.Readlink(p.name)
		if err != nil {
			return f, false, err
		}
		f.newID = t.id([]byte(target))
		return t.settle(f, p.inBase, f.newID != p.base.ID || p.base.Mode != git.ModeLink)
	case p.tracked && p.known.stage == 0 && p.known.mode.IsFile() && untouched(&p.file, &p.known.stat, t.index.Stamp):
		f.newID = p.known.id
		return t.settle(f, p.inBase, p.known.id != p.base.ID || !p.base.Mode.IsFile())
	}
	return t.read(f, p)
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
func (t *workTree) stat(path string) (e looked, there bool) {
	info, err := t.root.Lstat(path)
	if err != nil {
		return e, false
	}
	e = looked{Path: path, Stat: listing.Stat{Size: info.Size(), MTime: info.ModTime().UnixNano()}, Mode: info.Mode()}
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

func (t *workTree) id(content []byte) string {
	return hex.EncodeToString(git.BlobID(t.like, content))
}

// read compares the content of a file.
func (t *workTree) read(f File, p *entry) (File, bool, error) {
	converted := t.converts() // it reads files too
	content, left, err := t.reader.Read(f.Path)
	raw := content.Raw
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Status, f.inTree = Removed, false
		return f, p.inBase, nil
	case err != nil:
		return f, false, err
	case left == nil:
	case left.Reason == discover.ReasonBinary || left.Reason == discover.ReasonEncoding:
		raw = t.reader.Raw()
		f.Why = left.Reason.Explain()
	case p.tracked && p.known.id == p.base.ID && looksUntouched(&p.file, &p.known.stat):
		return f, false, nil // it may only have been changed in the moment when git looked
	default:
		f.Why = "whether it differs is not known: " + left.Reason.Explain()
		return t.settle(f, p.inBase, true)
	}
	f.newID = t.id(raw)
	if !p.inBase || f.newID == p.base.ID {
		return t.settle(f, p.inBase, false)
	}
	same, err := t.sameText(raw, p.base)
	if err == nil && !same && converted {
		t.doubtful++
	}
	if err != nil {
		return f, false, err
	}
	return t.settle(f, p.inBase, !same)
}

// sameText reports whether a content is that of a commit but for the ends of
// its lines, or is what a pointer of Git LFS stands for.
func (t *workTree) sameText(raw []byte, base git.TreeEntry) (bool, error) {
	lines := bytes.Contains(raw, []byte("\r\n"))
	if lines && t.id(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))) == base.ID {
		return true, nil
	}
	if !base.Mode.IsFile() || !lines && !t.converts() {
		return false, nil
	}
	old, err := t.blob(base.ID, maxCompared)
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
