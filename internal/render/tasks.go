package render

import (
	"fmt"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/place"
	"espy/internal/tasks"
)

// Tasks is a page of a list of tasks.
type Tasks struct {
	*tasks.List
	Filter tasks.Filter
	Repos  map[code.RepoID]string // names of those that tasks name code of
}

// Text writes two lines for each task: what it is, and what it is about.
func (a Tasks) Text(o Options) string {
	blocks := make([]string, len(a.Tasks))
	for i, t := range a.Tasks {
		blocks[i] = taskLine(t, o) + "  " + a.about(t) + "\n"
	}
	text, _ := layout{
		head:   func(shown int) string { return of(shown, a.Total, "task") + a.filters() },
		blocks: blocks,
		foot:   func(shown int) []string { return a.foot(o, shown) },
	}.text(o)
	return text
}

func taskLine(t *tasks.Task, o Options) string {
	return fmt.Sprintf("%s [%s] %s\n", o.color(t.ID, colorPath), t.Status, clean(t.Title))
}

// filters repeats what the list was asked for.
func (a Tasks) filters() string {
	text := ""
	for _, f := range []struct{ name, value string }{{"status", string(a.Filter.Status)}, {"branch", a.Filter.Branch}, {"text", a.Filter.Text}, {"repo", a.Repos[a.Filter.Repo]}} {
		if f.value != "" {
			text += ", " + f.name + " " + short(f.value, 200)
		}
	}
	if a.Filter.Open {
		text += ", not complete"
	}
	return text
}

// maxTaskCode is how many files or symbols of a task a list names.
const maxTaskCode = 5

// about is the latest branch and commit, files and symbols, and the age.
func (a Tasks) about(t *tasks.Task) string {
	parts := []string{"changed " + t.Updated.Format(time.RFC3339)}
	if n := len(t.Branches); n > 0 {
		parts = append(parts, "branch "+place.Name(t.Branches[n-1]))
	}
	if n := len(t.Commits); n > 0 {
		parts = append(parts, "commit "+t.Commits[n-1][:12])
	}
	if names := a.named(t); len(names) > 0 {
		more := ""
		if n := len(names) - maxTaskCode; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		parts = append(parts, "about "+strings.Join(names[:min(len(names), maxTaskCode)], ", ")+more)
	}
	return strings.Join(parts, ", ")
}

// named are the files and symbols of a task, with their repositories where there
// are several.
func (a Tasks) named(t *tasks.Task) (list []string) {
	several := len(t.Repos()) > 1
	add := func(repo code.RepoID, name string) {
		text := place.Name(name)
		if several {
			text = place.Name(a.repo(repo)) + ": " + text
		}
		list = append(list, text)
	}
	for _, f := range t.Files {
		add(f.Repo, f.Path)
	}
	for _, s := range t.Symbols {
		add(s.Repo, s.Name)
	}
	return list
}

// repo is the name of a repository, or its id where it is not attached any more.
func (a Tasks) repo(id code.RepoID) string {
	if name := a.Repos[id]; name != "" {
		return name
	}
	return string(id)
}

func (a Tasks) foot(o Options, shown int) []string {
	if len(a.Tasks) == 0 {
		return nil
	}
	var foot []string
	if left := a.Total - shown; a.More || shown < len(a.Tasks) {
		foot = append(foot, fmt.Sprintf("left out: %s not on this page; more: %s", count(left, "task"), a.next(o, shown)))
	}
	if o.Calls == ToolCalls {
		return append(foot, "next: "+o.call("tasks", arg{"id", a.Tasks[0].ID}))
	}
	return append(foot, "next: espy task show "+a.Tasks[0].ID)
}

// next says how to get the page behind a number of tasks.
func (a Tasks) next(o Options, shown int) string {
	if shown == 0 {
		return "a larger max_tokens"
	}
	last := a.Tasks[shown-1].ID
	if o.Calls == ToolCalls {
		return "same call with cursor=" + quoteText(last)
	}
	return "--after " + last
}

