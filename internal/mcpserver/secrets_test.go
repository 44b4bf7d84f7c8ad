package mcpserver

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/workspace"
)

// TestToolsHideSecrets asks every tool that shows what stands in files.
func TestToolsHideSecrets(t *testing.T) {
	token, key := "ghp_"+"0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq", "AKIA"+"QYLPMN5HFIQR7BLA"
	root := tree(t, "site", map[string]string{
		".git/HEAD":   "ref: refs/heads/main\n",
		"main.go":     fmt.Sprintf("package main\n\n// Deploy sends %s.\nfunc Deploy() { use(deployToken) }\n\nconst deployToken = %q\n\nfunc use(s string) {}\n", key, token),
		"deploy.yaml": "deploy:\n  account: \"" + key + "\"\n",
	})
	calls := map[string][]map[string]any{
		"search":     {{"query": "deploy token"}, {"query": "deployToken", "mode": "literal", "context": 3}, {"query": "akia|ghp", "mode": "regex", "ignore_case": true, "detail": "full"}},
		"read":       {{"path": "main.go"}, {"path": "deploy.yaml:2"}},
		"symbol":     {{"symbol": "deployToken", "body": true}, {"symbol": "Deploy", "body": true}},
		"references": {{"symbol": "deployToken", "union": true}},
		"outline":    {{"path": "main.go"}},
		"context":    {{"query": "deployToken"}, {"query": "how is the deploy token sent", "max_tokens": 4000}, {"query": "deploy.yaml:2"}},
		"files":      {{}},
		"changes":    {{"since": "2000-01-31"}},
		"status":     {{}},
		"similar":    {{"snippet": "const deployToken = \"x\"\n\nfunc use(s string) {}\n", "detail": "full"}, {"snippet": "deploy:\n  account:", "detail": "full"}},
		"impact":     {{"what": "deployToken"}, {"what": "main.go"}, {"what": "deploy.yaml"}},
		"calls":      {{"symbol": "use"}, {"symbol": "Deploy", "direction": "callees"}},
		"hierarchy":  {{"symbol": "use"}, {"symbol": "Deploy"}},
		"links":      {{}, {"query": "deploy", "tests": true}},
		"overview":   {{}, {"format": "dot"}}, "dependencies": {{}, {"path": "main.go"}}, "audit": {{"complexity": 1, "lines": 1}, {"report": "unused"}},
		"blame":   nil, // of git, whose commits are in the tests of the command line
		"history": nil,
		"index":   nil,
		"task":    nil, // tasks hold what the caller wrote, not what stands in files
		"tasks":   nil,
	}
	for _, show := range []bool{false, true} {
		w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), ShowSecrets: show})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		s := New(Options{Workspace: w, Start: root, Toolsets: []string{"all"}})
		session := connect(t, s, nil)
		for _, tool := range s.tools() {
			name := tool.name
			if _, ok := calls[name]; !ok {
				t.Errorf("no call of %s", name)
			}
			for _, args := range calls[name] {
				for _, form := range []string{"text", "json"} {
					t.Run(fmt.Sprintf("show %v %s %v %s", show, name, args, form), func(t *testing.T) {
						args["format"] = form
						text, failed := ask(t, session, name, args)
						leaks := strings.Contains(text, token) || strings.Contains(text, key)
						if failed || leaks && !show || show && strings.Contains(text, "[secret: ") {
							t.Error(text)
						}
					})
				}
			}
		}
	}
}

// TestNoToolNamesAServer holds that no argument of a tool says where texts are sent,
// or that secrets are shown.
func TestNoToolNamesAServer(t *testing.T) {
	s := serverAt(t, tree(t, "demo", demo), false)
	for _, tool := range s.tools() {
		t.Run(tool.name, func(t *testing.T) {
			for name := range tool.args.Schema.Properties {
				for _, word := range []string{"embed", "url", "key", "secret", "model", "host", "endpoint"} {
					if strings.Contains(name, word) {
						t.Errorf("argument %s", name)
					}
				}
			}
		})
	}
	session := connect(t, s, nil)
	for _, args := range []map[string]any{
		{"query": "rules", "embedding_url": "http://evil.test"}, {"query": "rules", "show_secrets": true}, {"query": "rules", "embedding": "openai"},
	} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			if text, failed := ask(t, session, "search", args); !failed {
				t.Errorf("answers %s", text)
			}
		})
	}
}
