package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"espy/internal/workspace"
)

// TestChanges asks page by page what changed, and after an edit in between.
func TestChanges(t *testing.T) {
	files := map[string]string{}
	for i := range 5 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc f%d() {}\n", i)
	}
	dir := tree(t, "demo", files)
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
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	session := connect(t, New(Options{Workspace: w, Start: dir, Toolsets: []string{"git"}}), nil)
	call := func(want string, args map[string]any) string {
		t.Helper()
		text, isError := ask(t, session, "changes", args)
		if isError || !strings.Contains(text, want) {
			t.Fatalf("changes(%v) = %q, want %q in it", args, text, want)
		}
		return text
	}
	call("0 files changed, HEAD ", nil)
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(text, "()", "(int)", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	seen := ""
	args := map[string]any{"limit": 2}
	for range 3 {
		text := call("5 files changed (5 modified), symbols: 5 signature", args)
		seen += text
		if next := regexp.MustCompile(`cursor="([^"]+)"`).FindStringSubmatch(text); next != nil {
			args = map[string]any{"limit": 2, "cursor": next[1]}
		}
	}
	for name := range files {
		t.Run(name, func(t *testing.T) {
			if strings.Count(seen, "modified "+name) != 1 {
				t.Errorf("%s stands %d times on the pages:\n%s", name, strings.Count(seen, "modified "+name), seen)
			}
		})
	}
	git("commit", "-q", "-a", "-m", "second")
	if text, isError := ask(t, session, "changes", args); !isError || !strings.Contains(text, "repeat the call without cursor") {
		t.Errorf("a page after a commit: %q", text)
	}
	for _, tool := range []string{"history", "blame"} {
		t.Run(tool, func(t *testing.T) {
			if text, isError := ask(t, session, tool, map[string]any{"path": "f1.go#f1"}); isError || !strings.Contains(text, "second") {
				t.Errorf("%s of a symbol: %q", tool, text)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(dir, "fresh.go"), []byte("package demo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ tool, path, want string }{
		"history of no file":    {"history", "f1.gp", "hint: did you mean f1.go"},
		"blame of no file":      {"blame", "f1.gp", "hint: did you mean f1.go"},
		"history of a new file": {"history", "fresh.go", "no commit touches fresh.go: it is in the work tree alone"},
		"blame of a new file":   {"blame", "fresh.go", "fresh.go is not in commit"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, isError := ask(t, session, tt.tool, map[string]any{"path": tt.path}); !isError || !strings.Contains(text, tt.want) {
				t.Errorf("%s of %s: %q, want %q", tt.tool, tt.path, text, tt.want)
			}
		})
	}
	var answer struct {
		Total   int
		Source  string
		Symbols map[string]int
		Files   []struct {
			Path    string
			Symbols []struct{ Change, ID, Old_signature string }
		}
	}
	text := call(`"total":1`, map[string]any{"ref": "HEAD~1..HEAD", "path": []string{"f3.go"}, "format": "json"})
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Source != "git" || answer.Symbols["signature"] != 1 ||
		answer.Files[0].Symbols[0].ID != "f3.go#f3" || answer.Files[0].Symbols[0].Old_signature != "func f3()" {
		t.Errorf("JSON %s: %+v, %v", text, answer, err)
	}
}
