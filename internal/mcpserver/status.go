package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"espy/internal/catalog"
	"espy/internal/mcpserver/host"
	"espy/internal/permit"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"
)

type statusParams struct {
	Repo string `json:"repo,omitempty"`
	formParams
}

func (s *Server) statusTool() tool {
	return with(tool{
		name: "status", title: "Status", readOnly: true, lane: host.Quick,
		description: `Attached repositories: freshness, languages, what is left out, indexing, errors.`,
	}, s.status)
}

func (s *Server) status(ctx context.Context, _ *call, p *statusParams) (string, error) {
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
	if s.team != nil && !permit.Limited(ctx) {
		jobs, notes := s.team(ctx)
		report.Jobs, report.Notes = jobs, append(report.Notes, notes...)
	}
	return p.written(report, s.shown(render.Options{Now: time.Now()})), nil
}

// statusRepos returns the repositories to report. It attaches none.
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

// startNote is a note if the start folder is not attached yet.
func (s *Server) startNote(ctx context.Context, ref string) []string {
	if _, err := s.ws.Find(ctx, s.start); ref == "" && errors.As(err, new(*catalog.NotFoundError)) && permit.Of(ctx) == nil {
		return []string{fmt.Sprintf("%s is not indexed yet: the first search there indexes it", place.Name(s.start))}
	}
	return nil
}
