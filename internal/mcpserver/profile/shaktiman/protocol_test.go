package shaktiman

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/code"
	"espy/internal/httpd"
	"espy/internal/httpd/door"
	"espy/internal/mcpserver/host"
)

// documented is what the reference says of each parameter: name, type, ! for
// required, default, then limits.
const documented = `
context: query string !; budget_tokens number default=4096 minimum=256 maximum=32768; scope string default=impl enum=[impl,test,all]
dependencies: symbol string !; direction string default=both enum=[callers,callees,both]; depth number default=2 minimum=1 maximum=5; scope string default=impl enum=[impl,test,all]
diff: since string default=24h; limit number default=50 minimum=1 maximum=500; scope string default=impl enum=[impl,test,all]
enrichment_status:
search: query string !; mode string default=locate enum=[locate,full]; max_results number default=10 minimum=1 maximum=200; min_score number default=0.15 minimum=0 maximum=1; explain boolean default=false; path string default=; scope string default=impl enum=[impl,test,all]
summary:
symbols: name string !; kind string; scope string default=impl enum=[impl,test,all]
`

// TestSchemas compares the published schemas with the reference.
func TestSchemas(t *testing.T) {
	sheet.Proves(t, "rpc.list rpc.schema rpc.defaults rpc.hints rpc.tokens rpc.initialize")
	c := newClient(t, setup{files: shop})
	list, err := c.Session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if n := code.Tokens(len(text)); n > 1000 {
		t.Errorf("tools/list takes %d tokens", n)
	}
	lines := strings.Split(strings.TrimSpace(documented), "\n")
	if len(list.Tools) != len(lines) {
		t.Fatalf("%d tools, want %d", len(list.Tools), len(lines))
	}
	for i, line := range lines {
		name, rest, _ := strings.Cut(line, ":")
		t.Run(name, func(t *testing.T) {
			tool := list.Tools[i]
			if h := tool.Annotations; h == nil || !h.ReadOnlyHint || *h.DestructiveHint || !h.IdempotentHint || !*h.OpenWorldHint {
				t.Errorf("hints %+v", h)
			}
			if tool.Name != name || tool.Description == "" {
				t.Errorf("tool %d is %s", i, tool.Name)
			}
			schema := tool.InputSchema.(map[string]any)
			var got []string
			for _, p := range strings.Split(strings.TrimSpace(rest), "; ") {
				if words := strings.Fields(p); len(words) > 0 {
					got = append(got, strings.TrimSpace(words[0]+" "+describe(schema, words[0])))
				}
			}
			if want := strings.TrimSpace(rest); strings.Join(got, "; ") != want {
				t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
			}
			if all, _ := schema["properties"].(map[string]any); len(all) != len(got) {
				t.Errorf("%d parameters, want %d", len(all), len(got))
			}
		})
	}
	if about := fmt.Sprint(list.Tools[4].InputSchema); !strings.Contains(about, "Maximum results to return (1-200, default 10)") {
		t.Error(about)
	}
	init := c.Session.InitializeResult()
	if init.ServerInfo.Name != "shaktiman" || init.ServerInfo.Version != "0.9.0" || !strings.Contains(init.Instructions, "summary, then search") || init.Capabilities.Tools.ListChanged || init.Capabilities.Resources == nil || init.Capabilities.Resources.ListChanged || init.Capabilities.Resources.Subscribe {
		t.Errorf("%+v %+v", init, init.Capabilities)
	}
}

// describe writes a parameter as documented does.
func describe(schema map[string]any, name string) string {
	p, _ := schema["properties"].(map[string]any)[name].(map[string]any)
	words := []string{fmt.Sprint(p["type"])}
	required, _ := schema["required"].([]any)
	if slices.Contains(required, any(name)) {
		words = append(words, "!")
	}
	for _, key := range []string{"default", "minimum", "maximum", "enum"} {
		if v, ok := p[key]; ok {
			words = append(words, key+"="+strings.ReplaceAll(fmt.Sprint(v), " ", ","))
		}
	}
	return strings.Join(words, " ")
}

