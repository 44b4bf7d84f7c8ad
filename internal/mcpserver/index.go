package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"espy/internal/across"
	"espy/internal/catalog"
	"espy/internal/mcpserver/notify"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// indexAction is what to do with an index.
type indexAction string

const (
	actionAdd    indexAction = "add"
	actionRemove indexAction = "remove"
	actionCancel indexAction = "cancel"
)

var indexActions = []indexAction{actionAdd, actionRemove, actionCancel}

type indexParams struct {
	Action indexAction `json:"action,omitempty"`
	Path   string      `json:"path,omitempty" jsonschema:"folder, repo or https URL"`
	Name   string      `json:"name,omitempty"`
	Force  bool        `json:"force,omitempty"`
	Wait   *bool       `json:"wait,omitempty"`
	Format form        `json:"format,omitempty"`
}

func (s *Server) indexTool() tool {
	return with(tool{
		name: "index", title: "Index", set: setManage,
		description: `Attach a repository, refresh it (force=true: from nothing), cancel or remove. Not needed for the start folder.`,
	}, s.index)
}

func (s *Server) index(ctx context.Context, c *call, p *indexParams) (string, error) {
	switch p.Action {
	case actionRemove:
		return s.remove(ctx, p)
	case actionCancel:
		return s.cancel(ctx, p)
	}
	r, err := s.attach(ctx, p)
	if err != nil {
		return "", err
	}
	result, cancel := s.indexJob(r, p, c.Progress)
	if p.Wait != nil && !*p.Wait {
		return p.Format.written(underWay(r), render.Options{}), nil
	}
	timer := time.NewTimer(c.Limits.Call() * 19 / 20) // for the indexing that it started
	defer timer.Stop()
	select {
	case res := <-result:
		if res.err != nil {
			return "", errors.Join(res.err, s.ws.Abandon(ctx, r))
		}
		return p.Format.written(render.Index{IndexReport: &res.report}, render.Options{}), nil
	case <-timer.C:
		return p.Format.written(underWay(r), render.Options{}), nil
	case <-ctx.Done():
		cancel()
		<-result
		return "", ctx.Err()
	}
}

func underWay(r *workspace.Repo) render.Answer {
	return render.Indexing{ID: string(r.ID()), Name: r.Name(), Root: r.Place()}
}

// attach returns the repository to index. A relative folder is one below the
// start folder.
func (s *Server) attach(ctx context.Context, p *indexParams) (*workspace.Repo, error) {
	if p.Path == "" && p.Name == "" {
		return s.startRepo(ctx)
	}
	if p.Path != "" && p.Name == "" {
		if r, err := across.Find(ctx, s.ws, s.start, p.Path); err == nil && (r.Name() == p.Path || r.Root() == filepath.Clean(p.Path) || string(r.ID()) == p.Path) {
			return r, nil
		}
	}
	if catalog.IsURL(p.Path) {
		return s.ws.AttachURL(ctx, p.Path, p.Name)
	}
	dir := p.Path
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.start, dir)
	}
	r, err := s.ws.Attach(ctx, dir, workspace.AttachOptions{Name: p.Name})
	if err != nil {
		return nil, &usage.Error{Msg: err.Error(), Hint: `pass the absolute path of a project folder, such as index(path="/path/to/repository")`}
	}
	return r, nil
}

func (s *Server) remove(ctx context.Context, p *indexParams) (string, error) {
	if p.Path == "" {
		return "", &usage.Error{Msg: "remove needs path: the name or folder of an attached repository", Hint: "status() lists them"}
	}
	r, err := s.find(ctx, p.Path)
	if err != nil {
		return "", err
	}
	name, root := r.Name(), r.Place()
	if r.URL() == "" && p.Path != name && p.Path != string(r.ID()) && filepath.Clean(p.Path) != root {
		return "", &usage.Error{Msg: fmt.Sprintf("%s is a folder inside repo %s, and remove deletes the index of the whole repository", p.Path, place.Name(name)), Hint: fmt.Sprintf("index(action=\"remove\", path=%q) removes it", name)}
	}
	removed := render.Removed{ID: string(r.ID()), Name: name, Root: root, URL: r.URL()}
	if err := s.ws.Remove(ctx, r); err != nil {
		return "", err
	}
	return p.Format.written(removed, render.Options{}), nil
}

// cancel stops the indexing of a repository, in any process.
func (s *Server) cancel(ctx context.Context, p *indexParams) (string, error) {
	ref := p.Path
	if ref == "" {
		ref = s.start
	}
	r, err := s.find(ctx, ref)
	if err != nil {
		return "", err
	}
	ended, err := r.Cancel(ctx)
	if err != nil {
		return "", err
	}
	return p.Format.written(render.Cancelled{ID: string(r.ID()), Name: r.Name(), Root: r.Root(), Ended: ended}, render.Options{}), nil
}

// indexResult is the outcome of an indexing.
type indexResult struct {
	report workspace.IndexReport
	err    error
}

// indexJob indexes in the background. It continues after the call has ended, and
// stops early on cancel or when the server ends.
func (s *Server) indexJob(r *workspace.Repo, p *indexParams, progress *notify.Notifier) (<-chan indexResult, context.CancelFunc) {
	done := make(chan indexResult, 1)
	return done, s.Start(func(ctx context.Context) {
		o := workspace.IndexOptions{Force: p.Force, Progress: indexing(progress)}
		if catalog.IsURL(p.Path) {
			o.URL = p.Path
		}
		report, err := r.Index(ctx, o)
		done <- indexResult{report, err}
	})
}
