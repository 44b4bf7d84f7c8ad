package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"espy/internal/code"
	"espy/internal/index"
	"espy/internal/learned"
	"espy/internal/progress"
	"espy/internal/store"
	"espy/internal/workspace/coverage"
	"espy/internal/workspace/job"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/team"
	"espy/internal/workspace/view"
)

// Repo is one attached repository, or a commit of one (At). It is safe for
// concurrent use.
type Repo struct {
	view   *view.View
	origin origin.Origin
	commit func(at view.Commit) *Repo             // returns the repository at a commit
	shown  func(context.Context) ([]*Repo, error) // lists those that exist for who asks; nil for a commit

	sync   *job.Slot // writes the index
	parse  *job.Slot // the pass over the syntax
	embed  *job.Slot // that over the vectors by the model of the program
	remote *job.Slot // and by one on another machine
	learn  *job.Slot // what the commits teach

	opts Options // of the workspace

	source *team.Source // where the index is taken from and published; nil for a workspace of its own

	left coverage.Left
	book *learned.Book
	past *origin.Past
}

func newRepo(e *view.View, opts Options) *Repo {
	o := job.Options{Repo: e.Repo, Log: e.Env.Log}
	slot := func(kind func(dir, view string) job.Shared) *job.Slot {
		o.Shared = kind(e.Jobs(), e.Key)
		return job.NewSlot(o)
	}
	return &Repo{view: e, opts: opts, book: learned.NewBook(filepath.Join(e.Folder(), "learned")), past: origin.NewPast(filepath.Join(e.Folder(), "past"), e.Key), sync: slot(job.Index), parse: slot(job.Syntax), embed: slot(job.Vectors), remote: slot(job.Remote), learn: slot(job.Lessons)}
}

// slots are the jobs of the repository, in the order in which they are cancelled.
func (r *Repo) slots() []*job.Slot { return []*job.Slot{r.sync, r.embed, r.parse, r.remote, r.learn} }

// idle reports whether no job runs.
func (r *Repo) idle() bool {
	return !slices.ContainsFunc(r.slots(), func(s *job.Slot) bool { return !s.Idle() })
}

// ID returns the identity that stays whatever the name becomes.
func (r *Repo) ID() code.RepoID { return r.view.Record().ID }

// Name returns what answers call the repository: a commit of it NAME@REF.
func (r *Repo) Name() string { return r.view.Repo() }

// Root returns the absolute path of the work tree, of which a commit may be shown.
func (r *Repo) Root() string { return r.view.Record().Root }

// URL returns the address of a repository on another machine, as its Place;
// empty for one that has a root.
func (r *Repo) URL() string {
	if rec := r.view.Record(); rec.Remote != nil && r.view.Ref() == "" {
		return rec.Place()
	}
	return ""
}

// Place returns where the repository is: its root, or its URL.
func (r *Repo) Place() string { return r.view.Record().Place() }

// Family returns the family that holds the repository's views.
func (r *Repo) Family() *store.Family { return r.view.Family }

// Folder returns the folder of what is kept of the repository beside its views.
func (r *Repo) Folder() string { return r.view.Folder() }

// Options returns how the files of the repository are looked at.
func (r *Repo) Options() index.Options { return r.view.Options() }

// Frozen reports whether the repository shows a commit, so that it has no work
// tree and never changes.
func (r *Repo) Frozen() bool { return r.origin.Frozen() }

// Open opens the work tree. There is none to open where a commit is shown.
func (r *Repo) Open() (*os.Root, error) { return r.origin.Open() }

// Lock waits for the writer's lock, and tells which process has it when that
// takes long.
func (r *Repo) Lock(ctx context.Context, tell func(progress.Report)) (unlock func(), err error) {
	return r.view.Lock(ctx, tell)
}

// Quarantine takes the part of the index that an error says is damaged out of
// use, and reports whether there was one: the same question may then be asked again.
func (r *Repo) Quarantine(err error) bool { return r.view.Quarantine(err) }

// Verify reads every byte of the index and checks it, the rest of the family too.
func (r *Repo) Verify(ctx context.Context) (view.Verified, error) { return r.view.Verify(ctx) }

// Recover calls f, and again each time it fails because of damage that can be
// taken out of use: f must be able to start over.
func (r *Repo) Recover(f func() error) error { return r.view.Recover(f) }

// newest returns the newest committed generation, labelled.
func (r *Repo) newest() (*store.Snapshot, error) {
	s, err := r.view.Newest()
	if err == nil {
		r.origin.Label(s)
	}
	return s, err
}

// close ends what runs for the repository in this process.
func (r *Repo) close() error {
	var stops []func()
	for _, slot := range r.slots() {
		stops = append(stops, slot.Close())
	}
	s := r.view.Close()
	r.origin.Close()
	if r.source != nil {
		r.source.Close()
	}
	for _, stop := range stops {
		stop()
	}
	if s != nil {
		return s.Close()
	}
	return nil
}

// Watch begins to follow the repository's files: what changes is indexed
// without being asked for, and a question for which nothing has changed does
// not walk the tree. A second call does nothing.
func (r *Repo) Watch() error { return r.origin.Watch() }

// Cancel ends the indexing of the repository, in whichever process, and waits
// until it has ended; false where none was under way. What it has published
// stays, and the next question or indexing goes on from there.
func (r *Repo) Cancel(ctx context.Context) (ended bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, cancelTime)
	defer cancel()
	for _, slot := range r.slots() {
		one, err := slot.Cancel(ctx)
		ended = ended || one
		if err != nil {
			return ended, fmt.Errorf("cancel the indexing of %s: %w", r.Name(), err)
		}
	}
	return ended, nil
}

// cancelTime is how long a process may take to end a job that was cancelled.
const cancelTime = 10 * time.Second