// TestChecks gives what cannot be. The first that is wrong is told.
func TestChecks(t *testing.T) {
	sheet.Proves(t, "rpc.error rpc.strings rpc.nonnumber rpc.ignored rpc.count search.missing search.long search.mode search.max search.min search.badscope search.order context.budget context.query symbols.exact deps.qualified deps.direction deps.depth diff.since diff.limit")
	c := newClient(t, setup{files: shop})
	const (
		missing = "missing required parameter: query"
		long    = "query exceeds maximum length of 10,000 characters"
		mode    = "mode must be 'locate' or 'full'"
		most    = "max_results must be between 1 and 200"
		least   = "min_score must be between 0.0 and 1.0"
		scope   = "scope must be 'impl', 'test', or 'all'"
		budget  = "budget_tokens must be between 256 and 32768"
		depth   = "depth must be between 1 and 5"
	)
	all := object{"mode": "x", "max_results": 0, "min_score": 2, "scope": "x"}
	without := func(from object, names ...string) object {
		o := object{"query": "token"}
		for k, v := range from {
			if !slices.Contains(names, k) {
				o[k] = v
			}
		}
		return o
	}
	for _, tt := range []struct {
		tool string
		args object
		want string // "" for no error
	}{
		{"search", object{}, missing}, {"search", object{"query": ""}, missing}, {"search", object{"query": " \n"}, missing}, {"search", object{"query": nil}, missing}, {"search", object{"query": 7}, missing},
		{"search", all, missing}, {"search", object{"query": strings.Repeat("ä", 10_001), "mode": "x"}, long}, {"search", object{"query": strings.Repeat("ä", 10_000)}, ""},
		{"search", object{"query": strings.Repeat("token ", 1666)}, ""},
		{"search", without(all), mode}, {"search", without(all, "mode"), most}, {"search", without(all, "mode", "max_results"), least}, {"search", without(all, "mode", "max_results", "min_score"), scope},
		{"search", object{"query": "token", "max_results": 200}, ""}, {"search", object{"query": "token", "max_results": 201}, most}, {"search", object{"query": "token", "max_results": "7"}, ""}, {"search", object{"query": "token", "max_results": "many"}, most},
		{"search", object{"query": "token", "max_results": 200.9}, ""}, {"search", object{"query": "token", "max_results": 0.9}, most}, {"search", object{"query": "token", "max_results": nil, "zeta": 1}, ""},
		{"search", object{"query": "token", "min_score": "0.5"}, ""}, {"search", object{"query": "token", "min_score": -0.1}, least}, {"search", object{"query": "token", "min_score": "NaN"}, least}, {"search", object{"query": "token", "min_score": 0}, ""},
		{"search", object{"query": "token", "explain": "true"}, ""}, {"search", object{"query": "token", "scope": "Impl"}, scope},
		{"context", object{}, missing}, {"context", object{"query": strings.Repeat("x", 10_001)}, long}, {"context", object{"query": "token", "budget_tokens": 255}, budget}, {"context", object{"query": "token", "budget_tokens": 32769}, budget},
		{"context", object{"query": "token", "budget_tokens": 256}, ""}, {"context", object{"query": "token", "budget_tokens": 32768}, ""}, {"context", object{"query": "token", "scope": "x"}, scope},
		{"symbols", object{}, "missing required parameter: name"}, {"symbols", object{"name": "x", "scope": "x"}, scope},
		{"dependencies", object{}, "missing required parameter: symbol"}, {"dependencies", object{"symbol": "x", "direction": "up"}, "direction must be callers, callees, or both"},
		{"dependencies", object{"symbol": "x", "depth": 0}, depth}, {"dependencies", object{"symbol": "x", "depth": 6}, depth}, {"dependencies", object{"symbol": "x", "depth": 5, "direction": "incoming"}, ""}, {"dependencies", object{"symbol": "x", "direction": "outgoing"}, ""}, {"dependencies", object{"symbol": "x", "scope": "x"}, scope},
		{"diff", object{"since": "7d"}, "invalid duration: 7d"}, {"diff", object{"since": "-1h"}, ""}, {"diff", object{"limit": 0}, ""}, {"diff", object{"limit": 501}, ""}, {"diff", object{"scope": "x"}, scope}, {"diff", object{"since": "10000h"}, ""},
	} {
		t.Run(fmt.Sprintf("%s %.80v", tt.tool, tt.args), func(t *testing.T) {
			c := c.on(t)
			if tt.want == "" {
				c.call(tt.tool, tt.args)
			} else if got := c.fails(tt.tool, tt.args); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestUnknownTool asks for a tool that there is not.
func TestUnknownTool(t *testing.T) {
	sheet.Proves(t, "rpc.unknown")
	c := newClient(t, setup{files: shop})
	for _, name := range []string{"grep", "Search"} {
		t.Run(name, func(t *testing.T) {
			_, err := c.Session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			var e *jsonrpc.Error
			if !errors.As(err, &e) || e.Code != -32602 || e.Message != "tool '"+name+"' not found: tool not found" {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestInternal asks where the project is gone.
func TestInternal(t *testing.T) {
	sheet.Proves(t, "rpc.internal")
	c := newClient(t, setup{files: shop})
	c.options.Root = "/nowhere/" + strings.Repeat("deep/", 100)
	c.options.Config = defaultConfig()
	c.connect()
	for tool, tt := range map[string]struct {
		args object
		want string
	}{
		"search": {object{"query": "x"}, "search failed: "}, "context": {object{"query": "x"}, "context assembly failed: "}, "symbols": {object{"name": "x"}, "symbol lookup failed: "},
		"dependencies": {object{"symbol": "x"}, "dependency lookup failed: "}, "diff": {object{}, "diff query failed: "}, "enrichment_status": {nil, "stats query failed: "}, "summary": {nil, "summary failed: "},
	} {
		t.Run(tool, func(t *testing.T) {
			if got := c.on(t).fails(tool, tt.args); !strings.HasPrefix(got, tt.want) || len(got) > len(tt.want)+maxError+len("...") {
				t.Errorf("%d bytes: %s", len(got), got)
			}
		})
	}
}

// TestTransports asks over a pipe and over HTTP: what is answered is the same.
func TestTransports(t *testing.T) {
	sheet.Proves(t, "rpc.stdio rpc.http rpc.resource")
	c := newClient(t, setup{files: shop})
	server := New(c.options)
	t.Cleanup(server.Close)
	h, err := httpd.New(httpd.Options{Door: door.Options{Addr: "127.0.0.1:0"}, Tools: server, Profiles: map[string]*host.Server{Name: server}, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	far, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL + "/mcp/shaktiman", DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	web := *c
	web.Session = far
	for _, tt := range []struct {
		tool string
		args object
	}{
		{"search", object{"query": "verify a token"}}, {"search", object{"query": ""}}, {"context", object{"query": "verify a token"}}, {"symbols", object{"name": "VerifyToken"}},
		{"dependencies", object{"symbol": "VerifyToken"}}, {"diff", object{"since": "-1h"}}, {"enrichment_status", nil}, {"summary", nil},
	} {
		t.Run(fmt.Sprintf("%s %v", tt.tool, tt.args), func(t *testing.T) {
			want, got := c.on(t).result(tt.tool, tt.args), web.on(t).result(tt.tool, tt.args)
			if w, g := want.Content[0].(*mcp.TextContent).Text, got.Content[0].(*mcp.TextContent).Text; w != g || fmt.Sprint(want.Meta["result_count"]) != fmt.Sprint(got.Meta["result_count"]) {
				t.Errorf("over HTTP %s\nwant %s", g, w)
			}
		})
	}
	for name, session := range map[string]*mcp.ClientSession{"pipe": c.Session, "http": far} {
		t.Run(name, func(t *testing.T) {
			list, err := session.ListResources(t.Context(), nil)
			if err != nil || len(list.Resources) != 1 || list.Resources[0].Name != "Workspace Summary" || list.Resources[0].MIMEType != "application/json" {
				t.Fatalf("%+v, %v", list, err)
			}
			res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shaktiman://workspace/summary"})
			if err != nil || !strings.HasPrefix(res.Contents[0].Text, `{"total_files":9,"total_chunks":`) || !strings.Contains(res.Contents[0].Text, `"parse_errors":0,"stale_files":0}`) {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}
