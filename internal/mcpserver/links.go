package mcpserver

import (
	"context"

	"espy/internal/links"
	"espy/internal/render"
)

type linksParams struct {
	Query string `json:"query,omitempty" jsonschema:"text in the route, topic, name"`
	Kind  string `json:"kind,omitempty" jsonschema:"route, topic, table, service, setting, inject or view"`
	Tests bool   `json:"tests,omitempty"`
	atParams
	pageParams
	formParams
}

func (s *Server) linksTool() tool {
	return with(tool{
		name: "links", title: "Framework links", set: setGraph, readOnly: true,
		description: `Edges that no compiler sees: routes to handlers, topics, tables to models, settings to readers, templates.`,
	}, s.links)
}

func (s *Server) links(ctx context.Context, c *call, p *linksParams) (string, error) {
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	req := links.Request{Key: p.Query, Tests: p.Tests, Limit: int(p.Limit), Offset: page.Offset}
	if p.Kind != "" {
		req.Kinds = []string{p.Kind}
	}
	if err := req.Check(); err != nil {
		return "", err
	}
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	a, err := links.Gather(ctx, repos, req, c.wait())
	if err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	if page, err = page.At(a.Repos); err != nil {
		return "", err
	}
	return p.written(&render.Links{Request: &req, Answer: a}, s.shown(p.options(page))), nil
}
