package mcpserver

import (
	"context"

	"espy/internal/dependencies"
	"espy/internal/deps"
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

// ofPackages lists the packages that a repository uses instead of imports; the path
// is a part of their names.
const ofPackages dependencies.Direction = "packages"

func (s *Server) dependenciesTool() tool {
	return with(tool{
		name: "dependencies", title: "Dependencies", set: setGraph, readOnly: true,
		description: `What a file, folder or package imports, and who imports it, with the line that proves each; third parties with their version. direction=packages: the packages used, and whether scope=deps finds their sources.`,
	}, s.dependencies)
}

func (s *Server) dependencies(ctx context.Context, c *call, p *dependenciesParams) (string, error) {
	return s.graph(ctx, c, &p.graphParams, func(r *workspace.Repo, path string, offset int, as render.Diagram) (render.Answer, hit.Searched, error) {
		if p.Direction == ofPackages {
			found, err := deps.LibraryOf(s.ws).List(ctx, r, deps.Request{Name: path, All: p.Depth > 1, Limit: int(p.Limit), Offset: offset}, c.wait())
			if err != nil {
				return nil, hit.Searched{}, err
			}
			return render.Packages{Answer: found}, found.In, nil
		}
		req := dependencies.Request{Path: path, Direction: p.Direction, Depth: int(p.Depth), Level: p.Level, Limit: int(p.Limit), Offset: offset}
		found, in, err := dependencies.Ask(ctx, r, req, c.wait())
		return render.Dependencies{Answer: found, As: as}, in, err
	})
}
