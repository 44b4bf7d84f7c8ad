package codebase

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
	"espy/internal/workspace"
)

// TestProtocol speaks line by line, as a client that nobody here wrote.
func TestProtocol(t *testing.T) {
	sheet.Proves(t, "rpc.call rpc.text rpc.error rpc.data rpc.id rpc.parse rpc.request rpc.method rpc.invalid rpc.own rpc.unknown rpc.null rpc.shape rpc.lenient bug.text")
	ws, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	book := tasks.New(sqlite.New(t.TempDir(), 0), tasks.Options{})
	defer book.Close()
	lines := []struct{ line, id, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "1", `"serverInfo":{"name":"codebase-mcp","version":"1.2.3"}`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", ""},
		{`{"jsonrpc":"2.0","id":"search-001","method":"tools/call","params":{"name":"search_code","arguments":{"query":"x"}}}`, `"search-001"`, `result {"content":[{"type":"text","text":"{\"results\":[],\"total_count\":0,\"latency_ms\":`},
		{`{"jsonrpc":"2.0","id":"list-001","method":"tools/call","params":{"name":"list_tasks"}}`, `"list-001"`, `result {"content":[{"type":"text","text":"{\"tasks\":[],\"total_count\":0}"}]}`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_tasks","arguments":{"limit":"5","full_details":"false"}}}`, "2", `{\"tasks\":[],\"total_count\":0}`},
		{`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nope","arguments":{}}}`, "3", `error {"code":-32601,"data":{"details":"Unknown tool: nope"},"message":"Method not found"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x","zeta":1,"alpha":2}}}`, "4", `error {"code":-32602,"message":"Invalid params","data":{"details":"Unexpected argument: alpha, zeta"}}`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"search_code","arguments":[]}}`, "5", `error {"code":-32602,"data":{"details":"arguments of search_code must be an object"},"message":"Invalid params"}`},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"search_code","arguments":{"query":null}}}`, "6", `"details":"query must be a string"`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"create_task","arguments":{"title":"t","planning_references":null}}}`, "7", `"details":"planning_references must be an array of strings"`},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"get_task","arguments":{"task_id":"550e8400-e29b-41d4-a716-446655440000"}}}`, "8", `error {"code":-32000,"message":"Task not found","data":{"details":"Task not found: 550e8400-e29b-41d4-a716-446655440000"}}`},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"arguments":{}}}`, "9", `"details":"name: Field required"`},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/call"}`, "10", `error {"code":-32602,`},
		{`{"id":11,"jsonrpc":"1.0"}`, "11", `error {"code":-32600,`},
		{`not json`, "null", `error {"code":-32700,`},
		{`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"search_code","arguments":{"query":7}}}`, "12", `"details":"query must be a string"`},
		{`{"jsonrpc":"2.0","id":13,"method":"ping"}`, "13", `result {}`},
	}
	var in strings.Builder
	for _, l := range lines {
		in.WriteString(l.line + "\n")
	}
	var out bytes.Buffer
	if err := New(V1, Options{Workspace: ws, Tasks: book, Version: "1.2.3"}).ServeStdio(context.Background(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID, Result, Error json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answer := "result " + string(m.Result)
		if m.Error != nil {
			answer = "error " + string(m.Error)
		}
		got[string(m.ID)] = answer
	}
	for _, l := range lines {
		t.Run(fmt.Sprintf("%.90s", l.line), func(t *testing.T) {
			if l.id != "" && !strings.Contains(got[l.id], l.want) {
				t.Errorf("is answered with %s\nwant %s", got[l.id], l.want)
			}
		})
	}
}

// TestInternal asks for tasks that cannot be read.
func TestInternal(t *testing.T) {
	sheet.Proves(t, "rpc.internal")
	c := newClient(t, setup{})
	c.write(map[string]string{"x": ""})
	c.root = c.data
	c.write(map[string]string{"tasks/tasks.db": strings.Repeat("no database ", 1000)})
	for _, tt := range []struct {
		tool string
		args object
	}{{"list_tasks", object{}}, {"create_task", object{"title": "t"}}, {"get_task", object{"task_id": "550e8400-e29b-41d4-a716-446655440000"}}} {
		t.Run(tt.tool, func(t *testing.T) {
			c.on(t).fails(tt.tool, tt.args, failed{-32603, "Internal error", "is damaged"})
		})
	}
}

// documented is what the reference says of each parameter, in the order of its
// chapters: name, type, ! for required, default, then limits.
const documentedV1 = `
search_code: query string ! minLength=1 maxLength=500; repository_id string format=uuid; file_type string pattern=^[a-zA-Z0-9]+$; directory string maxLength=500; limit integer default=10 minimum=1 maximum=50
index_repository: path string ! maxLength=500 pattern=^/.*; name string ! minLength=1 maxLength=200; force_reindex boolean default=false
get_task: task_id string ! format=uuid
list_tasks: status string enum=[need,to,be,done,in-progress,complete]; branch string maxLength=200; limit integer default=20 minimum=1 maximum=100
create_task: title string ! minLength=1 maxLength=200; description string maxLength=2000; notes string maxLength=5000; planning_references array maxItems=10
update_task: task_id string ! format=uuid; title string minLength=1 maxLength=200; description string maxLength=2000; notes string maxLength=5000; status string enum=[need,to,be,done,in-progress,complete]; branch string maxLength=200; commit string pattern=^[a-f0-9]{40}$
`

