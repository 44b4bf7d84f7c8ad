package mcpserver

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/code"
	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
	"espy/internal/workspace"
)

// tasksSession is a client of all tools, over a folder with one function.
func tasksSession(t *testing.T) *mcp.ClientSession {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	book := tasks.New(sqlite.New(t.TempDir(), 0), tasks.Options{})
	t.Cleanup(func() { book.Close() })
	root := tree(t, "demo", map[string]string{"net/retry.go": "package net\n\n// Backoff waits longer after each failure.\nfunc Backoff() {}\n", "other.go": "package a\n\nfunc Other() {}\n"})
	return connect(t, New(Options{Workspace: w, Start: root, Toolsets: []string{"all"}, Tasks: book}), nil)
}

// TestTaskTools holds what the tools of tasks answer, and what a client pays for them.
func TestTaskTools(t *testing.T) {
	session := tasksSession(t)
	res, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if n := code.Tokens(len(wire)); n > 3500 {
		t.Errorf("tools/list costs %d tokens, bound 3500", n)
	}
	for _, tool := range res.Tools {
		if tool.Name != "task" && tool.Name != "tasks" {
			continue
		}
		text, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, tool.Name+".json", string(text)+"\n")
	}
	ids := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	id := ""
	for _, tt := range []struct {
		name, tool string
		args       map[string]any
		want       string
		fails      bool
	}{
		{"none", "tasks", map[string]any{}, "0 tasks", false},
		{"create", "task", map[string]any{"title": "Cap the backoff", "symbols": []string{"Backoff"}, "planning_references": []string{"docs/retry.md"}}, "[need to be done] Cap the backoff\nplanned in: docs/retry.md\nabout: Backoff\n", false},
		{"a list that is a string", "task", map[string]any{"title": "Second", "files": `["other.go"]`}, "about: other.go", false},
		{"list", "tasks", map[string]any{"limit": 1}, "1 of 2 tasks", false},
		{"next page", "tasks", map[string]any{"limit": 1}, "same call with cursor=", false},
		{"by text", "tasks", map[string]any{"text": "BACKOFF cap"}, "1 task, text BACKOFF cap", false},
		{"update", "task", map[string]any{"id": "ID", "status": "in-progress", "branch": "retry-cap", "version": 1}, "task changed, version 2", false},
		{"nothing new", "task", map[string]any{"id": "ID", "branch": "retry-cap"}, "task unchanged, version 2", false},
		{"by branch", "tasks", map[string]any{"branch": "retry", "status": "in-progress"}, "1 task", false},
		{"show", "tasks", map[string]any{"id": "ID"}, "need to be done -> in-progress", false},
		{"conflict", "task", map[string]any{"id": "ID", "notes": "x", "version": 1}, "is at version 2, not 1: it was changed meanwhile\nhint: read it again with tasks(id=", true},
		{"no title", "task", map[string]any{"notes": "x"}, `hint: task(title="Cap the backoff")`, true},
		{"bad status", "tasks", map[string]any{"status": "done"}, "need to be done", true},
		{"bad id", "tasks", map[string]any{"id": "7"}, "an id is a UUID", true},
		{"no such task", "tasks", map[string]any{"id": "550e8400-e29b-41d4-a716-446655440000"}, "hint: tasks() lists them", true},
		{"a file outside", "task", map[string]any{"title": "t", "files": []string{"../x"}}, "is outside repo demo", true},
		{"json", "tasks", map[string]any{"id": "ID", "format": "json"}, `"status_history":[{"from_status":null,"to_status":"need to be done",`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.args["id"] == "ID" {
				tt.args["id"] = id
			}
			text, failed := ask(t, session, tt.tool, tt.args)
			if failed != tt.fails || !strings.Contains(text, tt.want) {
				t.Errorf("%s %v, failed %v:\n%s\nwant %q in it", tt.tool, tt.args, failed, text, tt.want)
			}
			if tt.name == "create" {
				id = ids.FindString(text)
			}
		})
	}
}

// TestOpenTasks holds that answers about the code of a task show it while it is open.
func TestOpenTasks(t *testing.T) {
	session := tasksSession(t)
	text, _ := ask(t, session, "task", map[string]any{"title": "Cap \x1b[31mit", "symbols": []string{"Backoff"}})
	id := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).FindString(text)
	ask(t, session, "task", map[string]any{"title": "Read", "files": []string{"net/retry.go"}})
	symbol, file := `open task: Cap \x1b[31mit (`+id+")", "open task: Read ("
	show := func(t *testing.T, name, tool string, args map[string]any, want ...string) {
		t.Run(name, func(t *testing.T) {
			text, _ := ask(t, session, tool, args)
			for _, line := range []string{symbol, file} {
				wanted := strings.Contains(strings.Join(want, "\n"), line)
				if strings.Count(text, line) > 1 || strings.Contains(text, line) != wanted {
					t.Errorf("%s: shown %v, want %v:\n%s", line, strings.Contains(text, line), wanted, text)
				}
			}
		})
	}
	show(t, "search", "search", map[string]any{"query": "Backoff waits longer"}, symbol, file)
	show(t, "lines", "search", map[string]any{"query": "func Backoff", "mode": "literal"}, symbol, file)
	show(t, "symbol", "symbol", map[string]any{"symbol": "Backoff"}, symbol, file)
	show(t, "read", "read", map[string]any{"path": "net/retry.go"}, file)
	show(t, "other code", "search", map[string]any{"query": "Other"})
	show(t, "another symbol", "symbol", map[string]any{"symbol": "Other"})
	text, _ = ask(t, session, "symbol", map[string]any{"symbol": "Backoff", "format": "json"})
	if !strings.Contains(text, `"open_tasks":[{"id":`) {
		t.Errorf("JSON without open tasks: %s", text)
	}
	ask(t, session, "task", map[string]any{"id": id, "status": "complete"})
	show(t, "once it is complete", "search", map[string]any{"query": "Backoff waits longer"}, file)
}
