package codebase

import (
	"context"
	"log/slog"
	"time"

	"espy/internal/mcpserver/host"
	"espy/internal/tasks"
	"espy/internal/workspace"
)

// Options is what the profiles need.
type Options struct {
	Workspace *workspace.Workspace
	Tasks     *tasks.Book
	DataDir   string // where V2 keeps jobs and projects
	Version   string
	Log       *slog.Logger     // nil is silent
	Now       func() time.Time // nil is the clock
}

// server answers the tools.
type server struct {
	Options
	host     *host.Server
	projects *projects // of V2
	began    time.Time
	calls    callCounts
}

// tool is one tool. Its schema lists every argument that is published, more those
// that are understood besides.
type tool struct {
	name, description, schema string
	more                      []string
	slow                      bool
	call                      func(ctx context.Context, a *arguments, tell host.Tell) (any, error)
}
