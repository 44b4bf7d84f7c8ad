package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/discover"
	"espy/internal/index"
	"espy/internal/store"
	"espy/internal/windows"
	"espy/internal/workspace"
)

// View is a session opened for questions. It shows what the session held when
// it was opened, until Close.
type View struct {
	Record
	repo *workspace.Repo
	snap *store.Snapshot
	held *held
}

// Close gives the view back.
func (v *View) Close() error { return v.snap.Close() }

// Changed counts the files that differ from what was indexed. Where the files
// are followed and nothing happened to them since it last did, it does not look.
func (v *View) Changed(ctx context.Context) (int, error) {
	return v.held.differing(ctx, func(enter func(dir string)) (int, error) { return v.compare(ctx, enter) })
}

// compare looks how many files differ, and calls enter with each folder before it
// does; nil does nothing.
func (v *View) compare(ctx context.Context, enter func(dir string)) (int, error) {
	root, err := v.repo.Open()
	if err != nil {
		return 0, err
	}
	defer root.Close()
	plan, err := index.Compare(ctx, root, v.snap, index.Options{Policy: v.Policy, Hooks: index.Hooks{Enter: enter}})
	if err != nil {
		return 0, err
	}
	return plan.Files(), nil
}

// Search returns the best windows.
func (v *View) Search(ctx context.Context, q windows.Expr, limit int) (*windows.Result, error) {
	res, err := windows.Search(ctx, v.snap, windows.Request{Query: q, Limit: limit, ShowSecrets: v.ShowSecrets()})
	return res, v.checked(err)
}

// ShowSecrets reports whether answers show keys and tokens.
func (v *View) ShowSecrets() bool { return v.held.opts.ShowSecrets }

// checked takes the part that an error says is damaged out of use, so that the
// next Open indexes the session again. It returns the error.
func (v *View) checked(err error) error {
	if err != nil && v.repo.Quarantine(err) {
		return errors.Join(err, v.held.drop(v.Name))
	}
	return err
}

// EachText calls yield with the files that contain needle, in path order.
func (v *View) EachText(ctx context.Context, needle string, yield func(*windows.FileText) error) error {
	return v.checked(windows.EachText(ctx, v.snap, needle, yield))
}

// Text returns the text of a file as it was indexed; fs.ErrNotExist where the
// session does not hold it.
func (v *View) Text(path string) (text []byte, err error) {
	found, err := windows.OneText(v.snap, path, func(f *windows.FileText) error { text = bytes.Clone(f.Text); return nil })
	if err == nil && !found {
		return nil, &fs.PathError{Op: "find", Path: path, Err: fs.ErrNotExist}
	}
	return text, v.checked(err)
}

// FileList lists the files in byte order of their paths, which is the order they
// are indexed in.
func (v *View) FileList() ([]File, error) {
	files, err := v.held.list()
	return slices.Clone(files), v.checked(err)
}

// Paths lists the paths of the files in that order.
func (v *View) Paths() ([]string, error) {
	files, err := v.held.list()
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return paths, v.checked(err)
}

// Find returns the path, relative to the root, of the file of the session that
// an argument means: absolute, relative, or relative with a slash before it.
func (v *View) Find(arg string) (string, bool) {
	for _, t := range v.meant(arg) {
		if found, err := windows.OneText(v.snap, t, func(*windows.FileText) error { return nil }); err == nil && found {
			return t, true
		}
	}
	return "", false
}

// meant returns the paths, relative to the root, that an argument may mean.
func (v *View) meant(arg string) (paths []string) {
	if rel, err := filepath.Rel(v.Root, arg); filepath.IsAbs(arg) && err == nil && filepath.IsLocal(rel) {
		paths = append(paths, filepath.ToSlash(rel))
	}
	return append(paths, strings.TrimPrefix(path.Clean("/"+arg), "/"))
}

// IsBinary reports whether an argument means a file below the root that is no
// UTF-8 text, and in no session for that.
func (v *View) IsBinary(arg string) bool {
	for _, t := range v.meant(arg) {
		_, err := v.Disk(t)
		var left *LeftOutError
		if errors.As(err, &left) {
			return left.Reason == discover.ReasonBinary || left.Reason == discover.ReasonEncoding
		}
	}
	return false
}

// Disk returns a file as it is now; fs.ErrNotExist where it is gone, and a
// *LeftOutError where it is no text that a session takes.
func (v *View) Disk(path string) ([]byte, error) {
	root, err := v.repo.Open()
	if err != nil {
		return nil, errors.Join(fs.ErrNotExist, err)
	}
	defer root.Close()
	policy := v.Policy
	policy.MaxFileBytes = -1
	reader, err := discover.NewReader(root, policy)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	c, left, err := reader.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if left != nil {
		return nil, &LeftOutError{Exclusion: *left}
	}
	return bytes.Clone(c.Raw), nil
}

// SizesNow sets the sizes of files to those of now, 0 where one is gone.
func (v *View) SizesNow(ctx context.Context, files []File) error {
	if n, err := v.Changed(ctx); err == nil && n == 0 {
		return nil // they are what they were
	}
	root, err := v.repo.Open()
	for i := range files {
		files[i].Size = 0
	}
	if err != nil {
		return ctx.Err()
	}
	defer root.Close()
	for i := range files {
		if info, err := root.Lstat(files[i].Path); err == nil && info.Mode().IsRegular() {
			files[i].Size = info.Size()
		}
	}
	return ctx.Err()
}
