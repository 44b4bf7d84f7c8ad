package mcpserver

import (
	"time"

	"espy/internal/mcpserver/host"
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

// firstTime and freshTime bound how long a call waits for the first indexing of a
// repository, and for a look at changed files.
func firstTime(l host.Limits) time.Duration { return l.Call() * 5 / 6 }
func freshTime(l host.Limits) time.Duration { return min(l.Call()/2, 3*time.Second) }

// wait is how long a call waits for the index.
func (c *call) wait() workspace.Wait {
	return workspace.Wait{First: firstTime(c.Limits), Fresh: freshTime(c.Limits), Progress: indexing(c.Progress)}
}
