package codebase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd"
	"espy/internal/httpd/door"
)

// varying are the parts of answers that are of their time.
var varying = regexp.MustCompile(`"(latency_ms|duration_seconds)":[0-9.e-]+`)

// TestTransports replays calls over standard input and output, streamable HTTP and
// SSE: what is answered is the same to the byte.
func TestTransports(t *testing.T) {
	sheet.Proves(t, "rpc.stdio rpc.http rpc.sse")
	c := newClient(t, setup{files: shop, now: clock()})
	id := c.index(nil).RepositoryID
	one := into[task](c, "create_task", object{"title": "t", "notes": "ünï\u200b <html>"})
	server := New(V1, Options{Workspace: c.ws, Tasks: c.book, DataDir: c.data, Version: "1.2.3"})
	t.Cleanup(server.Close)
	h, err := httpd.New(httpd.Options{
		Door: door.Options{Addr: "127.0.0.1:0"}, Tools: server, Version: "1.2.3",
		Health: func(ctx context.Context) httpd.Health { return httpd.Health{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	for name, transport := range map[string]mcp.Transport{
		"http": &mcp.StreamableClientTransport{Endpoint: srv.URL + "/mcp", DisableStandaloneSSE: true},
		"sse":  &mcp.SSEClientTransport{Endpoint: srv.URL + "/sse"},
	} {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, tt := range []struct {
			tool string
			args object
		}{
			{"search_code", object{"query": question, "repository_id": id, "limit": 2}}, {"search_code", object{"query": question, "file_type": "md"}}, {"search_code", object{"query": " "}},
			{"search_code", object{"query": "x", "limit": 51}}, {"search_code", object{"query": "x", "repository_id": "7"}}, {"search_code", object{"query": "x", "zeta": 1}},
			{"index_repository", object{"path": c.root, "name": "shop"}}, {"index_repository", object{"path": "/nowhere/at/all", "name": "x"}}, {"index_repository", object{"path": "x", "name": "x"}},
			{"get_task", object{"task_id": one.ID}}, {"get_task", object{"task_id": "550e8400-e29b-41d4-a716-446655440000"}}, {"get_task", object{"task_id": "7"}},
			{"list_tasks", object{}}, {"list_tasks", object{"full_details": false}}, {"list_tasks", object{"limit": 0}}, {"list_tasks", object{"status": "done"}},
			{"create_task", object{"title": ""}}, {"create_task", object{"title": "t", "planning_references": []int{1}}}, {"update_task", object{"task_id": one.ID}}, {"update_task", object{"task_id": one.ID, "commit": "abc123..."}},
			{"nope", object{}},
		} {
			t.Run(fmt.Sprintf("%s %s %.80v", name, tt.tool, tt.args), func(t *testing.T) {
				want, got := c.on(t).replay(c.Session, tt.tool, tt.args), c.on(t).replay(session, tt.tool, tt.args)
				if got != want {
					t.Errorf("answers %s\nwant %s", got, want)
				}
			})
		}
		if err := session.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// replay calls a tool in a session and returns the text of its answer or error.
func (c *client) replay(session *mcp.ClientSession, tool string, args object) string {
	c.Helper()
	res, err := session.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any(args)})
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		var data struct{ Details string }
		if err := json.Unmarshal(e.Data, &data); err != nil {
			c.Errorf("%s: data %q", tool, e.Data)
		}
		return fmt.Sprintf("error %d %s: %s", e.Code, e.Message, data.Details)
	}
	if err != nil || len(res.Content) != 1 {
		c.Fatalf("%s(%v): %+v, %v", tool, args, res, err)
	}
	return strings.TrimSpace(varying.ReplaceAllString(res.Content[0].(*mcp.TextContent).Text, ""))
}
