package watch

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// leader receives the events of a tree.
type leader struct {
	opts    Options
	events  *fsnotify.Watcher
	cookies string // the folder that proofs are made in
	epoch   uint64
	poke    chan struct{} // holds one when there are events to take in
	beside  chan struct{} // holds one when one of Options.Files changed
	turn    chan struct{} // holds one while a question walks the tree in the place of Sync

	mu      sync.Mutex
	seq     uint64                   // events counted, guarded by mu
	covered uint64                   // seq before the newest walk that ended well began, guarded by mu
	whole   bool                     // the newest walk ended well, guarded by mu
	polling string                   // why events cannot be relied on, guarded by mu
	waiting map[string]chan struct{} // by the name of a proof, guarded by mu
	proofs  uint64                   // made so far, guarded by mu
	files   []string                 // of Options.Files, guarded by mu
}

func newLeader(o Options) (*leader, error) {
	l := &leader{
		opts: o, cookies: filepath.Join(o.Dir, "proofs"), epoch: rand.Uint64() | 1,
		poke: make(chan struct{}, 1), beside: make(chan struct{}, 1), turn: make(chan struct{}, 1), waiting: map[string]chan struct{}{},
	}
	if err := os.RemoveAll(l.cookies); err != nil {
		return nil, err
	}
	if err := os.Mkdir(l.cookies, 0o700); err != nil {
		return nil, err
	}
	l.polling = remote(o.Root)
	var err error
	if l.events, err = fsnotify.NewWatcher(); err == nil {
		err = l.events.Add(l.cookies)
	}
	if err != nil {
		l.fail(err)
	}
	return l, nil
}

// watchFiles watches the folders of Options.Files that there are.
func (l *leader) watchFiles() {
	if l.opts.Files == nil || l.events == nil || l.polls() {
		return
	}
	files := l.opts.Files()
	l.mu.Lock()
	l.files = files
	l.mu.Unlock()
	for _, f := range files {
		if err := l.events.Add(filepath.Dir(f)); err != nil && !errors.Is(err, os.ErrNotExist) {
			l.opts.Log.Debug("not watched", "file", f, "err", err)
		}
	}
}

// fail notes why events cannot be relied on. The leader goes on by walking.
func (l *leader) fail(err error) {
	why := err.Error()
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		why = "the system's limit of watched folders is reached (fs.inotify.max_user_watches, max_user_instances)"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.polling == "" {
		l.polling = why
		l.opts.Log.Warn("changes are looked for from time to time instead of being watched", "root", l.opts.Root, "reason", why)
	}
}

// run takes in changes until the context ends.
func (l *leader) run(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if l.events != nil {
		defer l.events.Close()
		group.Go(func() { l.receive(ctx) })
	}
	if server, err := listen(l.opts.Dir); err == nil {
		defer server.Close()
		group.Go(func() { l.serve(ctx, server, &group) })
	} else {
		l.opts.Log.Debug("other processes cannot ask this watcher", "root", l.opts.Root, "err", err)
	}
	l.begin(ctx)
	for l.await(ctx); ctx.Err() == nil; l.await(ctx) {
		l.sync(ctx)
	}
}

// begin leaves the first walk to a question that comes at once, or makes it.
func (l *leader) begin(ctx context.Context) {
	pause(ctx, l.opts.Delay)
	select {
	case l.turn <- struct{}{}:
		<-l.turn
	case <-ctx.Done():
	}
	if ctx.Err() == nil && !l.taken() {
		l.sync(ctx)
	}
}

// taken reports whether every change that is counted has been taken in.
func (l *leader) taken() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.whole && l.covered == l.seq && l.polling == ""
}

