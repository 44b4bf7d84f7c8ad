package eval

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// historyRepo is a repository whose commits are made one by one.
type historyRepo struct {
	t       *testing.T
	dir     string
	commits []string
}

func newHistoryRepo(t *testing.T) *historyRepo {
	r := &historyRepo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *historyRepo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "PATH=" + os.Getenv("PATH"),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
		"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit adds a line to files and commits them.
func (r *historyRepo) commit(message string, files ...string) {
	r.t.Helper()
	for _, name := range files {
		path := filepath.Join(r.dir, name)
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			r.t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, append(old, message+"\n"...), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
	r.commits = append(r.commits, r.git("rev-parse", "HEAD"))
}

func TestHistory(t *testing.T) {
	r := newHistoryRepo(t)
	r.commit("Begin with a trap and a cheese", "src/trap.go", "src/cheese.go", "src/old.go", "a\tb/täst.go", "README.md")
	r.commit("Make the old trap ring when it closes", "src/old.go")                                  // 1: beyond the limit
	r.commit("Close the trap before the mouse runs", "src/trap.go", "src/trap_test.go", "README.md") // 2
	r.commit("Keep cheese away from other mice", "src/new.go", "src/cheese.go")                      // 3: adds a file
	r.commit("Say in trap.go that the spring is tight", "src/trap.go")                               // 4: names the file
	r.commit("Explain how the spring works today", "README.md")                                      // 5: no source
	r.commit("Let the cheese ripen for many more days", "src/cheese.go", "a\tb/täst.go")             // 6
	r.commit("Smell the new cheese from far away", "src/new.go")                                     // 7: not in the tree yet
	r.commit("Let the cheese ripen for many more days", "src/cheese.go")                             // 8: asks the same as 6
	h := History{GitDir: filepath.Join(r.dir, ".git"), Name: "mice", Language: "go", Commit: r.commits[8], Tree: filepath.Join(t.TempDir(), "trees", "mice"), Limit: 3}
	questions, base, err := h.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []Question{
		{"mice#" + r.commits[8][:12], "mice", "go", "history", "Let the cheese ripen for many more days", []Target{{Path: "src/cheese.go"}}},
		{"mice#" + r.commits[2][:12], "mice", "go", "history", "Close the trap before the mouse runs", []Target{{Path: "src/trap.go"}}},
	}
	if diff := cmp.Diff(want, questions); diff != "" {
		t.Fatalf("questions differ (-want +got):\n%s", diff)
	}
	if base != r.commits[1] {
		t.Fatalf("base %s, want %s, the commit before the oldest one used", base, r.commits[1])
	}
	files, err := h.LayOut(t.Context(), base)
	if err != nil || files != 5 {
		t.Fatalf("LayOut = %d files, %v, want 5", files, err)
	}
	for name, want := range map[string]string{
		"src/old.go":   "Begin with a trap and a cheese\nMake the old trap ring when it closes\n",
		"a\tb/täst.go": "Begin with a trap and a cheese\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := os.ReadFile(filepath.Join(h.Tree, name)); string(got) != want || err != nil {
				t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
			}
		})
	}
	laid := historyRepo{t: t, dir: h.Tree}
	if head, differs := laid.git("rev-parse", "HEAD"), laid.git("status", "--porcelain"); head != base || differs != "" {
		t.Errorf("commit %s is checked out, want %s; files differ: %s", head, base, differs)
	}
	if _, err := h.LayOut(t.Context(), base); !os.IsExist(err) {
		t.Errorf("LayOut over a tree that is there: %v", err)
	}
}

const noCommit = "0123456789012345678901234567890123456789"

func TestHistoryErrors(t *testing.T) {
	r := newHistoryRepo(t)
	r.commit("Begin with a trap and a cheese", "src/trap.go")
	r.commit("Fix", "src/trap.go")
	git := filepath.Join(r.dir, ".git")
	for _, test := range []struct{ name, gitDir, commit, want string }{
		{"not a commit", git, "main", "not the whole id"},
		{"an option", git, "--output=/x", "not the whole id"},
		{"no such commit", git, noCommit, "git log"},
		{"no repository", t.TempDir(), noCommit, "not a git repository"},
		{"nothing to ask", git, r.commits[1], "makes a question"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := History{GitDir: test.gitDir, Name: "mice", Commit: test.commit}
			if _, _, err := h.Questions(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
			}
		})
	}
}
