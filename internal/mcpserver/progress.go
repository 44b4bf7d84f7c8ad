package mcpserver

import (
	"cmp"
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/workspace"
)

// progressEvery is the least time between two notifications of one call.
const progressEvery = 500 * time.Millisecond

// notifier reports the progress of a call to a client that asked for it. The first
// notification goes out at once, later ones at most every progressEvery. None
// follows the answer, and the answer waits until the client has read the last one
// (package stdio). A nil notifier reports nothing.
type notifier struct {
	updates chan step
	cancel  context.CancelFunc
	done    chan struct{} // closed when nothing is sent any more
}

type step struct {
	message     string
	done, total float64
}

func newNotifier(ctx context.Context, req *mcp.CallToolRequest) *notifier {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &notifier{updates: make(chan step, 1), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.send(ctx, func(u step) error {
			return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: u.message, Progress: u.done, Total: u.total})
		})
	}()
	return p
}

// send sends updates as they come until ctx ends, never more often than every
// progressEvery, and only updates with more progress, as the protocol requires.
func (p *notifier) send(ctx context.Context, notify func(step) error) {
	last := -1.0
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-p.updates:
			if u.done <= last || notify(u) != nil {
				continue
			}
			last = u.done
			select {
			case <-ctx.Done():
				return
			case <-time.After(progressEvery):
			}
		}
	}
}

// tell offers an update. It never waits: while one is being sent, others are dropped.
func (p *notifier) tell(message string, done, total float64) {
	select {
	case p.updates <- step{message, done, total}:
	default:
	}
}

// stop ends the notifications. None is sent after it returns, so none follows the
// answer.
func (p *notifier) stop() {
	if p != nil {
		p.cancel()
		<-p.done
	}
}

// indexing returns a function that reports the progress of an indexing, nil if
// nobody asked for it.
func (p *notifier) indexing() func(progress.Report) {
	if p == nil {
		return nil
	}
	return func(r progress.Report) {
		done, total := render.ProgressOf(r)
		p.tell(render.Progress(r), done, total)
	}
}

// wait is how long a call waits for the index.
func (c *call) wait() workspace.Wait {
	l := cmp.Or(c.limits, limitsOf(defaultTimeout))
	return workspace.Wait{First: l.first, Fresh: l.fresh, Progress: c.progress.indexing()}
}
