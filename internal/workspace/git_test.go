package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"testing"
	"time"

	"espy/internal/git"
	"espy/internal/usage"
)

// gitIn runs git in a folder and returns what it says.
func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := gitCommand(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func gitCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main", "-c", "core.safecrlf=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_OPTIONAL_LOCKS=0")
	return cmd
}

// commit commits everything in a folder, making it a repository first.
func commit(t testing.TB, dir, message string) {
	t.Helper()
	gitIn(t, dir, "init", "-q")
	gitIn(t, dir, "add", "-A")
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", message)
}

func TestChurnOfAFolder(t *testing.T) {
	dir := t.TempDir()
	r := attach(t, open(t, t.TempDir()), dir)
	for i := range 4 {
		files := map[string]string{"often.go": fmt.Sprint(i), "gone.go": fmt.Sprint(i)}
		if i%2 == 0 {
			files["sub/twice.go"] = fmt.Sprint(i)
		}
		write(t, dir, files)
		commit(t, dir, fmt.Sprint(i))
	}
	remove(t, dir, "gone.go")
	for path, want := range map[string]string{"": "often.go 4, sub/twice.go 2, of 4", "sub": "sub/twice.go 2, of 2", "often.go": "of 0"} {
		h, err := r.History(t.Context(), HistoryRequest{Path: path, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, c := range h.Churn {
			got += fmt.Sprintf("%s %d, ", c.Path, c.Commits)
		}
		if got += fmt.Sprintf("of %d", h.ChurnCommits); got != want {
			t.Errorf("History(%q): %s, want %s", path, got, want)
		}
	}
}

// TestHistoryOfSymbols follows a function that moves within its file and with it.
func TestHistoryOfSymbols(t *testing.T) {
	dir := t.TempDir()
	r := attach(t, open(t, t.TempDir()), dir)
	body := func(n int) string {
		return fmt.Sprintf("// T is one.\ntype T struct{}\n\nfunc (t *T) Close() int {\n\tx := 1\n\treturn x + %d\n}\n", n)
	}
	write(t, dir, map[string]string{"a.go": "package a\n\n" + body(1), "odd#name.go": "package a\n"})
	commit(t, dir, "first")
	write(t, dir, map[string]string{"a.go": "package a\n\nvar before = 1\n\n" + body(1)})
	commit(t, dir, "above")
	write(t, dir, map[string]string{"a.go": "package a\n\nvar before = 1\n\n" + body(2)})
	commit(t, dir, "body")
	gitIn(t, dir, "mv", "a.go", "b.go")
	commit(t, dir, "renamed")
	write(t, dir, map[string]string{"b.go": "package a\n\n\n\n// Edited.\n" + body(2)})

	h, err := r.History(t.Context(), HistoryRequest{Path: "b.go#T.Close"})
	if err != nil || h.Path != "b.go" || h.Symbol != "b.go#T.Close" || h.First != 8 || h.Last != 11 || len(h.Commits) != 2 || h.Commits[0].Subject != "body" || h.Commits[1].Subject != "first" {
		t.Errorf("History = %+v, %v", h, err)
	}
	b, err := r.Blame(t.Context(), "b.go#T.Close", 0, 0)
	if err != nil || b.Path != "b.go" || len(b.Lines) != 4 || b.Commits[b.Lines[2].Commit].Subject != "body" || b.Commits[b.Lines[0].Commit].Subject != "first" {
		t.Errorf("Blame = %+v, %v", b, err)
	}
	var refused *usage.Error
	if _, err := r.History(t.Context(), HistoryRequest{Path: "b.go#T.Closed"}); !errors.As(err, &refused) || refused.Hint != "did you mean b.go#T.Close?" {
		t.Errorf("History of no symbol: %v", err)
	}
	if _, err := r.Blame(t.Context(), "c.go#T.Close", 0, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Blame in no file: %v", err)
	}
	if h, err := r.History(t.Context(), HistoryRequest{Path: "odd#name.go"}); err != nil || h.Symbol != "" || len(h.Commits) != 1 {
		t.Errorf("History of a file with a #: %+v, %v", h, err)
	}
}

func TestBlameAndHistory(t *testing.T) {
	dir := t.TempDir()
	r := attach(t, open(t, t.TempDir()), dir)
	var none *NoHistoryError
	if _, err := r.History(t.Context(), HistoryRequest{}); !errors.As(err, &none) || !errors.Is(err, git.ErrNoRepository) {
		t.Errorf("History outside git: %v", err)
	}
	write(t, dir, map[string]string{"a.go": "one\ntwo\n", "sub/b.go": "b\n"})
	commit(t, dir, "first")
	write(t, dir, map[string]string{"a.go": "one\nTWO\n"})
	commit(t, dir, "second")

	b, err := r.Blame(t.Context(), "a.go", 0, 0)
	if err != nil || len(b.Lines) != 2 || b.Commits[b.Lines[0].Commit].Subject != "first" || b.Commits[b.Lines[1].Commit].Subject != "second" || b.Edited || b.Branch != "main" {
		t.Fatalf("Blame = %+v, %v", b, err)
	}
	write(t, dir, map[string]string{"a.go": "one\nTWO, edited\n"})
	if b, err = r.Blame(t.Context(), "a.go", 1, 2); err != nil || !b.Edited {
		t.Errorf("Blame of an edited line = %+v, %v", b, err)
	}
	if b, err = r.Blame(t.Context(), "a.go", 1, 1); err != nil || b.Edited {
		t.Errorf("Blame of another line = %+v, %v", b, err)
	}
	for _, tt := range []struct {
		req  HistoryRequest
		want int
		more bool
		file bool
	}{
		{HistoryRequest{}, 2, false, false},
		{HistoryRequest{Limit: 1}, 1, true, false},
		{HistoryRequest{Path: "a.go"}, 2, false, true},
		{HistoryRequest{Path: "sub"}, 1, false, false},
		{HistoryRequest{Path: "a.go", First: 1, Last: 1}, 1, false, true},
		{HistoryRequest{Path: "a.go", Since: time.Now().Add(48 * time.Hour)}, 0, false, true},
	} {
		h, err := r.History(t.Context(), tt.req)
		if err != nil || len(h.Commits) != tt.want || h.More != tt.more || h.File != tt.file {
			t.Errorf("History(%+v) = %+v, %v; want %d commits, more %v", tt.req, h, err, tt.want, tt.more)
		}
	}
	write(t, dir, map[string]string{"new.go": "new\n"})
	if _, err := r.Blame(t.Context(), "new.go", 0, 0); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Blame of a file that is not committed: %v", err)
	}
	for _, path := range []string{"nope.go", "../a.go", "/etc/passwd"} {
		if _, err := r.Blame(t.Context(), path, 0, 0); err == nil {
			t.Errorf("Blame(%q) gives no error", path)
		}
		if _, err := r.History(t.Context(), HistoryRequest{Path: path}); err == nil {
			t.Errorf("History of %q gives no error", path)
		}
	}
}
