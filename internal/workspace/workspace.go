// Package workspace is what a user holds: the attached repositories, each with
// its index kept fresh. A question first looks whether files have changed
// (fresh.go), shows what has changed as an overlay or says what is pending, and
// leaves the writing to one background job per repository (job.go).
package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/nearest"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/watch"
	"espy/internal/worktree"
)

// Options say where the index is kept and how files are looked at.
type Options struct {
	DataDir      string
	Policy       discover.Policy
	GlobalIgnore string       // the user's own ignore file, "" for none
	Home         string       // the user's home folder, which is not attached by accident
	Notices      []string     // what the settings could not do as they should; told with the answers
	Workers      int          // 0: one per processor
	Watch        bool         // follow the files of the repositories that are asked about
	Parser       index.Parser // of languages other than Go; nil leaves their files without symbols
	Remote       RemoteOptions
	Log          *slog.Logger
}

// Workspace is the attached repositories. It is safe for concurrent use.
type Workspace struct {
	opts    Options
	catalog *catalog.Catalog
	asked   atomic.Int32 // searches under way

	mu       sync.Mutex
	repos    map[code.RepoID]*Repo         // opened by this process, guarded by mu
	frozen   frozenRepos                   // commits of them, guarded by mu
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
	c, err := catalog.Open(filepath.Join(o.DataDir, "repos"))
	if err != nil {
		return nil, err
	}
	return &Workspace{opts: o, catalog: c, repos: map[code.RepoID]*Repo{}, families: map[code.RepoID]*store.Family{}}, nil
}

// Close stops background jobs, except that changes which are analysed already
// are committed, and gives everything back.
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	for _, h := range w.hooks {
		err = errors.Join(err, h.Close())
	}
	err = errors.Join(err, w.frozen.closeOf(nil))
	for _, r := range w.repos {
		err = errors.Join(err, r.close())
	}
	w.repos = map[code.RepoID]*Repo{}
	return err
}

// Repos returns every attached repository, sorted by name.
func (w *Workspace) Repos(context.Context) ([]*Repo, error) {
	records, err := w.catalog.List()
	if err != nil {
		return nil, err
	}
	var repos []*Repo
	for _, rec := range records {
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
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.repos[rec.ID]; r != nil {
		r.setRecord(rec)
		return r, nil
	}
	family, err := w.familyLocked(rec.FamilyID())
	if err != nil {
		return nil, err
	}
	r := &Repo{ws: w, record: rec, family: family, view: cmp.Or(rec.View(), store.MainView)}
	r.dirty = worktree.NewCounter(worktree.Options{Open: r.Open, Policy: func() discover.Policy { return r.Options().Policy }})
	if rec.Remote != nil {
		r.at = &pinned{}
	}
	w.repos[rec.ID] = r
	return r, nil
}

// familyLocked returns the one open family of this process that is kept in a
// repository's folder.
func (w *Workspace) familyLocked(id code.RepoID) (*store.Family, error) {
	if f := w.families[id]; f != nil {
		return f, nil
	}
	f, err := store.Open(w.catalog.Folder(id))
	if err == nil {
		w.families[id] = f
	}
	return f, err
}

// ByID returns a repository by its identity, nil where it is not attached.
func (w *Workspace) ByID(id code.RepoID) (*Repo, error) {
	records, err := w.catalog.List()
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

// Disk returns the bytes of the files in the data folder: of indexes, of clones,
// and of what killed processes left until the next one cleans up.
func (w *Workspace) Disk() (bytes int64) {
	filepath.WalkDir(w.opts.DataDir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil // what goes meanwhile does not count
	})
	return bytes
}

// NotFoundError says that no attached repository is meant by a reference.
type NotFoundError struct {
	Ref     string
	Nearest []string // names of attached repositories, the likeliest first
}

func (e *NotFoundError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("no repository %q: none is attached yet", e.Ref)
	}
	return fmt.Sprintf("no repository %q: attached are %s", e.Ref, strings.Join(e.Nearest, ", "))
}

