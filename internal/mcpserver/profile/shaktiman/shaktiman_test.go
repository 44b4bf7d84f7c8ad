package shaktiman

import (
	_ "embed"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/embedding"
	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/mcpserver/profile/profiletest"
	"espy/internal/proof"
	"espy/internal/workspace"
)

var update = flag.Bool("update", false, "write the goldens anew")

//go:embed testdata/documented.txt
var documentedBehaviour string

//go:embed testdata/intro.md
var intro string

// sheet is what the reference of Shaktiman documents.
var sheet = proof.New(intro, documentedBehaviour)

func TestMain(m *testing.M) {
	os.Exit(sheet.Main(m, "../../../../docs/shaktiman.md", update, os.Stderr))
}

// client is a client of the profile over a pipe.
type client struct {
	profiletest.Client
	root    string
	ws      *workspace.Workspace
	options Options
}

type object map[string]any

// setup is what a client is made of.
type setup struct {
	files   map[string]string
	root    string // instead of files
	plain   bool   // without a model
	secrets bool
	now     func() time.Time
	config  *Config
}

// newClient starts the profile over a folder with files.
func newClient(t *testing.T, o setup) *client {
	t.Helper()
	c := &client{Client: profiletest.Client{T: t}, root: o.root}
	if c.root == "" {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c.root = filepath.Join(root, "shop")
		filetest.Write(t, c.root, o.files)
	}
	w := workspace.Options{DataDir: t.TempDir(), Models: embedding.Models{Local: static.BuiltIn()}, ShowSecrets: o.secrets}
	if o.plain {
		w.Models = embedding.Models{}
	}
	var err error
	if c.ws, err = workspace.Open(w); err != nil {
		t.Fatal(err)
	}
	if o.config == nil {
		if o.config, err = LoadConfig(c.root, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.options = Options{Workspace: c.ws, Root: c.root, Exact: true, Config: o.config, Sessions: true, Now: o.now}
	c.connect()
	t.Cleanup(func() { c.ws.Close() })
	return c
}

// connect starts a server of the workspace, with a session of its own.
func (c *client) connect() {
	c.Helper()
	c.Client = profiletest.Connect(c.T, New(c.options), nil)
}

// on returns the client for a subtest.
func (c *client) on(t *testing.T) *client {
	sub := *c
	sub.T = t
	return &sub
}

// result calls a tool.
func (c *client) result(tool string, args object) *mcp.CallToolResult {
	c.Helper()
	res, err := c.Result(tool, args)
	if err != nil {
		c.Fatalf("%s(%.200v): %v", tool, args, err)
	}
	if res.Meta["result_count"] == nil {
		c.Fatalf("%s(%.200v): %+v", tool, args, res)
	}
	return res
}

// call calls a tool that must succeed and returns its text.
func (c *client) call(tool string, args object) string {
	c.Helper()
	res := c.result(tool, args)
	text := profiletest.Text(res)
	if res.IsError {
		c.Fatalf("%s(%.200v): %s", tool, args, text)
	}
	return text
}

// fails calls a tool that must fail and returns what it says.
func (c *client) fails(tool string, args object) string {
	c.Helper()
	res := c.result(tool, args)
	text := profiletest.Text(res)
	if !res.IsError {
		c.Errorf("%s(%.200v) = %s, want an error", tool, args, text)
	}
	return text
}

// hit is a line of mode locate.
type hit struct {
	path, symbol, kind string
	first, score       string
}

var lineForm = regexp.MustCompile(`^(\S+):(\d+)-(\d+)(?:  (\S+))? \((\w+)\)  score:(\d\.\d\d)(?: \[[^\]]*\])?(?:  ~\d+ tokens)?$`)

// locate asks in mode locate and takes the lines apart.
func (c *client) locate(args object) (list []hit) {
	c.Helper()
	text := c.call("search", args)
	if text == nothing {
		return nil
	}
	head, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		m := lineForm.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			c.Fatalf("search(%v): the line %q", args, line)
		}
		list = append(list, hit{m[1], m[4], m[5], m[2], m[6]})
	}
	if want := plural(len(list)); head != want {
		c.Errorf("search(%v) begins with %q, want %q", args, head, want)
	}
	return list
}

func plural(n int) string {
	return strings.TrimSpace(strings.Replace("N results:", "N", strconv.Itoa(n), 1))
}

// files are the paths of hits, each once.
func files(list []hit) (all []string) {
	seen := map[string]bool{}
	for _, h := range list {
		if !seen[h.path] {
			seen[h.path] = true
			all = append(all, h.path)
		}
	}
	return all
}

// shop is a small project.
var shop = map[string]string{
	"internal/auth/token.go": `package auth

import "errors"

// Claims is what a token says of who bears it.
type Claims struct {
	Subject string
	Expires int64
}

// VerifyToken checks the signature of a raw token and returns its claims.
func VerifyToken(raw string) (*Claims, error) {
	if raw == "" {
		return nil, errors.New("empty token")
	}
	c := decodeClaims(raw)
	return c, nil
}

func decodeClaims(raw string) *Claims { return &Claims{Subject: raw} }
`,
	"internal/auth/token_test.go":     "package auth\n\nimport \"testing\"\n\nfunc TestVerifyToken(t *testing.T) {\n\tif _, err := VerifyToken(\"\"); err == nil {\n\t\tt.Fatal(\"an empty token passes\")\n\t}\n}\n",
	"internal/auth/testdata/token.go": "package testdata\n\nfunc VerifyTokenSample() {}\n",
	"cmd/api/main.go":                 "// Command api serves the shop.\npackage main\n\nimport \"shop/internal/auth\"\n\nfunc main() { handle(\"x\") }\n\n// handle lets in who bears a valid token.\nfunc handle(raw string) bool {\n\t_, err := auth.VerifyToken(raw)\n\treturn err == nil\n}\n",
	"web/retry.py":                    "import time\n\n\ndef backoff(n):\n    \"\"\"Wait longer after each failed attempt: exponential backoff.\"\"\"\n    return 2 ** n\n\n\ndef retry(fn):\n    time.sleep(backoff(1))\n    return fn()\n",
	"web/test_retry.py":               "from web.retry import backoff\n\n\ndef test_backoff():\n    assert backoff(3) == 8\n",
	"web/conf.rb":                     "class Conf\n  def load_settings(path)\n    File.read(path)\n  end\nend\n",
	"docs/auth.md":                    "# Tokens\n\nA token is verified by its signature before its claims are read.\n",
	"go.mod":                          "module shop\n",
}
