package mcpserver

import (
	"context"
	"fmt"
	"time"

	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

const blameSchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "string", "description": "file, file:FIRST-LAST or symbol id"},
		"repo": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"required": ["path"],
	"additionalProperties": false
}`

const historySchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "string", "description": "file, file:FIRST-LAST, symbol id or folder"},
		"since": {"type": "string", "description": "2024-01-31"},
		"repo": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type gitParams struct {
	Path      string `json:"path"`
	Since     string `json:"since"`
	Repo      string `json:"repo"`
	Limit     int    `json:"limit"`
	MaxTokens int    `json:"max_tokens"`
	Format    string `json:"format"`
}

func (s *Server) blameTool() tool {
	return tool{
		name: "blame", title: "Blame lines", set: setGit, readOnly: true, schema: blameSchema,
		description: `The commit, day, author and subject that each line of a file comes from.`,
		call:        s.blame,
	}
}

func (s *Server) historyTool() tool {
	return tool{
		name: "history", title: "List commits", set: setGit, readOnly: true, schema: historySchema,
		description: `The newest commits that touch a file, lines of it, a folder or the repository.`,
		call:        s.history,
	}
}

func (s *Server) blame(ctx context.Context, c *call) (string, error) {
	var p gitParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	r, at, err := s.lines(ctx, &p)
	if err != nil {
		return "", err
	}
	b, err := r.Blame(ctx, at.Path, at.First, at.Last)
	if err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo)}
	return written(render.Blame{Blame: b}, p.Format, o), nil
}

func (s *Server) history(ctx context.Context, c *call) (string, error) {
	var p gitParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	req := workspace.HistoryRequest{Limit: p.Limit}
	if p.Since != "" {
		var err error
		if req.Since, err = time.Parse(time.DateOnly, p.Since); err != nil {
			return "", &usage.Error{Msg: fmt.Sprintf("since %q is no day", usage.Shorten(p.Since, 200)), Hint: `write it as since="2024-01-31"`}
		}
	}
	r, err := s.repo(ctx, p.Repo)
	if p.Path != "" && p.Path != "." {
		var at place.Place
		r, at, err = s.lines(ctx, &p)
		req.Path, req.First, req.Last = at.Path, at.First, at.Last
	}
	if err != nil {
		return "", err
	}
	h, err := r.History(ctx, req)
	if err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo)}
	return written(render.History{History: h}, p.Format, o), nil
}

// lines returns the repository that a path argument means, and the file in it
// with its lines.
func (s *Server) lines(ctx context.Context, p *gitParams) (r *workspace.Repo, at place.Place, err error) {
	at, _ = place.Parse(p.Path)
	if at.First > 0 && at.Last > 0 && at.Last < at.First {
		return nil, at, &usage.Error{Msg: fmt.Sprintf("line range %d-%d ends before it starts", at.First, at.Last), Hint: fmt.Sprintf("write %s:%d-%d", place.Name(at.Path), at.Last, at.First)}
	}
	r, at.Path, err = s.file(ctx, p.Repo, at.Path)
	return r, at, err
}
