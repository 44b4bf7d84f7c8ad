package shebe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/session"
	"espy/internal/workspace"
)

// spoken runs the profile over some lines and returns its answers in their order.
func spoken(t *testing.T, lines ...string) (answers []string) {
	t.Helper()
	ws, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	var out bytes.Buffer
	server := New(Options{Sessions: session.New(ws), Version: "1.2.3"})
	if err := server.ServeStdio(context.Background(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		answers = append(answers, line)
	}
	return answers
}

func callLine(id int, tool string, args object) string {
	text, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": object{"name": tool, "arguments": args}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestOrder sends the life of a session at once.
func TestOrder(t *testing.T) {
	sheet.Proves(t, "rpc.order rpc.early rpc.nomethod rpc.long")
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package alpha\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const hello = `{"jsonrpc":"2.0","id":"late","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	in := []string{
		callLine(0, "index_repository", object{"path": dir, "session": "s"}),
		callLine(1, "search_code", object{"query": "alpha", "session": "s"}),
		callLine(2, "delete_session", object{"session": "s", "confirm": true}),
		callLine(3, "search_code", object{"query": "alpha", "session": "s"}),
		callLine(4, "index_repository", object{"path": dir, "session": "s"}),
		callLine(5, "get_session_info", object{"session": "s"}),
		hello, `{"jsonrpc":"2.0","id":77}`, `{"jsonrpc":"2.0","id":78,"method":"tools/call","params":"` + strings.Repeat("x", 5<<20) + `"}`,
		`{"jsonrpc":"2.0","id":1764396000123456789,"method":"tools/call","params":"` + strings.Repeat("x", 5<<20) + `"}`,
	}
	answers := spoken(t, in...)
	all := strings.Join(answers, "")
	at := -1
	for i, want := range []string{"Indexing complete!", "a.go", "Session Deleted", "Session not found: s", "Indexing complete!", "**Files:** 1"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			n := -1
			for k, a := range answers {
				if strings.Contains(a, fmt.Sprintf(`"id":%d,`, i)) {
					n = k
				}
			}
			if n < 0 || !strings.Contains(answers[n], want) {
				t.Fatalf("call %d is not answered with %q in\n%s", i, want, all)
			}
			if n < at {
				t.Errorf("call %d is answered before the one before it", i)
			}
			at = n
		})
	}
	for _, want := range []string{`"id":"late","result":{"capabilities"`, `"id":77`, `"id":78`, `"id":1764396000123456789`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(all, want) {
				t.Errorf("no %s in\n%s", want, all)
			}
		})
	}
	if len(answers) != len(in) {
		t.Errorf("%d answers to %d requests", len(answers), len(in))
	}
}

// TestNotText reads files that no session takes for what they are.
func TestNotText(t *testing.T) {
	sheet.Proves(t, "read.nottext")
	c := newClient(t, map[string]string{"a.go": "x\n", "img.png": "\x89PNG\r\n\x1a\n\x00\x00", "latin.txt": "caf\xe9\n", "text.png": "plain\n", "sub/b.bin": "\x00\x01"}, nil)
	c.index("s", nil)
	const text = "File contains non-UTF-8 data (binary file)."
	for path, want := range map[string]string{
		"img.png": text, c.root + "/img.png": text, "/latin.txt": text, "sub/b.bin": text,
		"text.png": "File 'text.png' not indexed in session 's'. Check file_path or re-index the session.",
		"none.png": "File 'none.png' not indexed in session 's'. Check file_path or re-index the session.",
	} {
		t.Run(path, func(t *testing.T) {
			c := c.on(t)
			long, short := want, want
			if want == text {
				long += " Cannot display in MCP response."
			} else {
				short = fmt.Sprintf("Chunk not found: file '%s', chunk index 0. File may not be indexed or chunk index invalid.", path)
			}
			c.fails("read_file", object{"session": "s", "file_path": path}, codeSession, long)
			c.fails("preview_chunk", object{"session": "s", "file_path": path, "chunk_index": 0}, codeSession, short)
		})
	}
}

// TestAnyScript names sessions in other scripts.
func TestAnyScript(t *testing.T) {
	sheet.Proves(t, "all.name")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	for _, name := range []string{"größe", "магазин-1", "検索_2", strings.Repeat("検", 64), "a", "ａｂ"} {
		t.Run(name, func(t *testing.T) {
			c := c.on(t)
			c.index(name, nil)
			if got := c.Call("list_sessions", nil); !strings.Contains(got, "## "+name+"\n") {
				t.Errorf("list_sessions: %s", got)
			}
			if got := c.Call("search_code", object{"query": "alpha", "session": name}); len(found(got)) != 1 {
				t.Errorf("search_code: %s", got)
			}
			c.Call("reindex_session", object{"session": name, "force": true})
			c.Call("delete_session", object{"session": name, "confirm": true})
			c.fails("get_session_info", object{"session": name}, codeSession, "Session not found: "+name)
		})
	}
}

// TestMovedRepository describes a session whose repository is elsewhere now.
func TestMovedRepository(t *testing.T) {
	sheet.Proves(t, "info.metadata")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	c.index("s", nil)
	before := c.Call("get_session_info", object{"session": "s"})
	if err := os.Rename(c.root, c.root+"-moved"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**Repository Path:** " + c.root + "\n", "**Files:** 1\n"} {
		t.Run(want, func(t *testing.T) {
			if got := c.Call("get_session_info", object{"session": "s"}); !strings.Contains(got, want) || !strings.HasPrefix(got, before) {
				t.Errorf("get_session_info: %s\nbefore: %s", got, before)
			}
		})
	}
}

// TestReassigned finds the lines that give a variable another value.
func TestReassigned(t *testing.T) {
	sheet.Proves(t, "refs.reassigned")
	c := newClient(t, map[string]string{"a.py": "COUNT = 1\nCOUNT = 2\ndef f():\n    COUNT = 3\n    return COUNT\n", "b.js": "var total = 1\ntotal = 2\nvar total = 3\n"}, nil)
	c.index("s", nil)
	for symbol, want := range map[string][]string{"COUNT": {"a.py:2", "a.py:4", "a.py:5"}, "total": {"b.js:2", "b.js:3"}} {
		t.Run(symbol, func(t *testing.T) {
			got := c.on(t).Call("find_references", object{"symbol": symbol, "session": "s"})
			for _, place := range want {
				if !strings.Contains(got, place) {
					t.Errorf("no %s in %s", place, got)
				}
			}
			if !strings.Contains(got, fmt.Sprintf("(%d found)", len(want))) {
				t.Errorf("want %d references: %s", len(want), got)
			}
		})
	}
}
