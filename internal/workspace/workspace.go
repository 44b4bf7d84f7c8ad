// Package workspace is what a user holds: the attached repositories, each with
// its index kept fresh. A question first looks whether files have changed
// (fresh.go), shows what has changed as an overlay or says what is pending, and
// leaves the writing to one job per repository (sync.go, package job). What a
// repository shows, and how it is brought up to date, is its origin (package
// origin); what is kept of its index is its view (package view).
package workspace

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/permit"
	"espy/internal/store"
	"espy/internal/store/blob/local"
	"espy/internal/tally"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// Workspace is the attached repositories. It is safe for concurrent use.
type Workspace struct {
	opts Options
	env  *view.Env

	mu       sync.Mutex
	repos    map[code.RepoID]*Repo         // opened by this process, guarded by mu
	commits  commits                       // of them, guarded by mu
	families map[code.RepoID]*store.Family // of them, by whose folder they are kept in, guarded by mu
	hooks    []Hooks                       // guarded by mu
}

// Hooks are what a package does that keeps views of its own in the families of
// a workspace.
type Hooks struct {
	// Close lets go of everything, as the workspace closes.
	Close func() error
	// Remove lets go of a repository that is being removed, and returns which
	// views of its family are dropped with it. What it returns is called under
	// the writer's lock.
	Remove func(r *Repo) (drop func(view string) bool, err error)
	// Packages, where it is not nil, finds packages of others.
	Packages Packages
}

// AddHooks adds hooks, which are called in no order.
func (w *Workspace) AddHooks(h Hooks) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hooks = append(w.hooks, h)
}

// Options returns what the workspace was opened with.
func (w *Workspace) Options() Options { return w.opts }

// Open opens the workspace kept in the data folder.
func Open(o Options) (*Workspace, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Tally == nil {
		o.Tally = new(tally.Tally)
	}
	if err := view.CheckPrivate(o.DataDir); err != nil {
		return nil, err
	}
	c, err := o.Team.Repositories(filepath.Join(o.DataDir, "repos"))
	if err != nil {
		return nil, err
	}
	return &Workspace{
		opts: o, repos: map[code.RepoID]*Repo{}, commits: newCommits(), families: map[code.RepoID]*store.Family{},
		env: &view.Env{
			DataDir: o.DataDir, Roots: view.CanonicalAll(o.Roots), Policy: o.Policy, GlobalIgnore: o.GlobalIgnore, Workers: o.Workers, Parser: o.Parser,
			Notices: o.Notices, Log: o.Log, Tally: o.Tally, Catalog: c, Answers: o.Team.Answers(),
		},
	}, nil
}

// Models are those that meanings are compared by.
func (w *Workspace) Models() embedding.Models { return w.opts.Models }

// Close stops background jobs, except that changes which are analysed already
// are committed, and gives everything back.
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	for _, h := range w.hooks {
		err = errors.Join(err, h.Close())
	}
	err = errors.Join(err, w.commits.closeOf(nil))
	for _, r := range w.repos {
		err = errors.Join(err, r.close())
	}
	w.repos = map[code.RepoID]*Repo{}
	return err
}

// Repos returns every attached repository that who asks may see, sorted by name.
func (w *Workspace) Repos(ctx context.Context) ([]*Repo, error) {
	repos, err := w.shown(ctx)
	for _, r := range repos {
		permit.Touched(ctx, r.Name())
	}
	return repos, err
}

func (w *Workspace) shown(ctx context.Context) ([]*Repo, error) {
	records, err := w.env.Catalog.List()
	if err != nil {
		return nil, err
	}
	var repos []*Repo
	for _, rec := range records {
		if !w.env.Shows(ctx, rec) {
			continue
		}
		r, err := w.repo(rec)
		if err != nil {
			return nil, err
		}
		repos = append(repos, r)
	}
	return repos, nil
}

