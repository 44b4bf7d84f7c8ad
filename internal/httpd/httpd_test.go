package httpd

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/httpd/body"
	"espy/internal/httpd/door"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/host"
)

// newTools returns a server of two tools: echo answers its text, block waits until
// its call ends.
func newTools(t *testing.T, name string) *host.Server {
	t.Helper()
	s := host.New(host.Options{About: &mcp.Implementation{Name: name, Version: "1"}, Limits: host.Limits{Timeout: 20 * time.Second}})
	t.Cleanup(s.Close)
	type params struct {
		Text string `json:"text,omitempty"`
	}
	args := arguments.New("echo", arguments.Schema[params](&jsonschema.ForOptions{}))
	s.Add(host.Tool{About: &mcp.Tool{Name: "echo", InputSchema: args.Schema}, Args: args, Call: func(_ context.Context, c *host.Call) (string, error) {
		return string(c.Args["text"]), nil
	}})
	none := arguments.New("block", arguments.Schema[struct{}](&jsonschema.ForOptions{}))
	s.Add(host.Tool{About: &mcp.Tool{Name: "block", InputSchema: none.Schema}, Args: none, Call: func(ctx context.Context, _ *host.Call) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}})
	return s
}

// newServer returns a server over HTTP of such tools, as the options have it.
func newServer(t *testing.T, o Options) *httptest.Server {
	t.Helper()
	if o.Door.Addr == "" {
		o.Door.Addr = "127.0.0.1:0"
	}
	if o.Tools == nil {
		o.Tools = newTools(t, "espy")
	}
	if o.Health == nil {
		o.Health = func(context.Context) Health { return Health{Connected, NotConfigured, "builtin"} }
	}
	if o.API == nil {
		o.API = o.Tools
	}
	o.Version = "1.2.3"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(s)
	srv.Config = s.listener()
	srv.Start()
	t.Cleanup(srv.Close)
	t.Cleanup(s.leave)
	return srv
}

// connectTo returns a client of the protocol.
func connectTo(t *testing.T, url string, revision string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// say calls echo and returns what it answers.
func say(t *testing.T, session *mcp.ClientSession, text string) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// TestRevisions checks that clients of every revision are answered on one port.
func TestRevisions(t *testing.T) {
	srv := newServer(t, Options{})
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			session := connectTo(t, srv.URL+"/mcp", revision)
			if got := say(t, session, "hello"); got != `"hello"` {
				t.Errorf("answer %s", got)
			}
			if list, err := session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 2 {
				t.Errorf("tools %v, error %v", list, err)
			}
		})
	}
}

// TestStateful checks that sessions are kept where they are asked for.
func TestStateful(t *testing.T) {
	srv := newServer(t, Options{Stateful: true})
	for _, revision := range revisions[:4] {
		t.Run(revision, func(t *testing.T) {
			session := connectTo(t, srv.URL+"/mcp", revision)
			if session.ID() == "" {
				t.Error("the session has no id")
			}
			if got := say(t, session, "hello"); got != `"hello"` {
				t.Errorf("answer %s", got)
			}
		})
	}
}

// TestMostSessions checks that sessions are bounded, and that one that ends makes room.
func TestMostSessions(t *testing.T) {
	e := newEndpoint(t.Context(), newTools(t, "espy"), true, slog.New(slog.DiscardHandler))
	e.most = 2
	srv := httptest.NewServer(e)
	t.Cleanup(srv.Close)
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	headers := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	last := ""
	for _, tt := range []struct {
		name   string
		method string
		body   string
		ofLast bool // in the session that the last request began
		status int
	}{
		{name: "first", body: initialize, status: 200},
		{name: "second", body: initialize, status: 200},
		{name: "one too many", body: initialize, status: 503},
		{name: "still one too many", body: initialize, status: 503},
		{name: "a call in a session", body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, ofLast: true, status: 200},
		{name: "the end of one", method: http.MethodDelete, ofLast: true, status: 204},
		{name: "room again", body: initialize, status: 200},
		{name: "full again", body: initialize, status: 503},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := maps.Clone(headers)
			if tt.ofLast {
				h[sessionHeader] = last
			}
			status, text, got := request{method: tt.method, body: tt.body, header: h}.send(t, srv.URL)
			if status != tt.status {
				t.Fatalf("status %d, want %d: %s", status, tt.status, text)
			}
			if status == 503 && (!strings.Contains(text, "2 sessions are open") || got.Get("Retry-After") != "60") {
				t.Errorf("answer %s, Retry-After %q", text, got.Get("Retry-After"))
			}
			if id := got.Get(sessionHeader); id != "" && tt.method == "" && status == 200 {
				last = id
			}
		})
	}
}

// TestProfiles checks that each path has its own tools.
func TestProfiles(t *testing.T) {
	srv := newServer(t, Options{Profiles: map[string]*host.Server{"other": newTools(t, "other-server")}})
	for path, want := range map[string]string{"/mcp": "espy", "/mcp/other": "other-server"} {
		t.Run(path, func(t *testing.T) {
			session := connectTo(t, srv.URL+path, "2025-11-25")
			if got := session.InitializeResult().ServerInfo.Name; got != want {
				t.Errorf("server %q, want %q", got, want)
			}
		})
	}
}

