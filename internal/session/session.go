// Package session keeps named views of folders: each shows the state of its
// last indexing, made under a policy and a windowing of its own. The record of a
// session lies in a folder beside the repositories; its index is a view of the
// family of the folder's repository, frozen until the session is indexed again.
package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"espy/internal/nearest"
	"espy/internal/permit"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Sessions are the sessions of a workspace. It is safe for concurrent use.
type Sessions struct {
	builder
	held *cache
}

// New returns the sessions of a workspace, which closes what they hold open,
// and drops their views with their repositories.
func New(w *workspace.Workspace) *Sessions {
	s := &Sessions{
		builder: builder{ws: w, records: records(filepath.Join(w.Options().DataDir, "sessions"))},
		held:    newCache(w.Options()),
	}
	w.AddHooks(workspace.Hooks{Close: s.held.clear, Remove: s.removed})
	return s
}

// removed closes the sessions of a repository that is being removed, and returns
// which views of its family are dropped with it.
func (s *Sessions) removed(r *workspace.Repo) (drop func(view string) bool, err error) {
	id := r.ID()
	return func(view string) bool { return s.records.orphaned(view, id) }, s.held.dropOf(r)
}

// Dir returns the folder of the records.
func (s *Sessions) Dir() string { return string(s.records) }

// List lists the sessions by name, of the repositories that who asks may see.
func (s *Sessions) List(ctx context.Context) ([]Entry, error) {
	all, err := s.records.list()
	return slices.DeleteFunc(all, func(e Entry) bool { return !s.shows(ctx, e.Record) }), err
}

// shows reports whether a session exists for who asks, and notes that its
// repository is touched.
func (s *Sessions) shows(ctx context.Context, rec Record) bool {
	if permit.Of(ctx) == nil {
		return true
	}
	repo, err := s.ws.ByID(rec.Repo)
	if err != nil || repo == nil {
		return !permit.Limited(ctx)
	}
	seen := permit.Sees(ctx, string(repo.ID()), repo.Name())
	if seen {
		permit.Touched(ctx, repo.Name())
	}
	return seen
}

// Find returns the session of a name: *NotFoundError where there is none,
// *DamagedError where its record cannot be read.
func (s *Sessions) Find(ctx context.Context, name string) (*Session, error) {
	if !IsName(name) {
		return nil, &NotFoundError{Name: name}
	}
	rec, err := s.records.read(name)
	if errors.Is(err, fs.ErrNotExist) || !s.shows(ctx, rec) {
		return nil, s.notFound(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	return &Session{Record: rec, all: s}, nil
}

func (s *Sessions) notFound(ctx context.Context, name string) error {
	e := &NotFoundError{Name: name}
	if all, err := s.List(ctx); err == nil {
		var names []string
		for _, entry := range all {
			names = append(names, entry.Name)
		}
		e.Nearest = nearest.Of(name, names, 3)
	}
	return e
}

// Of returns the session that a record from elsewhere describes. It has no index
// yet: opening it indexes its folder, and keeps it under its name.
func (s *Sessions) Of(rec Record) *Session {
	rec.Repo, rec.View = "", ""
	return &Session{Record: rec, all: s}
}

// Index indexes a folder under a name. A session that has the name stays as it
// is until the new one is complete, and where indexing fails.
func (s *Sessions) Index(ctx context.Context, o Options) (*Report, error) {
	if rec, err := s.records.read(o.Name); err == nil && !s.shows(ctx, rec) {
		return nil, fmt.Errorf("session name %q is taken", o.Name)
	}
	rep, repo, err := s.build(ctx, o)
	if err != nil {
		return nil, err
	}
	return rep, errors.Join(s.held.drop(o.Name), s.tidy(ctx, repo, o.Name))
}

// Delete removes a session and its index.
func (s *Sessions) Delete(ctx context.Context, name string) error {
	if !IsName(name) {
		return &NotFoundError{Name: name}
	}
	rec, readErr := s.records.read(name)
	if errors.Is(readErr, fs.ErrNotExist) || !s.shows(ctx, rec) {
		return s.notFound(ctx, name)
	}
	if err := errors.Join(s.held.drop(name), s.records.remove(name)); err != nil {
		return err
	}
	if readErr != nil { // its repository is not known: any may hold views of the name
		return s.tidyEverywhere(ctx, name)
	}
	repo, err := s.ws.ByID(rec.Repo)
	if err != nil || repo == nil {
		return err
	}
	return s.tidy(ctx, repo, name)
}

// Session is one session of a workspace.
type Session struct {
	Record
	all *Sessions
}

// Open opens the session. Where its index is gone, damaged or of an older
// format, the folder is indexed again under the session's own settings first.
func (s *Session) Open(ctx context.Context) (*View, error) {
	v, err := s.open()
	for ; err != nil || v == nil; v, err = s.open() {
		if err != nil && !store.Rebuildable(err) {
			return nil, err
		}
		now, nowErr := s.all.Find(ctx, s.Name)
		if nowErr != nil || now.View == s.View {
			break
		}
		s.Record = now.Record // it was indexed again meanwhile
	}
	if v != nil {
		return v, nil
	}
	rep, err := s.Reindex(ctx, s.Record, nil)
	if err != nil {
		return nil, fmt.Errorf("index session %s again: %w", s.Name, err)
	}
	s.Record = rep.Record
	if v, err = s.open(); err == nil && v == nil {
		err = &NotFoundError{Name: s.Name}
	}
	return v, err
}

// OpenIndexed opens the session as it stands, nil where that takes indexing.
func (s *Session) OpenIndexed(context.Context) (*View, error) {
	v, err := s.open()
	if err != nil && store.Rebuildable(err) {
		return nil, nil
	}
	return v, err
}

// open returns nil where the repository or a part of the index is gone, or the
// windows, which older programs did not write.
func (s *Session) open() (*View, error) {
	if v := s.all.held.open(s.Record); v != nil {
		return v, nil
	}
	repo, err := s.all.ws.ByID(s.Repo)
	if err != nil || repo == nil {
		return nil, err
	}
	return s.all.held.load(s.Record, repo)
}

// Reindex indexes the folder again with the settings of a record, which may
// differ from the session's. The session keeps its name and its age.
func (s *Session) Reindex(ctx context.Context, as Record, progress func(progress.Report)) (*Report, error) {
	return s.all.Index(ctx, Options{
		Name: s.Name, Root: s.Root, Created: s.Created, Include: as.Include, Exclude: as.Exclude,
		Policy: as.Policy, Windowing: as.Windowing, Progress: progress,
	})
}
