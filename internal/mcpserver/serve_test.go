package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/notify"
	"espy/internal/workspace"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// lines reads answers, one a line, until the output ends.
func lines(t *testing.T, out io.Reader) <-chan string {
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

// within waits for an answer.
func within(t *testing.T, ch <-chan string, d time.Duration) string {
	t.Helper()
	select {
	case line, ok := <-ch:
		if !ok {
			t.Fatal("the output ended")
		}
		return line
	case <-time.After(d):
		t.Fatalf("no answer within %v", d)
	}
	return ""
}

// TestBadArguments checks what a call with arguments that are none is told.
func TestBadArguments(t *testing.T) {
	in, out, _ := pipes(t, serverAt(t, tree(t, "demo", demo), false))
	answers := lines(t, out)
	if _, err := io.WriteString(in, hello); err != nil {
		t.Fatal(err)
	}
	within(t, answers, 5*time.Second)
	for _, tt := range []struct{ name, line, want string }{
		{"number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":7}}`, `arguments must be an object, got 7`},
		{"another key", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","Arguments":{}}}`, `search needs the argument query`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := io.WriteString(in, tt.line+"\n"); err != nil {
				t.Fatal(err)
			}
			if got := within(t, answers, 10*time.Second); !strings.Contains(got, tt.want) {
				t.Errorf("%s is answered by %s, want %s", tt.line, got, tt.want)
			}
		})
	}
}

// TestOneShot checks that requests which are sent together with the end of
// the input are all answered.
func TestOneShot(t *testing.T) {
	in, out, ended := pipes(t, serverAt(t, tree(t, "demo", demo), false))
	answers := lines(t, out)
	var b strings.Builder
	b.WriteString(hello)
	for i := range 20 {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":"ApplyRules","mode":"literal"}}}`+"\n", i)
	}
	go func() {
		io.WriteString(in, strings.TrimSuffix(b.String(), "\n")) // and no last line end
		in.Close()
	}()
	got := map[string]bool{}
	for line := range answers {
		var v struct {
			ID     any
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if fmt.Sprint(v.ID) != "hello" && (len(v.Result.Content) != 1 || !strings.HasPrefix(v.Result.Content[0].Text, "4 of 4 lines")) {
			t.Errorf("answer %s", line)
		}
		got[fmt.Sprint(v.ID)] = true
	}
	if len(got) != 21 {
		t.Errorf("%d answers, want 21: %v", len(got), slices.Sorted(maps.Keys(got)))
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// noise returns n characters, in which an expression with many states meets one
// after the other.
func noise(n int, breaks bool) string {
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, n)
	for i := range text {
		if text[i] = byte(' ' + r.IntN(90)); breaks && i%700 == 0 {
			text[i] = '\n'
		}
	}
	return string(text)
}

// TestSlowSearchesEnd checks that searches which cannot end in their time are
// answered at it with what they found, however many there are and however long the
// lines, and that a call which needs little is not delayed by them.
func TestSlowSearchesEnd(t *testing.T) {
	const timeout = 3 * time.Second
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a.go": "package a\n\nfunc F() {}\n", "long.txt": noise(900_000, false)}
	for i := range 4 {
		files[fmt.Sprintf("t%d.txt", i)] = noise(900_000, true)
	}
	s := serverAt(t, tree(t, "demo", files), false)
	settle(t, connect(t, s, nil))
	session := connect(t, New(Options{Workspace: s.ws, Start: s.start, Timeout: timeout}), nil)
	var slow sync.WaitGroup
	for i := range 8 {
		slow.Go(func() {
			began := time.Now()
			text, isError := ask(t, session, "search", map[string]any{"query": fmt.Sprintf("[a-m].{%d}[0-9A-M].{%d}[a-z ]{3}", 200+i, 300-i), "mode": "regex"})
			if isError || !strings.Contains(text, "the time limit ended the search") && !strings.Contains(text, "was over before anything was looked at") {
				t.Errorf("slow search %d: %s", i, text)
			}
			if took := time.Since(began); took > timeout+time.Second/2 {
				t.Errorf("slow search %d took %v", i, took)
			}
		})
	}
	ended := make(chan struct{})
	go func() { slow.Wait(); close(ended) }()
	reads, late := 0, 0 // other programs may delay one of them
	for over := false; !over; {
		began := time.Now()
		text, isError := ask(t, session, "read", map[string]any{"path": "a.go"})
		if isError {
			t.Errorf("a read beside them: %s", text)
		}
		if reads++; time.Since(began) > time.Second {
			late++
		}
		select {
		case <-ended:
			over = true
		case <-time.After(timeout / 20):
		}
	}
	if late > reads/4 {
		t.Errorf("%d of %d reads beside them took more than a second", late, reads)
	}
}

// TestProgress checks that a client which asks hears of the indexing, before
// the answer and with numbers that grow.
func TestProgress(t *testing.T) {
	many := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 400 {
		many[fmt.Sprintf("d%d/f%d.go", i%20, i)] = strings.Repeat(fmt.Sprintf("func Name%d() {}\n", i), 300)
	}
	var mu sync.Mutex
	var got []float64
	answered := false
	session := connect(t, serverAt(t, tree(t, "many", many), false), &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			if answered {
				t.Error("a notification came behind the answer")
			}
			if req.Params.ProgressToken != "tok" || req.Params.Message == "" {
				t.Errorf("notification %+v", req.Params)
			}
			got = append(got, req.Params.Progress)
		},
	})
	params := &mcp.CallToolParams{Name: "index", Arguments: map[string]any{}}
	params.SetProgressToken("tok")
	res, err := session.CallTool(context.Background(), params)
	mu.Lock()
	defer mu.Unlock()
	answered = true
	if err != nil || res.IsError {
		t.Fatalf("%v, error %v", res, err)
	}
	if len(got) == 0 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("progress %v", got)
	}
}