// Find returns the repository that a name, a UUID, a URL, or a path at or below
// its root means, or NAME@REF, which is that of the name at a ref; *NotFoundError
// where there is none.
func (w *Workspace) Find(ctx context.Context, ref string) (*Repo, error) {
	repos, err := w.Repos(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		if r.Name() == ref || string(r.ID()) == ref {
			return r, nil
		}
	}
	if remote, err := remoteOf(ref); err == nil {
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
	if path, err := canonical(ref); err == nil && strings.ContainsAny(ref, `/\.`) {
		if r := deepest(repos, path); r != nil && !w.opts.Policy.Apart(r.Root(), path) {
			return r, nil
		}
	}
	return nil, &NotFoundError{Ref: ref, Nearest: likely(ref, repos)}
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

// likely lists the names a reference may have meant, or the first few of all.
func likely(ref string, repos []*Repo) []string {
	var names []string
	for _, r := range repos {
		names = append(names, r.Name())
	}
	if near := nearest.Of(ref, names, 5); near != nil {
		return near
	}
	return names[:min(len(names), 5)]
}

// AttachOptions say how a folder becomes a repository.
type AttachOptions struct {
	Name       string // "": the folder's own, numbered where it is taken
	AllowBroad bool   // attach even / or the home folder
	Exact      bool   // the folder itself, not the nearest one above it with .git
}

// Attach returns the repository of a folder, adding it where it is new. Nothing
// is indexed yet.
func (w *Workspace) Attach(ctx context.Context, dir string, o AttachOptions) (*Repo, error) {
	root, err := canonical(dir)
	if err != nil {
		return nil, fmt.Errorf("attach %s: %w", dir, err)
	}
	if !o.Exact {
		root = discover.FindRoot(root, w.opts.Home)
	}
	if err := discover.CheckRoot(root, w.opts.Home, o.AllowBroad); err != nil {
		return nil, err
	}
	rec, err := w.catalog.Attach(ctx, catalog.Repo{Name: o.Name, Root: root, Git: sharedFolder(root)})
	if err != nil {
		return nil, err
	}
	return w.repo(rec)
}

// sharedFolder returns the git folder that other work trees may share, "" where
// there is none that can be believed.
func sharedFolder(root string) string {
	dir, err := git.Common(root)
	if err != nil {
		return ""
	}
	return dir
}

// Remove forgets a repository and deletes its index, except for what other work
// trees of its family use; its files are not touched. Of a repository at a ref
// only the index of that commit is deleted.
func (w *Workspace) Remove(ctx context.Context, r *Repo) error {
	if r.of != nil {
		r.forget()
		return r.family.Drop(ctx, func(view string) bool { return view == r.view })
	}
	w.mu.Lock()
	delete(w.repos, r.ID())
	err := w.frozen.closeOf(r)
	hooks := w.hooks
	w.mu.Unlock()
	var drops []func(view string) bool
	for _, h := range hooks {
		drop, hookErr := h.Remove(r)
		drops, err = append(drops, drop), errors.Join(err, hookErr)
	}
	if err := errors.Join(err, r.close()); err != nil {
		return err
	}
	unlock, err := r.Lock(ctx, func(p progress.Report) {
		w.opts.Log.Warn("removing waits for the process that writes the index", "repo", r.Name(), "pid", p.Holder)
	})
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.catalog.Remove(ctx, r.ID()); err != nil {
		return err
	}
	return r.leave(drops)
}

// leave drops what a removed repository has left in the folder of a family that
// others use: its own views and those for which one of drops is true. The
// caller holds the writer's lock.
func (r *Repo) leave(drops []func(view string) bool) error {
	w, rec := r.ws, r.rec()
	all, err := w.catalog.List()
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, o := range all {
		if o.FamilyID() == rec.FamilyID() {
			used[cmp.Or(o.View(), store.MainView)] = true
		}
	}
	if len(used) == 0 { // the folder is gone
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.families, rec.FamilyID())
		return nil
	}
	err = r.family.DropLocked(func(view string) bool {
		tree, ok := store.TreeOf(view)
		return ok && !used[tree] || slices.ContainsFunc(drops, func(drop func(string) bool) bool { return drop(view) })
	})
	if err != nil || rec.ID != rec.FamilyID() {
		return err
	}
	watches, err := filepath.Glob(filepath.Join(globEscaper.Replace(r.Folder()), "watch*"))
	for _, dir := range watches {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// canonical is the absolute path without symbolic links.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Repo is one attached repository, or a commit of one (At).
type Repo struct {
	ws     *Workspace
	family *store.Family
	of     *Repo   // whose commit it is, nil for a repository itself
	at     *pinned // that it shows, nil for what is checked out; empty where its clone says which
	view   string  // of the family, that shows this repository's work tree

	mu      sync.Mutex
	record  catalog.Repo    // guarded by mu
	held    *store.Snapshot // the newest generation seen, guarded by mu
	stamp   store.Stamp     // of held, guarded by mu
	job     *job            // the one running or last run, guarded by mu
	parse   *job            // the same of the pass over the syntax, guarded by mu
	waiting waiting         // what the last such pass left, guarded by mu
	notices []string        // of the last look at the files, guarded by mu
	rebuilt rebuilt         // guarded by mu
	closed  bool            // guarded by mu

	known   known          // of held, guarded by mu
	watcher *watch.Watcher // nil where the files are not followed, guarded by mu
	seen    seen           // guarded by mu

	dirty *worktree.Counter
}

// Family returns the family that holds the repository's views.
func (r *Repo) Family() *store.Family { return r.family }

// Folder returns the folder of what is kept of the repository beside its views.
func (r *Repo) Folder() string { return r.ws.catalog.Folder(r.ID()) }

// ID returns the identity that stays whatever the name becomes.
func (r *Repo) ID() code.RepoID { return r.rec().ID }

// Name returns what answers call the repository: a commit of it NAME@REF.
func (r *Repo) Name() string { return r.named(r.rec().Name) }

func (r *Repo) named(name string) string {
	if r.of != nil {
		name += "@" + r.at.ref
	}
	return name
}

// Root returns the absolute path of the work tree.
func (r *Repo) Root() string { return r.rec().Root }

func (r *Repo) rec() catalog.Repo {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record
}

func (r *Repo) setRecord(rec catalog.Repo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record = rec
}

// Options returns how the files of the repository are looked at.
func (r *Repo) Options() index.Options {
	o := index.Options{Policy: r.ws.opts.Policy, GlobalIgnore: r.ws.opts.GlobalIgnore, Workers: r.ws.opts.Workers, Parser: r.ws.opts.Parser}
	o.Siblings = func(view string) bool { // views of others, as sessions, have no terms
		_, ok := store.TreeOf(view)
		return ok || strings.HasPrefix(view, refPrefix)
	}
	o.Hooks.Asked = func() bool { return r.ws.asked.Load() > 0 }
	if data, err := canonical(r.ws.opts.DataDir); err == nil && data != r.Root() {
		if rel, ok := code.Below(r.Root(), data); ok { // the index itself is not indexed
			o.Policy.Exclude = append(slices.Clone(o.Policy.Exclude), "/"+globEscaper.Replace(rel))
		}
	}
	return o
}

var globEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`)

// Open opens the work tree. There is none to open where a commit is shown.
func (r *Repo) Open() (*os.Root, error) {
	if r.at != nil {
		return nil, fmt.Errorf("open %s: no files of it are checked out", r.Name())
	}
	root, err := discover.OpenRoot(r.Root())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w (moved or removed? `espy remove %s` forgets it)", r.Root(), err, r.Name())
	}
	return root, nil
}

// Quarantine takes the part of the index that an error says is damaged out of
// use, and reports whether there was one: the same question may then be asked again.
func (r *Repo) Quarantine(err error) bool {
	var corrupt *segment.CorruptError
	switch {
	case errors.As(err, &corrupt) && r.family.Holds(corrupt.Name):
		r.family.Quarantine(filepath.Base(corrupt.Name), corrupt)
	case errors.Is(err, segment.ErrTruncated) && r.family.Recheck():
	default:
		return false
	}
	r.ws.opts.Log.Warn("a damaged part of the index is taken out of use", "repo", r.Name(), "err", err)
	r.forget()
	return true
}

// maxQuarantined bounds how many damaged parts one question or job gets past.
const maxQuarantined = 100

// Recover calls f, and again each time it fails because of damage that can be
// taken out of use: f must be able to start over.
func (r *Repo) Recover(f func() error) error {
	err := f()
	for tries := 0; err != nil && tries < maxQuarantined && r.Quarantine(err); tries++ {
		err = f()
	}
	return err
}

// close ends what runs for the repository in this process.
func (r *Repo) close() error {
	r.mu.Lock()
	jobs, held, watcher := []*job{r.job, r.parse}, r.held, r.watcher
	r.closed, r.held, r.known = true, nil, known{}
	r.mu.Unlock()
	if watcher != nil {
		watcher.Close()
	}
	for _, j := range jobs {
		if j != nil {
			j.stop()
		}
	}
	if held != nil {
		return held.Close()
	}
	return nil
}
