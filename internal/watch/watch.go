// Package watch tells whether anything below a folder has changed since an
// earlier moment, so that a question need not walk the tree to know.
//
// Of all processes that watch one folder one leads: it holds a lock, receives
// the system's events, and after each batch of them has the tree walked, which
// watches folders that are new and brings the index up to date. The others ask
// it over a socket (follow.go). When it ends, another takes its place.
//
// What a Mark says is proven, not hoped for: before the leader answers, it
// makes a file in a folder of its own that it watches too, and waits for the
// event of that. Events of one queue arrive in order, so those of all earlier
// changes have been counted by then.
//
// Where a system cannot tell (its limit of watches is reached, the folder lies
// on a network), the leader says so, no mark is given, and the tree is walked
// from time to time.
package watch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Options say what to watch. Root, Dir and Sync are required.
type Options struct {
	Root string // the folder to watch, an absolute path
	Dir  string // a folder of the watcher's own, shared by all processes that watch the same root

	// Sync brings what depends on the tree up to date. It walks the tree and
	// calls enter with each folder, relative to the root, before it reads that
	// folder; any number of goroutines may do so. Only the leader calls it, and
	// never twice at a time.
	Sync func(ctx context.Context, enter func(dir string)) error

	// Files lists files outside the tree that Sync depends on too, absolute paths.
	// It is called with each walk; nil is none. When one of them changes and Stale
	// then says so, Sync is called. Their folders should change seldom.
	Files func() []string
	Stale func() bool

	Early   time.Duration // time from Start in which a Walk that need not wait for another watches nothing
	Delay   time.Duration // time from Start to the first Sync, for a Walk that makes it needless
	Settle  time.Duration // quiet time that ends a batch of changes; 0 is 200 ms
	Longest time.Duration // a batch ends after this even without quiet; 0 is 1 s
	Recheck time.Duration // the tree is walked this often whatever the events say; 0 is 5 minutes
	Poll    time.Duration // the same where there are no events; 0 is 10 s
	Retry   time.Duration // time before another try to lead, or to reach the leader; 0 is 1 s
	Proof   time.Duration // the longest that Mark waits for its proof; 0 is 50 ms
	Log     *slog.Logger  // nil is silent
}

// patience is how long a process waits for another, or for the system.
const patience = 50 * time.Millisecond

func (o Options) withDefaults() Options {
	set := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	set(&o.Settle, 200*time.Millisecond)
	set(&o.Longest, time.Second)
	set(&o.Recheck, 5*time.Minute)
	set(&o.Poll, 10*time.Second)
	set(&o.Retry, time.Second)
	set(&o.Proof, patience)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Mark is a moment in the life of a tree. Two equal marks say that nothing in
// the tree changed from before the first was asked for until the second was.
type Mark struct {
	Epoch uint64 // of the leader, random; never 0
	Seq   uint64 // events before the mark
}

// State is how a tree is watched.
type State struct {
	Leader  bool   // this process receives the events
	Polling string // why the tree is walked from time to time instead; empty where events are received or another process leads
	Folders int    // watched by this process
}

// Watcher watches one tree. It is safe for concurrent use.
type Watcher struct {
	opts   Options
	early  time.Time // when Options.Early ends
	cancel context.CancelFunc
	done   chan struct{}
	tried  chan struct{} // closed when it leads, follows, or can do neither yet
	once   sync.Once     // of tried

	mu     sync.Mutex
	leader *leader   // guarded by mu; nil while another process leads
	asker  *follower // guarded by mu; nil while this process leads
}

// Start begins to watch and returns at once.
func Start(o Options) (*Watcher, error) {
	o = o.withDefaults()
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("watch %s: %w", o.Root, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watcher{opts: o, early: time.Now().Add(o.Early), cancel: cancel, done: make(chan struct{}), tried: make(chan struct{})}
	go func() {
		defer close(w.done)
		w.run(ctx)
	}()
	return w, nil
}

// Close stops watching and waits for what it began.
func (w *Watcher) Close() error {
	w.cancel()
	<-w.done
	return nil
}

// run leads whenever no other process does, and otherwise follows.
func (w *Watcher) run(ctx context.Context) {
	for ctx.Err() == nil {
		lock := flock.New(filepath.Join(w.opts.Dir, "lock"), flock.SetPermissions(0o600))
		switch ok, err := lock.TryLock(); {
		case err != nil:
			w.opts.Log.Debug("the watcher's lock cannot be taken", "root", w.opts.Root, "err", err)
		case ok:
			w.lead(ctx)
		default:
			w.follow(ctx)
		}
		lock.Close()
		w.settle()
		pause(ctx, w.opts.Retry)
	}
}

// settle tells that who leads is known, or that nobody does.
func (w *Watcher) settle() { w.once.Do(func() { close(w.tried) }) }

// pause waits for d or the end of the context.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (w *Watcher) lead(ctx context.Context) {
	l, err := newLeader(w.opts)
	if err != nil {
		w.opts.Log.Debug("cannot watch", "root", w.opts.Root, "err", err)
		return
	}
	w.mu.Lock()
	w.leader = l
	w.mu.Unlock()
	w.settle()
	l.run(ctx)
	w.mu.Lock()
	w.leader = nil
	w.mu.Unlock()
}

func (w *Watcher) follow(ctx context.Context) {
	f, err := dial(ctx, w.opts.Dir)
	if err != nil {
		return
	}
	w.mu.Lock()
	w.asker = f
	w.mu.Unlock()
	w.settle()
	f.run(ctx)
	w.mu.Lock()
	w.asker = nil
	w.mu.Unlock()
}

// Mark returns the moment of now, and false where it cannot be told: nobody
// leads yet, the newest changes are still being taken in, events cannot be
// received, or the leader does not answer in time.
func (w *Watcher) Mark(ctx context.Context) (Mark, bool) {
	ctx, cancel := context.WithTimeout(ctx, w.opts.Proof)
	defer cancel()
	w.mu.Lock()
	l, f := w.leader, w.asker
	w.mu.Unlock()
	switch {
	case l != nil:
		return l.mark(ctx)
	case f != nil:
		return f.mark(ctx)
	}
	return Mark{}, false
}

// Walk has look compare the tree with what depends on it, where Mark could not
// tell the moment. A look that calls enter with each folder before it reads it,
// and finds no change, does for the leader what Sync does: from the mark that it
// is given on, the tree is as it found it, and marks are told. Of several calls
// one looks and the others wait for it: they get its mark, and look is not called.
// Right after Start (Options.Early) a look is quicker: nothing is watched for it, and
// no mark is told.
func (w *Watcher) Walk(ctx context.Context, look func(enter func(dir string), m Mark) (clean bool, err error)) (Mark, bool, error) {
	select {
	case <-w.tried:
	case <-ctx.Done():
	}
	w.mu.Lock()
	l := w.leader
	w.mu.Unlock()
	if l == nil {
		_, err := look(nil, Mark{})
		return Mark{}, false, err
	}
	return l.walk(ctx, time.Now().Before(w.early), look)
}

// State tells how the tree is watched.
func (w *Watcher) State() State {
	w.mu.Lock()
	l := w.leader
	w.mu.Unlock()
	if l == nil {
		return State{}
	}
	return l.state()
}
