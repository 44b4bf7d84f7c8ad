package session

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"espy/internal/discover"
	"espy/internal/store"
	"espy/internal/watch"
	"espy/internal/windows"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// maxHeld is how many sessions a process keeps open between questions.
const maxHeld = 8

// cache holds the sessions that were asked about last.
type cache struct {
	opts workspace.Options

	mu     sync.Mutex
	byName *simplelru.LRU[string, *held] // guarded by mu
	failed error                         // of closing sessions that were evicted, guarded by mu
}

func newCache(o workspace.Options) *cache {
	c := &cache{opts: o}
	c.byName, _ = simplelru.NewLRU(maxHeld, func(_ string, h *held) { c.failed = errors.Join(c.failed, h.close()) })
	return c
}

// open returns a session that is held and still what is on the disk, else nil.
func (c *cache) open(rec Record) *View {
	c.mu.Lock()
	defer c.mu.Unlock()
	h, ok := c.byName.Get(rec.Name)
	if !ok || h.record.View != rec.View || h.repo.Family().Recheck() || h.repo.Family().Stamp(rec.View) != h.stamp {
		return nil
	}
	return h.view(rec)
}

// load opens a session from the disk and holds it. It returns nil where a part
// of the index is damaged or lacks windows.
func (c *cache) load(rec Record, repo *workspace.Repo) (*View, error) {
	stamp := repo.Family().Stamp(rec.View)
	snap, err := repo.Family().Snapshot(rec.View)
	if err != nil {
		return nil, err
	}
	if len(snap.Damaged) > 0 || windows.Count(snap) != rec.Windows {
		return nil, snap.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byName.Remove(rec.Name) // Add would not close it
	h := &held{opts: c.opts, drop: c.drop, record: rec, repo: repo, snap: snap, stamp: stamp}
	c.byName.Add(rec.Name, h)
	v := h.view(rec)
	if err := c.takeFailed(); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

// drop closes a session that is held.
func (c *cache) drop(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byName.Remove(name)
	return c.takeFailed()
}

// dropOf closes the sessions of a repository.
func (c *cache) dropOf(r *workspace.Repo) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.byName.Values() {
		if h.repo == r {
			c.byName.Remove(h.record.Name)
		}
	}
	return c.takeFailed()
}

// clear closes all sessions.
func (c *cache) clear() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byName.Purge()
	return c.takeFailed()
}

// takeFailed returns the errors of closing so far. The caller holds c.mu.
func (c *cache) takeFailed() error {
	err := c.failed
	c.failed = nil
	return err
}

// held is a session that is kept open, and whose files may be followed.
type held struct {
	opts   workspace.Options
	drop   func(name string) error // from the cache
	record Record
	repo   *workspace.Repo
	snap   *store.Snapshot
	stamp  store.Stamp

	mu      sync.Mutex
	watcher *watch.Watcher // nil where the files are not followed, guarded by mu
	closed  bool           // guarded by mu
	mark    watch.Mark     // of the newest look, zero before, guarded by mu
	changed int            // files that it found to differ, guarded by mu

	files []File // nil before they are asked for, guarded by mu
}

// view returns a view of the session for one question.
func (h *held) view(rec Record) *View {
	return &View{Record: rec, repo: h.repo, snap: h.snap.Clone(), held: h}
}

func (h *held) close() error {
	h.mu.Lock()
	w := h.watcher
	h.watcher, h.closed = nil, true
	h.mu.Unlock()
	err := h.snap.Close()
	if w != nil {
		err = errors.Join(err, w.Close())
	}
	return err
}

// list returns the files, which callers must not change.
func (h *held) list() ([]File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.files != nil {
		return h.files, nil
	}
	files := []File{}
	err := windows.EachFile(h.snap, func(path string, size int64, windows int) {
		files = append(files, File{Path: path, Size: size, Windows: windows})
	})
	if err != nil {
		return nil, err
	}
	h.files = files
	return files, nil
}

// follow begins to follow the files that the session is made of.
func (h *held) follow() (*watch.Watcher, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watcher != nil || h.closed || !h.opts.Watch {
		return h.watcher, nil
	}
	w, err := watch.Start(watch.Options{
		Root:  h.repo.Root(),
		Dir:   filepath.Join(h.repo.Folder(), watchPrefix+h.record.View),
		Sync:  h.walk,
		Delay: origin.FollowDelay,
		Log:   h.opts.Log,
	})
	h.watcher = w
	return w, err
}

// walk tells the watcher which folders the session looks into.
func (h *held) walk(ctx context.Context, enter func(dir string)) error {
	root, err := h.repo.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = discover.Walk(ctx, root, h.record.Policy, discover.Options{Enter: enter})
	return err
}

// differing returns how many files differ from what was indexed: what a look
// found at a moment that is still now, as far as the files are concerned, or
// finds now. A look that calls enter with each folder makes the watcher's own
// walk needless; of several questions at the same time one looks.
func (h *held) differing(ctx context.Context, look func(enter func(dir string)) (int, error)) (n int, err error) {
	w, err := h.follow()
	if err != nil {
		h.opts.Log.Debug("a session is not followed", "session", h.record.Name, "err", err)
	}
	if w == nil {
		return look(nil)
	}
	now, ok := w.Mark(ctx)
	if !ok {
		looked := false
		now, ok, err = w.Walk(ctx, func(enter func(dir string), at watch.Mark) (whole bool, err error) {
			looked = true
			if n, err = look(enter); err == nil {
				h.note(n, at)
			}
			return err == nil, err
		})
		if looked || err != nil {
			return n, err
		}
	}
	if n, known := h.found(now); ok && known {
		return n, nil
	}
	if n, err = look(nil); ok && err == nil {
		h.note(n, now)
	}
	return n, err
}

// found returns what a look found that was made at a moment.
func (h *held) found(at watch.Mark) (changed int, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed, h.mark == at
}

// note keeps what a look found that began after a moment.
func (h *held) note(changed int, at watch.Mark) {
	if at == (watch.Mark{}) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mark, h.changed = at, changed
}
