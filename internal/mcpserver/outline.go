package mcpserver

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"
)

type outlineParams struct {
	Path    string `json:"path,omitempty"`
	Metrics bool   `json:"metrics,omitempty" jsonschema:"complexity"`
	scopeParams
	navParams
}

func (s *Server) outlineTool() tool {
	return with(tool{
		name: "outline", title: "Outline", readOnly: true,
		description: `The symbols of a file, folder or package, without their code.`,
	}, s.outline)
}

func (s *Server) outline(ctx context.Context, c *call, p *outlineParams) (string, error) {
	p.Path = p.inPackage(place.ParseName(p.Path))
	r, err := s.oneRepo(ctx, c, &p.navParams)
	if err == nil {
		r, p.Path, err = s.inScope([]*workspace.Repo{r}, p.Scope, c).At(ctx, p.Path)
	}
	if err != nil {
		return "", err
	}
	p.of(r)
	return s.navigate(ctx, c, navigation{navParams: &p.navParams, repos: []*workspace.Repo{r}}, func(offset int) (render.Answer, []hit.Searched, error) {
		req := nav.OutlineRequest{Path: place.FromRoot(p.Path), Metrics: p.Metrics, Limit: int(p.Limit), Offset: offset}
		found, in, err := r.Outline(ctx, req, c.wait())
		return &render.Outline{Request: &req, In: in, Outline: found}, []hit.Searched{in}, err
	})
}
