package rustcode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd"
	"espy/internal/httpd/door"
	"espy/internal/permit"
	"espy/internal/workspace"
)

// TestProtocol speaks line by line, as a client that nobody here wrote.
func TestProtocol(t *testing.T) {
	sheet.Proves(t, "rpc.stdio rpc.version rpc.text rpc.error rpc.invalid rpc.schema rpc.extra rpc.models")
	ws, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	call := func(tool, args string) string {
		return `"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	}
	lines := []struct{ line, want string }{
		{`"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `"protocolVersion":"2024-11-05","serverInfo":{"name":"rust-code-mcp","version":"1.2.3"}`},
		{`"method":"ping"}`, `result {}`},
		{call("health_check", `{}`), `result {"content":[{"type":"text","text":"System Status: DEGRADED`},
		{call("health_check", `null`), `result {"content":[{"type":"text","text":"System Status: DEGRADED`},
		{call("health_check", `{"directory":null,"embedding_profile":"local-qwen3-4b"}`), `result {"content":[{"type":"text","text":"System Status: DEGRADED`},
		{call("health_check", `{"embedding_profile":"gpt"}`), `error {"code":-32602,"message":"unknown embedding profile: gpt; expected local-cpu-small, `},
		{call("index_codebase", `{"directory":"/nowhere/at/all","model":"gpt"}`), `error {"code":-32602,"message":"unknown model variant: gpt; expected qwen3-0.6b, qwen3-4b, qwen3-8b"}`},
		{call("index_codebase", `{"directory":"/nowhere/at/all","model":"4b"}`), `error {"code":-32602,"message":"The specified path '/nowhere/at/all' does not exist"}`},
		{call("index_codebase", `{"directory":"/nowhere/at/all","model":"qwen3-8b","embedding_profile":"local-cpu-small"}`), `' does not exist"}`},
		{call("search", `{"directory":"/nowhere/at/all","keyword":"x","embedding_profile":"local-cpu-small"}`), `error {"code":-32602,"message":"The specified path '/nowhere/at/all' is not a directory"}`},
		{call("search", `{"directory":"/"}`), "error {\"code\":-32602,\"message\":\"missing field `keyword`\"}"},
		{call("search", `{"directory":"/","keyword":7}`), `error {"code":-32602,"message":"keyword must be a string"}`},
		{call("search", `{"directory":"/","keyword":null}`), "error {\"code\":-32602,\"message\":\"missing field `keyword`\"}"},
		{call("health_check", `{"colour":"red"}`), `result {"content":[{"type":"text","text":"System Status: DEGRADED`},
		{call("find_definition", `{"directory":"/","symbol_name":"x","exact":"perhaps"}`), `error {"code":-32602,"message":"exact must be a boolean"}`},
		{call("find_definition", `{"directory":"/","symbol_name":" "}`), `error {"code":-32602,"message":"symbol_name is empty; `},
		{call("get_similar_code", `{"directory":"/","query":"x","limit":1.5}`), `error {"code":-32602,"message":"limit must be an integer"}`},
		{call("search", `[]`), `error {"code":-32602,"message":"arguments of search must be an object"}`},
		{call("sarch", `{}`), `error {"code":-32602,"message":"tool not found: sarch; did you mean search?"}`},
		{`"method":"tools/call","params":{}}`, `error {"code":-32602,`},
		{`"method":"prompts/list"}`, `"prompts":[]`},
		{`"method":"nope"}`, `error {"code":-32601,`},
	}
	var in strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,%s`+"\n", i, l.line)
	}
	in.WriteString("not json\n")
	var out bytes.Buffer
	if err := New(Options{Workspace: ws, Version: "1.2.3"}).ServeStdio(context.Background(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID, Result, Error json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got[string(m.ID)] = "result " + string(m.Result)
		if m.Error != nil {
			got[string(m.ID)] = "error " + string(m.Error)
		}
	}
	for i, l := range lines {
		t.Run(fmt.Sprintf("%.90s", l.line), func(t *testing.T) {
			if answer := got[fmt.Sprint(i)]; !strings.Contains(answer, l.want) {
				t.Errorf("is answered with %s\nwant %s", answer, l.want)
			}
		})
	}
	if !strings.HasPrefix(got["null"], `error {"code":-32700,`) {
		t.Errorf("a line that is no JSON is answered with %q", got["null"])
	}
}

// documented is what the reference says of each parameter: name, type, ! for
// required, default, then limits.
const documented = `
search: keyword string !; directory string !
get_similar_code: query string !; directory string !; limit integer default=5 minimum=1
find_definition: symbol_name string !; directory string !
find_references: symbol_name string !; directory string !
get_dependencies: file_path string !
get_call_graph: file_path string !; symbol_name string
analyze_complexity: file_path string !
read_file_content: file_path string !
index_codebase: directory string !; force_reindex boolean default=false
health_check: directory string
`

// originalList is how many bytes the names, descriptions and parameters of the
// original's ten tools have as compact JSON; it sends titles of schemas besides.
const originalList = 3407

// TestSchemas compares the published schemas with the reference.
func TestSchemas(t *testing.T) {
	sheet.Proves(t, "rpc.list rpc.tokens")
	c := newClient(t, setup{})
	list, err := c.Session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(documented), "\n")
	if len(list.Tools) != len(lines) {
		t.Fatalf("%d tools, want %d", len(list.Tools), len(lines))
	}
	for i, line := range lines {
		name, rest, _ := strings.Cut(line, ": ")
		t.Run(name, func(t *testing.T) {
			tool := list.Tools[i]
			if tool.Name != name || tool.Description == "" {
				t.Errorf("tool %d is %s: %q", i, tool.Name, tool.Description)
			}
			compareParameters(t, tool.InputSchema.(map[string]any), strings.Split(rest, "; "))
		})
	}
	if text, err := json.Marshal(list); err != nil || len(text) > originalList {
		t.Errorf("tools/list has %d bytes, the original's %d: %v", len(text), originalList, err)
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
		got := fmt.Sprint(property["type"])
		for _, key := range []string{"default", "minimum"} {
			if v, ok := property[key]; ok {
				got += fmt.Sprintf(" %s=%v", key, v)
			}
		}
		want := strings.Join(slices.DeleteFunc(words[1:], func(w string) bool { return w == "!" }), " ")
		if got != want {
			t.Errorf("%s is %q, want %q", words[0], got, want)
		}
	}
}

// TestReads checks which tools a caller is offered who may only read, and what such a
// caller learns of folders that are not theirs.
func TestReads(t *testing.T) {
	sheet.Proves(t, "rpc.reads path.permit")
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n\nfunc Alpha() {}\n"}})
	c.call("index_codebase", object{"directory": "."})
	server := New(Options{Workspace: c.ws, Start: c.root, Version: "1"})
	t.Cleanup(server.Close)
	in, out := mcp.NewInMemoryTransports()
	caller := &permit.Caller{Name: "ann", Role: permit.Read, Only: true, Repos: []string{"other"}}
	if _, err := server.Protocol().Connect(permit.With(t.Context(), caller), in, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 9 || slices.ContainsFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == "index_codebase" }) {
		t.Errorf("offered %v, %v", list, err)
	}
	limited := *c
	limited.Session = session
	for _, tt := range []struct {
		tool string
		args object
		want string
	}{
		{"search", object{"directory": c.root, "keyword": "Alpha"}, "The specified path '/repo' is not a directory"},
		{"find_definition", object{"directory": c.root, "symbol_name": "Alpha"}, "directory does not exist: /repo"},
		{"health_check", object{"directory": c.root}, "The specified path '/repo' is not a directory"},
		{"read_file_content", object{"file_path": "a.go"}, "The specified path 'a.go' is not inside an indexed directory (run index_codebase on it first)"},
		{"index_codebase", object{"directory": c.root}, "index_codebase needs the role index, and this token has read; ask the operator for a token with that role (espy token create --role index)"},
	} {
		t.Run(tt.tool, func(t *testing.T) { limited.on(t).fails(tt.tool, tt.args, tt.want) })
	}
}

// TestTransports replays calls over standard input and output and over HTTP: what is
// answered is the same to the byte.
func TestTransports(t *testing.T) {
	sheet.Proves(t, "rpc.http")
	c := newClient(t, setup{files: map[string]string{"a/a.go": "package a\n\nimport \"fmt\"\n\n// Alpha is first.\nfunc Alpha() { fmt.Println(beta()) }\n\nfunc beta() int { return 1 }\n"}})
	server := New(Options{Workspace: c.ws, Start: c.root, Version: "1.2.3"})
	t.Cleanup(server.Close)
	h, err := httpd.New(httpd.Options{
		Door: door.Options{Addr: "127.0.0.1:0"}, Tools: server, Version: "1.2.3",
		Health: func(context.Context) httpd.Health { return httpd.Health{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	far := *c
	far.Session, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL + "/mcp", DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer far.Session.Close()
	c.call("search", object{"directory": ".", "keyword": "alpha"})
	for _, tt := range []struct {
		tool string
		args object
	}{
		{"search", object{"directory": ".", "keyword": "alpha"}}, {"search", object{"directory": "nope", "keyword": "alpha"}}, {"get_similar_code", object{"directory": ".", "query": "alpha is first"}},
		{"find_definition", object{"directory": ".", "symbol_name": "Alpha"}}, {"find_references", object{"directory": ".", "symbol_name": "beta"}}, {"find_references", object{"directory": ".", "symbol_name": "zeta"}},
		{"get_dependencies", object{"file_path": "a/a.go"}}, {"get_call_graph", object{"file_path": "a/a.go"}}, {"analyze_complexity", object{"file_path": "a/a.go"}}, {"read_file_content", object{"file_path": "a/a.go"}},
		{"read_file_content", object{"file_path": "/etc/passwd"}}, {"get_call_graph", object{"file_path": "b.go"}}, {"nope", object{}},
	} {
		t.Run(fmt.Sprintf("%s %v", tt.tool, tt.args), func(t *testing.T) {
			wantText, wantErr := c.on(t).Try(tt.tool, tt.args)
			text, err := far.on(t).Try(tt.tool, tt.args)
			if text != wantText || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("answers %s %v\nwant %s %v", text, err, wantText, wantErr)
			}
		})
	}
}

func TestConfig(t *testing.T) {
	sheet.Proves(t, "index.sync rpc.stderr")
	for _, tt := range []struct {
		name, value string
		want        Config
	}{
		{"", "", Config{}},
		{"RMC_BACKGROUND_SYNC", "1", Config{}},
		{"RMC_BACKGROUND_SYNC", "0", Config{NoSync: true}},
		{"RMC_BACKGROUND_SYNC", "False", Config{NoSync: true}},
		{"RMC_BACKGROUND_SYNC", "no", Config{NoSync: true}},
		{"RMC_BACKGROUND_SYNC", " off ", Config{NoSync: true}},
		{"RUST_LOG", "debug", Config{LogLevel: "debug"}},
		{"RUST_LOG", "TRACE", Config{LogLevel: "debug"}},
		{"RUST_LOG", "tantivy=warn,info", Config{LogLevel: "info"}},
		{"RUST_LOG", "my_crate=debug", Config{}},
	} {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			if got := LoadConfig(map[string]string{tt.name: tt.value}); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
	c := newClient(t, setup{files: map[string]string{"a.go": "package a\n"}, change: func(o *Options) { o.NoSync = true }})
	c.has("index_codebase", object{"directory": "."}, "\nBackground sync: disabled\n")
}
