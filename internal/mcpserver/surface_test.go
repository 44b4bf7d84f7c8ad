package mcpserver

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 know roots and the log

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
	"espy/internal/workspace"
)

// TestResources reads what a client shows people: repositories, files, symbols.
func TestResources(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	settle(t, session)
	for _, tt := range []struct{ uri, want string }{
		{"espy:///status", "demo"},
		{"espy:///overview", "overview: 8 files"},
		{"espy://demo/overview", "overview: 8 files"},
		{"espy://demo/file/internal/rules/rules.go", "5: func ApplyRules"},
		{"espy://demo/file/internal/rules/rules.go:5-6", "lines 5-6 of"},
		{"espy:///file/go.mod", "1: module demo"},
		{"espy://demo/symbol/ApplyRules", "func ApplyRules(path string) bool {"},
		{"espy://demo/symbol/internal/rules/rules.go%23ApplyRules", "func ApplyRules(path string) bool {"},
	} {
		t.Run(tt.uri, func(t *testing.T) {
			res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: tt.uri})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Contents) != 1 || res.Contents[0].URI != tt.uri || res.Contents[0].MIMEType != "text/plain" || !strings.Contains(res.Contents[0].Text, tt.want) {
				t.Errorf("%+v, want %s", res.Contents[0], tt.want)
			}
		})
	}
	for _, tt := range []struct{ uri, want string }{
		{"espy://demo/nothing", "Resource not found"},
		{"file:///etc/passwd", "Resource not found"},
		{"espy://demo/file/../../etc/passwd", "outside repo demo"},
		{"espy://demo/file/nope.go", "no file nope.go"},
		{"espy://demo/file/..%2F..%2Fetc%2Fpasswd", "outside repo demo"},
		{"espy://other/file/go.mod", "is not attached"},
		{"espy://demo/symbol/nope.go%23x", "not in the index"},
	} {
		t.Run(tt.uri, func(t *testing.T) {
			if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: tt.uri}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 3 {
		t.Errorf("%+v, error %v", templates, err)
	}
	if list, err := session.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 2 {
		t.Errorf("%+v, error %v", list, err)
	}
}

// TestPrompts gets each prompt, and those with arguments that are missing or wrong.
func TestPrompts(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	settle(t, session)
	type args = map[string]string
	for _, tt := range []struct {
		name string
		args args
		want []string // a part of each message; of the error where it is one
		bad  bool
	}{
		{"explain", args{"symbol": "ApplyRules"}, []string{"Explain ApplyRules", "func ApplyRules(path string) bool {"}, false},
		{"explain", args{"symbol": "ApplyRules", "repo": "demo"}, []string{"Explain ApplyRules", "repo demo"}, false},
		{"rename", args{"symbol": "ApplyRules", "to": "Apply"}, []string{"the rename of ApplyRules to Apply", "rules_test.go"}, false},
		{"review", nil, []string{"Review this change", "answer to changes", "answer to impact"}, false},
		{"explain", nil, []string{"needs the argument symbol"}, true},
		{"rename", args{"symbol": "ApplyRules", "to": " "}, []string{"needs the argument to"}, true},
		{"explain", args{"symbol": "x", "repo": "nope"}, []string{`repo "nope" is not attached`}, true},
		{"nope", nil, []string{"nope"}, true},
	} {
		t.Run(fmt.Sprint(tt.name, tt.args), func(t *testing.T) {
			res, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: tt.name, Arguments: tt.args})
			if tt.bad {
				if err == nil || !strings.Contains(err.Error(), tt.want[0]) {
					t.Errorf("error %v, want %s", err, tt.want[0])
				}
				return
			}
			if err != nil || len(res.Messages) != len(tt.want) {
				t.Fatalf("%+v, error %v", res, err)
			}
			for i, want := range tt.want {
				if text := res.Messages[i].Content.(*mcp.TextContent).Text; !strings.Contains(text, want) {
					t.Errorf("message %d lacks %q:\n%s", i, want, text)
				}
			}
		})
	}
}

