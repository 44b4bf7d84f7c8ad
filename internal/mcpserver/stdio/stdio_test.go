package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n"
)

const block = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"block","arguments":{}}}` + "\n"

// client is the client of a server under test.
type client struct {
	t       *testing.T
	in      *io.PipeWriter
	answers <-chan string
	ended   <-chan error
}

// serve starts a server whose one tool, block, answers when release is closed
// or fails when it is cancelled.
func serve(t *testing.T, ctx context.Context, release <-chan struct{}, o Options) *client {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "block", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-release:
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "released"}}}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(ctx, s, serverIn, serverOut, o)
		serverOut.Close()
		ended <- err
	}()
	t.Cleanup(func() { in.Close(); out.Close() })
	return &client{t: t, in: in, answers: lines(out), ended: ended}
}

// lines reads answers, one a line, until the output ends.
func lines(out io.Reader) <-chan string {
	ch := make(chan string, 100)
	go func() {
		defer close(ch)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 16<<20)
		for scan.Scan() {
			ch <- scan.Text()
		}
	}()
	return ch
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		c.t.Fatal(err)
	}
}

// answer waits for the next answer.
func (c *client) answer() string {
	c.t.Helper()
	select {
	case line, ok := <-c.answers:
		if !ok {
			c.t.Fatal("the output ended")
		}
		return line
	case <-time.After(10 * time.Second):
		c.t.Fatal("no answer within 10 s")
	}
	return ""
}

// wantEnd waits until the server has ended without an error.
func (c *client) wantEnd() {
	c.t.Helper()
	select {
	case err := <-c.ended:
		if err != nil {
			c.t.Error(err)
		}
	case <-time.After(2 * time.Second):
		c.t.Fatal("the server did not end within 2 s")
	}
}

// TestBadLines sends lines that are not messages between good ones, and checks
// that each is answered and none ends the session.
func TestBadLines(t *testing.T) {
	c := serve(t, t.Context(), nil, Options{})
	c.send(hello)
	if got := c.answer(); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		t.Fatalf("initialize: %s", got)
	}
	for _, tt := range []struct{ name, line, want string }{
		{"text", "hello", `"code":-32700`},
		{"half an object", "{", `"code":-32700`},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}", `"code":-32700`},
		{"NUL bytes", "\x00\x00\x00", `"code":-32700`},
		{"empty array", `[]`, `"code":-32600`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
		{"string", `"text"`, `"code":-32600`},
		{"other version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `"code":-32600`},
		{"id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, `"code":-32600`},
		{"NUL in a key", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a\u0000b":1}}`, `"code":-32600`},
		{"array as id", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, `"code":-32600`},
		{"infinite id", `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, `"code":-32600`},
		{"too long", strings.Repeat("x", maxLine+100), `line longer than 4194304 bytes`},
		{"too long, its id first", `{"jsonrpc":"2.0","id":"long","method":"ping","params":"` + strings.Repeat("x", maxLine) + `"}`, `"id":"long"`},
		{"too long, its id last", `{"method":"ping","params":{"id":5,"x":"` + strings.Repeat("x", maxLine) + `"},"id":79,"jsonrpc":"2.0"}`, `"id":79`},
		{"too long, an id inside", `{"method":"ping","params":{"x":"` + strings.Repeat("x", maxLine) + `","id":5}}`, `"id":null`},
		{"no method", `{"jsonrpc":"2.0","id":77}`, `"id":77`},
		{"too deep", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, `"code":-32`},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"no/such/method"}`, `"code":-32601`},
		{"parameters of the wrong type", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":7}`, `"code":-32602`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.t = t
			c.send(tt.line + "\n")
			if got := c.answer(); !strings.Contains(got, tt.want) || !strings.HasPrefix(got, `{`) {
				t.Errorf("%.80q is answered by %.300s, want %s", tt.line, got, tt.want)
			}
		})
	}
	c.t = t
	// Lines that need no answer, then a good one.
	c.send("\n\r\n  \n" + `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}` + "\n" + `{"jsonrpc":"2.0","id":99,"result":{}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/no/such"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}` + "\n" + ping)
	if got, want := c.answer(), `{"jsonrpc":"2.0","id":"ping","result":{}}`; got != want {
		t.Errorf("ping is answered by %s, want %s", got, want)
	}
	c.in.Close()
	c.wantEnd()
}

