// Package notify tells a client how far a call is.
package notify

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// every is the least time between two notifications of one call.
const every = 500 * time.Millisecond

// Notifier reports the progress of a call to a client that asked for it. The first
// notification goes out at once, later ones at most every every. None
// follows the answer, and the answer waits until the client has read the last one
// (package stdio). A nil Notifier reports nothing.
type Notifier struct {
	updates chan Step
	cancel  context.CancelFunc
	done    chan struct{} // closed when nothing is sent any more
}

// Step is how far a call is. Total is 0 where it is not known.
type Step struct {
	Message     string
	Done, Total float64
}

// Of returns the notifier of a call, nil where the client asked for none.
func Of(ctx context.Context, req *mcp.CallToolRequest) *Notifier {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return Start(ctx, func(ctx context.Context, u Step) error {
		return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: u.Message, Progress: u.Done, Total: u.Total})
	})
}

// Start returns a notifier that hands its updates to notify until it is stopped or
// ctx ends.
func Start(ctx context.Context, notify func(context.Context, Step) error) *Notifier {
	ctx, cancel := context.WithCancel(ctx)
	p := &Notifier{updates: make(chan Step, 1), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.send(ctx, func(u Step) error { return notify(ctx, u) })
	}()
	return p
}

// send sends updates as they come until ctx ends, never more often than every
// every, and only updates with more progress, as the protocol requires.
func (p *Notifier) send(ctx context.Context, notify func(Step) error) {
	last := -1.0
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-p.updates:
			if u.Done <= last || notify(u) != nil {
				continue
			}
			last = u.Done
			select {
			case <-ctx.Done():
				return
			case <-time.After(every):
			}
		}
	}
}

// Tell offers an update. It never waits: while one is being sent, others are dropped.
func (p *Notifier) Tell(message string, done, total float64) {
	select {
	case p.updates <- Step{message, done, total}:
	default:
	}
}

// Stop ends the notifications. None is sent after it returns, so none follows the
// answer.
func (p *Notifier) Stop() {
	if p != nil {
		p.cancel()
		<-p.done
	}
}
