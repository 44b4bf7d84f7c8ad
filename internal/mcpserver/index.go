package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"espy/internal/render"
	"espy/internal/workspace"
)

const indexSchema = `{
	"type": "object",
	"properties": {
		"action": {"type": "string", "enum": ["add", "remove", "cancel"], "description": "default add"},
		"path": {"type": "string", "description": "folder, attached repo or https URL; default: the start folder's"},
		"name": {"type": "string", "description": "name to give it"},
		"force": {"type": "boolean", "description": "rebuild from nothing"},
		"wait": {"type": "boolean", "description": "default true, at most 9 s"},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type indexParams struct {
	Action string `json:"action"`
	Path   string `json:"path"`
	Name   string `json:"name"`
	Force  bool   `json:"force"`
	Wait   *bool  `json:"wait"`
	Format string `json:"format"`
}

// indexTime is how long a call waits for the indexing it began.
const indexTime = callTime - 500*time.Millisecond

func (s *Server) indexTool() tool {
	return tool{
		name: "index", title: "Attach and index", set: setManage, schema: indexSchema,
		description: `Attach a repository and index it, refresh, rebuild, cancel that, or remove it. Not needed for the start folder.`,
		call:        s.index,
	}
}

func (s *Server) index(ctx context.Context, c *call) (string, error) {
	var p indexParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	switch p.Action {
	case "remove":
		return s.remove(ctx, p)
	case "cancel":
		return s.cancel(ctx, p)
	}
	r, err := s.attach(ctx, p)
	if err != nil {
		return "", err
	}
	result, cancel := s.indexJob(r, &p, c.progress)
	o := render.Options{Calls: render.ToolCalls}
	if p.Wait != nil && !*p.Wait {
		return underWay(r, p.Format, o), nil
	}
	timer := time.NewTimer(indexTime)
	defer timer.Stop()
	select {
	case res := <-result:
		if res.err != nil {
			return "", errors.Join(res.err, s.ws.Abandon(ctx, r))
		}
		if p.Format == "json" {
			return string(render.JSON(render.IndexJSON(&res.report))), nil
		}
		return render.Index(&res.report, o), nil
	case <-timer.C:
		return underWay(r, p.Format, o), nil
	case <-ctx.Done():
		cancel()
		return "", ctx.Err()
	}
}

func underWay(r *workspace.Repo, format string, o render.Options) string {
	if format == "json" {
		return string(render.JSON(render.IndexingJSON(string(r.ID()), r.Name(), r.Place())))
	}
	return render.Indexing(r.Name(), o)
}

// attach returns the repository to index. A relative folder is one below the
// start folder.
func (s *Server) attach(ctx context.Context, p indexParams) (*workspace.Repo, error) {
	if p.Path == "" && p.Name == "" {
		return s.startRepo(ctx)
	}
	if p.Path != "" && p.Name == "" {
		if r, err := s.ws.Find(ctx, p.Path); err == nil && (r.Name() == p.Path || r.Root() == filepath.Clean(p.Path) || string(r.ID()) == p.Path) {
			return r, nil
		}
	}
	if workspace.IsURL(p.Path) {
		return s.ws.AttachURL(ctx, p.Path, p.Name)
	}
	dir := p.Path
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.start, dir)
	}
	r, err := s.ws.Attach(ctx, dir, workspace.AttachOptions{Name: p.Name})
	if err != nil {
		return nil, &hinted{msg: err.Error(), hint: `pass the absolute path of a project folder, such as index(path="/path/to/repository")`}
	}
	return r, nil
}

func (s *Server) remove(ctx context.Context, p indexParams) (string, error) {
	if p.Path == "" {
		return "", &hinted{msg: "remove needs path: the name or folder of an attached repository", hint: "status() lists them"}
	}
	r, err := s.ws.Find(ctx, p.Path)
	if err != nil {
		return "", err
	}
	name, root := r.Name(), r.Place()
	if r.URL() == "" && p.Path != name && p.Path != string(r.ID()) && filepath.Clean(p.Path) != root {
		return "", &hinted{msg: fmt.Sprintf("%s is a folder inside repo %s, which remove would forget", p.Path, render.Name(name)), hint: fmt.Sprintf("index(action=\"remove\", path=%q) removes it", name)}
	}
	if err := s.ws.Remove(ctx, r); err != nil {
		return "", err
	}
	if p.Format == "json" {
		return string(render.JSON(render.RemovedJSON(name, root))), nil
	}
	return render.Removed(name, root), nil
}

// cancel ends the indexing of a repository, which another process may do.
func (s *Server) cancel(ctx context.Context, p indexParams) (string, error) {
	ref := p.Path
	if ref == "" {
		ref = s.start
	}
	r, err := s.ws.Find(ctx, ref)
	if err != nil {
		return "", err
	}
	ended, err := r.Cancel(ctx)
	if err != nil {
		return "", err
	}
	if p.Format == "json" {
		return string(render.JSON(render.CancelledJSON(string(r.ID()), r.Name(), r.Root(), ended))), nil
	}
	return render.Cancelled(r.Name(), ended, render.Options{Calls: render.ToolCalls}), nil
}

// indexResult is how an indexing ended.
type indexResult struct {
	report workspace.IndexReport
	err    error
}

// indexJob indexes in the background: it goes on when the call's time is over,
// and ends early by cancel or with the server.
func (s *Server) indexJob(r *workspace.Repo, p *indexParams, progress *notifier) (<-chan indexResult, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.base)
	done := make(chan indexResult, 1)
	s.jobs.Go(func() {
		defer cancel()
		o := workspace.IndexOptions{Force: p.Force, Progress: progress.indexing()}
		if workspace.IsURL(p.Path) {
			o.URL = p.Path
		}
		report, err := r.Index(ctx, o)
		done <- indexResult{report, err}
	})
	return done, cancel
}