// walk is Watcher.Walk of the process that leads.
func (l *leader) walk(ctx context.Context, early bool, look func(enter func(dir string), m Mark) (clean bool, err error)) (Mark, bool, error) {
	waited, err := l.take(ctx)
	if err != nil {
		return Mark{}, false, err
	}
	defer func() { <-l.turn }()
	if waited {
		ctx, cancel := context.WithTimeout(ctx, l.opts.Proof)
		m, ok := l.mark(ctx)
		cancel()
		if ok {
			return m, true, nil
		}
	} else if early {
		_, err = look(nil, Mark{})
		return Mark{}, false, err
	}
	l.watchFiles()
	l.mu.Lock()
	before := Mark{Epoch: l.epoch, Seq: l.seq}
	l.mu.Unlock()
	clean, err := look(l.enter, before)
	if err != nil || !clean {
		return before, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.covered, l.whole = max(l.covered, before.Seq), true
	return before, l.covered == l.seq && l.polling == "", nil
}

// take takes the turn to walk, and reports whether it had to wait for it.
func (l *leader) take(ctx context.Context) (waited bool, err error) {
	select {
	case l.turn <- struct{}{}:
		return false, nil
	default:
	}
	select {
	case l.turn <- struct{}{}:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// sync has the tree walked and notes what that covers.
func (l *leader) sync(ctx context.Context) {
	l.watchFiles()
	l.mu.Lock()
	before := l.seq
	l.mu.Unlock()
	err := l.opts.Sync(ctx, l.enter)
	if err != nil && ctx.Err() == nil {
		l.opts.Log.Debug("taking in changes ended with an error", "root", l.opts.Root, "err", err)
	}
	l.mu.Lock()
	l.covered, l.whole = max(l.covered, before), err == nil
	l.mu.Unlock()
}

// enter watches a folder.
func (l *leader) enter(dir string) {
	if l.events == nil || l.polls() {
		return
	}
	err := l.events.Add(filepath.Join(l.opts.Root, dir))
	if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.ENOTDIR) {
		l.fail(err)
	}
}

// await waits for the next reason to walk the tree: a batch of changes that
// has settled, or the time.
func (l *leader) await(ctx context.Context) {
	every := l.opts.Recheck
	l.mu.Lock()
	if l.polling != "" || !l.whole {
		every = l.opts.Poll
	}
	l.mu.Unlock()
	idle := time.NewTimer(every)
	defer idle.Stop()
	for waits := true; waits; {
		select {
		case <-ctx.Done():
			return
		case <-idle.C:
			return
		case <-l.poke:
			waits = false
		case <-l.beside:
			if pause(ctx, l.opts.Settle); l.opts.Stale() {
				return
			}
		}
	}
	longest := time.NewTimer(l.opts.Longest)
	defer longest.Stop()
	settle := time.NewTimer(l.opts.Settle)
	defer settle.Stop()
	for {
		select {
		case <-l.poke:
			settle.Reset(l.opts.Settle)
		case <-settle.C:
			return
		case <-longest.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// receive counts events until the context ends.
func (l *leader) receive(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-l.events.Events:
			if !ok {
				return
			}
			l.note(e)
		case err, ok := <-l.events.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) { // overflow: events were lost, which counts as one
				l.fail(err)
			}
			l.changed()
		}
	}
}

func (l *leader) note(e fsnotify.Event) {
	name, proof := strings.CutPrefix(e.Name, l.cookies)
	named, folder := l.isBeside(e.Name)
	switch {
	case proof && !e.Has(fsnotify.Remove|fsnotify.Rename):
		l.proven(strings.TrimPrefix(name, string(filepath.Separator)))
	case proof:
	case named:
		select {
		case l.beside <- struct{}{}:
		default:
		}
	case folder:
	default:
		l.changed()
	}
}

// isBeside reports whether a path is one of Options.Files, and whether it is in
// a folder that is watched only for those, or such a folder itself.
func (l *leader) isBeside(path string) (named, folder bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.files {
		named = named || f == path
		folder = folder || filepath.Dir(f) == filepath.Dir(path)
	}
	return named, folder
}

func (l *leader) changed() {
	l.mu.Lock()
	l.seq++
	l.mu.Unlock()
	select {
	case l.poke <- struct{}{}:
	default:
	}
}

// proven wakes who waits for a proof.
func (l *leader) proven(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.waiting[name]; c != nil {
		close(c)
		delete(l.waiting, name)
	}
}

// mark returns the moment of now once every earlier event is counted.
func (l *leader) mark(ctx context.Context) (Mark, bool) {
	name, came := l.expect()
	if came == nil {
		return Mark{}, false
	}
	defer l.proven(name)
	path := filepath.Join(l.cookies, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Mark{}, false
	}
	f.Close()
	defer os.Remove(path)
	select {
	case <-came:
	case <-ctx.Done():
		return Mark{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return Mark{Epoch: l.epoch, Seq: l.seq}, l.whole && l.covered == l.seq && l.polling == ""
}

// expect names a new proof and returns what is closed when its event comes;
// nil where none can come.
func (l *leader) expect() (name string, came chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.events == nil || l.polling != "" || !l.whole || l.covered != l.seq {
		return "", nil
	}
	l.proofs++
	name, came = strconv.FormatUint(l.proofs, 10), make(chan struct{})
	l.waiting[name] = came
	return name, came
}

// polls reports whether events cannot be relied on.
func (l *leader) polls() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.polling != ""
}

func (l *leader) state() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := State{Leader: true, Polling: l.polling}
	if l.events != nil {
		beside := map[string]bool{l.cookies: true}
		for _, f := range l.files {
			beside[filepath.Dir(f)] = true
		}
		for _, dir := range l.events.WatchList() {
			if !beside[dir] {
				s.Folders++
			}
		}
	}
	return s
}

// serve answers the processes that follow.
func (l *leader) serve(ctx context.Context, server net.Listener, group *sync.WaitGroup) {
	for {
		conn, err := server.Accept()
		if err != nil {
			return
		}
		group.Go(func() {
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			defer conn.Close()
			l.answer(ctx, conn)
		})
	}
}

func (l *leader) answer(ctx context.Context, conn net.Conn) {
	question := make([]byte, 1)
	for {
		if _, err := conn.Read(question); err != nil {
			return
		}
		asked, cancel := context.WithTimeout(ctx, l.opts.Proof)
		m, ok := l.mark(asked)
		cancel()
		if _, err := conn.Write(encode(m, ok)); err != nil {
			return
		}
	}
}
