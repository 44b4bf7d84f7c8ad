package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/workspace"
)

func TestToolsets(t *testing.T) {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	for _, tt := range []struct {
		sets     []string
		readOnly bool
		has      []string
		lacks    []string
	}{
		{nil, false, []string{"search", "index", "calls", "changes", "impact", "overview"}, []string{"blame", "similar", "links"}},
		{nil, true, []string{"search"}, []string{"index", "blame"}},
		{[]string{"core"}, false, []string{"search"}, []string{"index", "blame"}},
		{[]string{"git"}, false, []string{"search", "blame", "changes", "history"}, []string{"index"}},
		{[]string{"graph"}, true, []string{"search", "similar", "calls", "impact"}, []string{"index", "blame"}},
		{[]string{"all"}, true, []string{"search", "blame", "changes", "history", "similar"}, []string{"index"}},
		{[]string{"all"}, false, []string{"search", "blame", "history", "index", "similar"}, nil},
	} {
		t.Run(fmt.Sprintf("%v, read-only %v", tt.sets, tt.readOnly), func(t *testing.T) {
			s := New(Options{Workspace: w, Start: tree(t, "demo", nil), Toolsets: tt.sets, ReadOnly: tt.readOnly})
			res, err := connect(t, s, nil).ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range res.Tools {
				names = append(names, tool.Name)
			}
			wire, err := json.Marshal(res)
			if err != nil {
				t.Fatal(err)
			}
			if n := code.Tokens(len(wire)); n > 3500 {
				t.Errorf("%v: tools/list costs %d tokens, bound 3500", tt.sets, n)
			}
			for _, name := range tt.has {
				if !slices.Contains(names, name) {
					t.Errorf("%v, read-only %v: %v lacks %s", tt.sets, tt.readOnly, names, name)
				}
			}
			for _, name := range tt.lacks {
				if slices.Contains(names, name) {
					t.Errorf("%v, read-only %v: %v has %s", tt.sets, tt.readOnly, names, name)
				}
			}
		})
	}
}

// TestGitTools asks of a folder without a history, which they say.
func TestGitTools(t *testing.T) {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	session := connect(t, New(Options{Workspace: w, Start: tree(t, "demo", map[string]string{"a.go": "package a\n"}), Toolsets: []string{"git"}}), nil)
	for tool, args := range map[string]map[string]any{"blame": {"path": "a.go:1-1"}, "history": {"path": "a.go"}} {
		t.Run(tool, func(t *testing.T) {
			if text, isError := ask(t, session, tool, args); !isError || !strings.Contains(text, "not a git repository") {
				t.Errorf("%s: %q", tool, text)
			}
		})
	}
	for tool, args := range map[string]map[string]any{"blame": {"path": "a.go:5-2"}, "history": {"since": "yesterday"}} {
		t.Run(tool, func(t *testing.T) {
			if text, isError := ask(t, session, tool, args); !isError || !strings.Contains(text, "hint: write") {
				t.Errorf("%s: %q", tool, text)
			}
		})
	}
}

// TestToolsAtARef asks about a tag whose files the work tree no longer has.
func TestToolsAtARef(t *testing.T) {
	dir := tree(t, "demo", map[string]string{"a.go": "package a\n\n// Old says so.\nfunc Old() {}\n"})
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	git("tag", "v1")
	if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	session := connect(t, New(Options{Workspace: w, Start: dir}), nil)
	for tool, args := range map[string]map[string]any{
		"search": {"query": "Old says so", "mode": "literal"}, "symbol": {"symbol": "Old"}, "references": {"symbol": "Old"},
		"outline": {"path": "a.go"}, "files": {"path": "*.go"}, "read": {"path": "a.go"},
	} {
		t.Run(tool, func(t *testing.T) {
			text, _ := ask(t, session, tool, args)
			if strings.Contains(text, "says so.") || strings.Contains(text, "1 of 1") {
				t.Errorf("%s of the work tree: %q", tool, text)
			}
			args["ref"] = "v1"
			var isError bool
			if text, isError = ask(t, session, tool, args); isError || !strings.Contains(text, "a.go") || !strings.Contains(text, "demo@v1") {
				t.Errorf("%s at v1: %q", tool, text)
			}
			args["ref"] = "v2"
			if text, isError = ask(t, session, tool, args); !isError || !strings.Contains(text, "hint: did you mean v1") {
				t.Errorf("%s at a ref that does not exist: %q", tool, text)
			}
		})
	}
	text, _ := ask(t, session, "search", map[string]any{"query": "Old", "mode": "literal", "ref": "v1", "limit": 1})
	if !strings.Contains(text, `ref="v1"`) {
		t.Errorf("the next call forgets the ref: %q", text)
	}
}

// TestIndexOfBadAddresses leaves no repository behind.
func TestIndexOfBadAddresses(t *testing.T) {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	session := connect(t, New(Options{Workspace: w, Start: tree(t, "demo", nil)}), nil)
	for path, want := range map[string]string{
		"file:///etc/passwd": "https://", "ext::sh": "https://", "ssh://-oProxyCommand=x/y": "host", "https://169.254.169.254/latest": "credentials",
		"https://me:hunter2@127.0.0.1:1/x": "this machine", "git@github.com:golang/example": "did you mean ssh://git@github.com/golang/example",
	} {
		t.Run(path, func(t *testing.T) {
			if text, isError := ask(t, session, "index", map[string]any{"path": path}); !isError || !strings.Contains(text, want) || strings.Contains(text, "hunter2") {
				t.Errorf("index(path=%q): %q, want %q", path, text, want)
			}
		})
	}
	if text, _ := ask(t, session, "status", nil); strings.Contains(text, "127.0.0.1") || strings.Contains(text, "169.254") {
		t.Errorf("status: %q", text)
	}
}
