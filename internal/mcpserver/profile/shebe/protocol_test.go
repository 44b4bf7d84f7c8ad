package shebe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/session"
	"espy/internal/workspace"
)

// TestProtocol speaks line by line, as a client that nobody here wrote, and
// looks at the very answers.
func TestProtocol(t *testing.T) {
	sheet.Proves(t, "rpc.initialize rpc.ping rpc.notify rpc.method rpc.id rpc.params rpc.shape rpc.tool rpc.arguments rpc.unknown rpc.request rpc.json rpc.list rpc.block rpc.error config.alias config.detailed.type delete.confirm")
	ws, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	lines := []struct{ line, id, want string }{
		{hello, "1", `result {"capabilities":{"tools":{}},"protocolVersion":"2024-11-05","serverInfo":{"name":"shebe-mcp","version":"1.2.3"}}`},
		{`{"jsonrpc":"2.0","method":"initialized"}`, "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, "", ""},
		{`{"jsonrpc":"2.0","method":"no/such/notification"}`, "", ""},
		{`{"jsonrpc":"2.0","id":2,"method":"ping"}`, "2", `result {}`},
		{`{"jsonrpc":"2.0","id":3,"method":"resources/list"}`, "3", `error {"code":-32601,"message":"Unknown method: resources/list"}`},
		{`{"jsonrpc":"2.0","id":20,"method":"server/discover","params":{}}`, "20", `error {"code":-32601,"message":"Unknown method: server/discover"}`},
		{`{"jsonrpc":"2.0","id":21,"method":"subscriptions/listen"}`, "21", `error {"code":-32601,"message":"Unknown method: subscriptions/listen"}`},
		{`{"jsonrpc":"2.0","id":1764396000123456789,"method":"ping"}`, "1764396000123456789", `error {"code":-32600,`},
		{`{"jsonrpc":"2.0","id":1764396000123456,"method":"ping"}`, "1764396000123456", `result {}`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`, "4", `error {"code":-32602,"message":"Missing params"}`},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}`, "5", `error {"code":-32602,"message":"Invalid params: invalid type: sequence, expected a map"}`},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"arguments":{}}}`, "6", "error {\"code\":-32602,\"message\":\"Invalid params: missing field `name`\"}"},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nope","arguments":{}}}`, "7", `error {"code":-32600,"message":"Tool not found: nope"}`},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_sessions"}}`, "8", `result {"content":[{"type":"text","text":"No sessions available. Index a repository first with index_repository."}]}`},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_sessions","arguments":{"colour":"red"}}}`, "9", `result {"content":[{"type":"text","text":"No sessions available. Index a repository first with index_repository."}]}`},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"x","session":"none"}}}`, "10", `error {"code":-32001,"message":"Session not found: none","data":{"hint":"Use list_sessions to see available sessions."}}`},
		{`{"id":11,"jsonrpc":"1.0"}`, "11", `error {"code":-32600,`},
		{`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"show_shebe_config","arguments":{"detailed":"yes"}}}`, "12", `result {"content":[{"type":"text","text":"# Shebe MCP Configuration`},
		{`{"jsonrpc":"2.0","id":13,"method":"initialize","params":{"capabilities":{}}}`, "13", "error {\"code\":-32602,\"message\":\"Invalid params: missing field `protocolVersion`\"}"},
		{`{"jsonrpc":"2.0","id":15,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t"}}}`, "15", "error {\"code\":-32602,\"message\":\"Invalid params: missing field `version`\"}"},
		{`{"jsonrpc":"2.0","id":16,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":"t"}}`, "16", "error {\"code\":-32602,\"message\":\"Invalid params: invalid type: string \\\"t\\\", expected a map for `clientInfo`\"}"},
		{`{"jsonrpc":"2.0","id":17,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":5,"clientInfo":{"name":"t","version":"1"}}}`, "17", "error {\"code\":-32602,\"message\":\"Invalid params: invalid type: integer `5`, expected a map for `capabilities`\"}"},
		{`{"jsonrpc":"2.0","id":18,"method":"initialize"}`, "18", `error {"code":-32602,"message":"Invalid params: invalid type: unit value, expected a map"}`},
		{`{"jsonrpc":"2.0","id":19,"method":"tools/call","params":{"name":"delete_session","arguments":{"session":"s","confirm":null}}}`, "19", "error {\"code\":-32602,\"message\":\"invalid type: null, expected a boolean\"}"},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`, `"a"`, `"tools":[{"description":"Search the code of an indexed session`},
		{`not json`, "null", `error {"code":-32700,`},
		{`{"jsonrpc":"2.0","id":14,"method":"ping"}`, "14", `result {}`},
	}
	var in strings.Builder
	for _, l := range lines {
		in.WriteString(l.line + "\n")
	}
	var out bytes.Buffer
	server := New(Options{Sessions: session.New(ws), Version: "1.2.3"})
	if err := server.ServeStdio(context.Background(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct{ ID, Result, Error json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answer := "result " + string(m.Result)
		if m.Error != nil {
			answer = "error " + string(m.Error)
		}
		if got[string(m.ID)] != "" {
			t.Errorf("%s is answered twice", m.ID)
		}
		got[string(m.ID)] = answer
	}
	answers := 0
	for _, l := range lines {
		t.Run(fmt.Sprintf("%.60s", l.line), func(t *testing.T) {
			if l.id == "" {
				return
			}
			answers++
			if !strings.Contains(got[l.id], l.want) {
				t.Errorf("%s\nis answered with %s\nwant %s", l.line, got[l.id], l.want)
			}
		})
	}
	if len(got) != answers {
		t.Errorf("%d answers, want %d: %v", len(got), answers, got)
	}
	if strings.Contains(got["12"], "## Sources") {
		t.Errorf("a detailed that is no boolean counts as true")
	}
	if strings.Contains(got[`"a"`], "show_shebe_config") || strings.Count(got[`"a"`], `"name":`) != 14 {
		t.Errorf("tools %s", got[`"a"`])
	}
}

// TestParallel asks while a long call runs.
func TestParallel(t *testing.T) {
	sheet.Proves(t, "index.parallel")
	files := numbered(2000)
	c := newClient(t, files, nil)
	done := make(chan string, 1)
	go func() {
		text, failed := c.Try("index_repository", object{"path": c.root, "session": "s"})
		done <- fmt.Sprint(text, failed)
	}()
	answered := 0
	for deadline := time.After(time.Minute); ; {
		select {
		case got := <-done:
			if !strings.Contains(got, "Indexing complete!") || answered == 0 {
				t.Errorf("%d answers while indexing, which ended with %s", answered, got)
			}
			return
		case <-deadline:
			t.Fatal("indexing does not end")
		default:
			c.Call("list_sessions", nil)
			answered++
		}
	}
}

// TestPatterns holds which files a session takes.
func TestPatterns(t *testing.T) {
	sheet.Proves(t, "index.include index.exclude index.force all.walk all.apart")
	files := map[string]string{
		"a.go": "x\n", "a.py": "x\n", ".env.example": "x\n", ".gitignore": "*.py\n", ".cache/a.go": "x\n", "deep/down/b.go": "x\n",
	}
	for _, folder := range []string{"target", "node_modules", ".git", "dist", "build", "__pycache__", ".venv", "venv"} {
		files["sub/"+folder+"/x.go"] = "x\n"
	}
	files["sub/x.pyc"] = "x\n"
	c := newClient(t, files, nil)
	list := func(session string, more object) string {
		c.index(session, more)
		var names []string
		for _, p := range rows(c.Call("list_dir", object{"session": session})) {
			names = append(names, strings.TrimPrefix(p, c.root+"/"))
		}
		return strings.Join(names, " ")
	}
	for i, tt := range []struct {
		more object
		want string
	}{
		{nil, ".env.example .gitignore a.go a.py deep/down/b.go"},
		{object{"include_patterns": []string{}}, ".env.example .gitignore a.go a.py deep/down/b.go"},
		{object{"include_patterns": []string{"*.go"}}, "a.go deep/down/b.go"},
		{object{"include_patterns": []string{"a.*"}}, "a.go a.py"},
		{object{"include_patterns": []string{"**/down/**"}}, "deep/down/b.go"},
		{object{"include_patterns": []string{"[!a].go"}, "exclude_patterns": []string{"**/sub/**"}}, "deep/down/b.go"},
		{object{"include_patterns": []string{"x.*"}, "exclude_patterns": []string{"**/d*/**"}}, "sub/__pycache__/x.go sub/build/x.go sub/node_modules/x.go sub/target/x.go sub/venv/x.go sub/x.pyc"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if got := list(fmt.Sprint("s", i), tt.more); got != tt.want {
				t.Errorf("%v: %s, want %s", tt.more, got, tt.want)
			}
		})
	}
	if got := list("s0", object{"force": true, "include_patterns": []string{"*.py"}}); got != "a.py" {
		t.Errorf("with force: %s", got)
	}
	if got := c.Call("find_file", object{"session": "s2", "pattern": "*.py"}); !strings.Contains(got, "**Matches:** 0 of 2") {
		t.Errorf("one session sees another's files: %s", got)
	}
}

// TestErrorsOfFiles holds that files which cannot be read are named, and stop nothing.
func TestErrorsOfFiles(t *testing.T) {
	sheet.Proves(t, "index.errors")
	files := map[string]string{"good.txt": "x\n"}
	for i := range 30 {
		files[fmt.Sprintf("bad%02d.txt", i)] = "caf\xe9 au lait\n"
	}
	c := newClient(t, files, nil)
	got := c.index("s", nil)
	if !strings.Contains(got, "**Files indexed:** 1\n") || !strings.Contains(got, "**Errors:** 30\n- `bad00.txt`: ") || strings.Count(got, "\n- `") != 20 || !strings.Contains(got, "\n- and 10 more\n") {
		t.Errorf("%s", got)
	}
}

// TestSettings holds every key and every variable.
func TestSettings(t *testing.T) {
	sheet.Proves(t, "set.keys set.env")
	file := t.TempDir() + "/config.toml"
	writeFile(t, file, `[logging]
level = "debug"
[indexing]
chunk_size = 101
overlap = 11
max_file_size_mb = 3
include_patterns = ["*.a"]
exclude_patterns = ["*.b", "*.c"]
[storage]
index_dir = "/f"
[search]
default_k = 12
max_k = 13
max_query_length = 14
[limits]
max_concurrent_indexes = 15
request_timeout_sec = 16
`)
	env := map[string]string{"SHEBE_CONFIG": file}
	cfg, err := LoadConfig(Input{Home: t.TempDir(), Dir: t.TempDir(), Env: env})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintln(cfg.LogLevel, cfg.ChunkSize, cfg.Overlap, cfg.MaxFileSizeMB, cfg.Include, cfg.Exclude, cfg.IndexDir, cfg.DefaultK, cfg.MaxK, cfg.MaxQueryLength, cfg.MaxIndexes, cfg.TimeoutSeconds)
	if got != "debug 101 11 3 [*.a] [*.b *.c] /f 12 13 14 15 16\n" {
		t.Errorf("settings of the file: %s", got)
	}
	for _, label := range labels {
		if cfg.source(label) != "config file "+file {
			t.Errorf("%s comes from %s", label, cfg.source(label))
		}
	}
	for name, value := range map[string]string{
		"SHEBE_CHUNK_SIZE": "201", "SHEBE_OVERLAP": "21", "SHEBE_MAX_FILE_SIZE_MB": "22", "SHEBE_DEFAULT_K": "23", "SHEBE_MAX_K": "24",
		"SHEBE_MAX_QUERY_LENGTH": "25", "SHEBE_MAX_CONCURRENT_INDEXES": "26", "SHEBE_REQUEST_TIMEOUT_SEC": "27", "SHEBE_INDEX_DIR": "/e",
	} {
		env[name] = value
	}
	if cfg, err = LoadConfig(Input{Home: t.TempDir(), Dir: t.TempDir(), Env: env}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintln(cfg.ChunkSize, cfg.Overlap, cfg.MaxFileSizeMB, cfg.DefaultK, cfg.MaxK, cfg.MaxQueryLength, cfg.MaxIndexes, cfg.TimeoutSeconds, cfg.IndexDir); got != "201 21 22 23 24 25 26 27 /e\n" {
		t.Errorf("settings of the environment: %s", got)
	}
	for name := range env {
		if name != "SHEBE_CONFIG" && name != "SHEBE_INDEX_DIR" {
			env[name] = "-5x"
		}
	}
	if cfg, err = LoadConfig(Input{Home: t.TempDir(), Dir: t.TempDir(), Env: env}); err != nil || cfg.ChunkSize != 101 || cfg.MaxK != 13 {
		t.Errorf("values that are no numbers: %+v, %v", cfg, err)
	}
}
