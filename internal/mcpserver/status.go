package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"
)

const statusSchema = `{
	"type": "object",
	"properties": {
		"repo": {"type": "string", "description": "default: all attached"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type statusParams struct {
	Repo      string `json:"repo"`
	MaxTokens int    `json:"max_tokens"`
	Format    string `json:"format"`
}

func (s *Server) statusTool() tool {
	return tool{
		name: "status", title: "Index status", readOnly: true, schema: statusSchema,
		description: `Attached repositories: freshness, files by language, files left out by reason, indexing under way, errors.`,
		call:        s.status,
	}
}

func (s *Server) status(ctx context.Context, c *call) (string, error) {
	var p statusParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	repos, err := s.statusRepos(ctx, p.Repo)
	if err != nil {
		return "", err
	}
	report := &render.Status{Version: s.version, Notes: s.startNote(ctx, p.Repo), Disk: s.ws.Disk()}
	for _, r := range repos {
		st, err := r.Status(ctx)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			st.LastError = err.Error()
		}
		report.Repos = append(report.Repos, st)
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Now: time.Now()}
	return written(report, p.Format, o), nil
}

// statusRepos returns the repositories to tell of. Asking attaches none.
func (s *Server) statusRepos(ctx context.Context, ref string) ([]*workspace.Repo, error) {
	if ref == "" || ref == allRepos {
		return s.ws.Repos(ctx)
	}
	r, err := s.find(ctx, ref)
	if err != nil {
		return nil, err
	}
	return []*workspace.Repo{r}, nil
}

// startNote says when the start folder is not attached yet.
func (s *Server) startNote(ctx context.Context, ref string) []string {
	var missing *workspace.NotFoundError
	if _, err := s.ws.Find(ctx, s.start); ref == "" && errors.As(err, &missing) {
		return []string{fmt.Sprintf("%s is not indexed yet: the first search there indexes it", place.Name(s.start))}
	}
	return nil
}
