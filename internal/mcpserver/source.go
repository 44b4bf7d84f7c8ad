package mcpserver

import (
	"context"
	"encoding/json"
	"slices"

	"espy/internal/complete"
	"espy/internal/mcpserver/surface"
	"espy/internal/workspace"
)

// source answers resources, prompts and completions.
type source struct{ server *Server }

func (s source) Ask(ctx context.Context, tool string, arguments json.RawMessage) (string, error) {
	return s.server.Ask(ctx, tool, arguments)
}

func (s source) Repos(ctx context.Context) (names []string, err error) {
	repos, err := s.server.ws.Repos(ctx)
	for _, r := range repos {
		names = append(names, r.Name())
	}
	slices.Sort(names)
	return names, err
}

func (s source) Paths(ctx context.Context, repo, prefix string) ([]string, error) {
	return s.begin(ctx, complete.Paths, repo, prefix)
}

func (s source) Symbols(ctx context.Context, repo, prefix string) ([]string, error) {
	return s.begin(ctx, complete.Symbols, repo, prefix)
}

// begin finds what begins with a text in a repository.
func (s source) begin(ctx context.Context, find func(context.Context, *workspace.Repo, string, int, workspace.Wait) ([]string, error), repo, prefix string) ([]string, error) {
	r, err := s.server.repo(ctx, repo)
	if err != nil {
		return nil, err
	}
	return find(ctx, r, prefix, surface.Most+1, (&call{}).wait())
}
