package mcpserver

import (
	"context"

	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/workspace"
)

const outlineSchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "string", "description": "file or folder"},
		"metrics": {"type": "boolean", "description": "complexity and size"},
		"repo": {"type": "string"},
		"ref": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type outlineParams struct {
	navParams
	Path    string `json:"path"`
	Metrics bool   `json:"metrics"`
}

func (s *Server) outlineTool() tool {
	return tool{
		name: "outline", title: "Outline code", readOnly: true, schema: outlineSchema,
		description: `The symbols of a file, folder or package, without their code.`,
		call:        s.outline,
	}
}

func (s *Server) outline(ctx context.Context, c *call) (string, error) {
	var p outlineParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	return s.navigate(ctx, "outline", c, &p.navParams, func(r *workspace.Repo, offset int) (render.Answer, search.Searched, error) {
		req := nav.OutlineRequest{Path: place.FromRoot(place.ParseName(p.Path)), Metrics: p.Metrics, Limit: p.Limit, Offset: offset}
		found, in, err := r.Outline(ctx, req, c.wait())
		return &render.Outline{Request: &req, In: in, Outline: found}, in, err
	})
}
