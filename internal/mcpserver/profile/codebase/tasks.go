package codebase

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"espy/internal/mcpserver/host"
	"espy/internal/tasks"
)

const getTaskSchema = `{
	"type": "object",
	"properties": {
		"task_id": {"type": "string", "format": "uuid", "description": "Id of the task"}
	},
	"required": ["task_id"],
	"additionalProperties": false
}`

const listTasksSchema = `{
	"type": "object",
	"properties": {
		"status": {"type": "string", "description": "Only tasks that are so far", "enum": ["need to be done", "in-progress", "complete"]},
		"branch": {"type": "string", "description": "Only tasks with a branch that begins so", "maxLength": 200},
		"limit": {"type": "integer", "description": "Tasks at most", "minimum": 1, "maximum": 100, "default": 20}
	},
	"additionalProperties": false
}`

const createTaskSchema = `{
	"type": "object",
	"properties": {
		"title": {"type": "string", "description": "What is to be done, in a few words", "minLength": 1, "maxLength": 200},
		"description": {"type": "string", "description": "What is to be done", "maxLength": 2000},
		"notes": {"type": "string", "description": "Anything else", "maxLength": 5000},
		"planning_references": {"type": "array", "items": {"type": "string", "maxLength": 500}, "description": "Paths of documents that plan it", "maxItems": 10}
	},
	"required": ["title"],
	"additionalProperties": false
}`

const updateTaskSchema = `{
	"type": "object",
	"properties": {
		"task_id": {"type": "string", "format": "uuid", "description": "Id of the task"},
		"title": {"type": "string", "minLength": 1, "maxLength": 200},
		"description": {"type": "string", "maxLength": 2000},
		"notes": {"type": "string", "maxLength": 5000},
		"status": {"type": "string", "enum": ["need to be done", "in-progress", "complete"]},
		"branch": {"type": "string", "description": "Branch that it is done on", "maxLength": 200},
		"commit": {"type": "string", "description": "Hash of a commit that belongs to it", "pattern": "^[a-f0-9]{40}$"}
	},
	"required": ["task_id"],
	"additionalProperties": false
}`

// task is a task in an answer: the documented fields, then ours.
type task struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Description *string      `json:"description"`
	Notes       *string      `json:"notes"`
	Status      tasks.Status `json:"status"`
	Created     string       `json:"created_at"`
	Updated     string       `json:"updated_at"`
	Branch      *string      `json:"branch"` // the latest
	Commit      *string      `json:"commit"`
	Planning    []string     `json:"planning_references"`
	Branches    []string     `json:"branches"`
	Commits     []string     `json:"commits"`
	History     []change     `json:"status_history"`
	Types       []string     `json:"planning_reference_types"` // of planning_references, in their order
}

// change is one change of the status.
type change struct {
	From *tasks.Status `json:"from_status"`
	To   tasks.Status  `json:"to_status"`
	At   string        `json:"changed_at"`
}

// brief is a task in a list without details.
type brief struct {
	ID      string       `json:"id"`
	Title   string       `json:"title"`
	Status  tasks.Status `json:"status"`
	Created string       `json:"created_at"`
	Updated string       `json:"updated_at"`
}

