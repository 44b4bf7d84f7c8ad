package render

import (
	"fmt"
	"slices"

	"espy/internal/tasks"
	"espy/internal/usage"
)

// openTask is an open task in the JSON of an answer about code.
type openTask struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	Status tasks.Status `json:"status"`
}

// maxOpenTasks is how many open tasks an answer about code names.
const maxOpenTasks = 5

// about collects the tasks that name the code of an answer, each once.
func about(all []*tasks.Task, more ...*tasks.Task) []*tasks.Task {
	for _, t := range more {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// openFoot writes a line for each open task.
func openFoot(near *tasks.Near, list []*tasks.Task) (foot []string) {
	if near != nil && near.Err != nil {
		foot = append(foot, "note: open tasks are not known: "+clean(usage.Shorten(near.Err.Error(), 300)))
	}
	for _, t := range list[:min(len(list), maxOpenTasks)] {
		foot = append(foot, fmt.Sprintf("open task: %s (%s)", clean(t.Title), t.ID))
	}
	if n := len(list) - maxOpenTasks; n > 0 {
		foot = append(foot, fmt.Sprintf("open task: and %d more", n))
	}
	return foot
}

// openJSON is openFoot for programs.
func openJSON(list []*tasks.Task) (v []openTask) {
	for _, t := range list {
		v = append(v, openTask{t.ID, t.Title, t.Status})
	}
	return v
}
