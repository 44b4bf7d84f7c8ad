package mcpserver

import (
	"context"

	"espy/internal/dependencies"
	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/render"
)

type dependenciesParams struct {
	Path      string                 `json:"path,omitempty" jsonschema:"file, folder or package"`
	Direction dependencies.Direction `json:"direction,omitempty"`
	Depth     positive               `json:"depth,omitempty"`
	Level     dependencies.Level     `json:"level,omitempty"`
	atParams
	pageParams
	drawParams
}

func (s *Server) dependenciesTool() tool {
	return with(tool{
		name: "dependencies", title: "List imports", set: setGraph, readOnly: true,
		description: `What a file, folder or package imports, and who imports it, with the line that proves each; third parties with their version.`,
	}, s.dependencies)
}

func (s *Server) dependencies(ctx context.Context, c *call, p *dependenciesParams) (string, error) {
	text, drawn := p.forms()
	n := navParams{p.atParams, p.pageParams, text}
	r, err := s.oneRepo(ctx, c, &n)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, navigation{navParams: &n, repo: r}, func(offset int) (render.Answer, hit.Searched, error) {
		req := dependencies.Request{Path: place.ParseName(p.Path), Direction: p.Direction, Depth: int(p.Depth), Level: p.Level, Limit: int(p.Limit), Offset: offset}
		found, err := dependencies.Ask(ctx, r, req, c.wait())
		if err != nil {
			return nil, hit.Searched{}, err
		}
		return render.Dependencies{Answer: found, As: drawn}, found.In, nil
	})
}
