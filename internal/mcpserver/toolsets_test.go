package mcpserver

import (
	"encoding/json"
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
		{nil, false, []string{"search", "index"}, []string{"blame"}},
		{nil, true, []string{"search"}, []string{"index", "blame"}},
		{[]string{"core"}, false, []string{"search"}, []string{"index", "blame"}},
		{[]string{"git"}, false, []string{"search", "blame", "changes", "history"}, []string{"index"}},
		{[]string{"all"}, true, []string{"search", "blame", "changes", "history"}, []string{"index"}},
		{[]string{"all"}, false, []string{"search", "blame", "history", "index"}, nil},
	} {
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
		if text, isError := ask(t, session, tool, args); !isError || !strings.Contains(text, "not a git repository") {
			t.Errorf("%s: %q", tool, text)
		}
	}
	for tool, args := range map[string]map[string]any{"blame": {"path": "a.go:5-2"}, "history": {"since": "yesterday"}} {
		if text, isError := ask(t, session, tool, args); !isError || !strings.Contains(text, "hint: write") {
			t.Errorf("%s: %q", tool, text)
		}
	}
}