// TestRefuse checks that a refused call is answered by the refusal under its
// id, and that a notification is never refused.
func TestRefuse(t *testing.T) {
	t.Parallel()
	refuse := func(req *jsonrpc.Request) *jsonrpc.Error {
		if req.Method == "initialize" || req.Method == "ping" {
			return nil
		}
		return &jsonrpc.Error{Code: -32042, Message: "not here"}
	}
	c := serve(t, t.Context(), nil, Options{Refuse: refuse})
	c.send(hello)
	c.answer()
	c.send(block)
	if got := c.answer(); !strings.Contains(got, `"code":-32042,"message":"not here"`) || !strings.Contains(got, `"id":5`) {
		t.Errorf("call: %s", got)
	}
	c.send(ping) // not before: answers come in any order
	if got := c.answer(); !strings.Contains(got, `"id":"ping"`) {
		t.Errorf("ping: %s", got)
	}
}

// TestSameIDTwice checks that a request whose id is in use is refused and the
// one under way is answered.
func TestSameIDTwice(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c := serve(t, t.Context(), release, Options{})
	c.send(hello)
	c.answer()
	c.send(block + block)
	if got := c.answer(); !strings.Contains(got, "request id in use") || !strings.Contains(got, `"id":null`) {
		t.Errorf("second request: %s", got)
	}
	close(release)
	if got := c.answer(); !strings.Contains(got, `"id":5`) || !strings.Contains(got, "released") {
		t.Errorf("first request: %s", got)
	}
}

// TestCancelledIsNotAnswered checks that the answer to a cancelled request is
// dropped.
func TestCancelledIsNotAnswered(t *testing.T) {
	t.Parallel()
	c := serve(t, t.Context(), nil, Options{})
	c.send(hello + block + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}` + "\n" + ping)
	c.answer()
	if got := c.answer(); !strings.Contains(got, `"id":"ping"`) {
		t.Errorf("answer %s", got)
	}
	c.in.Close()
	<-c.ended
	for line := range c.answers {
		t.Errorf("answer %s", line)
	}
}

// busy starts a server and returns when a call that blocks is under way.
func busy(t *testing.T, ctx context.Context, o Options) *client {
	t.Helper()
	c := serve(t, ctx, nil, o)
	c.send(hello + block + ping)
	c.answer()
	c.answer() // the ping: the call is under way
	return c
}

// TestEnds checks that the server ends in time although a call is under way
// that does not.
func TestEnds(t *testing.T) {
	t.Parallel()
	t.Run("with its input", func(t *testing.T) {
		t.Parallel()
		c := busy(t, t.Context(), Options{})
		c.in.Close()
		select {
		case <-c.ended:
		case <-time.After(2 * time.Second):
			t.Fatal("the server did not end within 2 s of the end of its input")
		}
	})
	t.Run("with its context, the input open", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c := busy(t, ctx, Options{})
		cancel()
		c.wantEnd()
	})
	t.Run("with its parent, the input open", func(t *testing.T) {
		t.Parallel()
		var id atomic.Int64
		id.Store(100)
		c := busy(t, t.Context(), Options{Parent: func() int { return int(id.Load()) }})
		id.Store(1)
		c.wantEnd()
	})
}

// TestAClientThatDoesNotRead checks that the server ends where nobody takes what
// it writes.
func TestAClientThatDoesNotRead(t *testing.T) {
	for _, tt := range []struct {
		name, input string
		open        bool // the input stays open
		within      time.Duration
	}{
		{"an answer, and the input ends", hello + ping, false, 2 * time.Second},
		{"bad lines, and the input ends behind them", strings.Repeat("bad\n", 20), false, 2 * time.Second},
		{"an answer, and the input stays open", hello + ping, true, unreadTime + time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, text := io.Pipe()
				out, unread := io.Pipe()
				go func() {
					io.WriteString(text, tt.input)
					if !tt.open {
						text.Close()
					}
				}()
				start := time.Now()
				s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
				if err := Serve(t.Context(), s, in, unread, Options{Parent: func() int { return 1 }}); err != nil {
					t.Error(err)
				}
				if d := time.Since(start); d > tt.within {
					t.Errorf("the server ended after %v, want %v at most", d, tt.within)
				}
				out.Close()
				text.Close()
			})
		})
	}
}

func TestWatchParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		id := 100
		parent := func() int { mu.Lock(); defer mu.Unlock(); return id }
		ctx, cancel := context.WithCancel(t.Context())
		lost := make(chan struct{})
		start := time.Now()
		go WatchParent(ctx, func() { close(lost) }, parent, parent())
		<-time.After(10 * parentCheck) // of the test's own clock
		select {
		case <-lost:
			t.Fatal("lost while the parent lives")
		default:
		}
		mu.Lock()
		id = 1
		mu.Unlock()
		<-lost
		if took := time.Since(start) - 10*parentCheck; took > time.Second {
			t.Errorf("noticed after %v", took)
		}
		cancel()
	})
}

// TestProgressIsReadBeforeTheAnswer has a client read all there is at a time:
// what tells of a call never comes together with its answer.
func TestProgressIsReadBeforeTheAnswer(t *testing.T) {
	for name, pair := range map[string]func() (r, w *os.File, err error){
		"pipe":   os.Pipe,
		"socket": socketPair,
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := pair()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			in, inEnd := io.Pipe()
			defer inEnd.Close()
			c := newConn(in, w, Options{})
			defer c.Close()
			const rounds = 50
			wrote := make(chan error, 1)
			go func() {
				defer w.Close()
				for i := range rounds {
					note, err := jsonrpc.DecodeMessage([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`))
					if err == nil {
						err = c.Write(t.Context(), note)
					}
					id, idErr := jsonrpc.MakeID(float64(i))
					if err = errors.Join(err, idErr); err == nil {
						err = c.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)})
					}
					if err != nil {
						wrote <- err
						return
					}
				}
				wrote <- nil
			}()
			buf := make([]byte, 64<<10)
			var all string
			for {
				n, err := r.Read(buf)
				part := string(buf[:n])
				if strings.Contains(part, "progressToken") && strings.Contains(part, `"result"`) && strings.Index(part, "progressToken") < strings.LastIndex(part, `"result"`) {
					t.Fatalf("read at once: %s", part)
				}
				all += part
				if err != nil {
					break
				}
			}
			if err := <-wrote; err != nil || strings.Count(all, "\n") != 2*rounds {
				t.Errorf("%d lines, %v; want %d", strings.Count(all, "\n"), err, 2*rounds)
			}
		})
	}
}

