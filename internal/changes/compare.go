package changes

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/diff"
	"espy/internal/index"
	"espy/internal/progress"
)

// comparison is the work of comparing the symbols of files. Each worker holds
// both versions of one file at a time.
type comparison struct {
	open  func(context.Context) (*sides, error)
	opts  index.Options
	files []File
	req   *Request
	began time.Time

	next, done atomic.Int64

	mu      sync.Mutex
	counted map[diff.Kind]int // symbols of files beyond the page, guarded by mu
}

// maxWorkers bounds the files that are compared at a time.
const maxWorkers = 4

// run compares the files from the offset of the request on, then those before.
// It returns the changed symbols of files beyond the page, which it only counts.
func (c *comparison) run(ctx context.Context) (counted map[diff.Kind]int, err error) {
	c.began, c.counted = time.Now(), map[diff.Kind]int{}
	group, ctx := errgroup.WithContext(ctx)
	workers := c.opts.Workers
	if workers <= 0 || workers > maxWorkers {
		workers = maxWorkers
	}
	for range max(1, min(workers, len(c.files)/8)) {
		group.Go(func() error { return c.work(ctx) })
	}
	return c.counted, group.Wait()
}

func (c *comparison) work(ctx context.Context) error {
	s, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	s.lines = c.req.Lines
	for {
		i := int(c.next.Add(1)) - 1
		if i >= len(c.files) {
			return nil
		}
		f := &c.files[(i+c.req.Offset)%len(c.files)]
		if c.req.Time > 0 && time.Since(c.began) > c.req.Time {
			f.Pending = true
			continue
		}
		if err := s.compare(ctx, f); err != nil {
			return fmt.Errorf("compare %q: %w", f.Path, err)
		}
		if i >= c.req.Limit {
			c.tally(f)
		}
		c.report(int(c.done.Add(1)))
	}
}

// report reports the progress every few files.
func (c *comparison) report(done int) {
	if c.req.Progress != nil && (done%16 == 0 || done == len(c.files)) {
		c.req.Progress(progress.Report{Phase: progress.Compare, Files: done, TotalFiles: len(c.files), Elapsed: time.Since(c.began)})
	}
}

// tally counts the symbols of a file beyond the page. It keeps only those that
// may have moved from or to another file.
func (c *comparison) tally(f *File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := make([]diff.Change, 0)
	for _, s := range f.Symbols {
		if len(c.files) <= pairedFiles && s.Loose() {
			s.Symbol.Signature, s.Old.Signature = "", ""
			kept = append(kept, s)
			continue
		}
		c.counted[s.Kind]++
	}
	f.Symbols = kept
}
