package origin

import (
	"context"
	"sync"
	"time"

	"espy/internal/index"
	"espy/internal/store"
	"espy/internal/watch"
)

// follower follows the files of a work tree.
type follower struct {
	mu      sync.Mutex
	watcher *watch.Watcher // nil where the files are not followed, guarded by mu
	clean   clean          // guarded by mu
	closed  bool           // guarded by mu
}

// clean is the newest look at the files that found no change.
type clean struct {
	mark       watch.Mark
	generation uint64
	written    time.Time
}

func cleanAt(m watch.Mark, s *store.Snapshot) clean {
	return clean{mark: m, generation: s.Freshness.Generation, written: s.Written()}
}

// FollowDelay is how long following leaves the first walk to the first question of
// a process, which walks the files in any case.
const FollowDelay = 300 * time.Millisecond

// start begins to follow the files; a second call does nothing.
func (f *follower) start(o func() watch.Options) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.watcher != nil || f.closed {
		return nil
	}
	w, err := watch.Start(o())
	if err != nil {
		return err
	}
	f.watcher = w
	return nil
}

func (f *follower) current() *watch.Watcher {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.watcher
}

// unchanged reports whether a look at the files, made when the watcher told the
// same moment, found them as the snapshot has them.
func (f *follower) unchanged(m watch.Mark, s *store.Snapshot) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.clean == cleanAt(m, s)
}

// noteUnchanged keeps what unchanged reports.
func (f *follower) noteUnchanged(m watch.Mark, s *store.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clean = cleanAt(m, s)
}

// compare looks how the files differ from a snapshot; nil where a look that was
// made when the watcher told the same moment, or that is being made now, proves
// that they do not.
func (f *follower) compare(ctx context.Context, s *store.Snapshot, look func(enter func(dir string)) (*index.Plan, error)) (plan *index.Plan, err error) {
	w := f.current()
	if w == nil {
		return look(nil)
	}
	m, ok := w.Mark(ctx)
	if !ok {
		m, ok, err = w.Walk(ctx, func(enter func(dir string), m watch.Mark) (clean bool, err error) {
			plan, err = look(enter)
			if clean = err == nil && plan.Clean(); clean && m != (watch.Mark{}) {
				f.noteUnchanged(m, s)
			}
			return clean, err
		})
		if err != nil || plan != nil {
			return plan, err
		}
	}
	if f.unchanged(m, s) {
		return nil, nil
	}
	if plan, err = look(nil); ok && err == nil && plan.Clean() {
		f.noteUnchanged(m, s)
	}
	return plan, err
}

// state says how this process follows the files, "" where it does not or another
// one leads.
func (f *follower) state() string {
	w := f.current()
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
