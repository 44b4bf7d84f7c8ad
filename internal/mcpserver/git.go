package mcpserver

import (
	"context"
	"fmt"
	"time"

	"espy/internal/changes"
	"espy/internal/render"
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
	r, rel, first, last, err := s.lines(ctx, &p)
	if err != nil {
		return "", err
	}
	b, err := changes.BlameLines(ctx, r, changes.BlameRequest{Path: rel, First: first, Last: last})
	if err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo)}
	if p.Format == "json" {
		return string(render.BlameJSON(b, o)), nil
	}
	return render.Blame(b, o), nil
}

func (s *Server) history(ctx context.Context, c *call) (string, error) {
	var p gitParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	req := changes.HistoryRequest{Limit: p.Limit}
	if p.Since != "" {
		var err error
		if req.Since, err = time.Parse(time.DateOnly, p.Since); err != nil {
			return "", &hinted{msg: fmt.Sprintf("since %q is no day", shortened(p.Since)), hint: `write it as since="2024-01-31"`}
		}
	}
	r, err := s.repo(ctx, p.Repo)
	if p.Path != "" && p.Path != "." {
		r, req.Path, req.First, req.Last, err = s.lines(ctx, &p)
	}
	if err != nil {
		return "", err
	}
	h, err := changes.ListCommits(ctx, r, req)
	if err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo)}
	if p.Format == "json" {
		return string(render.HistoryJSON(h, o)), nil
	}
	return render.History(h, o), nil
}

// lines returns the repository, the file and the lines that a path argument means.
func (s *Server) lines(ctx context.Context, p *gitParams) (r *workspace.Repo, rel string, first, last int, err error) {
	name, first, last := render.ParsePlace(p.Path)
	if first > 0 && last > 0 && last < first {
		return nil, "", 0, 0, &hinted{msg: fmt.Sprintf("line range %d-%d ends before it starts", first, last), hint: fmt.Sprintf("write %s:%d-%d", render.Name(name), last, first)}
	}
	r, rel, err = s.file(ctx, p.Repo, name)
	return r, rel, first, last, err
}
