package grep

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"espy/internal/frugal"
	"espy/internal/grep/show"
)

// run is one request at work.
type run struct {
	req   *Request
	env   *Env
	ctx   context.Context
	queue *queue
	files func(root *os.Root, w *walk) (*found, error) // lists a folder
	pipes bool                                         // pipes of this process may be named
	told  *told                                        // nil before another process was asked

	cleared cleared

	mu    sync.Mutex
	out   Outcome    // guarded by mu
	stats show.Stats // guarded by mu
}

// Run answers a request. Its errors are those of the request and of the output.
func Run(ctx context.Context, req *Request, env *Env) (*Outcome, error) {
	defer frugal.Scan()()
	began := time.Now()
	r := &run{req: req, env: env, ctx: ctx, pipes: true}
	r.files = r.asked
	r.queue = newQueue(env.Out, req.Show.FileSeparator)
	r.queue.flush = env.Flush
	r.queue.over = func() bool { return ctx.Err() != nil }
	for _, c := range req.Complaints {
		env.Complain(c)
	}
	err := r.all()
	if err == nil && req.Stats && !req.Files {
		r.stats.Printed += r.queue.separated
		err = r.printStats(time.Since(began))
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		r.out.Late = true
	}
	r.out.Hidden = r.stats.Hidden
	r.out.Failed = r.out.Failed && !(req.Show.Kind == show.Quiet && r.out.Found)
	return &r.out, err
}

// all lists and searches.
func (r *run) all() error {
	targets, err := r.targets()
	if err != nil {
		return err
	}
	if r.req.Files {
		return r.list(targets)
	}
	defer r.cleared.close()
	return r.search(targets)
}

// asked lists a folder as another process knows it, or else by a walk.
func (r *run) asked(root *os.Root, w *walk) (*found, error) {
	if r.told == nil {
		r.told = &told{}
		if r.env.Ask != nil {
			r.told.p = r.env.Ask(r.ctx)
		}
	}
	if f, ok := r.told.files(w); ok {
		return f, nil
	}
	return r.walk(root, w, nil)
}

func (r *run) printStats(took time.Duration) error {
	text := r.stats.Text(took.Nanoseconds())
	if r.req.Show.Kind == show.JSON {
		text = r.stats.Summary(took.Nanoseconds())
	}
	_, err := r.env.Out.Write(text)
	return err
}