// TestIndexCancelled checks that a cancelled index call ends the indexing it began.
func TestIndexCancelled(t *testing.T) {
	many := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 2000 {
		many[fmt.Sprintf("d%d/f%d.go", i%20, i)] = strings.Repeat(fmt.Sprintf("func Name%d() {}\n", i), 300)
	}
	s := serverAt(t, tree(t, "many", many), false)
	ctx, cancel := context.WithCancel(context.Background())
	p := notify.Start(ctx, func(context.Context, notify.Step) error { // the indexing has begun
		cancel()
		return nil
	})
	defer p.Stop()
	if _, err := s.index(ctx, &call{host.Call{Progress: p}}, &indexParams{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	text, err := s.status(context.Background(), &call{}, &statusParams{})
	if err != nil || !strings.Contains(text, "not indexed") && !strings.Contains(text, "partial: ") || strings.Contains(text, "now indexing") {
		t.Errorf("status: %s, error %v", text, err)
	}
}

// TestPrepared checks that a server follows an indexed start folder before
// anything is asked, and attaches none.
func TestPrepared(t *testing.T) {
	home := filepath.Dir(tree(t, "demo", demo))
	open := func(data string) *workspace.Workspace {
		w, err := workspace.Open(workspace.Options{DataDir: data, Home: home, Watch: true})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for _, c := range []struct {
		name    string
		indexed bool
	}{{"indexed", true}, {"not attached", false}} {
		t.Run(c.name, func(t *testing.T) {
			data, start := t.TempDir(), filepath.Join(home, "demo")
			if c.indexed {
				w := open(data)
				r, err := w.Attach(t.Context(), start, workspace.AttachOptions{})
				if err == nil {
					_, err = r.Index(t.Context(), workspace.IndexOptions{})
				}
				if err := errors.Join(err, w.Close()); err != nil {
					t.Fatal(err)
				}
			}
			w := open(data)
			t.Cleanup(func() { w.Close() })
			s := New(Options{Workspace: w, Start: start})
			if err := s.prepare(t.Context()); (err == nil) != c.indexed {
				t.Errorf("prepared: error %v", err)
			}
			repos, err := s.ws.Repos(t.Context())
			if err != nil || (len(repos) == 1) != c.indexed {
				t.Fatalf("%d repositories, error %v", len(repos), err)
			}
			for _, r := range repos {
				if st, err := r.Status(t.Context()); err != nil || st.Watching == "" {
					t.Errorf("not followed: %+v, error %v", st, err)
				}
			}
		})
	}
}

// TestNewestProtocol checks that a client of the revision without a handshake
// finds the instructions and the tools.
func TestNewestProtocol(t *testing.T) {
	in, out, ended := pipes(t, serverAt(t, tree(t, "demo", demo), false))
	answers := lines(t, out)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	for _, tt := range []struct{ method, params, want string }{
		{"server/discover", meta, `"instructions":"Espy searches`},
		{"tools/list", meta, `"ttlMs":3600000`},
		{"tools/call", meta + `,"name":"files","arguments":{}`, "7 of 7 entries"},
		{"subscriptions/listen", meta + `,"notifications":{"toolsListChanged":true}`, "notifications/subscriptions/acknowledged"},
	} {
		t.Run(tt.method, func(t *testing.T) {
			if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`+"\n", tt.method, tt.params); err != nil {
				t.Fatal(err)
			}
			if got := within(t, answers, 5*time.Second); !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s, want %s", tt.method, got, tt.want)
			}
		})
	}
	in.Close() // while it listens
	select {
	case <-ended:
	case <-time.After(time.Second):
		t.Error("the server waits for a request that is answered when nobody listens any more")
	}
}
