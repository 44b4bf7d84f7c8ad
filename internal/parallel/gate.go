package parallel

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// gate shares the processors between all work of the process that Each deals:
// so many goroutines are at work as there are processors, those of short work
// first. Long work, which has used shortTime, lets short work pass after each
// item and other long work after longTurn, so that neither waits for the end of
// another. When a piece of work runs changes nothing in what it finds.
type gate struct {
	mu      sync.Mutex
	free    int             // places, guarded by mu
	queues  [2][]*waiter    // by length of the work, each in the order of arrival, guarded by mu
	waiting [2]atomic.Int32 // lengths of queues
}

// waiter waits for a place, which it has when ready is closed.
type waiter struct{ ready chan struct{} }

const (
	shortTime = 50 * time.Millisecond // of all its workers together
	longTurn  = 20 * time.Millisecond
)

// length orders work by what it has used.
type length int

const (
	short length = iota
	long
)

func newGate(places int) *gate { return &gate{free: places} }

var processors = newGate(runtime.GOMAXPROCS(0))

// enter waits for a place. Without one it returns false: ctx or the work has ended.
func (g *gate) enter(ctx context.Context, l length, done <-chan struct{}) bool {
	g.mu.Lock()
	if g.free > 0 {
		g.free--
		g.mu.Unlock()
		return true
	}
	w := &waiter{ready: make(chan struct{})}
	g.queues[l] = append(g.queues[l], w)
	g.waiting[l].Add(1)
	g.mu.Unlock()
	select {
	case <-w.ready:
		return true
	case <-done:
	case <-ctx.Done():
	}
	g.withdraw(l, w)
	return false
}

// withdraw takes a waiter out of its queue, or gives back the place it has got.
func (g *gate) withdraw(l length, w *waiter) {
	g.mu.Lock()
	i := slices.Index(g.queues[l], w)
	if i >= 0 {
		g.queues[l] = slices.Delete(g.queues[l], i, i+1)
		g.waiting[l].Add(-1)
	}
	g.mu.Unlock()
	if i < 0 {
		g.leave()
	}
}

// leave gives a place to the next waiter.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for l := range g.queues {
		if q := g.queues[l]; len(q) > 0 {
			g.queues[l] = q[1:]
			g.waiting[l].Add(-1)
			close(q[0].ready)
			return
		}
	}
	g.free++
}

// share is the work of one Each: what its workers have used together.
type share struct {
	gate *gate
	used atomic.Int64 // nanoseconds
	done chan struct{}
	once sync.Once
}

// end lets those go that wait for a place.
func (s *share) end() { s.once.Do(func() { close(s.done) }) }

func (s *share) length() length {
	if time.Duration(s.used.Load()) >= shortTime {
		return long
	}
	return short
}

// turn is the time of a worker in a place.
type turn struct {
	*share
	inside bool      // it has a place
	began  time.Time // of what used does not hold yet
	taken  time.Duration
}

// enter waits for a place to work in, or for done.
func (t *turn) enter(ctx context.Context, done <-chan struct{}) bool {
	t.inside = t.gate.enter(ctx, t.length(), done)
	t.began, t.taken = time.Now(), 0
	return t.inside
}

// exit gives up the place, if it has one.
func (t *turn) exit() {
	if t.inside {
		t.inside = false
		t.gate.leave()
	}
}

// pass gives up the place for others that have waited for it, and waits for the
// next. It returns false where there is none.
func (t *turn) pass(ctx context.Context, done <-chan struct{}) bool {
	shorts, longs := t.gate.waiting[short].Load(), t.gate.waiting[long].Load()
	if shorts+longs == 0 {
		return true
	}
	now := time.Now()
	spent := now.Sub(t.began)
	t.began, t.taken = now, t.taken+spent
	t.used.Add(int64(spent))
	if t.length() == short || shorts == 0 && t.taken < longTurn {
		return true
	}
	t.exit()
	return t.enter(ctx, done)
}

// pause lets others pass within an item, which only ctx ends.
func (t *turn) pause(ctx context.Context) bool {
	return t.inside && ctx.Err() == nil && t.pass(ctx, nil)
}
