package httpd

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/bearer"
	"espy/internal/httpd/auth"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/host"
	"espy/internal/permit"
)

// TestLegacy checks that clients of the oldest transport are answered.
func TestLegacy(t *testing.T) {
	srv := newServer(t, Options{})
	c := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &mcp.SSEClientTransport{Endpoint: srv.URL + "/sse"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if got := say(t, session, "hello"); got != `"hello"` {
		t.Errorf("answer %s", got)
	}
}

// openStream opens a stream and returns the address of its messages.
func openStream(t *testing.T, url, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if path, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			return path
		}
	}
	t.Fatalf("no address in the stream: %d, %v", res.StatusCode, lines.Err())
	return ""
}

// TestLegacyRefused holds which messages are not taken.
func TestLegacyRefused(t *testing.T) {
	store := bearer.NewStore(bearer.InFolder(t.TempDir()))
	make := func(name string) string {
		_, text, err := store.Create(t.Context(), bearer.Token{Name: name, Role: permit.Read}, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	ann, bob := make("ann"), make("bob")
	srv := newServer(t, Options{Auth: auth.New(auth.Options{Store: store})})
	messages := openStream(t, srv.URL, ann)
	for name, tt := range map[string]struct {
		path, token, body string
		status            int
		want              string
	}{
		"its own":           {messages, ann, ping, 202, ""},
		"another's session": {messages, bob, ping, 403, "the session is another caller's"},
		"nobody's token":    {messages, "", ping, 403, "the session is another caller's"},
		"unknown session":   {"/messages?sessionid=none", ann, ping, 404, "no such session"},
		"no session":        {"/messages", ann, ping, 404, "no such session"},
		"two messages":      {messages, ann, "[" + ping + "," + ping + "]", 400, "send one message"},
		"no JSON":           {messages, ann, "hello", 400, "not JSON"},
		"an unknown method": {messages, ann, `{"jsonrpc":"2.0","id":1,"method":"hello"}`, 400, "hello"},
	} {
		t.Run(name, func(t *testing.T) {
			header := map[string]string{}
			if tt.token != "" {
				header["Authorization"] = "Bearer " + tt.token
			}
			status, text, _ := request{path: tt.path, body: tt.body, header: header}.send(t, srv.URL)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("%d %s, want %d %s", status, text, tt.status, tt.want)
			}
		})
	}
}

// TestAnothersSession checks that a session of the newer transport is its caller's
// alone, too.
func TestAnothersSession(t *testing.T) {
	store := bearer.NewStore(bearer.InFolder(t.TempDir()))
	var tokens []string
	for _, name := range []string{"ann", "bob"} {
		_, text, err := store.Create(t.Context(), bearer.Token{Name: name, Role: permit.Read}, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, text)
	}
	srv := newServer(t, Options{Stateful: true, Auth: auth.New(auth.Options{Store: store, Required: true})})
	_, _, h := request{
		body:   `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
		header: map[string]string{"Authorization": "Bearer " + tokens[0]},
	}.send(t, srv.URL)
	id := h.Get("Mcp-Session-Id")
	for name, tt := range map[string]struct {
		token, session string
		status         int
	}{
		"its own":           {tokens[0], id, 200},
		"another's":         {tokens[1], id, 403},
		"unknown":           {tokens[0], "none", 404},
		"one letter longer": {tokens[0], id + "A", 404},
	} {
		t.Run(name, func(t *testing.T) {
			status, text, _ := request{body: ping, header: map[string]string{"Authorization": "Bearer " + tt.token, "Mcp-Session-Id": tt.session}}.send(t, srv.URL)
			if status != tt.status {
				t.Errorf("%d %s, want %d", status, text, tt.status)
			}
		})
	}
}

// TestIdleStreams checks that a thousand idle streams are kept and one more is not,
// and that questions are answered meanwhile.
func TestIdleStreams(t *testing.T) {
	srv := newServer(t, Options{})
	addr := strings.TrimPrefix(srv.URL, "http://")
	open := func() (status string) {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Skipf("no more connections: %v", err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n")
		status, err = bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(status)
	}
	for i := range maxStreams {
		if got := open(); got != "HTTP/1.1 200 OK" {
			t.Fatalf("stream %d: %s", i, got)
		}
	}
	if got := open(); got != "HTTP/1.1 503 Service Unavailable" {
		t.Errorf("one more: %s", got)
	}
	began := time.Now()
	if status, text, _ := (request{body: ping}).send(t, srv.URL); status != 200 {
		t.Errorf("a question: %d %s", status, text)
	}
	t.Logf("answered in %v beside %d streams", time.Since(began), maxStreams)
}

// TestBusy checks that a request too many is answered quickly that the server is
// busy.
func TestBusy(t *testing.T) {
	tools, entered := newTools(t, "espy"), make(chan struct{})
	none := arguments.New("stay", arguments.Schema[struct{}](&jsonschema.ForOptions{}))
	tools.Add(host.Tool{About: &mcp.Tool{Name: "stay", InputSchema: none.Schema}, Args: none, Call: func(ctx context.Context, _ *host.Call) (string, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}})
	srv := newServer(t, Options{Requests: 2, Tools: tools})
	const stay = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stay"}}`
	addr := strings.TrimPrefix(srv.URL, "http://")
	for range 2 {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(stay), stay)
		<-entered
	}
	began := time.Now()
	status, text, h := request{body: ping}.send(t, srv.URL)
	if status != 503 || h.Get("Retry-After") != "1" || !strings.Contains(text, "busy with other requests") {
		t.Fatalf("%d %s %v", status, text, h)
	}
	t.Logf("answered in %v", time.Since(began))
}
