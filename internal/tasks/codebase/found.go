package codebase

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"espy/internal/tasks"
	"espy/internal/usage"
)

// statuses are what codebase-mcp wrote, and what it read them as.
var statuses = map[string]tasks.Status{
	"need to be done": tasks.Needed, "active": tasks.Needed, "blocked": tasks.Needed,
	"in-progress": tasks.InProgress,
	"complete":    tasks.Complete, "completed": tasks.Complete,
}

// found makes a task of its rows. What a task cannot hold is shortened or left out,
// and said: the rest is worth more than none.
func (t *raw) found() Found {
	f := Found{Task: tasks.Task{ID: t.id, Title: t.title}}
	if f.Skip = t.refused(); f.Skip != "" {
		return f
	}
	to := &f.Task
	to.ID = uuid.MustParse(t.id).String()
	to.Status, to.Created, to.Updated = statuses[t.status], *t.created, *t.updated
	to.Title = f.fit("title", t.title, tasks.MaxTitle)
	to.Description = f.fit("description", t.description, tasks.MaxDescription)
	to.Notes = f.fit("notes", t.notes, tasks.MaxNotes)
	if t.status == "blocked" {
		f.lost("its status blocked is %q here", to.Status)
	}
	to.Planning = f.several("planning reference", t.column(referenceTable), tasks.MaxReference)
	if n := len(to.Planning); n > tasks.MaxPlanning {
		to.Planning = to.Planning[:tasks.MaxPlanning]
		f.lost("%d of %d planning references are left out", n-tasks.MaxPlanning, n)
	}
	to.Branches = f.several("branch", append(t.column(branchTable), t.branch), tasks.MaxBranch)
	for _, hash := range f.several("commit", append(t.column(commitTable), t.commit), tasks.MaxReference) {
		if hash = strings.ToLower(hash); !tasks.CommitForm().MatchString(hash) {
			f.lost("commit %q, which is no hash of 40 digits, is left out", usage.Shorten(hash, 40))
		} else if !slices.Contains(to.Commits, hash) {
			to.Commits = append(to.Commits, hash)
		}
	}
	to.History = t.history(to.Status)
	if len(t.records(historyTable)) == 0 && to.Status != tasks.Needed {
		f.lost("how its status changed is not recorded: it is %q since its last change", to.Status)
	}
	return f
}

// refused says why a row is no task.
func (t *raw) refused() string {
	switch _, err := uuid.Parse(t.id); {
	case err != nil:
		return "its id is no UUID"
	case t.deleted:
		return "it was deleted there"
	case strings.TrimSpace(t.title) == "":
		return "it has no title"
	case statuses[t.status] == "":
		return fmt.Sprintf("its status %q is none of codebase-mcp's", usage.Shorten(t.status, 40))
	case t.created == nil || t.updated == nil:
		return "it has no time between 1970 and 2200"
	}
	return ""
}

func (f *Found) lost(format string, args ...any) {
	f.Lost = append(f.Lost, fmt.Sprintf(format, args...))
}

// fit shortens a text to a number of characters.
func (f *Found) fit(name, text string, most int) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		f.lost("%s has bytes that are not UTF-8, which are replaced", name)
	}
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	f.lost("%s is shortened from %d to %d characters", name, n, most)
	return string([]rune(text)[:most])
}

// several are the entries of a list that have a place, each once.
func (f *Found) several(name string, all []string, most int) (list []string) {
	for _, text := range all {
		switch {
		case text == "" || slices.Contains(list, text):
		case utf8.RuneCountInString(text) > most || !utf8.ValidString(text):
			f.lost("%s %q, which is longer than %d characters or not UTF-8, is left out", name, usage.Shorten(text, 40), most)
		default:
			list = append(list, text)
		}
	}
	return list
}

// history is how the status changed, from the creation to what it is now. Changes
// between words for the same status are none.
func (t *raw) history(now tasks.Status) []tasks.Change {
	var list []tasks.Change
	add := func(to tasks.Status, at time.Time) {
		change := tasks.Change{To: to, At: at}
		if n := len(list); n > 0 {
			if change.From = list[n-1].To; change.From == to {
				return
			}
		}
		list = append(list, change)
	}
	for _, r := range t.records(historyTable) {
		if len(list) == 0 && r.values[0] != "" && statuses[r.values[0]] != "" {
			add(statuses[r.values[0]], *t.created) // the row of the creation is missing
		}
		if to := statuses[r.values[1]]; to != "" && r.at != nil {
			add(to, *r.at)
		}
	}
	if len(list) == 0 {
		add(tasks.Needed, *t.created) // as every task of codebase-mcp begins
	}
	add(now, *t.updated)
	return list
}
