package mcpserver

import (
	"context"
	"errors"

	"espy/internal/code"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/tasks"
	"espy/internal/usage"
	"espy/internal/workspace"
)

type tasksParams struct {
	ID     string       `json:"id,omitempty" jsonschema:"show this one whole"`
	Status tasks.Status `json:"status,omitempty"`
	Branch string       `json:"branch,omitempty" jsonschema:"how it begins"`
	Text   string       `json:"text,omitempty"`
	Repo   string       `json:"repo,omitempty" jsonschema:"whose code they name"`
	Limit  positive     `json:"limit,omitempty"`
	Cursor string       `json:"cursor,omitempty"`
	formParams
}

type taskParams struct {
	ID          string       `json:"id,omitempty" jsonschema:"update this one; default create"`
	Title       *string      `json:"title,omitempty"`
	Description *string      `json:"description,omitempty"`
	Notes       *string      `json:"notes,omitempty"`
	Status      tasks.Status `json:"status,omitempty"`
	Planning    []string     `json:"planning_references,omitempty"`
	Files       []string     `json:"files,omitempty"`
	Symbols     []string     `json:"symbols,omitempty"`
	Branch      string       `json:"branch,omitempty"`
	Commit      string       `json:"commit,omitempty"`
	Version     positive     `json:"version,omitempty" jsonschema:"refuse if changed since"`
	repoParams
	formParams
}

func (s *Server) tasksTool() tool {
	return with(tool{
		name: "tasks", title: "List tasks", set: setTasks, readOnly: true, lane: host.Quick,
		description: `Development tasks, newest first.`,
	}, s.listTasks)
}

func (s *Server) taskTool() tool {
	return with(tool{
		name: "task", title: "Create or update a task", set: setTasks, adds: true, lane: host.Quick,
		description: `Create a development task, or update it: files, symbols, branch and commit are added. Answers about code it names show it while open.`,
	}, s.editTask)
}

// defaultTasks is how many tasks a list shows.
const defaultTasks = 20

func (s *Server) listTasks(ctx context.Context, _ *call, p *tasksParams) (string, error) {
	names, err := s.repoNames(ctx)
	if err != nil {
		return "", err
	}
	if p.ID != "" {
		t, err := s.book.Task(ctx, p.ID)
		if err != nil {
			return "", missingTask(p.ID, err)
		}
		return p.written(render.Task{Task: t, Repos: names}, render.Options{}), nil
	}
	f := tasks.Filter{Status: p.Status, Branch: p.Branch, Text: p.Text}
	if p.Repo != "" && p.Repo != allRepos {
		r, err := s.repo(ctx, p.Repo)
		if err != nil {
			return "", err
		}
		f.Repo = r.ID()
	}
	page := tasks.Page{Limit: int(p.Limit), After: p.Cursor}
	if page.Limit == 0 {
		page.Limit = defaultTasks
	}
	page.Limit = min(page.Limit, maxHits)
	list, err := s.book.List(ctx, f, page)
	if err != nil {
		return "", err
	}
	return p.written(render.Tasks{List: list, Filter: f, Repos: names}, render.Options{}), nil
}

func (s *Server) editTask(ctx context.Context, _ *call, p *taskParams) (string, error) {
	e := tasks.Edit{Title: p.Title, Description: p.Description, Notes: p.Notes, Planning: p.Planning, Branch: p.Branch, Commit: p.Commit, Version: int(p.Version)}
	if p.Status != "" {
		e.Status = &p.Status
	}
	if err := s.codeOf(ctx, p, &e); err != nil {
		return "", err
	}
	names, err := s.repoNames(ctx)
	if err != nil {
		return "", err
	}
	if p.ID == "" {
		if p.Title == nil {
			return "", &usage.Error{Msg: "task needs a title to create one, or an id to update one", Hint: `task(title="Cap the backoff")`}
		}
		t, err := s.book.Create(ctx, e.Task())
		if err != nil {
			return "", err
		}
		return p.written(render.Task{Task: t, Repos: names, Done: "created"}, render.Options{}), nil
	}
	t, changed, err := s.book.Update(ctx, p.ID, e)
	if err != nil {
		return "", missingTask(p.ID, err)
	}
	return p.written(render.Task{Task: t, Repos: names, Done: render.DoneWith(changed)}, render.Options{}), nil
}

// codeOf adds the files and symbols of the arguments to an edit.
func (s *Server) codeOf(ctx context.Context, p *taskParams, e *tasks.Edit) error {
	for _, name := range p.Files {
		r, path, err := s.file(ctx, p.Repo, name)
		if err != nil {
			return err
		}
		e.Files = append(e.Files, tasks.File{Repo: r.ID(), Path: path})
	}
	if len(p.Symbols) == 0 {
		return nil
	}
	r, err := s.repo(ctx, p.Repo)
	if err != nil {
		return err
	}
	for _, name := range p.Symbols {
		e.Symbols = append(e.Symbols, tasks.Symbol{Repo: r.ID(), Name: name})
	}
	return nil
}

// missingTask adds to the errors of a task what would work.
func missingTask(id string, err error) error {
	var conflict *tasks.ConflictError
	switch {
	case errors.Is(err, tasks.ErrNotFound):
		return &usage.Error{Msg: "there is no task " + usage.Shorten(id, 80), Hint: "tasks() lists them"}
	case errors.As(err, &conflict):
		return &usage.Error{Msg: conflict.Error(), Hint: `read it again with tasks(id="` + conflict.ID + `"), then update that`}
	}
	return err
}

// repoNames are the names of the attached repositories.
func (s *Server) repoNames(ctx context.Context) (map[code.RepoID]string, error) {
	all, err := s.ws.Repos(ctx)
	names := map[code.RepoID]string{}
	for _, r := range all {
		names[r.ID()] = r.Name()
	}
	return names, err
}

// near are the open tasks that name code of repositories.
func (s *Server) near(ctx context.Context, repos ...*workspace.Repo) *tasks.Near {
	if s.book == nil {
		return nil
	}
	ids := make(map[string]code.RepoID, len(repos))
	for _, r := range repos {
		ids[r.Name()] = r.ID()
	}
	return s.book.Near(ctx, ids)
}
