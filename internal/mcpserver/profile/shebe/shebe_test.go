package shebe

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/mcpserver/profile/profiletest"
	"espy/internal/session"
	"espy/internal/workspace"
)

var update = flag.Bool("update", false, "write the goldens anew")

// client is a session of the protocol with the profile, over a pipe.
type client struct {
	profiletest.Client
	root string // of the repository
	ws   *workspace.Workspace
	all  *session.Sessions
	now  time.Time
}

// newClient starts the profile over a folder with files.
func newClient(t *testing.T, files map[string]string, config *Config) *client {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{root: filepath.Join(root, "shop")}
	filetest.Write(t, c.root, files)
	if c.ws, err = workspace.Open(workspace.Options{DataDir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	c.all = session.New(c.ws)
	server := New(Options{Sessions: c.all, Version: "1.2.3", Config: config, Now: func() time.Time {
		if c.now.IsZero() {
			return time.Now()
		}
		return c.now
	}})
	t.Cleanup(func() { c.ws.Close() })
	c.Client = profiletest.Connect(t, server, nil)
	return c
}

func (c *client) write(files map[string]string) { filetest.Write(c, c.root, files) }

type object map[string]any

// on returns the client for a subtest.
func (c *client) on(t *testing.T) *client {
	sub := *c
	sub.T = t
	return &sub
}

// fails calls a tool that must fail.
func (c *client) fails(tool string, args object, code int64, message string) {
	c.Helper()
	text, err := c.Try(tool, args)
	switch {
	case err == nil:
		c.Errorf("%s(%v) = %q, want the error %d %s", tool, args, text, code, message)
	case err.Code != code || c.clean(err.Message) != message:
		c.Errorf("%s(%v): error %d %q, want %d %q", tool, args, err.Code, c.clean(err.Message), code, message)
	}
}

func (c *client) index(session string, more object) string {
	args := object{"path": c.root, "session": session}
	for k, v := range more {
		args[k] = v
	}
	return c.Call("index_repository", args)
}

var machine = regexp.MustCompile("(Index Directory:\\*\\* |Go Version:\\*\\* |cursor=)[^ \n]+")

var volatile = regexp.MustCompile(`\(\d+ms\)|\d+\.\ds\b|\d+ files/sec|\d+\.\d+ (KB|MB)|Index size: \d+ B|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?( UTC|Z)`)

// clean puts fixed words in place of what differs from run to run.
func (c *client) clean(text string) string {
	text = strings.ReplaceAll(text, c.root, "/srv/shop")
	text = machine.ReplaceAllString(text, "${1}X")
	return volatile.ReplaceAllStringFunc(text, func(s string) string {
		switch {
		case strings.HasSuffix(s, "ms)"):
			return "(3ms)"
		case strings.HasPrefix(s, "Index size"):
			return "Index size: SIZE"
		case strings.HasSuffix(s, "KB"), strings.HasSuffix(s, "MB"):
			return "SIZE"
		case strings.HasSuffix(s, "/sec"):
			return "RATE files/sec"
		case strings.HasSuffix(s, "s"):
			return "0.4s"
		case strings.HasSuffix(s, "Z"):
			return "2026-02-03T09:15:02Z"
		case strings.Count(s, ":") == 2:
			return "2026-02-03 09:15:02 UTC"
		}
		return "2026-02-03 09:15 UTC"
	})
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// shop is the repository of the examples.
var shop = map[string]string{
	"go.mod":         "module shop\n",
	"main.go":        "package main\n\nfunc main() {\n\tserve()\n}\n",
	"net/retry.go":   "package net\n\n// backoff waits longer each time.\nfunc backoff(n int) time.Duration {\n\treturn base << n\n}\n",
	"net/client.go":  "package net\n\nfunc call() {\n\tfor n := 0; n < 5; n++ {\n\t\ttime.Sleep(backoff(n))\n\t}\n}\n",
	"net/fetch.go":   "package net\n\nfunc fetch(ctx context.Context) error {\n\treturn retry(ctx, backoff)\n}\n",
	"docs/retry.md":  "# Retry policy\n\nThe backoff is capped.\n",
	".cache/x.go":    "package hidden\n",
	".editorconfig":  "root = true\n",
	".gitignore":     "docs/\n",
	"build/out.go":   "package out\n",
	"logo.png":       "\x89PNG\r\n\x1a\n\x00\x00",
	"data/latin.txt": "caf\xe9 au lait\n",
}

// exchange is one call of a story, told in a golden.
type exchange struct {
	tool string
	args object
}

func (c *client) tell(exchanges []exchange) string {
	c.Helper()
	var b strings.Builder
	for _, x := range exchanges {
		args, err := json.Marshal(x.args)
		if err != nil {
			c.Fatal(err)
		}
		b.WriteString(">>> " + x.tool + " " + c.clean(string(args)) + "\n")
		text, failed := c.Try(x.tool, x.args)
		if failed != nil {
			data := ""
			if failed.Data != nil {
				data = "\n" + string(failed.Data)
			}
			text = "error " + itoa(failed.Code) + ": " + failed.Message + data
		}
		b.WriteString(c.clean(text) + "\n<<<\n\n")
	}
	return b.String()
}

func itoa(n int64) string { return string(must(json.Marshal(n))) }

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// TestStory replays a call of every tool, as the reference shows them.
func TestStory(t *testing.T) {
	sheet.Proves(t, "list.form list.empty info.form index.form server.form config.form dir.form dir.warning read.form find.form find.none refs.form refs.none chunk.form reindex.form reindex.same upgrade.current delete.form delete.confirm search.form search.none search.order rpc.error")
	c := newClient(t, shop, nil)
	golden(t, "story.txt", c.tell([]exchange{
		{"list_sessions", object{}},
		{"index_repository", object{"path": c.root, "session": "shop-main"}},
		{"index_repository", object{"path": c.root, "session": "shop-main"}},
		{"index_repository", object{"path": c.root, "session": "go-only", "include_patterns": []string{"*.go"}, "exclude_patterns": []string{"**/net/**"}, "chunk_size": 100, "overlap": 99, "force": true}},
		{"list_sessions", object{}},
		{"get_session_info", object{"session": "go-only"}},
		{"get_server_info", object{}},
		{"get_config", object{}},
		{"search_code", object{"query": "retry backoff", "session": "shop-main"}},
		{"search_code", object{"query": "zebra", "session": "shop-main"}},
		{"list_dir", object{"session": "shop-main"}},
		{"list_dir", object{"session": "shop-main", "limit": 2}},
		{"list_dir", object{"session": "shop-main", "limit": 2, "sort": "size"}},
		{"read_file", object{"session": "shop-main", "file_path": "/net/retry.go"}},
		{"find_file", object{"session": "shop-main", "pattern": "*.go"}},
		{"find_file", object{"session": "shop-main", "pattern": "*.zig"}},
		{"find_file", object{"session": "shop-main", "pattern": "*.go", "limit": 1}},
		{"find_references", object{"symbol": "backoff", "session": "shop-main", "context_lines": 1}},
		{"find_references", object{"symbol": "nonexistent_symbol_xyz", "session": "shop-main"}},
		{"preview_chunk", object{"session": "shop-main", "file_path": "net/retry.go", "chunk_index": 0, "context_lines": 1}},
		{"reindex_session", object{"session": "shop-main"}},
		{"reindex_session", object{"session": "shop-main", "chunk_size": 1024, "overlap": 128}},
		{"reindex_session", object{"session": "shop-main", "force": true}},
		{"upgrade_session", object{"session": "shop-main"}},
		{"delete_session", object{"session": "go-only", "confirm": false}},
		{"delete_session", object{"session": "go-only", "confirm": true}},
		{"delete_session", object{"session": "go-only", "confirm": true}},
	}))
}

// TestTools compares the names and schemas of the tools with the snapshot,
// which was read against the reference by hand.
func TestTools(t *testing.T) {
	sheet.Proves(t, "rpc.list rpc.block")
	c := newClient(t, nil, nil)
	list, err := c.Session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []object
	for _, tool := range list.Tools {
		got = append(got, object{"name": tool.Name, "inputSchema": tool.InputSchema, "description": tool.Description})
	}
	text, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.json", string(text)+"\n")
}
