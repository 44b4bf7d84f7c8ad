package codebase

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/mcpserver/profile/profiletest"
	"espy/internal/proof"
	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
	"espy/internal/workspace"
)

var update = flag.Bool("update", false, "write the goldens anew")

//go:embed testdata/documented.txt
var documentedBehaviour string

// sheet is what the reference of codebase-mcp documents.
var sheet = proof.New(`# codebase-mcp: what is documented, and the tests that prove it

Generated from the tests of internal/mcpserver/profile/codebase by `+"`make golden`"+`; do not edit.
The way to move, and latencies, are in [migrate.md](migrate.md).
`, documentedBehaviour)

func TestMain(m *testing.M) {
	os.Exit(sheet.Main(m, "../../../../docs/codebase-mcp.md", update, os.Stderr))
}

// client is a client of a profile over a pipe.
type client struct {
	profiletest.Client
	root string // of the repository
	data string
	ws   *workspace.Workspace
	book *tasks.Book
}

type object map[string]any

// setup is what a client is made of.
type setup struct {
	profile string // "" is V1
	files   map[string]string
	remote  embedding.Remote
	data    string // data folder; "" is a new one
	now     func() time.Time
}

// newClient starts a profile over a folder with files.
func newClient(t *testing.T, o setup) *client {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{root: filepath.Join(root, "shop"), data: o.data}
	if c.data == "" {
		c.data = t.TempDir()
	}
	filetest.Write(t, c.root, o.files)
	c.ws, err = workspace.Open(workspace.Options{DataDir: c.data, Models: embedding.Models{Local: static.BuiltIn(), Remote: o.remote}})
	if err != nil {
		t.Fatal(err)
	}
	c.book = tasks.New(sqlite.New(filepath.Join(c.data, "tasks"), 0), tasks.Options{Now: o.now})
	if o.profile == "" {
		o.profile = V1
	}
	server := New(o.profile, Options{Workspace: c.ws, Tasks: c.book, DataDir: c.data, Version: "1.2.3", Now: o.now})
	t.Cleanup(func() { c.book.Close(); c.ws.Close() })
	c.Client = profiletest.Connect(t, server, nil)
	return c
}

// on returns the client for a subtest.
func (c *client) on(t *testing.T) *client {
	sub := *c
	sub.T = t
	return &sub
}

func (c *client) write(files map[string]string) { filetest.Write(c, c.root, files) }

// into calls a tool and decodes its answer.
func into[T any](c *client, tool string, args object) (v T) {
	c.Helper()
	text := c.Call(tool, args)
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		c.Fatalf("%s(%v): %v: %s", tool, args, err, text)
	}
	return v
}

// failed is an error as a test expects it: the code, the message, and what its
// details say.
type failed struct {
	code             int64
	message, details string
}

// badly is the error of an argument.
func badly(details string) failed { return failed{-32602, "Invalid params", details} }

// fails calls a tool that must fail.
func (c *client) fails(tool string, args object, want failed) {
	c.Helper()
	text, err := c.Try(tool, args)
	if err == nil {
		c.Errorf("%s(%v) = %s, want %v", tool, short(args), text, want)
		return
	}
	var data map[string]string
	if json.Unmarshal(err.Data, &data) != nil || len(data) != 1 {
		c.Errorf("%s(%v): data %s", tool, short(args), err.Data)
	}
	if err.Code != want.code || err.Message != want.message || !strings.Contains(data["details"], want.details) {
		c.Errorf("%s(%v): %d %q %q, want %v", tool, short(args), err.Code, err.Message, data["details"], want)
	}
}

func short(args object) string { return fmt.Sprintf("%.200v", args) }

// index indexes the repository of the client.
func (c *client) index(more object) indexed {
	c.Helper()
	args := object{"path": c.root, "name": "shop"}
	for k, v := range more {
		args[k] = v
	}
	return into[indexed](c, "index_repository", args)
}

// shop is a small repository.
var shop = map[string]string{
	"net/retry.py":      "import time\n\nBASE = 2\n\n\ndef backoff(n):\n    \"\"\"Wait longer after each failed attempt: exponential backoff.\"\"\"\n    return BASE * 2 ** n\n\n\ndef retry(fn, times):\n    for n in range(times):\n        try:\n            return fn()\n        except OSError:\n            time.sleep(backoff(n))\n",
	"net/retry_test.py": "from net.retry import backoff\n\n\ndef test_backoff():\n    assert backoff(3) == 16\n",
	"api/users.js":      "// Users can log in with a password.\nfunction login(user, password) {\n  return checkPassword(user, hash(password));\n}\n\nmodule.exports = { login };\n",
	"web/cart.go":       "package web\n\n// Total adds the prices of all items in the shopping cart.\nfunc Total(prices []int) (sum int) {\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n",
	"docs/retry.md":     "# Retries\n\nA failed request is tried again with exponential backoff.\n",
	"ignored/x.py":      "def backoff_ignored(n):\n    return n\n",
	".gitignore":        "ignored/\n",
	"api/Old.PY":        "def exponential_backoff_legacy(n):\n    return 2 ** n\n",
}
