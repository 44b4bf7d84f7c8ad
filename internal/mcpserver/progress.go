package mcpserver

import (
	"cmp"

	"espy/internal/mcpserver/notify"
	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/workspace"
)

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
