package origin

import (
	"context"
	"sync"
	"time"

	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/watch"
)

// follower follows the files of a work tree.
type follower struct {
	mu      sync.Mutex
	watcher *watch.Watcher // nil where the files are not followed, guarded by mu
	last    look           // guarded by mu
	wanted  bool           // that the files are followed, guarded by mu
	closed  bool           // guarded by mu
}

// clean is the newest look at the files that found no change.
type clean struct {
	mark       watch.Mark
	generation uint64
	written    time.Time
}

// look is what the newest look found that found no change.
type look struct {
	at   clean
	seen *listing.Tree // nil where that is what the generation saw
}

func cleanAt(m watch.Mark, s *store.Snapshot) clean {
	return clean{mark: m, generation: s.Freshness.Generation, written: s.Written()}
}

// A question that comes at once walks the files and does not wait until they are watched.
// Following leaves the first walk that watches them to one that comes Early after its
// start, and makes it itself after FollowDelay.
const (
	Early       = 300 * time.Millisecond
	FollowDelay = 500 * time.Millisecond
)

// start begins to follow the files; a second call does nothing.
func (f *follower) start(o func() watch.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.watcher != nil || f.closed {
		return nil
	}
	f.wanted = true
	w, err := watch.Start(o())
	if err != nil {
		return err
	}
	f.watcher = w
	return nil
}

// current returns the watcher, and whether the files are to be followed.
func (f *follower) current() (w *watch.Watcher, wanted bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watcher, f.wanted
}

// unchanged reports whether a look at the files, made when the watcher told the
// same moment, found them as the snapshot has them. The snapshot then sees what that
// look saw.
func (f *follower) unchanged(m watch.Mark, s *store.Snapshot) (bool, error) {
	f.mu.Lock()
	last := f.last
	f.mu.Unlock()
	if last.at != cleanAt(m, s) {
		return false, nil
	}
	return true, see(s, last.seen)
}

// noteUnchanged keeps what unchanged reports.
func (f *follower) noteUnchanged(m watch.Mark, s *store.Snapshot, seen *listing.Tree) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = look{cleanAt(m, s), seen}
}

// compare looks how the files differ from a snapshot; nil where a look that was
// made when the watcher told the same moment, or that is being made now, proves
// that they do not. Where the files are followed, a snapshot that they do not differ
// from then sees what the look saw.
func (f *follower) compare(ctx context.Context, s *store.Snapshot, walk func(enter func(dir string)) (*index.Plan, error)) (plan *index.Plan, err error) {
	w, wanted := f.current()
	look := func(enter func(dir string), m watch.Mark) (clean bool, err error) {
		plan, err = walk(enter)
		if err != nil || !wanted || !plan.Clean() {
			return false, err
		}
		seen := plan.Others()
		if m != (watch.Mark{}) {
			f.noteUnchanged(m, s, seen)
		}
		return true, see(s, seen)
	}
	if w == nil {
		_, err = look(nil, watch.Mark{})
		return plan, err
	}
	m, ok := w.Mark(ctx)
	if !ok {
		if m, ok, err = w.Walk(ctx, look); err != nil || plan != nil {
			return plan, err
		}
	}
	if is, err := f.unchanged(m, s); is || err != nil {
		return nil, err
	}
	if !ok {
		m = watch.Mark{}
	}
	_, err = look(nil, m)
	return plan, err
}

// see makes a tree what a snapshot saw; nil changes nothing.
func see(s *store.Snapshot, seen *listing.Tree) error {
	if seen == nil {
		return nil
	}
	return s.See(seen)
}

// state says how this process follows the files, "" where it does not or another
// one leads.
func (f *follower) state() string {
	w, _ := f.current()
	if w == nil {
		return ""
	}
	switch s := w.State(); {
	case s.Polling != "":
		return "looked at from time to time: " + s.Polling
	case s.Leader:
		return "watched"
	}
	return ""
}

// close stops following.
func (f *follower) close() {
	f.mu.Lock()
	f.closed = true
	w := f.watcher
	f.mu.Unlock()
	if w != nil {
		w.Close()
	}
}
