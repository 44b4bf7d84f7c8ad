package tasks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/tasks"
)

// foreign is a task of another tool.
func foreign() tasks.Task {
	at := time.Date(2025, 10, 6, 10, 0, 0, 1000, time.UTC)
	return tasks.Task{
		ID: "00000000-0000-4000-8000-000000000001", Title: "Cap the backoff", Status: tasks.InProgress,
		Planning: []string{"docs/plan.md"}, Branches: []string{"topic"}, Commits: []string{}, Created: at, Updated: at.Add(time.Hour),
		History: []tasks.Change{{To: tasks.Needed, At: at}, {From: tasks.Needed, To: tasks.InProgress, At: at.Add(time.Hour)}},
	}
}

// TestImport follows one task through imports and changes on both sides.
func TestImport(t *testing.T) {
	b := book(t)
	changed := func(notes string) tasks.Task {
		one := foreign()
		one.Notes, one.Updated = notes, one.Updated.Add(time.Hour)
		return one
	}
	here := func(notes string) func() {
		return func() {
			if _, _, err := b.Update(t.Context(), foreign().ID, tasks.Edit{Notes: &notes, Files: []tasks.File{{Repo: "r", Path: "a.go"}}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		before func()
		from   tasks.Task
		o      tasks.ImportOptions
		want   string
	}{
		{"dry", nil, foreign(), tasks.ImportOptions{DryRun: true}, "created, nothing"},
		{"first", nil, foreign(), tasks.ImportOptions{}, "created, version 1 notes "},
		{"again", nil, foreign(), tasks.ImportOptions{}, "unchanged, version 1 notes "},
		{"changed there, dry", nil, changed("there"), tasks.ImportOptions{DryRun: true}, "updated, version 1 notes "},
		{"changed there", nil, changed("there"), tasks.ImportOptions{}, "updated, version 2 notes there"},
		{"changed there, again", nil, changed("there"), tasks.ImportOptions{Overwrite: true}, "unchanged, version 2 notes there"},
		{"changed here", here("here"), changed("there"), tasks.ImportOptions{}, "kept, version 3 notes here"},
		{"changed on both sides", nil, changed("there too"), tasks.ImportOptions{}, "kept, version 3 notes here"},
		{"overwritten, dry", nil, changed("there too"), tasks.ImportOptions{Overwrite: true, DryRun: true}, "updated, version 3 notes here"},
		{"overwritten", nil, changed("there too"), tasks.ImportOptions{Overwrite: true}, "updated, version 4 notes there too"},
		{"after it", nil, changed("there too"), tasks.ImportOptions{}, "unchanged, version 4 notes there too"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.before != nil {
				tt.before()
			}
			fate, err := b.Import(t.Context(), tt.from, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			got := string(fate) + ", nothing"
			if one, err := b.Task(t.Context(), foreign().ID); err == nil {
				got = fmt.Sprintf("%s, version %d notes %s", fate, one.Version, one.Notes)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	one, err := b.Task(t.Context(), foreign().ID)
	if err != nil || !one.Created.Equal(foreign().Created) || !one.Updated.Equal(changed("").Updated) || len(one.History) != 2 || len(one.Files) != 1 {
		t.Errorf("times, history or files are lost: %+v, %v", one, err)
	}
}

func TestImportRefuses(t *testing.T) {
	b := book(t)
	for _, tt := range []struct {
		name   string
		change func(*tasks.Task)
		want   string
	}{
		{"id", func(t *tasks.Task) { t.ID = "7" }, "not the id of a task"},
		{"title", func(t *tasks.Task) { t.Title = strings.Repeat("x", 201) }, "more than the limit of 200"},
		{"status", func(t *tasks.Task) { t.Status = "parked" }, "unknown status"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			one := foreign()
			tt.change(&one)
			if fate, err := b.Import(t.Context(), one, tasks.ImportOptions{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, %v, want %s", fate, err, tt.want)
			}
		})
	}
	if l, err := b.List(t.Context(), tasks.Filter{}, tasks.Page{Limit: 1}); err != nil || l.Total != 0 {
		t.Errorf("a refused task is there: %+v, %v", l, err)
	}
}
