package mcpserver

import (
	"context"

	"espy/internal/nav"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/workspace"
)

const referencesSchema = `{
	"type": "object",
	"properties": {
		"symbol": {"type": "string"},
		"at": {"type": "string"},
		"kind": {"type": "string", "enum": ["all", "calls", "reads", "writes", "types", "imports", "implementations", "overrides", "subtypes", "supertypes", "mentions"]},
		"union": {"type": "boolean", "description": "of all symbols of that name"},
		"repo": {"type": "string"},
		"ref": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type referencesParams struct {
	navParams
	Kind  nav.Kind `json:"kind"`
	Union bool     `json:"union"`
}

func (s *Server) referencesTool() tool {
	return tool{
		name: "references", title: "Find references", readOnly: true, schema: referencesSchema,
		description: `Who uses a symbol, resolved by scope, import and type, and the files to change with it.`,
		call:        s.references,
	}
}

func (s *Server) references(ctx context.Context, c *call) (string, error) {
	var p referencesParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	target, err := p.target()
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, "references", c, &p.navParams, func(r *workspace.Repo, offset int) (render.Answer, search.Searched, error) {
		req := nav.ReferencesRequest{Target: target, Kind: p.Kind, Union: p.Union, Limit: p.Limit, Offset: offset}
		found, in, err := r.References(ctx, req, c.wait())
		return &render.References{Request: &req, In: in, References: found}, in, err
	})
}