func newTask(t *tasks.Task) task {
	v := task{
		ID: t.ID, Title: t.Title, Description: orNull(t.Description), Notes: orNull(t.Notes), Status: t.Status, Created: stamp(t.Created), Updated: stamp(t.Updated),
		Branch: latest(t.Branches), Commit: latest(t.Commits), Planning: append([]string{}, t.Planning...), Branches: append([]string{}, t.Branches...),
		Commits: append([]string{}, t.Commits...), History: []change{}, Types: []string{},
	}
	for _, h := range t.History {
		one := change{To: h.To, At: stamp(h.At)}
		if h.From != "" {
			one.From = &h.From
		}
		v.History = append(v.History, one)
	}
	for _, p := range t.Planning {
		v.Types = append(v.Types, referenceType(p))
	}
	return v
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func latest(list []string) *string {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// referenceType is the kind of a document, by its name.
func referenceType(reference string) string {
	switch base := strings.ToLower(path.Base(strings.ReplaceAll(reference, `\`, "/"))); {
	case strings.Contains(base, "spec.md"):
		return "spec"
	case strings.Contains(base, "plan.md"):
		return "plan"
	case strings.Contains(base, "data-model"), strings.Contains(base, "contract"), strings.Contains(base, "quickstart"):
		return "design"
	}
	return "other"
}

func (s *server) getTaskTool() tool {
	return tool{
		name: "get_task", schema: getTaskSchema, description: `Show a development task.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			a.need("task_id")
			id := a.id("task_id")
			if a.err != nil {
				return nil, a.err
			}
			t, err := s.Tasks.Task(ctx, id)
			if err != nil {
				return nil, notFound(id, err)
			}
			return newTask(t), nil
		},
	}
}

// notFound is the error of a task that there is not; others stay as they are.
func notFound(id string, err error) error {
	if errors.Is(err, tasks.ErrNotFound) {
		return newError(codeOwn, "Task not found", "Task not found: "+id)
	}
	return err
}

func (s *server) listTasksTool() tool {
	return tool{
		name: "list_tasks", schema: listTasksSchema, more: []string{"full_details"},
		description: `List development tasks, the newest first, by status and branch.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			f := tasks.Filter{Status: status(a), Branch: a.bounded("branch", "Branch name", tasks.MaxBranch)}
			page, full := tasks.Page{Limit: a.limit(20, 100)}, a.flag("full_details", true)
			if a.err != nil {
				return nil, a.err
			}
			list, err := s.Tasks.List(ctx, f, page)
			if err != nil {
				return nil, err
			}
			return listed(list, full), nil
		},
	}
}

// listed is a list with all of each task, or five fields of it.
func listed(list *tasks.List, full bool) any {
	if !full {
		v := struct {
			Tasks []brief `json:"tasks"`
			Total int     `json:"total_count"`
		}{[]brief{}, list.Total}
		for _, t := range list.Tasks {
			v.Tasks = append(v.Tasks, brief{t.ID, t.Title, t.Status, stamp(t.Created), stamp(t.Updated)})
		}
		return v
	}
	v := struct {
		Tasks []task `json:"tasks"`
		Total int    `json:"total_count"`
	}{[]task{}, list.Total}
	for _, t := range list.Tasks {
		v.Tasks = append(v.Tasks, newTask(t))
	}
	return v
}

// status reads the argument status.
func status(a *arguments) tasks.Status {
	s := tasks.Status(a.text("status"))
	if a.has("status") && !slices.Contains(tasks.Statuses, s) {
		a.fail("Invalid status: %s. Valid values: ['need to be done', 'in-progress', 'complete']", s)
	}
	return s
}

// title reads the argument title.
func title(a *arguments) string {
	text := a.bounded("title", "Task title", tasks.MaxTitle)
	if a.has("title") && strings.TrimSpace(text) == "" {
		a.fail("Task title cannot be empty")
	}
	return text
}

func (s *server) createTaskTool() tool {
	return tool{
		name: "create_task", schema: createTaskSchema, description: `Create a development task.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			a.need("title")
			t := tasks.Task{
				Title: title(a), Description: a.bounded("description", "Task description", tasks.MaxDescription),
				Notes: a.bounded("notes", "Task notes", tasks.MaxNotes), Planning: a.texts("planning_references"),
			}
			if n := len(t.Planning); n > tasks.MaxPlanning {
				a.fail("Too many planning references (max %d): %d", tasks.MaxPlanning, n)
			}
			for _, p := range t.Planning {
				if n := utf8.RuneCountInString(p); n > tasks.MaxReference {
					a.fail("Planning reference too long (max %d characters): %d", tasks.MaxReference, n)
				}
			}
			if a.err != nil {
				return nil, a.err
			}
			made, err := s.Tasks.Create(ctx, t)
			if err != nil {
				return nil, err
			}
			return newTask(made), nil
		},
	}
}

func (s *server) updateTaskTool() tool {
	return tool{
		name: "update_task", schema: updateTaskSchema,
		description: `Change a development task: only the fields that are sent. Branches and commits before stay linked.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			a.need("task_id")
			id := a.id("task_id")
			e := tasks.Edit{
				Title: a.pointer("title", title(a)), Description: a.pointer("description", a.bounded("description", "Task description", tasks.MaxDescription)),
				Notes: a.pointer("notes", a.bounded("notes", "Task notes", tasks.MaxNotes)), Branch: a.bounded("branch", "Branch name", tasks.MaxBranch), Commit: a.text("commit"),
			}
			if set := status(a); a.has("status") {
				e.Status = &set
			}
			if a.has("commit") && !tasks.CommitForm().MatchString(e.Commit) {
				a.fail("Invalid commit hash: %s. It has 40 hexadecimal digits in lower case", e.Commit)
			}
			if a.err != nil {
				return nil, a.err
			}
			t, _, err := s.Tasks.Update(ctx, id, e)
			if err != nil {
				return nil, notFound(id, err)
			}
			return newTask(t), nil
		},
	}
}
