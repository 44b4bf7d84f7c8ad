package mcpserver

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/notify"
	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/workspace"
)

// newNotifier returns the notifier of a call, nil where the client asked for none.
func newNotifier(ctx context.Context, req *mcp.CallToolRequest) *notify.Notifier {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return notify.Start(ctx, func(ctx context.Context, u notify.Step) error {
		return req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: u.Message, Progress: u.Done, Total: u.Total})
	})
}

// indexing returns a function that reports the progress of an indexing, nil if
// nobody asked for it.
func indexing(p *notify.Notifier) func(progress.Report) {
	if p == nil {
		return nil
	}
	return func(r progress.Report) {
		done, total := render.ProgressOf(r)
		p.Tell(render.Progress(r), done, total)
	}
}

// wait is how long a call waits for the index.
func (c *call) wait() workspace.Wait {
	l := cmp.Or(c.limits, limitsOf(defaultTimeout))
	return workspace.Wait{First: l.first, Fresh: l.fresh, Progress: indexing(c.progress)}
}
