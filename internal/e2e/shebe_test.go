package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShebe speaks with the binary line by line, as a client of Shebe does,
// and looks at the very codes and messages.
func TestShebe(t *testing.T) {
	t.Parallel()
	dir := tree(t, rules)
	call := func(id, tool, args string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	var home = t.TempDir()
	// talk runs one process over some lines and returns the answers by id.
	talk := func(lines ...string) map[string]string {
		t.Helper()
		cmd := exec.Command(espy(t), "mcp", "--profile", "shebe")
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + home}
		cmd.Stdin = strings.NewReader(strings.Join(append([]string{hello}, lines...), "\n") + "\n")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		answers := map[string]string{}
		for line := range strings.Lines(string(out)) {
			var m struct {
				ID     json.RawMessage
				Error  *struct{ Code, Message json.RawMessage }
				Result json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if answers[string(m.ID)] = string(m.Result); m.Error != nil {
				answers[string(m.ID)] = string(m.Error.Code) + " " + string(m.Error.Message)
			}
		}
		return answers
	}
	checkAnswers := func(got, want map[string]string) {
		t.Helper()
		for id, part := range want {
			if !strings.Contains(got[id], part) {
				t.Errorf("answer %s: %s, want %s", id, got[id], part)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d answers, want %d: %v", len(got), len(want), got)
		}
	}
	checkAnswers(talk(call("2", "index_repository", `{"path":"`+dir+`","session":"demo"}`)), map[string]string{
		"1": `"serverInfo":{"name":"shebe-mcp"`, "2": `**Files indexed:** 2`,
	})
	checkAnswers(talk(
		`{"jsonrpc":"2.0","method":"initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"no/such/notification"}`,
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"arguments":{}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nope","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_sessions"}}`,
		call("9", "show_shebe_config", `{}`),
		call("10", "search_code", `{"query":"say \"open","session":"demo"}`),
		call("11", "search_code", `{"query":"rules AND NOT other","session":"demo"}`),
		call("12", "search_code", `{"query":"x","session":"absent"}`),
		call("13", "delete_session", `{"session":"../..","confirm":true}`),
		`not json`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`,
	), map[string]string{
		"1": "", "2": "{}", "3": `-32601 "Unknown method: resources/list"`, "4": `-32602 "Missing params"`,
		"5": `-32602 "Invalid params: invalid type: sequence`, "6": "-32602 \"Invalid params: missing field `name`\"", "7": `-32600 "Tool not found: nope"`,
		"8": "## demo", "9": "# Shebe MCP Configuration", "10": `-32004 "Search failed: Failed to parse query: unbalanced quote at character 5"`,
		"11": "rules.go", "12": `-32001 "Session not found: absent"`, "13": `-32602 "Session must contain only`,
		"null": `-32700 "`, `"a"`: `"tools":[{"description":"Search the code`,
	})
	cmd := exec.Command(espy(t), "mcp")
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "ESPY_PROFILE=cheese"}
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), `unknown profile "cheese"`) {
		t.Errorf("an unknown profile: %v, %s", err, out)
	}
	cmd = exec.Command(espy(t), "mcp")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{"HOME=" + home, "ESPY_PROFILE=shebe"}, strings.NewReader(hello+"\n")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "shebe-mcp") {
		t.Errorf("ESPY_PROFILE: %v, %s", err, out)
	}
}

// TestShebeTogether lets two servers and the command line work on one session.
func TestShebeTogether(t *testing.T) {
	t.Parallel()
	commands.Proves(t, "cli.together")
	dir, env := tree(t, rules), []string{"HOME=" + t.TempDir()}
	one, two := startPeer(t, env), startPeer(t, env)
	defer one.stop()
	defer two.stop()
	has := func(p *peer, want string) {
		t.Helper()
		if got := p.call("search_code", map[string]any{"query": "rules", "session": "demo"}); !strings.Contains(got, want) || strings.Contains(got, "NOTE:") {
			t.Errorf("no %q in %s", want, got)
		}
	}
	one.call("index_repository", map[string]any{"path": dir, "session": "demo"})
	has(one, "rules.go")
	has(two, "rules.go")
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("package rules // newly made rules\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	two.call("reindex_session", map[string]any{"session": "demo", "force": true})
	has(one, "new.go")
	has(two, "new.go")
	cmd := exec.Command(espy(t), "shebe", "delete-session", "demo", "--force")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, p := range []*peer{one, two} {
		if got := p.call("list_sessions", nil); !strings.HasPrefix(got, "No sessions available.") {
			t.Errorf("after the session is deleted: %s", got)
		}
	}
}
