package mcpserver

import (
	"context"
	"path/filepath"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/similar"
	"espy/internal/workspace"
)

type similarParams struct {
	Snippet string     `json:"snippet,omitempty" jsonschema:"code"`
	Place   string     `json:"place,omitempty" jsonschema:"or file, file:LINE (the definition there), file:FIRST-LAST, file#Name"`
	Detail  hit.Detail `json:"detail,omitempty"`
	Path    []string   `json:"path,omitempty"`
	Lang    []string   `json:"lang,omitempty"`
	Scope   code.Scope `json:"scope,omitempty"`
	atParams
	pageParams
	formParams
}

func (s *Server) similarTool() tool {
	return with(tool{
		name: "similar", title: "Similar code", set: setGraph, readOnly: true, lane: host.Searches,
		description: `Find copies and near-copies of code, also with other names or edited, and the lines that they share.`,
	}, s.similar)
}

func (s *Server) similar(ctx context.Context, c *call, p *similarParams) (string, error) {
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	home, repos, at, err := s.similarIn(ctx, p)
	if err != nil {
		return "", err
	}
	q, err := similar.Compile(similar.Request{Snippet: p.Snippet, Place: at, Request: hit.Request{
		Detail: p.Detail, Paths: p.Path, Languages: p.Lang, Scope: p.Scope, Limit: min(int(p.Limit), maxHits), Offset: page.Offset, ShowSecrets: s.showSecrets,
	}})
	if err != nil {
		return "", err
	}
	res, err := s.ws.Similar(ctx, home, repos, q, c.wait())
	if err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	if page, err = page.At(res.Repos); err != nil {
		return "", err
	}
	return p.written(render.Similar{Result: res, Request: &q.Request}, s.shown(p.options(page))), nil
}

// similarIn returns the repository of the place that the arguments name, those to
// look in, and the place in its repository.
func (s *Server) similarIn(ctx context.Context, p *similarParams) (home *workspace.Repo, repos []*workspace.Repo, at *similar.Place, err error) {
	if repos, err = s.reposAt(ctx, p.Repo, p.Ref); err != nil {
		return nil, nil, nil, err
	}
	if p.Place == "" {
		return repos[0], repos, nil, nil
	}
	at = similar.ParsePlace(p.Place, func(name string) bool {
		r, rel, err := s.fileAt(ctx, p, name)
		if err == nil {
			_, err = r.Read(ctx, rel)
		}
		return err == nil
	})
	home, at.Path, err = s.fileAt(ctx, p, at.Path)
	for _, r := range repos {
		if err == nil && r.ID() == home.ID() && r.Ref() == home.Ref() {
			home = r
		}
	}
	return home, repos, at, err
}

// fileAt returns the repository of a file that the arguments name, and its path
// there. An absolute path may lie in another repository than those to look in.
func (s *Server) fileAt(ctx context.Context, p *similarParams, name string) (*workspace.Repo, string, error) {
	repo := oneRepo(p.Repo)
	if repo == "" && filepath.IsAbs(name) {
		if owner := s.owner(ctx, name); owner != nil {
			if rel, ok := code.Below(owner.Root(), name); ok {
				repo, name = owner.Name(), rel
			}
		}
	}
	r, rel, err := s.file(ctx, repo, name)
	if err == nil {
		r, err = r.At(ctx, p.Ref)
	}
	return r, rel, err
}
