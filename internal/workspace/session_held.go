package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"espy/internal/discover"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/watch"
)

// maxHeld is how many sessions a process keeps open between questions.
const maxHeld = 8

// heldSessions are the sessions that were asked about last.
type heldSessions struct {
	mu     sync.Mutex
	byName map[string]*heldSession // guarded by mu
	uses   int                     // guarded by mu
}

// heldSession is a session that is kept open, and whose files may be followed.
type heldSession struct {
	record SessionRecord
	repo   *Repo
	snap   *store.Snapshot
	stamp  store.Stamp
	used   int // guarded by heldSessions.mu

	mu      sync.Mutex
	watcher *watch.Watcher // nil where the files are not followed, guarded by mu
	closed  bool           // guarded by mu
	mark    watch.Mark     // of the newest walk, zero before, guarded by mu
	changed int            // what that walk found, guarded by mu

	files []SessionFile // nil before they are asked for, guarded by mu
}

// list returns the files, which callers must not change.
func (h *heldSession) list() ([]SessionFile, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.files != nil {
		return h.files, nil
	}
	files := []SessionFile{}
	err := search.EachWindowed(h.snap, func(path string, size int64, windows int) {
		files = append(files, SessionFile{Path: path, Size: size, Windows: windows})
	})
	if err != nil {
		return nil, err
	}
	h.files = files
	return files, nil
}

// open returns the session where it is held and still what is on the disk.
func (l *heldSessions) open(s *Session) *SessionView {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.byName[s.Name]
	if h == nil || h.record.View != s.View || h.repo.family.Recheck() || h.repo.family.Stamp(s.View) != h.stamp {
		return nil
	}
	l.uses++
	h.used = l.uses
	return &SessionView{SessionRecord: s.SessionRecord, repo: h.repo, snap: h.snap.Clone(), held: h}
}

// hold keeps a session that was opened in place of the one of its name, and
// lets go of the one that was not asked about for longest.
func (l *heldSessions) hold(v *SessionView, stamp store.Stamp) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.dropLocked(v.Name)
	if len(l.byName) >= maxHeld {
		oldest := ""
		for name, h := range l.byName {
			if oldest == "" || h.used < l.byName[oldest].used {
				oldest = name
			}
		}
		err = errors.Join(err, l.dropLocked(oldest))
	}
	l.uses++
	v.held = &heldSession{record: v.SessionRecord, repo: v.repo, snap: v.snap.Clone(), stamp: stamp, used: l.uses}
	if l.byName == nil {
		l.byName = map[string]*heldSession{}
	}
	l.byName[v.Name] = v.held
	return err
}

func (l *heldSessions) drop(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropLocked(name)
}

func (l *heldSessions) dropLocked(name string) error {
	h := l.byName[name]
	if h == nil {
		return nil
	}
	delete(l.byName, name)
	return h.close()
}

// dropOf lets go of the sessions of a repository, or of all where it is nil.
func (l *heldSessions) dropOf(r *Repo) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	for name, h := range l.byName {
		if r == nil || h.repo == r {
			err = errors.Join(err, l.dropLocked(name))
		}
	}
	return err
}

func (h *heldSession) close() error {
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

const watchPrefix = "watch-"

// follow begins to follow the files that the session is made of.
func (h *heldSession) follow() (*watch.Watcher, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watcher != nil || h.closed || !h.repo.ws.opts.Watch {
		return h.watcher, nil
	}
	w, err := watch.Start(watch.Options{
		Root:  h.repo.Root(),
		Dir:   filepath.Join(h.repo.ws.catalog.Folder(h.repo.ID()), watchPrefix+h.record.View),
		Sync:  h.walk,
		Delay: followAfter,
		Log:   h.repo.ws.opts.Log,
	})
	h.watcher = w
	return w, err
}

// walk tells the watcher of the folders that the session looks into.
func (h *heldSession) walk(ctx context.Context, enter func(dir string)) error {
	root, err := h.repo.Open()
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = discover.Walk(ctx, root, h.record.Policy, discover.Options{Enter: enter})
	return err
}

// unchanged returns what a walk found at a moment that is still now, as far as
// the files are concerned. The moment is zero where that cannot be told.
func (h *heldSession) unchanged(ctx context.Context) (changed int, now watch.Mark, known bool) {
	w, err := h.follow()
	if err != nil {
		h.repo.ws.opts.Log.Debug("a session is not followed", "session", h.record.Name, "err", err)
	}
	if w == nil {
		return 0, now, false
	}
	now, ok := w.Mark(ctx)
	if !ok {
		return 0, watch.Mark{}, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed, now, h.mark == now
}

// note keeps what a walk found that began after a moment.
func (h *heldSession) note(changed int, at watch.Mark) {
	if at == (watch.Mark{}) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mark, h.changed = at, changed
}

// removeWatches removes the folders that the watchers of views left, for which
// gone is true.
func (r *Repo) removeWatches(gone func(view string) bool) error {
	dir := r.ws.catalog.Folder(r.ID())
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if view, ok := strings.CutPrefix(e.Name(), watchPrefix); ok && gone(view) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
