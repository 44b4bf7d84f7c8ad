package workspace

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
	"espy/internal/search"
	"espy/internal/store"
)

// SessionView is a session opened for questions. It shows what the session
// held when it was opened, until Close.
type SessionView struct {
	SessionRecord
	repo *Repo
	snap *store.Snapshot
	held *heldSession
}

// Open opens the session. Where its index is gone, damaged or of an older
// format, the folder is indexed again under the session's own settings first.
func (s *Session) Open(ctx context.Context) (*SessionView, error) {
	v, err := s.open()
	for ; err != nil || v == nil; v, err = s.open() {
		if err != nil && !store.Rebuildable(err) {
			return nil, err
		}
		now, nowErr := s.ws.Session(ctx, s.Name)
		if nowErr != nil || now.View == s.View {
			break
		}
		s.SessionRecord = now.SessionRecord // it was indexed again meanwhile
	}
	if v != nil {
		return v, nil
	}
	rep, err := s.Reindex(ctx, s.SessionRecord, nil)
	if err != nil {
		return nil, fmt.Errorf("index session %s again: %w", s.Name, err)
	}
	s.SessionRecord = rep.SessionRecord
	if v, err = s.open(); err == nil && v == nil {
		err = &NoSessionError{Name: s.Name}
	}
	return v, err
}

// open returns nil where the repository or a part of the index is gone, or the
// windows, which older programs did not write.
func (s *Session) open() (*SessionView, error) {
	if v := s.ws.sessions.open(s); v != nil {
		return v, nil
	}
	repo, err := s.ws.byID(s.Repo)
	if err != nil || repo == nil {
		return nil, err
	}
	stamp := repo.family.Stamp(s.View)
	snap, err := repo.family.Snapshot(s.View)
	if err != nil {
		return nil, err
	}
	if len(snap.Damaged) > 0 || search.CountWindows(snap) != s.Windows {
		return nil, snap.Close()
	}
	v := &SessionView{SessionRecord: s.SessionRecord, repo: repo, snap: snap}
	if err := s.ws.sessions.hold(v, stamp); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

// Reindex indexes the folder again with the settings of a record, which may
// differ from the session's. The session keeps its name and its age.
func (s *Session) Reindex(ctx context.Context, as SessionRecord, progress func(index.Progress)) (*SessionReport, error) {
	return s.ws.IndexSession(ctx, SessionOptions{
		Name: s.Name, Root: s.Root, Created: s.Created, Include: as.Include, Exclude: as.Exclude,
		Policy: as.Policy, Windowing: as.Windowing, Progress: progress,
	})
}

// Close gives the view back.
func (v *SessionView) Close() error { return v.snap.Close() }

// Changed counts the files that differ from what was indexed. Where the files
// are followed and nothing happened to them since it last did, it does not look.
func (v *SessionView) Changed(ctx context.Context) (int, error) {
	n, now, known := v.held.unchanged(ctx)
	if known {
		return n, nil
	}
	root, err := v.repo.Open()
	if err != nil {
		return 0, err
	}
	defer root.Close()
	plan, err := index.Compare(ctx, root, v.snap, index.Options{Policy: v.Policy})
	if err != nil {
		return 0, err
	}
	v.held.note(plan.Files(), now)
	return plan.Files(), nil
}

// Search returns the best windows.
func (v *SessionView) Search(ctx context.Context, q search.WindowExpr, limit int) (*search.WindowResult, error) {
	res, err := search.Windows(ctx, v.snap, search.WindowRequest{Query: q, Limit: limit})
	return res, v.heal(err)
}

// heal takes a part that an error says is damaged out of use, so that the next
// Open indexes the session again. It returns the error.
func (v *SessionView) heal(err error) error {
	if err != nil && v.repo.heal(err) {
		return errors.Join(err, v.repo.ws.sessions.drop(v.Name))
	}
	return err
}

// EachText calls yield with the files that contain needle, in path order.
func (v *SessionView) EachText(ctx context.Context, needle string, yield func(*search.FileText) error) error {
	return v.heal(search.EachText(ctx, v.snap, needle, yield))
}

// Text returns the text of a file as it was indexed; fs.ErrNotExist where the
// session does not hold it.
func (v *SessionView) Text(path string) (text []byte, err error) {
	found, err := search.OneText(v.snap, path, func(f *search.FileText) error { text = bytes.Clone(f.Text); return nil })
	if err == nil && !found {
		return nil, &fs.PathError{Op: "find", Path: path, Err: fs.ErrNotExist}
	}
	return text, v.heal(err)
}

// SessionFile is one file of a session.
type SessionFile struct {
	Path    string
	Size    int64 // bytes on disk when it was indexed
	Windows int
}

// FileList lists the files in byte order of their paths, which is the order they
// are indexed in.
func (v *SessionView) FileList() ([]SessionFile, error) {
	files, err := v.held.list()
	return slices.Clone(files), v.heal(err)
}

// Paths lists the paths of the files in that order.
func (v *SessionView) Paths() ([]string, error) {
	files, err := v.held.list()
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	return paths, v.heal(err)
}

// Find returns the path, relative to the root, of the file of the session that
// an argument means: absolute, relative, or relative with a slash before it.
func (v *SessionView) Find(arg string) (string, bool) {
	var tries []string
	if rel, err := filepath.Rel(v.Root, arg); filepath.IsAbs(arg) && err == nil && filepath.IsLocal(rel) {
		tries = append(tries, filepath.ToSlash(rel))
	}
	tries = append(tries, strings.TrimPrefix(path.Clean("/"+arg), "/"))
	for _, t := range tries {
		if found, err := search.OneText(v.snap, t, func(*search.FileText) error { return nil }); err == nil && found {
			return t, true
		}
	}
	return "", false
}

// Disk returns a file as it is now; fs.ErrNotExist where it is gone, and a
// *LeftOutError where it is no text that a session takes.
func (v *SessionView) Disk(path string) ([]byte, error) {
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

// LeftOutError says why a file is not one that can be shown.
type LeftOutError struct{ discover.Exclusion }

func (e *LeftOutError) Error() string { return fmt.Sprintf("read %s: %s", e.Path, e.Reason.Explain()) }

// SizesNow sets the sizes of files to those of now, 0 where one is gone.
func (v *SessionView) SizesNow(ctx context.Context, files []SessionFile) error {
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
