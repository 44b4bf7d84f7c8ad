package mcpserver

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/workspace"
)

// TestEmptyAnswers holds that an answer that found nothing says what was searched,
// what is left out, and what comes nearest.
func TestEmptyAnswers(t *testing.T) {
	root := tree(t, "demo", map[string]string{"cmd/server.go": "package p\n\nfunc Serve() {}\n", ".gitignore": "*.log\n", "x.log": "zebra\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: filepath.Dir(root)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	session := connect(t, New(Options{Workspace: w, Start: root, Toolsets: []string{"all"}}), nil)
	many := make([]string, 80)
	for i := range many {
		many[i] = fmt.Sprint("zz", i)
	}
	type args = map[string]any
	for _, tt := range []struct {
		name, tool string
		args       args
		want       []string
	}{
		{"keyword", "search", args{"query": "zebra giraffe"}, []string{"in 2 files", "2 files left out of the index", `mode="literal"`}},
		{"literal", "search", args{"query": "zebra", "mode": "literal"}, []string{"in 2 files", "2 files left out of the index", "ignore_case=true"}},
		{"regex", "search", args{"query": "zeb+ra", "mode": "regex"}, []string{"in 2 files", "2 files left out of the index", "ignore_case=true"}},
		{"filters", "search", args{"query": "Serve", "lang": "python"}, []string{"only lang python", `next: search(query="Serve", mode="keyword") # without the filters`}},
		{"more than 64 unknown terms", "search", args{"query": strings.Join(many, " ")}, []string{"nothing found for", "in 2 files", `"zz0" is in 0`}},
		{"symbol", "symbol", args{"symbol": "Servr"}, []string{"declared in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"references", "references", args{"symbol": "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"references of a file", "references", args{"symbol": "cmd/server.go"}, []string{"files of that name: cmd/server.go", `next: dependencies(path="cmd/server.go")`}},
		{"calls", "calls", args{"symbol": "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"hierarchy", "hierarchy", args{"symbol": "Servr"}, []string{"no grammar found a declaration of that name in 2 files", "2 files left out of the index", "did you mean: Serve"}},
		{"overview", "overview", args{"path": "cmdd"}, []string{"cmdd", "not in the index", "did you mean cmd/?"}},
		{"dependencies", "dependencies", args{"path": "cmd/servr.go"}, []string{"cmd/servr.go", "not in the index", "did you mean cmd/server.go?"}},
		{"audit", "audit", args{"path": "cmdd"}, []string{"cmdd", "not in the index", "did you mean cmd/?"}},
		{"an unknown report", "audit", args{"report": "complexty"}, []string{"not a report", "did you mean complexity?"}},
		{"a rule that names nothing", "audit", args{"forbid": []string{"cmd -> cmdd"}}, []string{"cmdd matches no file and no import", "did you mean cmd/?"}},
		{"files", "files", args{"path": "servr.go"}, []string{"nothing matches among 2 files", "only path servr.go", "near: cmd/server.go", "files(excluded=true)"}},
		{"files of a folder", "files", args{"path": "cmdd/"}, []string{"near: cmd/"}},
		{"files left out", "files", args{"excluded": true, "path": "zebra"}, []string{"nothing of what is left out matches (2 entries)", "only path zebra"}},
		{"read", "read", args{"path": "cmd/servr.go"}, []string{"no file cmd/servr.go in repo demo", "did you mean cmd/server.go?"}},
		{"outline", "outline", args{"path": "cmd/servr.go"}, []string{"cmd/servr.go", "not in the index", "did you mean cmd/server.go?"}},
		{"outline of a folder", "outline", args{"path": "cmdd"}, []string{"not in the index", "did you mean cmd/?"}},
		{"blame", "blame", args{"path": "cmd/servr.go"}, []string{"no file cmd/servr.go", "did you mean cmd/server.go?"}},
		{"history", "history", args{"path": "cmd/servr.go"}, []string{"no file cmd/servr.go", "did you mean cmd/server.go?"}},
		{"changes", "changes", args{"since": "nope"}, []string{"nope"}},
		{"id", "symbol", args{"symbol": "cmd/server.go#Servr"}, []string{"not declared in cmd/server.go", "did you mean cmd/server.go#Serve?"}},
		{"a repository", "search", args{"query": "x", "repo": "dmeo"}, []string{`repo "dmeo" is not attached`, "attached repositories: demo"}},
		{"a branch", "search", args{"query": "x", "repo": "demo", "ref": "mian"}, []string{"mian"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer, _ := ask(t, session, tt.tool, tt.args)
			for _, part := range tt.want {
				if !strings.Contains(answer, part) {
					t.Errorf("answer lacks %q:\n%s", part, answer)
				}
			}
		})
	}
}
