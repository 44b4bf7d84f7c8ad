package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"espy/internal/filetest"
)

// commandsOf are commands that together ask everything about a repository with a
// file a.go, which declares A, and two commits.
var commandsOf = [][]string{
	{"index"}, {"search", "needle"}, {"search", "needle", "--mode", "literal"}, {"search", "needle", "--ref", "HEAD~1"}, {"search", "needle", "--json"},
	{"read", "a.go"}, {"read", "a.go", "--ref", "HEAD~1"}, {"read", "a.go", "--json"}, {"outline", "a.go"}, {"symbol", "A"}, {"references", "A"},
	{"files"}, {"files", "--excluded"}, {"status"}, {"changes"}, {"changes", "--ref", "HEAD~1..HEAD"}, {"history"}, {"history", "a.go"}, {"blame", "a.go"}, {"blame", "a.go#A"}, {"impact"}, {"impact", "a.go"},
	{"verify"}, {"search", "needle", "--ref", "no-such-branch"}, {"read", "none.go"},
	{"shebe", "index-repository", ".", "-s", "s"}, {"shebe", "search-code", "needle", "-s", "s"}, {"shebe", "find-references", "needle", "-s", "s"},
}

// calls are the same over MCP.
var calls = []string{
	`"search","arguments":{"query":"needle"}`, `"search","arguments":{"query":"needle","mode":"literal"}`, `"search","arguments":{"query":"needle","ref":"HEAD~1"}`,
	`"read","arguments":{"path":"a.go"}`, `"outline","arguments":{"path":"a.go"}`, `"symbol","arguments":{"symbol":"A"}`, `"references","arguments":{"symbol":"A"}`,
	`"files","arguments":{}`, `"status","arguments":{}`, `"changes","arguments":{}`, `"history","arguments":{"path":"a.go"}`, `"blame","arguments":{"path":"a.go"}`,
	`"impact","arguments":{}`,
}

// everything runs every command and call, and returns what they said.
func (p *place) everything() string {
	p.t.Helper()
	var said strings.Builder
	for _, args := range commandsOf {
		out, _ := p.run(args...)
		fmt.Fprintf(&said, "$ espy %q\n%s\n", args, out)
	}
	input := initialize
	for i, call := range calls {
		input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`+"\n", 100+i, call)
	}
	cmd := p.command("mcp", "--toolsets", "all")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("espy mcp: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		var message struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil {
			p.t.Fatalf("espy mcp said %q: %v", line, err)
		}
		for _, c := range message.Result.Content {
			fmt.Fprintf(&said, "call %d\n%s\n", message.ID, c.Text)
		}
	}
	if n := strings.Count(said.String(), "\ncall "); n != len(calls) {
		p.t.Errorf("%d of %d calls were answered", n, len(calls))
	}
	return said.String()
}

var variable = regexp.MustCompile(`<[^>]*>|\*`)

// TestHostileConfiguration gives a repository a configuration in which every key
// that git has names a file, or a program: no command reads the one or runs the
// other.
func TestHostileConfiguration(t *testing.T) {
	t.Parallel()
	keys, err := exec.Command("git", "help", "--config").Output()
	if err != nil {
		t.Skipf("git lists no keys: %v", err)
	}
	const canary = "canary-4b1d"
	for _, kind := range []string{"file", "program"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"a.go": "package a\n\n// needle\nfunc A() {}\n"})
			filetest.Commit(t, p.tree, "first")
			filetest.Write(t, p.tree, map[string]string{"a.go": "package a\n\n// needle two\nfunc A() { A() }\n"})
			filetest.Commit(t, p.tree, "second")
			aside, ran := t.TempDir(), filepath.Join(t.TempDir(), "ran")
			program := "#!/bin/sh\necho " + canary + " | tee -a " + ran + "\n"
			for name, text := range map[string]string{"file": canary + "\n", "program": program} {
				if err := os.WriteFile(filepath.Join(aside, name), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			var config strings.Builder
			for key := range strings.Lines(string(keys) + "include.path\ndiff.x.textconv\nfilter.x.process\n") {
				key = variable.ReplaceAllString(strings.TrimSpace(key), "x")
				section, rest, ok := strings.Cut(key, ".")
				if i := strings.LastIndexByte(rest, '.'); i >= 0 {
					section, rest = fmt.Sprintf("%s %q", section, rest[:i]), rest[i+1:]
				}
				if ok {
					fmt.Fprintf(&config, "[%s]\n\t%s = %s\n", section, rest, filepath.Join(aside, kind))
				}
			}
			filetest.Write(t, p.tree, map[string]string{".git/config": config.String(), ".git/info/attributes": "* filter=x diff=x\n", ".gitattributes": "* filter=x diff=x\n"})
			said := p.everything()
			if strings.Contains(said, canary) {
				t.Errorf("the file was read:\n%s", said)
			}
			if text, err := os.ReadFile(ran); err == nil {
				t.Errorf("the program ran: %q", text)
			}
			for _, want := range []string{"2 commits of a.go", "needle two", "+2 -2"} {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
		})
	}
}

// TestInvisibleText holds that no character that cannot be seen reaches a terminal
// or a model, out of text, names, commits or errors.
func TestInvisibleText(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("package a\n\n")
	n := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			n++
			fmt.Fprintf(&text, "// needle%cs A%c\n", r, r)
		}
	}
	const hidden = "\U000e0041\u200b\u202e\u180e\u3164"
	fmt.Fprintf(&text, "func A() { _ = %q; A() } // needle%s\n", hidden, hidden)
	p := newPlace(t, map[string]string{"a.go": text.String(), "needle" + hidden + ".go": "package a\n\n// needle\nfunc B" + hidden + "() {}\n"})
	filetest.Commit(t, p.tree, "first "+hidden)
	filetest.Write(t, p.tree, map[string]string{"a.go": "package a\n\n" + text.String()})
	filetest.Commit(t, p.tree, "second "+hidden)
	said := p.everything()
	for i, r := range said {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			t.Fatalf("%U is shown raw in %q", r, said[max(0, i-200):min(len(said), i+40)])
		}
	}
	if shown := strings.Count(said, `\u{`); shown < n {
		t.Errorf("only %d escapes are shown, of %d characters", shown, n)
	}
}
