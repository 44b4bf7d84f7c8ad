package mcpserver

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/render"
	"espy/internal/workspace"
)

type referencesParams struct {
	Symbol string   `json:"symbol,omitempty"`
	At     string   `json:"at,omitempty"`
	Kind   nav.Kind `json:"kind,omitempty"`
	Union  bool     `json:"union,omitempty" jsonschema:"all that bears the name"`
	navParams
}

func (s *Server) referencesTool() tool {
	return with(tool{
		name: "references", title: "Find references", readOnly: true,
		description: `Who uses a symbol, resolved by scope, import and type, and the files to change with it.`,
	}, s.references)
}

func (s *Server) references(ctx context.Context, c *call, p *referencesParams) (string, error) {
	target, err := target(p.Symbol, p.At)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, &p.navParams, func(r *workspace.Repo, offset int) (render.Answer, hit.Searched, error) {
		req := nav.ReferencesRequest{Target: target, Kind: p.Kind, Union: p.Union, Limit: int(p.Limit), Offset: offset}
		found, in, err := r.References(ctx, req, c.wait())
		return &render.References{Request: &req, In: in, References: found}, in, err
	})
}
