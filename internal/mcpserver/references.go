package mcpserver

import (
	"context"

	"espy/internal/across"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/render"
	"espy/internal/workspace"
)

type referencesParams struct {
	Symbol string   `json:"symbol,omitempty"`
	At     string   `json:"at,omitempty"`
	Kind   nav.Kind `json:"kind,omitempty"`
	Union  bool     `json:"union,omitempty" jsonschema:"all that bears the name"`
	namedParams
}

func (s *Server) referencesTool() tool {
	return with(tool{
		name: "references", title: "References", readOnly: true, lists: []string{"limit"},
		description: `Who uses a symbol, resolved by scope, import and type, and the files to change with it.`,
	}, s.references)
}

func (s *Server) references(ctx context.Context, c *call, p *referencesParams) (string, error) {
	return s.named(ctx, c, &p.namedParams, asking{p.Symbol, p.At}, func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error) {
		req := nav.ReferencesRequest{Target: t, Kind: p.Kind, Union: p.Union, Limit: int(p.Limit), Offset: offset}
		found, in, err := across.References(ctx, repos, req, c.wait())
		return &render.References{Request: &req, In: in, References: found}, in.Repos, err
	})
}
