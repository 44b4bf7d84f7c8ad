package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/render"
	"espy/internal/workspace"
)

// progressEvery is the least time between two notifications of one call.
const progressEvery = 500 * time.Millisecond

// progress tells a client that asked for it how far a call has come. The first
// notification goes out at once and later ones at most every progressEvery; none
// comes behind the answer, and the answer waits until the client has read the
// last one (conn.taken). A nil progress tells nobody.
type progress struct {
	updates chan step
	cancel  context.CancelFunc
	done    chan struct{} // closed when nothing is sent any more
}

type step struct {
	message     string
	done, total float64
}

func newProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{updates: make(chan step, 1), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.send(ctx, func(u step) error {
			return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: u.message, Progress: u.done, Total: u.total})
		})
	}()
	return p
}

// send sends updates as they come until ctx ends, never more often than every
// progressEvery, and only such that go forward, as the protocol asks.
func (p *progress) send(ctx context.Context, notify func(step) error) {
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

// tell offers an update. It never waits: while one is on its way, others are dropped.
func (p *progress) tell(message string, done, total float64) {
	select {
	case p.updates <- step{message, done, total}:
	default:
	}
}

// stop ends the notifications. None is sent after it returns, so that none
// comes behind the answer.
func (p *progress) stop() {
	if p != nil {
		p.cancel()
		<-p.done
	}
}

// indexing returns a function that tells of an index's progress. It is generic
// because that type is not this package's to name.
func indexing[P any](p *progress, text func(P) string, amount func(P) (done, total float64)) func(P) {
	if p == nil {
		return nil
	}
	return func(at P) {
		done, total := amount(at)
		p.tell(text(at), done, total)
	}
}

// wait is how long a call waits for the index.
func (c *call) wait() workspace.Wait {
	return workspace.Wait{First: firstTime, Fresh: freshTime, Progress: indexing(c.progress, render.Progress, render.ProgressOf)}
}
