package mcpserver

import (
	"context"
	"time"

	"espy/internal/changes"
	"espy/internal/hit"
	"espy/internal/render"
)

const changesSchema = `{
	"type": "object",
	"properties": {
		"since": {"type": "string", "description": "commit, day or generation:N; default HEAD"},
		"ref": {"type": "string", "description": "A..B or A...B"},
		"path": {"type": "array", "items": {"type": "string"}},
		"lang": {"type": "array", "items": {"type": "string"}},
		"repo": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type changesParams struct {
	Since     string   `json:"since"`
	Ref       string   `json:"ref"`
	Path      []string `json:"path"`
	Lang      []string `json:"lang"`
	Repo      string   `json:"repo"`
	Limit     int      `json:"limit"`
	Cursor    string   `json:"cursor"`
	MaxTokens int      `json:"max_tokens"`
	Format    string   `json:"format"`
}

// compareTime bounds the comparing of symbols in a call.
const compareTime = 6 * time.Second

func (s *Server) changesTool() tool {
	return tool{
		name: "changes", title: "List changes", set: setGit, readOnly: true, schema: changesSchema,
		description: `Files and symbols changed in the work tree, or between commits: added, removed, moved, signature, body.`,
		call:        s.changes,
	}
}

func (s *Server) changes(ctx context.Context, c *call) (string, error) {
	var p changesParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	page, err := parseCursor(p.Cursor, question("changes", c.args))
	if err != nil {
		return "", err
	}
	r, err := s.repo(ctx, p.Repo)
	if err != nil {
		return "", err
	}
	req := changes.Request{Since: p.Since, Ref: p.Ref, Languages: p.Lang, Limit: p.Limit, Offset: page.offset, Time: compareTime, Progress: c.wait().Progress}
	for _, g := range p.Path {
		req.Paths = append(req.Paths, render.ParseName(g))
	}
	found, err := changes.Compare(ctx, r, req)
	if err != nil {
		return "", err
	}
	state := found.Repo + " " + found.From.Commit + " " + found.To.Commit
	if page, err = page.at([]hit.Searched{{Repo: state}}); err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo), Cursor: page.next()}
	if p.Format == "json" {
		return string(render.ChangesJSON(found, o)), nil
	}
	return render.Changes(found, o), nil
}
