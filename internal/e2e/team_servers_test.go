package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"espy/internal/postgrestest"
)

// balancer gives each connection to the next of several servers, as a plain TCP
// balancer does. It returns its address, and counts the connections of each.
func balancer(t *testing.T, servers []string) (address string, served []atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	served = make([]atomic.Int32, len(servers))
	go func() {
		for n := 0; ; n++ {
			client, err := l.Accept()
			if err != nil {
				return
			}
			served[n%len(servers)].Add(1)
			server, err := net.Dial("tcp", servers[n%len(servers)])
			if err != nil {
				client.Close()
				continue
			}
			go func() {
				io.Copy(server, client) //nolint:errcheck // it ends with the connection
				server.(*net.TCPConn).CloseWrite()
			}()
			go func() {
				io.Copy(client, server) //nolint:errcheck // it ends with the connection
				client.Close()
				server.Close()
			}()
		}
	}()
	return l.Addr().String(), served
}

// serveAt starts a server of a machine, and waits until it answers.
func (m *machine) serveAt(flags ...string) (address string) {
	m.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	cmd := m.command(append([]string{"serve", "--addr", address}, flags...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	m.t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		if err := <-ended; exitOf(err) != 0 && exitOf(err) != 143 {
			m.t.Errorf("the server ended: %v\n%s", err, errs.String())
		}
	})
	for end := time.Now().Add(time.Minute); ; {
		if resp, err := http.Get("http://" + address + "/healthz"); err == nil {
			resp.Body.Close()
			return address
		}
		select {
		case err := <-ended:
			ended <- err
			m.t.Fatalf("the server ended: %v\n%s", err, errs.String())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(end) {
			m.t.Fatal("the server does not answer")
		}
	}
}

// post sends a request over a connection of its own.
func post(t *testing.T, url, token, body string, header ...string) (code int, text string, got http.Header) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(all), resp.Header
}

