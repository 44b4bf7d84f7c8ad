package mcpserver

import (
	"context"

	"espy/internal/audit"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/workspace"
)

type auditParams struct {
	Report     string   `json:"report,omitempty" jsonschema:"complexity, unused, cycles, forbidden or duplicates; all without it"`
	Forbid     []string `json:"forbid,omitempty" jsonschema:"internal/store -> internal/cli"`
	Complexity positive `json:"complexity,omitempty"`
	Lines      positive `json:"lines,omitempty"`
	graphParams
}

func (s *Server) auditTool() tool {
	return with(tool{
		name: "audit", title: "Audit", set: setGraph, readOnly: true,
		description: `What is worth a second look: complex functions, unused symbols, import cycles, imports that rules forbid, duplicated code.`,
	}, s.audit)
}

func (s *Server) audit(ctx context.Context, c *call, p *auditParams) (string, error) {
	return s.graph(ctx, c, &p.graphParams, func(r *workspace.Repo, path string, offset int, as render.Diagram) (render.Answer, hit.Searched, error) {
		req := audit.Request{Report: audit.Report(p.Report), Path: path, Rules: p.Forbid, Set: s.ws.Options().Forbid, Complexity: int(p.Complexity), Lines: int(p.Lines), Limit: int(p.Limit), Offset: offset}
		found, in, err := audit.Ask(ctx, r, req, c.wait())
		return render.Audit{Answer: found, As: as}, in, err
	})
}