// TestCompletion completes repositories, paths and symbols.
func TestCompletion(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	settle(t, session)
	file := &mcp.CompleteReference{Type: "ref/resource", URI: "espy://{repo}/file/{+path}"}
	for _, tt := range []struct {
		ref         *mcp.CompleteReference
		name, value string
		want        []string
	}{
		{file, "repo", "De", []string{"demo"}},
		{file, "repo", "x", nil},
		{file, "path", "internal/rules/r", []string{"internal/rules/rules.go", "internal/rules/rules_test.go"}},
		{file, "path", "[", nil},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "explain"}, "symbol", "apply", []string{"ApplyRules"}},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "rename"}, "to", "a", nil},
	} {
		t.Run(tt.name+" "+tt.value, func(t *testing.T) {
			res, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: tt.ref, Argument: mcp.CompleteParamsArgument{Name: tt.name, Value: tt.value}})
			if err != nil || !slices.Equal(res.Completion.Values, tt.want) {
				t.Errorf("%+v, error %v, want %v", res, err, tt.want)
			}
		})
	}
}

// TestStructured holds that each tool gives its JSON as structured content to who
// asks for it, and that it is an object, as the protocol wants.
func TestStructured(t *testing.T) {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	book := tasks.New(sqlite.New(t.TempDir(), 0), tasks.Options{})
	t.Cleanup(func() { book.Close() })
	s := New(Options{Workspace: w, Start: tree(t, "demo", demo), Toolsets: []string{"all"}, Tasks: book})
	session := connect(t, s, nil)
	settle(t, session)
	calls := map[string]map[string]any{
		"search": {"queries": []string{"ApplyRules", "match"}}, "symbol": {"symbol": "ApplyRules"}, "references": {"symbol": "ApplyRules"}, "calls": {"symbol": "ApplyRules"}, "hierarchy": {"symbol": "ApplyRules"},
		"context": {"query": "ApplyRules"}, "read": {"path": "go.mod"}, "similar": {"snippet": "func match("}, "impact": {"what": "ApplyRules"}, "task": {"title": "Match faster"},
	}
	for _, tool := range s.tools() {
		if tool.set == setGit || tool.name == "changes" {
			continue // there is no history
		}
		t.Run(tool.name, func(t *testing.T) {
			args := map[string]any{"format": "structured"}
			for name, value := range calls[tool.name] {
				args[name] = value
			}
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.name, Arguments: args})
			if err != nil || res.IsError {
				t.Fatalf("%+v, error %v", res, err)
			}
			var text any
			if err := json.Unmarshal([]byte(res.Content[0].(*mcp.TextContent).Text), &text); err != nil {
				t.Fatal(err)
			}
			if object, ok := res.StructuredContent.(map[string]any); !ok || fmt.Sprint(object) != fmt.Sprint(text) {
				t.Errorf("structured content %v beside the text %v", res.StructuredContent, text)
			}
		})
	}
}

// TestRoots starts where there can be no repository: the folder of a client that
// tells it is taken, and without one the error says what would work.
func TestRoots(t *testing.T) {
	root := tree(t, "demo", demo)
	home := filepath.Dir(root)
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: home})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	ask := func(protocol string, roots ...*mcp.Root) (string, bool) {
		t.Helper()
		in, out, ended := pipes(t, New(Options{Workspace: w, Start: home}))
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		client.AddRoots(roots...)
		session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { session.Close(); <-ended }()
		return ask(t, session, "search", map[string]any{"query": "ApplyRules", "mode": "literal"})
	}
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(protocol, func(t *testing.T) {
			if text, failed := ask(protocol); !failed || !strings.Contains(text, "the start folder cannot be used") || !strings.Contains(text, "hint: name one with repo") {
				t.Errorf("no root: %s", text)
			}
			if text, failed := ask(protocol, &mcp.Root{URI: "file://" + home}, &mcp.Root{URI: "https://example.com"}); !failed {
				t.Errorf("roots that cannot be used: %s", text)
			}
			if text, failed := ask(protocol, &mcp.Root{URI: "file:///nowhere"}, &mcp.Root{URI: "file://" + root}); failed || !strings.HasPrefix(text, "4 of 4 lines") {
				t.Errorf("a root: %s", text)
			}
		})
	}
}
