package mcpserver

import (
	"context"

	"espy/internal/workspace"
)

// source answers resources, prompts and completions.
type source struct{ *Server }

func (s source) Repos(ctx context.Context) ([]*workspace.Repo, error) { return s.ws.Repos(ctx) }

func (s source) Repo(ctx context.Context, name string) (*workspace.Repo, error) {
	return s.repo(ctx, name)
}
