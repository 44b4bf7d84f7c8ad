package mcpserver

import (
	"context"

	"espy/internal/hit"
	"espy/internal/impact"
	"espy/internal/render"
)

type impactParams struct {
	What  string   `json:"what,omitempty" jsonschema:"symbol, file or file:FIRST-LAST; default: what differs from HEAD"`
	Diff  string   `json:"diff,omitempty" jsonschema:"a diff"`
	Since string   `json:"since,omitempty" jsonschema:"a commit"`
	Depth positive `json:"depth,omitempty"`
	scopeParams
	navParams
}

func (s *Server) impactTool() tool {
	return with(tool{
		name: "impact", title: "Impact", readOnly: true,
		description: `What a change breaks: affected symbols by distance with reasons, files, entry points, and the tests to run.`,
	}, s.impact)
}

func (s *Server) impact(ctx context.Context, c *call, p *impactParams) (string, error) {
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	req := impact.Request{What: p.What, Diff: p.Diff, Since: p.Since, Depth: int(p.Depth), Limit: int(p.Limit)}
	n := navigation{navParams: &p.navParams, repos: repos}
	return s.navigate(ctx, c, n, func(offset int) (render.Answer, []hit.Searched, error) {
		req.Offset = offset
		found, err := impact.Find(ctx, s.inScope(repos, p.Scope, c), req)
		if err != nil {
			return nil, nil, err
		}
		return &render.Impact{Request: &req, Impact: found}, found.In.Repos, nil
	})
}
