package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/store"
	"espy/internal/watch"
)

// seen is the newest look at the files that found nothing to show.
type seen struct {
	mark       watch.Mark
	generation uint64
	written    time.Time
}

func newSeen(m watch.Mark, s *store.Snapshot) seen {
	return seen{mark: m, generation: s.Freshness.Generation, written: s.Written()}
}

// FollowDelay keeps the walk that begins to follow the files from slowing the
// first answer of a process, which walks them too.
const FollowDelay = 300 * time.Millisecond

// Watch begins to follow the repository's files: what changes is indexed
// without being asked for, and a question for which nothing has changed does
// not walk the tree. A second call does nothing.
func (r *Repo) Watch() error {
	if r.at != nil {
		return fmt.Errorf("watch %s: it shows a commit, and no files that could change", r.Name())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watcher != nil || r.closed {
		return nil
	}
	w, err := watch.Start(watch.Options{
		Files: r.traces,
		Stale: r.headMoved,
		Root:  r.record.Root,
		Dir:   r.ws.watchDir(r.record.ID),
		Sync:  r.follow,
		Delay: FollowDelay,
		Log:   r.ws.opts.Log,
	})
	if err != nil {
		return err
	}
	r.watcher = w
	return nil
}

// traces lists the files that tell of what git checks out.
func (r *Repo) traces() []string {
	root, err := r.Open()
	if err != nil {
		return nil
	}
	defer root.Close()
	return git.Traces(root)
}

// headMoved reports whether the newest generation is of another commit than
// what is checked out.
func (r *Repo) headMoved() bool {
	root, err := r.Open()
	if err != nil {
		return false
	}
	defer root.Close()
	s, err := r.newest()
	if err != nil {
		return false
	}
	defer s.Close()
	commit, branch := s.Checkout()
	now := git.Look(root)
	return now.Commit != commit || now.Branch != branch
}

// watchDir is where the watchers of a repository's own files meet. It is not in
// the folder of a family: each of its work trees is watched by itself.
func (w *Workspace) watchDir(id code.RepoID) string {
	return filepath.Join(w.catalog.Folder(id), "watch")
}

// follow brings the index up to date for the watcher, in a job as any other.
// A job that was running may have read folders before they were watched. After
// one that was cancelled it waits until somebody asks.
func (r *Repo) follow(ctx context.Context, enter func(dir string)) error {
	if r.rests(jobIndex) {
		return ErrCancelled
	}
	o := IndexOptions{enter: enter}
	j, fresh := r.startSync(o)
	for ; !fresh && ctx.Err() == nil; j, fresh = r.startSync(o) {
		j.wait(ctx, nil)
	}
	err := j.wait(ctx, nil)
	if ctx.Err() != nil {
		j.stop()
	}
	return err
}

// watched returns the moment of now where the watcher can tell it.
func (r *Repo) watched(ctx context.Context) (watch.Mark, bool) {
	r.mu.Lock()
	w := r.watcher
	r.mu.Unlock()
	if w == nil {
		return watch.Mark{}, false
	}
	return w.Mark(ctx)
}

// unchanged reports whether a look at the files, made when the watcher told
// the same moment, found them as the snapshot has them.
func (r *Repo) unchanged(m watch.Mark, s *store.Snapshot) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen == newSeen(m, s)
}

// noteUnchanged keeps what unchanged reports.
func (r *Repo) noteUnchanged(m watch.Mark, s *store.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = newSeen(m, s)
}

// compare compares a snapshot with the files; the plan is nil where the watcher
// proves that nothing has changed since a comparison that found nothing.
func (r *Repo) compare(ctx context.Context, root *os.Root, s *store.Snapshot) (*index.Plan, error) {
	m, ok := r.watched(ctx)
	if ok && r.unchanged(m, s) {
		return nil, nil
	}
	plan, err := r.look(ctx, root, s, r.Options())
	if ok && err == nil && plan.Clean() {
		r.noteUnchanged(m, s)
	}
	return plan, err
}

// lookEvery is how often Next looks for a generation.
const lookEvery = 100 * time.Millisecond

// Next waits for a generation other than the given one, by whichever process,
// and tells of it.
func (r *Repo) Next(ctx context.Context, generation uint64) (IndexReport, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var stamp store.Stamp
	for {
		if now := r.family.Stamp(r.view); now != stamp {
			stamp = now
			rep := IndexReport{RepoID: r.ID(), Name: r.Name(), Root: r.Root()}
			if err := r.Recover(rep.count(r)); err != nil || rep.Generation != generation {
				return rep, err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return IndexReport{}, ctx.Err()
		}
	}
}

// Watching tells how the files are followed, in a few words; empty where they
// are not, by no process.
func (r *Repo) Watching(ctx context.Context) string {
	r.mu.Lock()
	w := r.watcher
	r.mu.Unlock()
	if w != nil {
		switch s := w.State(); {
		case s.Polling != "":
			return "looked at from time to time: " + s.Polling
		case s.Leader:
			return "watched"
		}
	}
	if r.at == nil && watch.Led(ctx, r.ws.watchDir(r.ID())) {
		return "watched by another process"
	}
	return ""
}