func socketPair() (r, w *os.File, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "read"), os.NewFile(uintptr(fds[1]), "write"), nil
}

// TestTurns sends requests together: those of one queue are answered in their
// order, the others as they are done.
func TestTurns(t *testing.T) {
	var mu sync.Mutex
	running := map[string]int{}
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		queue := string(req.Params.Arguments)
		mu.Lock()
		running[queue]++
		if running[queue] > 1 && queue != "{}" {
			t.Errorf("two calls of %s at once", queue)
		}
		mu.Unlock()
		defer func() { mu.Lock(); running[queue]--; mu.Unlock() }()
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: queue}}}, nil
	})
	queue := func(req *jsonrpc.Request) string {
		var p struct{ Arguments struct{ Queue string } }
		if req.Method != "tools/call" || json.Unmarshal(req.Params, &p) != nil {
			return ""
		}
		return p.Arguments.Queue
	}
	var in strings.Builder
	in.WriteString(hello)
	const n = 300
	for i := range n {
		arguments := `{}`
		if i%4 > 0 {
			arguments = fmt.Sprintf(`{"queue":"q%d"}`, i%4)
		}
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"work","arguments":%s}}`+"\n", i, arguments)
	}
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":299}}` + "\n")
	var out bytes.Buffer
	if err := Serve(t.Context(), s, strings.NewReader(in.String()), &out, Options{Queue: queue, Drain: time.Minute}); err != nil {
		t.Fatal(err)
	}
	last, answers := map[int]int{}, 0
	for line := range strings.Lines(out.String()) {
		var m struct{ ID any }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		id, ok := m.ID.(float64)
		if !ok {
			continue // of hello
		}
		answers++
		if q := int(id) % 4; q > 0 && int(id) < last[q] {
			t.Errorf("%d is answered after %d", int(id), last[q])
		} else {
			last[q] = int(id)
		}
	}
	if answers < n-1 {
		t.Errorf("%d of %d requests are answered", answers, n)
	}
}

// TestGreet calls before initialize, and instead of it.
func TestGreet(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"a call first":     {block + ping, []string{`"id":5,"result":{"content":[{"type":"text","text":"released"}]}`, `"id":"ping","result":{}`}},
		"ping first":       {ping + block, []string{`"id":"ping","result":{}`, `"released"`}},
		"initialize":       {hello + block, []string{`"id":"hello","result":`, `"released"`}},
		"initialize later": {block + hello, []string{`"released"`, `"id":"hello","result":{"capabilities"`}},
		"a tool's list":    {`{"jsonrpc":"2.0","id":8,"method":"tools/list"}` + "\n", []string{`"id":8,"result":{`}},
	} {
		t.Run(name, func(t *testing.T) {
			released := make(chan struct{})
			close(released)
			c := serve(t, t.Context(), released, Options{Greet: true})
			c.send(tt.in)
			c.in.Close()
			all := ""
			for line := range c.answers {
				all += line + "\n"
			}
			for _, want := range tt.want {
				if !strings.Contains(all, want) {
					t.Errorf("no %s in\n%s", want, all)
				}
			}
			if n := strings.Count(all, "\n"); n != len(tt.want) {
				t.Errorf("%d answers:\n%s", n, all)
			}
		})
	}
}
