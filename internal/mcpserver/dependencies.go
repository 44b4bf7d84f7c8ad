package mcpserver

import (
	"context"

	"espy/internal/dependencies"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/workspace"
)

type dependenciesParams struct {
	Direction dependencies.Direction `json:"direction,omitempty"`
	Depth     positive               `json:"depth,omitempty"`
	Level     dependencies.Level     `json:"level,omitempty"`
	graphParams
}

func (s *Server) dependenciesTool() tool {
	return with(tool{
		name: "dependencies", title: "Dependencies", set: setGraph, readOnly: true,
		description: `What a file, folder or package imports, and who imports it, with the line that proves each; third parties with their version.`,
	}, s.dependencies)
}

func (s *Server) dependencies(ctx context.Context, c *call, p *dependenciesParams) (string, error) {
	return s.graph(ctx, c, &p.graphParams, func(r *workspace.Repo, path string, offset int, as render.Diagram) (render.Answer, hit.Searched, error) {
		req := dependencies.Request{Path: path, Direction: p.Direction, Depth: int(p.Depth), Level: p.Level, Limit: int(p.Limit), Offset: offset}
		found, in, err := dependencies.Ask(ctx, r, req, c.wait())
		return render.Dependencies{Answer: found, As: as}, in, err
	})
}
