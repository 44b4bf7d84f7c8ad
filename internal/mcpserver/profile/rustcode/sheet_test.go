package rustcode

import (
	_ "embed"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/facts/factstest"
	"espy/internal/facts/tree"
	"espy/internal/filetest"
	"espy/internal/mcpserver/profile/profiletest"
	"espy/internal/proof"
	"espy/internal/workspace"
)

var update = flag.Bool("update", false, "write the goldens anew")

//go:embed testdata/documented.txt
var documentedBehaviour string

// sheet is what is documented of rust-code-mcp.
var sheet = proof.New(`# rust-code-mcp: what is documented, and the tests that prove it

Generated from the tests of internal/mcpserver/profile/rustcode by `+"`make golden`"+`; do not edit.

The line to change is the command that a client starts: `+"`espy mcp --profile rust-code-mcp`"+`. The ten tools take the
documented arguments and answer in the documented layouts, for Rust and for every other language that Espy reads. What got
better, what differs on purpose, native tools for old ones, latencies and troubleshooting are in
[migrate.md](migrate.md#from-rust-code-mcp).
`, documentedBehaviour)

func TestMain(m *testing.M) {
	os.Exit(sheet.Main(m, "../../../../docs/rust-code-mcp.md", update, os.Stderr))
}

type object map[string]any

// client is a client of the profile over a pipe.
type client struct {
	profiletest.Client
	root string // of the project, in which the server is started
	ws   *workspace.Workspace
}

// setup is what a client is made of.
type setup struct {
	files  map[string]string
	models *embedding.Models // nil for the built-in one
	client *mcp.ClientOptions
	change func(*Options)
}

// needGrammars skips a test of files that only grammars can read.
func needGrammars(t *testing.T) {
	t.Helper()
	if _, err := (factstest.Parser{}).Parse(t.Context(), "rust", "x.rs", []byte("fn f() {}")); errors.Is(err, tree.ErrNoGrammars) {
		t.Skip(err)
	}
}

// newClient starts the profile in a folder "repo" with files.
func newClient(t *testing.T, o setup) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{root: filepath.Join(dir, "repo")}
	if err := os.Mkdir(c.root, 0o755); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, c.root, o.files)
	models := embedding.Models{Local: static.BuiltIn()}
	if o.models != nil {
		models = *o.models
	}
	if c.ws, err = workspace.Open(workspace.Options{DataDir: t.TempDir(), Models: models, Parser: factstest.Parser{}}); err != nil {
		t.Fatal(err)
	}
	options := Options{Workspace: c.ws, Start: c.root, Version: "1.2.3"}
	if o.change != nil {
		o.change(&options)
	}
	t.Cleanup(func() { c.ws.Close() })
	c.Client = profiletest.Connect(t, New(options), o.client)
	return c
}

// on returns the client for a subtest.
func (c *client) on(t *testing.T) *client {
	sub := *c
	sub.T = t
	return &sub
}

func (c *client) write(files map[string]string) { filetest.Write(c, c.root, files) }

// call calls a tool that must succeed. The root stands as /repo in the answer.
func (c *client) call(tool string, args object) string {
	c.Helper()
	return strings.ReplaceAll(c.Call(tool, args), c.root, "/repo")
}

// has calls a tool whose answer must hold texts, in this order.
func (c *client) has(tool string, args object, want ...string) string {
	c.Helper()
	text := c.call(tool, args)
	rest := text
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			c.Errorf("%s(%v): no %q in\n%s", tool, args, w, text)
			return text
		}
		rest = after
	}
	return text
}

// is calls a tool whose answer must be a text.
func (c *client) is(tool string, args object, want string) {
	c.Helper()
	if text := c.call(tool, args); text != want {
		c.Errorf("%s(%v) =\n%s\nwant\n%s", tool, args, text, want)
	}
}

// fails calls a tool that must fail because of its arguments.
func (c *client) fails(tool string, args object, want string) {
	c.Helper()
	text, err := c.Try(tool, args)
	if err == nil {
		c.Errorf("%s(%v) =\n%s\nwant the error %s", tool, args, text, want)
		return
	}
	if got := strings.ReplaceAll(err.Message, c.root, "/repo"); err.Code != jsonrpc.CodeInvalidParams || got != want {
		c.Errorf("%s(%v): %d %s\nwant %s", tool, args, err.Code, got, want)
	}
}

// demo is a project as the documentation's samples have it.
var demo = map[string]string{
	"Cargo.toml": "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
	"src/lib.rs": "pub mod cfg;\npub mod limit;\n",
	"src/limit.rs": `//! Rate limits.

use std::time::Duration;

/// The longest wait.
pub const LONGEST: Duration = Duration::from_secs(60);


/// Refills at a fixed rate.
pub struct TokenBucket {
    tokens: u64,
    capacity: u64,
    /// Tokens that come back in a second.
    rate: u64,
    last: u64,
    /// What is denied.
    denied: u64,
}

impl TokenBucket {
    pub fn new(cap: u64) -> Self {
        Self { tokens: cap, capacity: cap, rate: 1, last: 0, denied: 0 }
    }

    /// Takes tokens out of the bucket, if there are enough.
    pub fn take(&mut self, n: u64, now: u64) -> bool {
        self.refill(now);
        if self.tokens < n {
            self.denied += 1;
            return false;
        }
        self.tokens -= n;
        true
    }

    fn refill(&mut self, now: u64) {
        let more = (now - self.last) * self.rate;
        self.tokens = clamp(self.tokens + more, self.capacity);
        self.last = now;
    }
}

fn clamp(value: u64, most: u64) -> u64 {
    if value > most { most } else { value }
}
`,
	"src/main.rs": "//! Runs the limiter.\n\nuse demo::limit::TokenBucket;\n\nfn main() {\n    let mut b = demo::limit::make();\n    b.take(1, 2);\n}\n",
	"src/cfg.rs": `use std::fs;
use serde::Deserialize;

/// Reads the config file.
pub fn load(path: &Path) -> Result<Config> {
    let text = fs::read_to_string(path)?;
    toml::from_str(&text)
}

fn main() {
    load(PATH);
}
`,
}
