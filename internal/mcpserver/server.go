package mcpserver

import (
	"context"

	"espy/internal/mcpserver/host"
	"espy/internal/queue"
	"espy/internal/tasks"
	"espy/internal/workspace"
)

// Server serves the tools of one workspace.
type Server struct {
	*host.Server
	ws          *workspace.Workspace
	book        *tasks.Book // nil for none
	start       string
	version     string
	showSecrets bool
	team        func(context.Context) (*queue.Counts, []string) // tells of a team; nil for none
}

// source answers resources, prompts and completions.
type source struct{ *Server }

func (s source) Repos(ctx context.Context) ([]*workspace.Repo, error) { return s.ws.Repos(ctx) }

func (s source) Repo(ctx context.Context, name string) (*workspace.Repo, error) {
	return s.repo(ctx, name)
}
