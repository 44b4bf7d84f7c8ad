package mcpserver

import (
	"context"

	"espy/internal/deps"
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
	Path   []string `json:"path,omitempty"`
	scopeParams
	namedParams
}

func (s *Server) referencesTool() tool {
	return with(tool{
		name: "references", title: "References", readOnly: true, lists: []string{"limit", "!path"},
		description: `Who uses a symbol, resolved by scope, import and type, and the files to change with it.`,
	}, s.references)
}

func (s *Server) references(ctx context.Context, c *call, p *referencesParams) (string, error) {
	return s.named(ctx, c, &p.namedParams, p.within(&p.repoParams, asking{p.Symbol, p.At}), func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error) {
		req := nav.ReferencesRequest{Target: t, Kind: p.Kind, Union: p.Union, Limit: int(p.Limit), Offset: offset}
		found, in, err := deps.References(ctx, s.inScope(repos, p.Scope, c, p.Path...), req)
		return &render.References{Request: &req, In: in, References: found}, in.Repos, err
	})
}