const documentedV2 = `
search_code: query string ! minLength=1 maxLength=500; project_id string; repository_id string format=uuid; file_type string maxLength=20 pattern=^[a-zA-Z0-9]+$; directory string maxLength=500; limit integer default=10 minimum=1 maximum=50
start_indexing_background: repo_path string ! maxLength=500; project_id string; force_reindex boolean default=false
get_indexing_status: job_id string ! format=uuid; project_id string
set_working_directory: directory string !
`

// TestSchemas compares the published schemas with the reference.
func TestSchemas(t *testing.T) {
	sheet.Proves(t, "rpc.list rpc.schema v2.list")
	for profile, documented := range map[string]string{V1: documentedV1, V2: documentedV2} {
		c := newClient(t, setup{profile: profile})
		list, err := c.Session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(documented), "\n")
		if len(list.Tools) != len(lines) {
			t.Fatalf("%s has %d tools, want %d", profile, len(list.Tools), len(lines))
		}
		for i, line := range lines {
			name, rest, _ := strings.Cut(line, ": ")
			t.Run(profile+" "+name, func(t *testing.T) {
				tool := list.Tools[i]
				schema := tool.InputSchema.(map[string]any)
				if tool.Name != name || tool.Description == "" || schema["additionalProperties"] != false || schema["type"] != "object" {
					t.Errorf("tool %d is %s, %v", i, tool.Name, schema)
				}
				compareParameters(t, schema, strings.Split(rest, "; "))
			})
		}
	}
}

// compareParameters compares the properties of a schema with their documentation.
func compareParameters(t *testing.T, schema map[string]any, documented []string) {
	t.Helper()
	properties := schema["properties"].(map[string]any)
	required := strings.Fields(strings.Trim(fmt.Sprint(schema["required"]), "[]"))
	if len(properties) != len(documented) {
		t.Errorf("%d parameters, want %d", len(properties), len(documented))
	}
	for _, p := range documented {
		words := strings.Fields(p)
		property, ok := properties[words[0]].(map[string]any)
		if !ok {
			t.Errorf("no parameter %s", words[0])
			continue
		}
		if slices.Contains(required, words[0]) != slices.Contains(words, "!") {
			t.Errorf("%s: required %v", words[0], required)
		}
		want := strings.Join(slices.DeleteFunc(words[1:], func(w string) bool { return w == "!" }), " ")
		if got := describe(property); got != want {
			t.Errorf("%s is %q, want %q", words[0], got, want)
		}
	}
}

// describe writes a property as documented does.
func describe(p map[string]any) string {
	words := []string{fmt.Sprint(p["type"])}
	for _, key := range []string{"default", "format", "minLength", "maxLength", "maxItems", "minimum", "maximum", "pattern", "enum"} {
		if v, ok := p[key]; ok {
			words = append(words, key+"="+strings.ReplaceAll(fmt.Sprint(v), " ", ","))
		}
	}
	return strings.Join(words, " ")
}

func TestConfig(t *testing.T) {
	sheet.Proves(t, "env.database env.ollama env.pool env.log")
	for _, tt := range []struct {
		name, value string
		want        string // url, model, level, folder, readers, notices
	}{
		{"", "", "     0 0"},
		{"OLLAMA_BASE_URL", "http://gpu:1234", "http://gpu:1234 nomic-embed-text   0 0"},
		{"OLLAMA_EMBEDDING_MODEL", "mxbai-embed-large", "http://localhost:11434 mxbai-embed-large   0 0"},
		{"DATABASE_URL", "sqlite:////srv/tasks", "   /srv/tasks 0 0"},
		{"DATABASE_URL", "sqlite+aiosqlite:///srv/tasks", "   /srv/tasks 0 0"},
		{"DATABASE_URL", "postgresql+asyncpg://u:p@db/x", "    0 1"},
		{"DATABASE_URL", "mysql://db/x", "    0 1"},
		{"DB_POOL_SIZE", "5", "    15 0"},
		{"DB_POOL_SIZE", "50", "    60 0"},
		{"DB_POOL_SIZE", "4", "    30 1"},
		{"DB_POOL_SIZE", "51", "    30 1"},
		{"DB_MAX_OVERFLOW", "0", "    20 0"},
		{"DB_MAX_OVERFLOW", "20", "    40 0"},
		{"DB_MAX_OVERFLOW", "21", "    30 1"},
		{"LOG_LEVEL", "warning", "  warn  0 0"},
		{"LOG_LEVEL", "CRITICAL", "  error  0 0"},
		{"LOG_LEVEL", "verbose", "    0 1"},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			c := LoadConfig(map[string]string{tt.name: tt.value})
			got := fmt.Sprintf("%s %s %s %s %d %d", c.OllamaURL, c.OllamaModel, c.LogLevel, c.TasksDir, c.Readers, len(c.Notices))
			if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(tt.want), " ") {
				t.Errorf("%q, want %q: %v", got, tt.want, c.Notices)
			}
			if strings.Contains(fmt.Sprint(c.Notices), "u:p@") {
				t.Errorf("a notice shows a password: %v", c.Notices)
			}
		})
	}
}
