package e2e

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shop is a repository with what commands ask about.
var shop = map[string]string{
	"go.mod":            "module shop\n",
	"cart/cart.go":      "// Package cart holds carts.\npackage cart\n\nimport \"shop/price\"\n\n// Total adds what is in a cart.\nfunc Total(items []string) int { return price.Sum(len(items)) }\n",
	"cart/cart_test.go": "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(nil) != 0 {\n\t\tt.Fatal()\n\t}\n}\n",
	"price/price.go":    "package price\n\n// Adder adds.\ntype Adder interface{ Add(n int) int }\n\n// Sum is a price.\nfunc Sum(n int) int { return n * 2 }\n",
	"change.diff":       "--- a/price/price.go\n+++ b/price/price.go\n@@ -7 +7 @@\n-func Sum(n int) int { return n * 2 }\n+func Sum(n int) int { return n * 3 }\n",
	".hidden/notes.md":  "# Notes\n\nTotals are rounded.\n",
}

// took is the time that a search took.
var took = regexp.MustCompile(`"took_ms":[0-9.]+,`)

// TestSharedCommands runs commands alone and by a running server, in a folder that is
// not the server's: the same bytes, the same exit code.
func TestSharedCommands(t *testing.T) {
	t.Parallel()
	p := newPlace(t, shop)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "begin"}} {
		git(t, p.tree, args...)
	}
	data, err := os.MkdirTemp("", "espy") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	type result struct {
		stdout, stderr string
		code           int
	}
	run := func(args []string, stdin string) result {
		t.Helper()
		cmd := p.command(append([]string{"--data-dir", data}, args...)...)
		cmd.Dir = filepath.Join(p.tree, "cart")
		cmd.Stdin = strings.NewReader(stdin)
		var out, problems bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &problems
		return result{code: exitOf(cmd.Run()), stdout: took.ReplaceAllString(out.String(), ""), stderr: problems.String()}
	}
	tests := []struct {
		name   string
		args   []string
		stdin  string
		isOwn  bool // it is done alone in any case
		varies bool // it tells about the process too, or of the time
	}{
		{name: "ranked", args: []string{"search", "total of a cart"}},
		{name: "literal", args: []string{"search", "-m", "literal", "Total("}},
		{name: "regex as JSON", args: []string{"search", "-m", "regex", `Sum\(\w+`, "--json"}},
		{name: "by meaning", args: []string{"search", "-m", "semantic", "add up money"}},
		{name: "colours", args: []string{"search", "-m", "literal", "Total(", "--color", "always"}},
		{name: "nothing found", args: []string{"search", "-m", "literal", "no such text"}},
		{name: "wrong mode", args: []string{"search", "-m", "exactly", "x"}},
		{name: "limit 0", args: []string{"search", "-m", "literal", "n", "--limit", "1", "--max-tokens", "100"}},
		{name: "another folder", args: []string{"search", "-m", "literal", "Sum(", "--repo", "../price"}},
		{name: "no such repository", args: []string{"search", "x", "--repo", "./nowhere"}},
		{name: "similar to a place", args: []string{"similar", "cart.go:5-7"}},
		{name: "similar to standard input", args: []string{"similar", "-"}, stdin: "func Total(items []string) int { return price.Sum(len(items)) }\n"},
		{name: "standard input is empty", args: []string{"similar", "-"}},
		{name: "symbol", args: []string{"symbol", "Total", "--body"}},
		{name: "references", args: []string{"references", "Sum"}},
		{name: "calls", args: []string{"calls", "Sum"}},
		{name: "hierarchy", args: []string{"hierarchy", "Adder"}},
		{name: "impact of a file", args: []string{"impact", "--diff", "../change.diff"}},
		{name: "impact of no file", args: []string{"impact", "--diff", "../none.diff"}},
		{name: "impact of standard input", args: []string{"impact", "-"}, stdin: shop["change.diff"]},
		{name: "outline", args: []string{"outline"}},
		{name: "overview", args: []string{"overview"}},
		{name: "dependencies", args: []string{"dependencies"}},
		{name: "audit", args: []string{"audit"}},
		{name: "links", args: []string{"links"}},
		{name: "deps", args: []string{"deps"}},
		{name: "context", args: []string{"context", "how is the total of a cart worked out"}},
		{name: "files", args: []string{"files"}},
		{name: "left out", args: []string{"files", "--excluded"}},
		{name: "read here", args: []string{"read", "cart.go:1-4"}},
		{name: "read above", args: []string{"read", "../price/price.go"}},
		{name: "read nothing", args: []string{"read", "none.go"}},
		{name: "changes", args: []string{"changes"}},
		{name: "blame", args: []string{"blame", "cart.go"}},
		{name: "history", args: []string{"history", "cart.go"}},
		{name: "tasks", args: []string{"task", "list"}},
		{name: "no such task", args: []string{"task", "show", "1"}},
		{name: "status", args: []string{"status"}, varies: true},
		{name: "unknown flag", args: []string{"search", "--nothing"}, isOwn: true},
		{name: "help", args: []string{"search", "--help"}, isOwn: true},
		{name: "other settings", args: []string{"search", "-m", "literal", "Total(", "--show-secrets"}, isOwn: true},
		{name: "log", args: []string{"read", "cart.go", "--log-level", "info"}, isOwn: true},
	}
	run([]string{"index"}, "")
	run([]string{"task", "create", "Round totals", "--file", "cart.go"}, "")
	alone := map[string]result{}
	for _, tt := range tests {
		alone[tt.name] = run(tt.args, tt.stdin)
	}
	server, log := p.start("--data-dir", data, "--log-level", "info", "serve", "--addr", "127.0.0.1:0")
	wantLine(t, log, "espy serves http://127.0.0.1:")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, want := run(tt.args, tt.stdin), alone[tt.name]
			if !tt.isOwn {
				wantLine(t, log, `msg="did a command" name="espy `+tt.args[0])
			}
			if tt.varies {
				got.stdout, want.stdout = "", ""
			}
			if got != want {
				t.Errorf("by the server\n%+v\nalone\n%+v", got, want)
			}
		})
	}
	t.Run("killed server", func(t *testing.T) {
		server.Process.Kill()
		server.Wait()
		if got, want := run(tests[1].args, ""), alone[tests[1].name]; got != want {
			t.Errorf("after the server\n%+v\nalone\n%+v", got, want)
		}
	})
}

// TestAgentsServerSharesCommands has a command done by the server of an agent, which
// follows the files.
func TestAgentsServerSharesCommands(t *testing.T) {
	t.Parallel()
	p := newPlace(t, shop)
	data, err := os.MkdirTemp("", "espy") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	server := p.command("--data-dir", data, "--log-level", "info", "mcp")
	server.Stdin = io.MultiReader(strings.NewReader(initialize), neverEnds{t.Context()})
	problems, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	if line, err := bufio.NewReader(answers).ReadString('\n'); err != nil || !strings.Contains(line, "serverInfo") {
		t.Fatalf("%q, error %v", line, err)
	}
	out, err := p.command("--data-dir", data, "search", "-m", "literal", "Sum(").Output()
	if err != nil || !strings.Contains(string(out), "price/price.go") {
		t.Errorf("%q, error %v", out, err)
	}
	wantLine(t, bufio.NewReader(problems), `msg="did a command" name="espy search"`)
}
