package mcpserver

import (
	"context"

	"espy/internal/audit"
	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/render"
)

type auditParams struct {
	Report     []audit.Report `json:"report,omitempty"`
	Path       string         `json:"path,omitempty"`
	Forbid     []string       `json:"forbid,omitempty" jsonschema:"rules such as internal/store -> internal/cli"`
	Complexity positive       `json:"complexity,omitempty"`
	Lines      positive       `json:"lines,omitempty"`
	atParams
	pageParams
	drawParams
}

func (s *Server) auditTool() tool {
	return with(tool{
		name: "audit", title: "Audit code", set: setGraph, readOnly: true,
		description: `What is worth a second look: complex functions, unused symbols, import cycles, imports that rules forbid, duplicated code.`,
	}, s.audit)
}

func (s *Server) audit(ctx context.Context, c *call, p *auditParams) (string, error) {
	text, drawn := p.forms()
	n := navParams{p.atParams, p.pageParams, text}
	r, err := s.oneRepo(ctx, c, &n)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, navigation{navParams: &n, repo: r}, func(offset int) (render.Answer, hit.Searched, error) {
		req := audit.Request{Reports: p.Report, Path: place.ParseName(p.Path), Rules: p.Forbid, Complexity: int(p.Complexity), Lines: int(p.Lines), Limit: int(p.Limit), Offset: offset}
		found, err := audit.Ask(ctx, r, req, c.wait())
		if err != nil {
			return nil, hit.Searched{}, err
		}
		return render.Audit{Answer: found, As: drawn}, found.In, nil
	})
}
