package mcpserver

import (
	"context"

	"espy/internal/hierarchy"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/render"
	"espy/internal/workspace"
)

type hierarchyParams struct {
	Symbol    string              `json:"symbol,omitempty"`
	At        string              `json:"at,omitempty"`
	Direction hierarchy.Direction `json:"direction,omitempty"`
	Depth     positive            `json:"depth,omitempty"`
	namedParams
}

func (s *Server) hierarchyTool() tool {
	return with(tool{
		name: "hierarchy", title: "Hierarchy", set: setGraph, readOnly: true,
		description: `Types above and below a type, implementations of an interface; what a method overrides and who overrides it.`,
	}, s.hierarchy)
}

func (s *Server) hierarchy(ctx context.Context, c *call, p *hierarchyParams) (string, error) {
	return s.named(ctx, c, &p.namedParams, asking{p.Symbol, p.At}, func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error) {
		req := hierarchy.Request{Target: t, Direction: p.Direction, Depth: int(p.Depth), Limit: int(p.Limit), Offset: offset}
		found, in, err := hierarchy.Find(ctx, repos, req, c.wait())
		return &render.Hierarchy{In: in, Answer: found}, in.Repos, err
	})
}