// called is a call of a tool.
func called(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// TestTeamServers holds that any request to servers of a team may go to any of them:
// tokens, their ends, tasks and answers are the same; what only one machine has is
// refused with a word that helps.
func TestTeamServers(t *testing.T) {
	t.Parallel()
	database := "ESPY_DATABASE_URL=" + postgrestest.Database(t).String()
	dir := tree(t, teamFiles)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "begin"}} {
		git := exec.Command("git", args...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	worker, operator := newMachine(t, database), newMachine(t, database)
	worker.must("index", dir, "--name", "shop")
	token := firstLine(operator.must("token", "create", "--name", "ci", "--role", "index", "--repo", "shop"))
	front, served := balancer(t, []string{newMachine(t, database).serveAt("--require-token", "--toolsets", "all"), newMachine(t, database).serveAt("--require-token", "--toolsets", "all")})
	api, mcp, shebe := "http://"+front+"/api/v1/", "http://"+front+"/mcp", "http://"+front+"/mcp/shebe"

	t.Run("answers", func(t *testing.T) {
		var first string
		for n := range 8 {
			code, text, _ := post(t, api+"search", token, `{"query":"Total","mode":"literal","repo":"shop"}`)
			text = chance.ReplaceAllString(text, "*")
			if first == "" {
				first = text
			}
			if code != 200 || text != first || !strings.Contains(text, "cart/cart.go") {
				t.Errorf("request %d: %d %s, want %s", n, code, text, first)
			}
		}
		if served[0].Load() == 0 || served[0].Load() != served[1].Load() {
			t.Errorf("connections %d and %d", served[0].Load(), served[1].Load())
		}
	})
	t.Run("tools", func(t *testing.T) {
		for range 4 {
			if code, text, _ := post(t, mcp, token, called("symbol", `{"repo":"shop","name":"Total"}`)); code != 200 || !strings.Contains(text, "cart/cart.go") || strings.Contains(text, `"isError":true`) {
				t.Errorf("%d %s", code, text)
			}
		}
	})
	t.Run("status", func(t *testing.T) {
		admin := firstLine(operator.must("token", "create", "--name", "all", "--role", "read"))
		if code, text, _ := post(t, mcp, admin, called("status", `{}`)); code != 200 || !strings.Contains(text, "vectors of the team: compared by") {
			t.Errorf("%d %s", code, text)
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, tt := range []struct{ url, call, says string }{
			{mcp, called("history", `{"repo":"shop"}`), "holds no history"}, {mcp, called("blame", `{"repo":"shop","path":"main.go"}`), "holds no history"},
			{mcp, called("search", `{"repo":"shop@next","query":"x"}`), "published are main"}, {mcp, called("search", `{"repo":"shop","query":"x","scope":"deps"}`), "packages of others lie on"},
			{mcp, called("dependencies", `{"repo":"shop","path":"cart","direction":"packages"}`), "packages of others lie on"},
			{mcp, called("references", `{"repo":"shop","symbol":"Total","scope":"deps"}`), "packages of others lie on"}, {mcp, called("index", `{"path":"shop"}`), "espy index"},
			{shebe, called("index_repository", fmt.Sprintf(`{"path":%q,"session":"one"}`, dir)), "has none"},
			{shebe, called("search_code", `{"query":"Total","session":"one"}`), "Session not found"},
		} {
			for range 2 {
				if code, text, _ := post(t, tt.url, token, tt.call); code != 200 || !strings.Contains(text, tt.says) {
					t.Errorf("%s: %d %s, want %q", tt.call, code, text, tt.says)
				}
			}
		}
		for _, args := range [][]string{{"deps", "--repo", "shop"}, {"search", "x", "--scope", "deps", "--repo", "shop"}} {
			if said := operator.ask(args...); !strings.Contains(said, "ESPY_DATABASE_URL= set to nothing") {
				t.Errorf("espy %s: %s", args, said)
			}
		}
	})
	t.Run("token", func(t *testing.T) {
		second := firstLine(operator.must("token", "rotate", "ci"))
		for end := time.Now().Add(20 * time.Second); ; { // until both have heard
			codes := map[int]int{}
			for range 2 {
				code, _, _ := post(t, api+"status", token, `{}`)
				codes[code]++
			}
			if codes[401] == 2 {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("the old secret: %v", codes)
			}
		}
		for range 4 {
			if code, text, _ := post(t, api+"status", second, `{}`); code != 200 {
				t.Errorf("the new secret: %d %s", code, text)
			}
		}
	})
	t.Run("import", func(t *testing.T) {
		alone := newMachine(t)
		text := firstLine(alone.must("token", "create", "--name", "before"))
		joined := &machine{t: t, env: append(alone.env, database)}
		if said := joined.must("token", "import"); !strings.Contains(said, "took over 1 tokens") {
			t.Errorf("import: %s", said)
		}
		if said := joined.must("token", "import"); !strings.Contains(said, "took over 0 tokens") {
			t.Errorf("import again: %s", said)
		}
		if code, said, _ := post(t, api+"status", text, `{}`); code != 200 {
			t.Errorf("a token of before: %d %s", code, said)
		}
		if said := operator.must("token", "list"); !strings.Contains(said, "before") {
			t.Errorf("list: %s", said)
		}
		if found, err := filepath.Glob(filepath.Join(dataOf(alone), "tokens.json*")); err != nil || len(found) != 2 { // .lock and .imported
			t.Errorf("left are %v, %v", found, err)
		}
	})
}

// TestTeamStateful holds that a session of a client which its server keeps is not known
// to another, which says so as the protocol has it: the client then begins anew.
func TestTeamStateful(t *testing.T) {
	t.Parallel()
	database := "ESPY_DATABASE_URL=" + postgrestest.Database(t).String()
	newMachine(t, database).must("index", tree(t, teamFiles), "--name", "shop")
	one, other := newMachine(t, database).serveAt("--stateful"), newMachine(t, database).serveAt("--stateful")
	begin := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"team","version":"1"}}}`
	code, text, header := post(t, "http://"+one+"/mcp", "", begin)
	id := header.Get("Mcp-Session-Id")
	if code != 200 || id == "" {
		t.Fatalf("%d %s, session %q", code, text, id)
	}
	call := called("symbol", `{"repo":"shop","name":"Total"}`)
	if code, text, _ := post(t, "http://"+one+"/mcp", "", call, "Mcp-Session-Id", id); code != 200 || !strings.Contains(text, "cart/cart.go") {
		t.Errorf("its own server: %d %s", code, text)
	}
	if code, text, _ := post(t, "http://"+other+"/mcp", "", call, "Mcp-Session-Id", id); code != 404 {
		t.Errorf("the other server: %d %s, want 404", code, text)
	}
}

func firstLine(said string) string {
	line, _, _ := strings.Cut(said, "\n")
	return line
}