// request is one request as a client sends it.
type request struct {
	method, path, body string
	header             map[string]string // Host among them
}

// send sends a request and returns the status and the text of the answer.
func (q request) send(t *testing.T, url string) (status int, text string, h http.Header) {
	t.Helper()
	if q.method == "" {
		q.method = http.MethodPost
	}
	if q.path == "" {
		q.path = "/mcp"
	}
	r, err := http.NewRequestWithContext(t.Context(), q.method, url+q.path, strings.NewReader(q.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range q.header {
		r.Header.Set(k, v)
		if k == "Host" {
			r.Host = v
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(out), res.Header
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestRefused holds what requests are refused, with which status and which words.
func TestRefused(t *testing.T) {
	srv := newServer(t, Options{Door: door.Options{Origins: []string{"https://tools.example.org"}}})
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":` + strings.Repeat("[", n-3) + strings.Repeat("]", n-3) + `}}}`
	}
	filled := func(n int) string { return ping + strings.Repeat(" ", n-len(ping)) }
	batch := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(ping+",", n), ",") + "]" }
	for name, tt := range map[string]struct {
		request
		status int
		want   string // in the answer
	}{
		"good":                {request{body: ping}, 200, `"result":{}`},
		"foreign host":        {request{body: ping, header: map[string]string{"Host": "evil.example"}}, 403, `host \"evil.example\" is not this server's`},
		"foreign host, port":  {request{body: ping, header: map[string]string{"Host": "evil.example:3779"}}, 403, "is not this server's"},
		"localhost":           {request{body: ping, header: map[string]string{"Host": "LocalHost:1"}}, 200, `"result":{}`},
		"IPv6 loopback":       {request{body: ping, header: map[string]string{"Host": "[::1]:1"}}, 200, `"result":{}`},
		"an address as host":  {request{body: ping, header: map[string]string{"Host": "192.168.1.2"}}, 403, "is not this server's"},
		"foreign origin":      {request{body: ping, header: map[string]string{"Origin": "https://evil.example"}}, 403, "another site"},
		"null origin":         {request{body: ping, header: map[string]string{"Origin": "null"}}, 403, "another site"},
		"foreign origin, GET": {request{method: "GET", path: "/health", header: map[string]string{"Origin": "https://evil.example"}}, 403, "another site"},
		"foreign page":        {request{body: ping, header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		"foreign image":       {request{method: "GET", path: "/health", header: map[string]string{"Sec-Fetch-Site": "cross-site"}}, 403, "another site"},
		"own origin":          {request{body: ping, header: map[string]string{"Host": "localhost:1", "Origin": "http://localhost:1"}}, 200, `"result":{}`},
		"trusted origin":      {request{body: ping, header: map[string]string{"Origin": "https://tools.example.org"}}, 200, `"result":{}`},
		"text body":           {request{body: ping, header: map[string]string{"Content-Type": "text/plain"}}, 415, `content type \"text/plain\" is not application/json`},
		"form body":           {request{body: ping, header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, 415, "is not application/json"},
		"no type":             {request{body: ping, header: map[string]string{"Content-Type": ""}}, 415, "is not application/json"},
		"type with charset":   {request{body: ping, header: map[string]string{"Content-Type": "application/json; charset=utf-8"}}, 200, `"result":{}`},
		"token in address":    {request{path: "/mcp?access_token=x", body: ping}, 400, "a token does not belong in the address"},
		"largest body":        {request{body: filled(body.Max)}, 200, `"result":{}`},
		"body too large":      {request{body: filled(body.Max + 1)}, 413, "larger than 4194304 bytes"},
		"50 MB body":          {request{body: filled(50 << 20)}, 413, "larger than 4194304 bytes"},
		"deepest":             {request{body: deep(100)}, 200, `"result":{}`},
		"too deep":            {request{body: deep(101)}, 400, "nested deeper than 100 levels"},
		"10,000 levels":       {request{body: deep(10_000)}, 400, "nested deeper than 100 levels"},
		"no body":             {request{body: ""}, 400, "the body has no message"},
		"no JSON":             {request{body: "hello"}, 400, `"code":-32700`},
		"two keys":            {request{body: `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`}, 400, "occurs twice"},
		"largest batch":       {request{body: batch(16)}, 200, `"result":{}`},
		"batch too large":     {request{body: batch(17)}, 400, "a batch has 1 to 16 messages, not 17"},
		"empty batch":         {request{body: "[]"}, 400, "a batch has 1 to 16 messages, not 0"},
		"unknown method":      {request{body: `{"jsonrpc":"2.0","id":1,"method":"hello"}`}, 400, "hello"},
		"unknown profile":     {request{path: "/mcp/none", body: ping}, 404, `no profile \"none\" is served`},
		"unknown path":        {request{path: "/none", body: ping}, 404, "nothing is served at /none"},
		"GET without session": {request{method: "GET"}, 405, "Method Not Allowed"},
		"large headers":       {request{body: ping, header: map[string]string{"X-Large": strings.Repeat("x", 60<<10)}}, 200, `"result":{}`},
		"headers too large":   {request{body: ping, header: map[string]string{"X-Large": strings.Repeat("x", 80<<10)}}, 431, "Request Header Fields Too Large"},
		"unknown revision":    {request{body: ping, header: map[string]string{"Mcp-Protocol-Version": "2020-01-01"}}, 400, "Unsupported protocol version"},
	} {
		t.Run(name, func(t *testing.T) {
			status, text, h := tt.send(t, srv.URL)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("%d %.300s\nwant %d %s", status, text, tt.status, tt.want)
			}
			if status == 403 || status == 413 || status == 415 {
				var p struct{ Title, Detail, Hint string }
				if h.Get("Content-Type") != "application/problem+json" || json.Unmarshal([]byte(text), &p) != nil || p.Title == "" || p.Detail == "" || p.Hint == "" {
					t.Errorf("%s is no problem with a hint: %s", h.Get("Content-Type"), text)
				}
			}
		})
	}
}

// TestAddresses checks who comes in by address.
func TestAddresses(t *testing.T) {
	for allowed, want := range map[string]int{"127.0.0.1": 200, "127.0.0.0/8": 200, "10.0.0.0/8": 403, "127.0.0.2": 403} {
		t.Run(allowed, func(t *testing.T) {
			srv := newServer(t, Options{Door: door.Options{Addresses: []string{allowed}}})
			if status, text, _ := (request{body: ping}).send(t, srv.URL); status != want {
				t.Errorf("%d %s, want %d", status, text, want)
			}
		})
	}
}

// TestOddClients checks that clients which probe in odd ways are answered, and that
// the server goes on.
func TestOddClients(t *testing.T) {
	srv := newServer(t, Options{})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	modern := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}
	for _, step := range []struct {
		name string
		request
		status int
		want   string
	}{
		{"unknown first message", request{body: `{"jsonrpc":"2.0","id":1,"method":"hello/there"}`}, 400, "hello/there"},
		{"call without a greeting", request{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}, 200, `"name":"echo"`},
		{"discover", request{body: `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`, header: modern}, 200, `"2026-07-28"`},
		{"initialize after discover", request{body: `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`}, 200, `"protocolVersion":"2025-11-25"`},
		{"initialize again", request{body: `{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`}, 200, `"protocolVersion":"2024-11-05"`},
	} {
		t.Run(step.name, func(t *testing.T) {
			status, text, _ := step.send(t, srv.URL)
			if status != step.status || !strings.Contains(text, step.want) {
				t.Errorf("%d %.500s\nwant %d %s", status, text, step.status, step.want)
			}
		})
	}
}

// TestHealth holds what /health and /readyz say.
func TestHealth(t *testing.T) {
	for name, tt := range map[string]struct {
		health Health
		status int
		want   string
		ready  int
	}{
		"built-in model": {Health{Connected, NotConfigured, "builtin"}, 200, `"database":"connected","embedder":"builtin","ollama":"not configured","status":"healthy","uptime_seconds":0,"version":"1.2.3"`, 200},
		"ollama":         {Health{Connected, Connected, "ollama"}, 200, `"ollama":"connected","status":"healthy"`, 200},
		"ollama is down": {Health{Connected, Disconnected, "ollama"}, 200, `"ollama":"disconnected","status":"degraded"`, 200},
		"no indexes":     {Health{Disconnected, NotConfigured, "builtin"}, 503, `"status":"unhealthy"`, 503},
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t, Options{Health: func(context.Context) Health { return tt.health }})
			status, text, _ := request{method: "GET", path: "/health"}.send(t, srv.URL)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("%d %s, want %d %s", status, text, tt.status, tt.want)
			}
			if status, text, _ := (request{method: "GET", path: "/readyz"}).send(t, srv.URL); status != tt.ready {
				t.Errorf("ready: %d %s, want %d", status, text, tt.ready)
			}
		})
	}
}

// TestSlowBody checks that a body which does not come is not waited for.
func TestSlowBody(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the time that a body may take")
	}
	t.Parallel()
	srv := newServer(t, Options{})
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(text), "did not arrive within 10s") {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

// TestEnd checks that the end of the server lets a request be answered that is at
// work, and takes no other.
func TestEnd(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	tools := newTools(t, "espy")
	none := arguments.New("wait", arguments.Schema[struct{}](&jsonschema.ForOptions{}))
	tools.Add(host.Tool{About: &mcp.Tool{Name: "wait", InputSchema: none.Schema}, Args: none, Call: func(context.Context, *host.Call) (string, error) {
		close(begun)
		<-release
		return "done", nil
	}})
	s, err := New(Options{Door: door.Options{Addr: "127.0.0.1:0"}, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	answered := make(chan string, 1)
	go func() {
		_, text, _ := request{body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`}.send(t, "http://"+l.Addr().String())
		answered <- text
	}()
	<-begun
	end()
	<-s.serving.Done() // streams end at once
	close(release)
	if text := <-answered; !strings.Contains(text, "done") {
		t.Errorf("answer %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("it still listens")
	}
}
