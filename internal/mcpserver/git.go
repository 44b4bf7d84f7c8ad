package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"espy/internal/changes"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/indexed"
)

type blameParams struct {
	Path string `json:"path" jsonschema:"file, file:FIRST-LAST or symbol id"`
	repoParams
	formParams
}

type historyParams struct {
	Path  string `json:"path,omitempty" jsonschema:"file, file:FIRST-LAST, symbol id or folder"`
	Since string `json:"since,omitempty" jsonschema:"2024-01-31"`
	repoParams
	Limit positive `json:"limit,omitempty"`
	formParams
}

func (s *Server) blameTool() tool {
	return with(tool{
		name: "blame", title: "Blame", set: setGit, readOnly: true,
		description: `The commit, day, author and subject that each line of a file comes from.`,
	}, s.blame)
}

func (s *Server) historyTool() tool {
	return with(tool{
		name: "history", title: "History", set: setGit, readOnly: true,
		description: `The newest commits that touch a file, lines of it, a folder or the repository.`,
	}, s.history)
}

func (s *Server) blame(ctx context.Context, _ *call, p *blameParams) (string, error) {
	r, at, err := s.lines(ctx, p.Repo, p.Path)
	if err != nil {
		return "", err
	}
	b, err := changes.BlameLines(ctx, r, changes.BlameRequest{Path: at.Path, First: at.First, Last: at.Last})
	if err != nil {
		return "", s.absent(ctx, r, p.Repo, at.Path, err)
	}
	return p.written(render.Blame{Blame: b}, s.shown(render.Options{Repo: oneRepo(p.Repo)})), nil
}

func (s *Server) history(ctx context.Context, _ *call, p *historyParams) (string, error) {
	req := changes.HistoryRequest{Limit: int(p.Limit)}
	if p.Since != "" {
		var err error
		if req.Since, err = time.Parse(time.DateOnly, p.Since); err != nil {
			return "", &usage.Error{Msg: fmt.Sprintf("since %q is not a day", usage.Shorten(p.Since, 200)), Hint: `write it as since="2024-01-31"`}
		}
	}
	r, err := s.repo(ctx, p.Repo)
	if p.Path != "" && p.Path != "." {
		var at place.Place
		r, at, err = s.lines(ctx, p.Repo, p.Path)
		req.Path, req.First, req.Last = at.Path, at.First, at.Last
	}
	if err != nil {
		return "", err
	}
	h, err := changes.ListCommits(ctx, r, req)
	if err != nil {
		return "", s.absent(ctx, r, p.Repo, req.Path, err)
	}
	return p.written(render.History{History: h}, s.shown(render.Options{Repo: oneRepo(p.Repo)})), nil
}

// absent is unreadable for a path that nothing has, or a folder where a file is
// wanted. Other errors stay as they are.
func (s *Server) absent(ctx context.Context, r *workspace.Repo, repo, path string, err error) error {
	if strings.Contains(path, "#") || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, indexed.ErrFolder) {
		return err
	}
	return s.unreadable(ctx, r, path, err, render.Options{Repo: oneRepo(repo)})
}

// lines returns the repository that a path argument means, and the file in it
// with its lines.
func (s *Server) lines(ctx context.Context, repo, path string) (r *workspace.Repo, at place.Place, err error) {
	at, _ = place.Parse(path)
	if at.First > 0 && at.Last > 0 && at.Last < at.First {
		return nil, at, &usage.Error{Msg: fmt.Sprintf("line range %d-%d ends before it starts", at.First, at.Last), Hint: fmt.Sprintf("write %s:%d-%d", place.Name(at.Path), at.Last, at.First)}
	}
	r, at.Path, err = s.file(ctx, repo, at.Path)
	return r, at, err
}
