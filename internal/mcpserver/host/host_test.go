package host

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 know roots and the log

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/arguments"
)

// newTool returns a tool without parameters.
func newTool(name string, call func(context.Context) (string, error)) Tool {
	args := arguments.New(name, arguments.Schema[struct{}](&jsonschema.ForOptions{}))
	return Tool{About: &mcp.Tool{Name: name, InputSchema: args.Schema}, Args: args, Call: func(ctx context.Context, _ *Call) (string, error) { return call(ctx) }}
}

// untilCancelled is a call that ends when it is told to.
func untilCancelled(ctx context.Context) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// ask calls a tool of a server directly.
func ask(t *testing.T, s *Server, tool Tool) *mcp.CallToolResult {
	t.Helper()
	res, err := s.handler(tool)(t.Context(), &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: tool.About.Name}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// textOf is the text of an answer.
func textOf(res *mcp.CallToolResult) string { return res.Content[0].(*mcp.TextContent).Text }

// newTest returns a server that ends with the test.
func newTest(t *testing.T, o Options) *Server {
	t.Helper()
	o.About = &mcp.Implementation{Name: "test", Version: "1"}
	s := New(o)
	t.Cleanup(s.Close)
	return s
}

// connect returns a client of a server, over pipes.
func connect(t *testing.T, s *Server) *mcp.ClientSession {
	t.Helper()
	return connectAs(t, s, nil)
}

// connectAs returns a client with options, of the last revision with a handshake.
func connectAs(t *testing.T, s *Server, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := s.ServeStdio(context.Background(), serverIn, serverOut)
		serverOut.Close()
		ended <- err
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, o).Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
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

// TestCancel checks that a cancelled call ends soon and gives its slot back.
func TestCancel(t *testing.T) {
	s := newTest(t, Options{})
	s.Add(newTool("block", untilCancelled))
	s.Add(newTool("quick", func(context.Context) (string, error) { return "done", nil }))
	session := connect(t, s)
	for range 3 * cap(s.slots[Heavy]) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "block"}); err == nil {
			t.Fatal("a call that cannot end was answered")
		}
		cancel()
	}
	if res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "quick"}); err != nil || res.IsError {
		t.Fatalf("%v, error %v", res, err)
	}
}

// TestCallTime checks that a call which takes too long is answered in time.
func TestCallTime(t *testing.T) {
	for name, tt := range map[string]struct {
		limits Limits
		most   time.Duration
		want   string
	}{
		"default": {Limits{}, 10 * time.Second, "slow did not finish within 9.5s"},
		"set":     {Limits{Timeout: 2 * time.Second}, 2 * time.Second, "slow did not finish within 1.9s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				res := ask(t, newTest(t, Options{Limits: tt.limits}), newTool("slow", untilCancelled))
				if took := time.Since(start); took > tt.most || !res.IsError {
					t.Errorf("answered after %v, an error %v", took, res.IsError)
				}
				if text := textOf(res); !strings.Contains(text, tt.want) {
					t.Errorf("answer %q", text)
				}
			})
		})
	}
}

// TestLateAnswer checks that a call whose time is over is answered with what its tool
// says of that, whether it stops or not, and that it counts as late.
func TestLateAnswer(t *testing.T) {
	for name, stops := range map[string]bool{"stops": true, "does not stop": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newTest(t, Options{})
				var kind Kind
				s.OnEnd(func(e End) { kind = e.Kind })
				release := make(chan struct{})
				slow := newTool("slow", func(ctx context.Context) (string, error) {
					if !stops {
						<-release
					}
					return untilCancelled(ctx)
				})
				slow.Begin = func(c *Call) string { return "nothing in " + c.Limits.Call().String() }
				res := ask(t, s, slow)
				if text := textOf(res); res.IsError || text != "nothing in 9.5s" || kind != Late {
					t.Errorf("answer %q, an error %v, counted as %s", text, res.IsError, kind)
				}
				close(release)
			})
		})
	}
}

// TestACallThatDoesNotStop checks that a call which ignores its time is answered
// without it, and keeps its slot until it ends.
func TestACallThatDoesNotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTest(t, Options{Limits: Limits{Timeout: 2 * time.Second}})
		release := make(chan struct{})
		start := time.Now()
		res := ask(t, s, newTool("stuck", func(context.Context) (string, error) { <-release; return "", nil }))
		if took := time.Since(start); !res.IsError || took > 2500*time.Millisecond {
			t.Errorf("%v after %v", res, took)
		}
		if len(s.slots[Heavy]) != 1 {
			t.Error("its slot is free although it runs")
		}
		close(release)
		synctest.Wait()
		if len(s.slots[Heavy]) != 0 {
			t.Error("its slot is not free although it has ended")
		}
	})
}