// repo returns the one Repo of this process for a record.
func (w *Workspace) repo(rec catalog.Repo) (*Repo, error) {
	if err := w.env.CheckRoots(rec); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.repos[rec.ID]; r != nil {
		r.view.SetRecord(rec)
		return r, nil
	}
	family, err := w.familyLocked(rec.FamilyID())
	if err != nil {
		return nil, err
	}
	r := w.newRepo(rec, family)
	w.repos[rec.ID] = r
	return r, nil
}

// newRepo returns a Repo of what a record says: a work tree or a clone.
func (w *Workspace) newRepo(rec catalog.Repo, family *store.Family) *Repo {
	e := view.New(w.env, family, rec, cmp.Or(rec.View(), store.MainView), "")
	r := newRepo(e, w.opts)
	r.commit = func(at view.Commit) *Repo { return w.openCommit(r, at) }
	r.shown = w.shown
	r.origin = origin.Of(e, w.opts.Remote, r.follow)
	r.share()
	return r
}

// familyLocked returns the one open family of this process that is kept in a
// repository's folder.
func (w *Workspace) familyLocked(id code.RepoID) (*store.Family, error) {
	if f := w.families[id]; f != nil {
		return f, nil
	}
	f, err := store.Open(w.env.Catalog.Folder(id))
	if err == nil {
		w.families[id] = f
	}
	return f, err
}

// ByID returns a repository by its identity, nil where it is not attached.
func (w *Workspace) ByID(id code.RepoID) (*Repo, error) {
	records, err := w.env.Catalog.List()
	if err != nil {
		return nil, err
	}
	for _, rec := range records {
		if rec.ID == id {
			return w.repo(rec)
		}
	}
	return nil, nil
}

// Disk returns the bytes of the data folder, with what killed processes left there.
func (w *Workspace) Disk() int64 { return local.SizeOf(w.opts.DataDir) }

// Find returns the repository that a name, a UUID, a URL, or an absolute path at or
// below its root means, or NAME@REF, which is that of the name at a ref;
// *catalog.NotFoundError where there is none.
func (w *Workspace) Find(ctx context.Context, ref string) (*Repo, error) {
	r, err := w.find(ctx, ref)
	if err == nil {
		permit.Touched(ctx, r.Name())
	}
	return r, err
}

func (w *Workspace) find(ctx context.Context, ref string) (*Repo, error) {
	repos, err := w.shown(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		if r.Name() == ref || string(r.ID()) == ref {
			return r, nil
		}
	}
	if remote, err := catalog.RemoteOf(ref); err == nil {
		place := catalog.Repo{Remote: &remote}.Place()
		if i := slices.IndexFunc(repos, func(r *Repo) bool { return r.URL() == place }); i >= 0 {
			return repos[i], nil
		}
	}
	for _, r := range repos {
		if at, ok := strings.CutPrefix(ref, r.Name()+"@"); ok && at != "" {
			return r.At(ctx, at)
		}
	}
	if path, err := view.Canonical(ref); err == nil && filepath.IsAbs(ref) {
		if r := deepest(repos, path); r != nil && !w.opts.Policy.Apart(r.Root(), path) {
			return r, nil
		}
	}
	if p := w.Packages(); p != nil && strings.HasPrefix(ref, code.PackagePrefix) {
		return p.Find(ctx, ref)
	}
	if err := w.hidden(ctx, ref); err != nil {
		return nil, err
	}
	return nil, catalog.NotFound(ref, repos)
}

// hidden says that a reference means a repository that the setting roots hides.
func (w *Workspace) hidden(ctx context.Context, ref string) error {
	records, err := w.env.Catalog.List()
	if err != nil {
		return err
	}
	for _, rec := range records {
		if (rec.Name == ref || string(rec.ID) == ref) && permit.Sees(ctx, string(rec.ID), rec.Name) {
			return w.env.CheckRoots(rec)
		}
	}
	return nil
}

// deepest returns the repository with the longest root at or above path.
func deepest(repos []*Repo, path string) *Repo {
	var best *Repo
	for _, r := range repos {
		if _, ok := code.Below(r.Root(), path); ok && (best == nil || len(r.Root()) > len(best.Root())) {
			best = r
		}
	}
	return best
}
