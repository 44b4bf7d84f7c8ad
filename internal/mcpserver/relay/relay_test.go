package relay_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/relay"
)

// newHost returns a server of one tool, who, that answers when go on is closed.
func newHost(name string, goOn <-chan struct{}) *host.Server {
	s := host.New(host.Options{About: &mcp.Implementation{Name: name, Version: "1"}})
	args := arguments.New("who", arguments.Schema[struct{}](&jsonschema.ForOptions{}))
	s.Add(host.Tool{About: &mcp.Tool{Name: "who", InputSchema: args.Schema}, Args: args, Call: func(ctx context.Context, _ *host.Call) (string, error) {
		select {
		case <-goOn:
			return name, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}})
	return s
}

// serving begins a server that takes version 1, in a folder. The function ends it.
func serving(t *testing.T, folder string, goOn <-chan struct{}) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l, err := relay.Listen(ctx, folder)
	if err != nil || l == nil {
		t.Fatalf("%v, error %v", l, err)
	}
	done := make(chan struct{})
	fits := func(s *relay.Start) string {
		if s.Version != "1" {
			return "the server is version 1"
		}
		return ""
	}
	go func() {
		defer close(done)
		relay.Accept(ctx, l, fits, func(ctx context.Context, s *relay.Start, conn net.Conn) {
			newHost("shared "+s.Dir, goOn).ServeStdio(ctx, conn, conn)
		})
	}()
	end = func() { cancel(); <-done }
	t.Cleanup(end)
	return end
}

// client returns a session with a process that a server serves.
func client(t *testing.T, folder, protocol string) *mcp.ClientSession {
	t.Helper()
	conn, err := relay.Dial(t.Context(), folder, &relay.Start{Version: "1", Dir: "/here"})
	if err != nil {
		t.Fatal(err)
	}
	in, toProcess := io.Pipe()
	fromProcess, out := io.Pipe()
	ended := make(chan error, 1)
	now := make(chan struct{})
	close(now)
	go func() {
		err := relay.Run(context.Background(), conn, in, out, newHost("alone", now).ServeStdio)
		out.Close()
		ended <- err
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: fromProcess, Writer: toProcess}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return session
}

func who(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "who"})
	if err != nil || res.IsError {
		t.Fatalf("%+v, error %v", res, err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// TestTakeOver ends the server under a process, between two calls and during one: no
// call is lost, and the client notices nothing.
func TestTakeOver(t *testing.T) {
	for _, protocol := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(protocol+" between", func(t *testing.T) {
			folder, now := t.TempDir(), make(chan struct{})
			close(now)
			end := serving(t, folder, now)
			session := client(t, folder, protocol)
			if got := who(t, session); got != "shared /here" {
				t.Errorf("answered by %s", got)
			}
			end()
			for range 2 {
				if got := who(t, session); got != "alone" {
					t.Errorf("answered by %s", got)
				}
			}
		})
		t.Run(protocol+" during", func(t *testing.T) {
			folder := t.TempDir()
			end := serving(t, folder, nil)
			session := client(t, folder, protocol)
			answers := make(chan string, 3)
			for range 3 {
				go func() { answers <- who(t, session) }()
			}
			end()
			for range 3 {
				if got := <-answers; got != "alone" {
					t.Errorf("answered by %s", got)
				}
			}
		})
	}
}

// TestOneShot checks that requests sent together with the end of the input are all
// answered, by the server or without it.
func TestOneShot(t *testing.T) {
	const lines = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
not a message
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who","arguments":{}}}
{"jsonrpc":"2.0","id":2,"method":"ping"}`
	folder, now := t.TempDir(), make(chan struct{})
	close(now)
	serving(t, folder, now)
	conn, err := relay.Dial(t.Context(), folder, &relay.Start{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	alone := func(context.Context, io.Reader, io.Writer) error { return errors.New("not wanted") }
	if err := relay.Run(t.Context(), conn, strings.NewReader(lines), &out, alone); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 4 || !strings.Contains(out.String(), "shared") {
		t.Errorf("%d lines: %s", n, out.String())
	}
}

// TestNotTaken checks who is not served, and that it is told why.
func TestNotTaken(t *testing.T) {
	folder := t.TempDir()
	dial := func(version string) error {
		conn, err := relay.Dial(t.Context(), folder, &relay.Start{Version: version})
		if err == nil {
			conn.Close()
		}
		return err
	}
	if err := dial("1"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no server: error %v", err)
	}
	serving(t, folder, nil)
	if err := dial("2"); err == nil || err.Error() != "the server is version 1" {
		t.Errorf("another version: error %v", err)
	}
	if err := dial("1"); err != nil {
		t.Error(err)
	}
	for name, line := range map[string]string{"no JSON": "GET / HTTP/1.1\r\n", "a list": "[]\n", "too long": strings.Repeat("x", 2<<20)} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("unix", filepath.Join(folder, "serve.sock"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			io.WriteString(conn, line) // may be cut off
			if text, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) || strings.Contains(string(text), `"ok":true`) {
				t.Errorf("%q, error %v", text, err)
			}
		})
	}
}

// TestListen checks the socket of a folder: only its user's, one server, and none
// that a killed server left.
func TestListen(t *testing.T) {
	folder := t.TempDir()
	left, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: filepath.Join(folder, "serve.sock")})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	serving(t, folder, nil)
	info, err := os.Stat(filepath.Join(folder, "serve.sock"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, error %v", info.Mode(), err)
	}
	if l, err := relay.Listen(t.Context(), folder); l != nil || err != nil {
		t.Errorf("a second server listens: error %v", err)
	}
	long := filepath.Join(folder, strings.Repeat("x", 100))
	if l, err := relay.Listen(t.Context(), long); l != nil || err != nil {
		t.Errorf("a long name: error %v", err)
	}
	if _, err := relay.Dial(t.Context(), long, &relay.Start{}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a long name: error %v", err)
	}
}
