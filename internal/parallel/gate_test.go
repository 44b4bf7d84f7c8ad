package parallel

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// at is work of items that take a time each; it notes when each begins.
type at struct {
	name  string
	items int
	each  time.Duration
}

// begun runs work side by side over a gate of one place, each piece after some
// time, and returns the names of the items in the order in which they began.
func begun(t *testing.T, all []at, after []time.Duration) (order []string) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i, w := range all {
			wg.Go(func() {
				time.Sleep(after[i])
				err := g.each(t.Context(), 2, w.items, func(Pause) func(int) error {
					return func(int) error {
						mu.Lock()
						order = append(order, w.name)
						mu.Unlock()
						time.Sleep(w.each)
						return nil
					}
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if g.free != 1 || len(g.queues[short])+len(g.queues[long]) != 0 {
			t.Errorf("%d places free, waiting %v", g.free, g.queues)
		}
	})
	return order
}

// TestShortFirst holds that work which needs little passes work that needs much:
// it waits for one item of another, however many there are, and for its own first
// turn of each that began just before it.
func TestShortFirst(t *testing.T) {
	var all []at
	var after []time.Duration
	for range 8 {
		all, after = append(all, at{"slow", 500, 10 * time.Millisecond}), append(after, 0)
	}
	all, after = append(all, at{"quick", 40, time.Millisecond}), append(after, 3*time.Second+time.Microsecond)
	order := begun(t, all, after)
	first := slices.Index(order, "quick")
	last := len(order) - 1 - slices.Index(reversed(order), "quick")
	if want := 301; first < 0 || first > want+1 {
		t.Errorf("the first item began as number %d, want about %d", first, want)
	}
	if between := last - first + 1; between != 40 {
		t.Errorf("%d items began from its first to its last, want its 40 alone", between)
	}
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// TestTurns holds that long work takes turns with other long work.
func TestTurns(t *testing.T) {
	order := begun(t, []at{{"a", 400, 10 * time.Millisecond}, {"b", 400, 10 * time.Millisecond}}, []time.Duration{0, time.Microsecond})
	if text := strings.Join(order, ""); strings.Contains(text[20:760], "aaaaa") || strings.Contains(text[20:760], "bbbbb") {
		t.Errorf("one waits for the other: %s", text)
	}
}

// TestPause holds that an item which takes long lets others pass at each pause, is
// worked on to its end, and ends with its context.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+5*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		pauses := 0
		wg.Go(func() {
			err := g.each(ctx, 1, 2, func(pause Pause) func(int) error {
				return func(i int) error {
					for ; i == 0 || pauses < 200; pauses++ {
						time.Sleep(10 * time.Millisecond)
						if !pause() {
							return ctx.Err()
						}
					}
					return nil
				}
			})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the long item ended with %v, want its deadline", err)
			}
		})
		wg.Go(func() {
			time.Sleep(time.Second + time.Millisecond)
			began := time.Now()
			if err := g.each(t.Context(), 1, 1, func(Pause) func(int) error { return func(int) error { return nil } }); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 10*time.Millisecond {
				t.Errorf("a quick item waited %v for a long one", took)
			}
		})
		wg.Wait()
		if pauses != 1000 || g.free != 1 {
			t.Errorf("%d pauses, %d places free", pauses, g.free)
		}
	})
}

// TestEach holds that every item is worked on once, or the error is returned.
func TestEach(t *testing.T) {
	stop := errors.New("stop")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		n    int
		work error
		want error
	}{
		{"none", t.Context(), 0, nil, nil},
		{"many", t.Context(), 1000, nil, nil},
		{"an error", t.Context(), 1000, stop, stop},
		{"the end of the context", gone, 1000, nil, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGate(2)
			var mu sync.Mutex
			times := make([]int, c.n)
			err := g.each(c.ctx, 4, c.n, func(Pause) func(int) error {
				return func(i int) error {
					mu.Lock()
					defer mu.Unlock()
					times[i]++
					return c.work
				}
			})
			if !errors.Is(err, c.want) || g.free != 2 {
				t.Errorf("error %v, want %v; %d places free", err, c.want, g.free)
			}
			if c.want == nil && slices.ContainsFunc(times, func(n int) bool { return n != 1 }) {
				t.Errorf("items worked on %v times", times)
			}
		})
	}
}

// TestWaiting holds that what waits for a place gives up with its context.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		if !g.enter(t.Context(), long, nil) {
			t.Fatal("no place")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.each(ctx, 1, 1, func(Pause) func(int) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		g.leave()
		if g.free != 1 || g.waiting[short].Load() != 0 {
			t.Errorf("%d places free, %d wait", g.free, g.waiting[short].Load())
		}
	})
}