// taskJSON is a task as programs get it.
type taskJSON struct {
	ID          string           `json:"id"`
	Version     int              `json:"version"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Notes       string           `json:"notes"`
	Status      tasks.Status     `json:"status"`
	Created     time.Time        `json:"created_at"`
	Updated     time.Time        `json:"updated_at"`
	Planning    []string         `json:"planning_references"`
	Branches    []string         `json:"branches"`
	Commits     []string         `json:"commits"`
	Files       []taskFileJSON   `json:"files"`
	Symbols     []taskSymbolJSON `json:"symbols"`
	History     []taskChangeJSON `json:"status_history"`
}

type taskFileJSON struct {
	Repo string `json:"repo"`
	Path string `json:"path"`
}

type taskSymbolJSON struct {
	Repo string `json:"repo"`
	Name string `json:"symbol"`
}

type taskChangeJSON struct {
	From *tasks.Status `json:"from_status"` // null at the creation
	To   tasks.Status  `json:"to_status"`
	At   time.Time     `json:"changed_at"`
}

func (a Tasks) json(t *tasks.Task) taskJSON {
	v := taskJSON{
		ID: t.ID, Version: t.Version, Title: t.Title, Description: t.Description, Notes: t.Notes, Status: t.Status, Created: t.Created, Updated: t.Updated,
		Planning: texts(t.Planning), Branches: texts(t.Branches), Commits: texts(t.Commits),
		Files: []taskFileJSON{}, Symbols: []taskSymbolJSON{}, History: []taskChangeJSON{},
	}
	for _, f := range t.Files {
		v.Files = append(v.Files, taskFileJSON{a.repo(f.Repo), f.Path})
	}
	for _, s := range t.Symbols {
		v.Symbols = append(v.Symbols, taskSymbolJSON{a.repo(s.Repo), s.Name})
	}
	for _, c := range t.History {
		one := taskChangeJSON{To: c.To, At: c.At}
		if c.From != "" {
			one.From = &c.From
		}
		v.History = append(v.History, one)
	}
	return v
}

// texts is a list that is never null.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// JSON writes as many tasks as the bound of o allows.
func (a Tasks) JSON(o Options) []byte {
	all := make([]taskJSON, len(a.Tasks))
	for i, t := range a.Tasks {
		all[i] = a.json(t)
	}
	return page(o, len(all), func(shown int) any {
		v := struct {
			Total  int        `json:"total"`
			Tasks  []taskJSON `json:"tasks"`
			Cursor string     `json:"cursor,omitempty"`
		}{a.Total, all[:shown], ""}
		if shown > 0 && (a.More || shown < len(all)) {
			v.Cursor = all[shown-1].ID
		}
		return v
	})
}

// Task is one task with all that is known of it.
type Task struct {
	*tasks.Task
	Repos map[code.RepoID]string // names of those that it names code of
	Done  string                 // what was done with it: created, changed, unchanged; "" where it is only shown
}

// DoneWith is Task.Done of an update.
func DoneWith(changed bool) string {
	if changed {
		return "changed"
	}
	return "unchanged"
}

// Text writes what a task holds, a line or a paragraph each.
func (a Task) Text(o Options) string {
	t := a.Task
	var b strings.Builder
	b.WriteString(taskLine(t, o))
	for _, p := range []struct{ name, text string }{{"description", t.Description}, {"notes", t.Notes}} {
		if p.text != "" {
			b.WriteString(p.name + ":\n")
			for line := range strings.Lines(p.text) {
				b.WriteString("  " + clean(strings.TrimRight(line, "\r\n")) + "\n")
			}
		}
	}
	for _, l := range []struct {
		name string
		list []string
	}{{"planned in", t.Planning}, {"about", Tasks{Repos: a.Repos}.named(t)}, {"branches", t.Branches}, {"commits", t.Commits}} {
		if len(l.list) > 0 {
			b.WriteString(l.name + ": " + clean(strings.Join(l.list, ", ")) + "\n")
		}
	}
	for _, c := range t.History {
		from := "created as"
		if c.From != "" {
			from = string(c.From) + " ->"
		}
		fmt.Fprintf(&b, "%s %s %s\n", c.At.Format(time.RFC3339), from, c.To)
	}
	head := fmt.Sprintf("task, version %d", t.Version)
	if a.Done != "" {
		head = fmt.Sprintf("task %s, version %d", a.Done, t.Version)
	}
	text, _ := layout{
		head: func(int) string { return head }, blocks: []string{b.String()}, foot: func(int) []string { return nil },
	}.text(o)
	return text
}

// JSON writes the task.
func (a Task) JSON(Options) []byte { return JSON(Tasks{Repos: a.Repos}.json(a.Task)) }