// TestBusy checks that calls beyond the slots are refused with a reason, in time.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTest(t, Options{})
		for range cap(s.slots[Heavy]) {
			s.slots[Heavy] <- struct{}{}
		}
		if res := ask(t, s, newTool("quick", untilCancelled)); !res.IsError || !strings.Contains(textOf(res), "busy") {
			t.Fatalf("%v", res)
		}
	})
}

// TestPanic checks that a mistake of the program in one call is told, does not end
// the others, and gives the slot back.
func TestPanic(t *testing.T) {
	s := newTest(t, Options{})
	s.Add(newTool("bad", func(context.Context) (string, error) { panic("a mistake") }))
	session := connect(t, s)
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bad"}); err == nil || !strings.Contains(err.Error(), "internal error") {
		t.Fatalf("error %v", err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, slots := range s.slots {
		if len(slots) != 0 {
			t.Fatalf("%d slots are still held", len(slots))
		}
	}
}

// TestGreeted checks that the first request, and no other, begins the work that
// prepares for questions, and that the end of the server ends it.
func TestGreeted(t *testing.T) {
	begun, ended := make(chan struct{}, 10), make(chan error, 1)
	s := newTest(t, Options{Greeted: func(ctx context.Context) error {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}})
	session := connect(t, s)
	for range 3 {
		if err := session.Ping(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	<-begun
	s.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(begun) != 0 {
		t.Error("begun twice")
	}
}

// TestGreetedAtStart checks that a server over a pipe prepares before anything is asked.
func TestGreetedAtStart(t *testing.T) {
	begun := make(chan struct{})
	s := newTest(t, Options{Greeted: func(context.Context) error { close(begun); return nil }})
	in, ask := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(t.Context(), in, io.Discard) }()
	<-begun
	ask.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestUnknownTool checks that the nearest tool is named.
func TestUnknownTool(t *testing.T) {
	s := newTest(t, Options{})
	s.Add(newTool("search", untilCancelled))
	s.Add(newTool("read", untilCancelled))
	session := connect(t, s)
	for name, want := range map[string]string{"serach": "did you mean search?", "zzzzzz": "the tools are search, read"} {
		t.Run(name, func(t *testing.T) {
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

// TestLines checks that a message that is none is answered, and the next one too.
func TestLines(t *testing.T) {
	in, out := strings.NewReader("nothing\n"+`{"jsonrpc":"2.0","id":1,"method":"ping"}`), new(strings.Builder)
	if err := newTest(t, Options{}).ServeStdio(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	var n int
	for scan := bufio.NewScanner(strings.NewReader(out.String())); scan.Scan(); n++ {
	}
	if n != 2 {
		t.Errorf("%d answers: %s", n, out)
	}
}

// TestAsk checks that the server asks its own tools as a client does.
func TestAsk(t *testing.T) {
	s := newTest(t, Options{})
	s.Add(newTool("answer", func(context.Context) (string, error) { return "42", nil }))
	s.Add(newTool("fail", func(context.Context) (string, error) { return "", errors.New("it failed") }))
	for _, tt := range []struct{ tool, args, want, err string }{
		{"answer", "{}", "42", ""},
		{"answer", "", "42", ""},
		{"answer", `{"x":1}`, "", `unknown argument "x" of answer`},
		{"answer", "[", "", "arguments must be an object"},
		{"fail", "{}", "", "it failed"},
		{"anser", "{}", "", "did you mean answer?"},
	} {
		t.Run(tt.tool+tt.args, func(t *testing.T) {
			text, err := s.Ask(t.Context(), tt.tool, json.RawMessage(tt.args))
			if text != tt.want || (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q, error %v", text, err)
			}
		})
	}
}

// TestLog checks that a client which sets a level hears of calls that fail, and one
// that does not hears nothing.
func TestLog(t *testing.T) {
	s := newTest(t, Options{Complete: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) { return nil, nil }})
	s.Add(newTool("fail", func(context.Context) (string, error) { return "", errors.New("it failed") }))
	heard := make(chan *mcp.LoggingMessageParams, 10)
	session := connectAs(t, s, &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) { heard <- req.Params }})
	fail := func() {
		t.Helper()
		if res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail"}); err != nil || !res.IsError {
			t.Fatalf("%v, error %v", res, err)
		}
	}
	fail()
	if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
	fail()
	if m := <-heard; m.Level != "warning" || m.Logger != "fail" || m.Data != "it failed" {
		t.Errorf("%+v", m)
	}
	if len(heard) > 0 {
		t.Errorf("told before it asked: %+v", <-heard)
	}
}
