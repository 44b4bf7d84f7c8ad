package codebase

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/permit"
)

// TestReads checks which tools a caller is offered who may only read.
func TestReads(t *testing.T) {
	for name, want := range map[string]string{V1: "get_task list_tasks search_code ", V2: "get_indexing_status search_code "} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, setup{now: clock()})
			server := New(name, Options{Workspace: c.ws, Tasks: c.book, DataDir: c.data, Version: "1.2.3"})
			t.Cleanup(server.Close)
			in, out := mcp.NewInMemoryTransports()
			if _, err := server.Protocol().Connect(permit.With(t.Context(), &permit.Caller{Name: "ann", Role: permit.Read}), in, nil); err != nil {
				t.Fatal(err)
			}
			session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), out, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			offered := map[string]bool{}
			for _, tool := range list.Tools {
				offered[tool.Name] = true
			}
			got := ""
			for _, tool := range []string{"create_task", "get_indexing_status", "get_task", "index_repository", "list_tasks", "search_code", "set_working_directory", "start_indexing_background", "update_task"} {
				if offered[tool] {
					got += tool + " "
				}
			}
			if got != want {
				t.Errorf("offered %q, want %q", got, want)
			}
		})
	}
}
