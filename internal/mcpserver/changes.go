package mcpserver

import (
	"context"
	"time"

	"espy/internal/changes"
	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/render"
)

type changesParams struct {
	Since string   `json:"since,omitempty" jsonschema:"commit, day or generation:N; default HEAD"`
	Ref   string   `json:"ref,omitempty" jsonschema:"A..B or A...B"`
	Path  []string `json:"path,omitempty"`
	Lang  []string `json:"lang,omitempty"`
	repoParams
	pageParams
	formParams
}

// compareTime bounds the comparing of symbols in a call.
const compareTime = 6 * time.Second

func (s *Server) changesTool() tool {
	return with(tool{
		name: "changes", title: "Changes", readOnly: true,
		description: `Files and symbols that differ from HEAD, or between commits, and how.`,
	}, s.changes)
}

func (s *Server) changes(ctx context.Context, c *call, p *changesParams) (string, error) {
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	r, err := s.repo(ctx, p.Repo)
	if err != nil {
		return "", err
	}
	req := changes.Request{Since: p.Since, Ref: p.Ref, Languages: p.Lang, Limit: int(p.Limit), Offset: page.Offset, Time: compareTime, Progress: c.wait().Progress}
	for _, g := range p.Path {
		req.Paths = append(req.Paths, place.ParseName(g))
	}
	found, err := changes.Compare(ctx, r, req)
	if err != nil {
		return "", err
	}
	state := found.Repo + " " + found.From.Commit + " " + found.To.Commit
	if page, err = page.At([]hit.Searched{{Repo: state}}); err != nil {
		return "", err
	}
	return p.written(render.Changes{Changes: found}, s.shown(render.Options{Repo: oneRepo(p.Repo), Cursor: page.Next()})), nil
}
