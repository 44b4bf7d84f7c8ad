// Package parallel deals work to goroutines.
package parallel

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"espy/internal/segment"
)

// Each calls work for 0 to n-1 from up to so many goroutines as there are
// workers and processors, each with the function that its own start returned,
// and returns the first error. Work that has begun goes on when ctx ends, none
// begins. All work of the process shares the processors: work must not call Each.
func Each(ctx context.Context, workers, n int, start func() func(int) error) error {
	return processors.each(ctx, workers, n, func(Pause) func(int) error { return start() })
}

// Pause is called within an item of work that may take long, every millisecond
// or so. It lets other work pass. Once it returns false ctx has ended, and the
// item must return.
type Pause func() bool

// Pausing is Each for items that may take long.
func Pausing(ctx context.Context, workers, n int, start func(Pause) func(int) error) error {
	return processors.each(ctx, workers, n, start)
}

func (g *gate) each(ctx context.Context, workers, n int, start func(Pause) func(int) error) error {
	errs := make([]error, min(n, workers, runtime.GOMAXPROCS(0)))
	s := &share{gate: g, done: make(chan struct{})}
	var next atomic.Int64
	run := func(worker int) {
		t := turn{share: s}
		if !t.enter(ctx, s.done) {
			errs[worker] = ctx.Err()
			return
		}
		defer func() {
			s.end()
			t.exit()
		}()
		errs[worker] = segment.Guard(func() error {
			work := start(func() bool { return t.pause(ctx) })
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(i); err != nil {
					return err
				}
				if !t.pass(ctx, s.done) {
					return ctx.Err()
				}
			}
		})
	}
	var wg sync.WaitGroup
	for worker := 1; worker < len(errs); worker++ {
		wg.Go(func() { run(worker) })
	}
	if len(errs) > 0 {
		run(0)
	}
	wg.Wait()
	return firstError(errs)
}

// firstError returns an error other than the end of the context where there is one.
func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	return cmp.Or(errs...)
}
