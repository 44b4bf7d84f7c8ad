package changes

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/usage"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/workspacetest"
)

func TestChurnOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := workspacetest.Attach(t, dir)
	for i := range 4 {
		files := map[string]string{"often.go": fmt.Sprint(i), "gone.go": fmt.Sprint(i)}
		if i%2 == 0 {
			files["sub/twice.go"] = fmt.Sprint(i)
		}
		filetest.Write(t, dir, files)
		filetest.Commit(t, dir, fmt.Sprint(i))
	}
	filetest.Remove(t, dir, "gone.go")
	for path, want := range map[string]string{"": "often.go 4, sub/twice.go 2, of 4", "sub": "sub/twice.go 2, of 2", "often.go": "of 0"} {
		h, err := ListCommits(t.Context(), r, HistoryRequest{Path: path, Limit: 1})
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
	t.Parallel()
	dir := t.TempDir()
	r := workspacetest.Attach(t, dir)
	body := func(n int) string {
		return fmt.Sprintf("// T is one.\ntype T struct{}\n\nfunc (t *T) Close() int {\n\tx := 1\n\treturn x + %d\n}\n", n)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\n" + body(1), "odd#name.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nvar before = 1\n\n" + body(1)})
	filetest.Commit(t, dir, "above")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nvar before = 1\n\n" + body(2)})
	filetest.Commit(t, dir, "body")
	filetest.Git(t, dir, "mv", "a.go", "b.go")
	filetest.Commit(t, dir, "renamed")
	filetest.Write(t, dir, map[string]string{"b.go": "package a\n\n\n\n// Edited.\n" + body(2)})

	h, err := ListCommits(t.Context(), r, HistoryRequest{Path: "b.go#T.Close"})
	if err != nil || h.Path != "b.go" || h.Symbol != "b.go#T.Close" || h.First != 8 || h.Last != 11 || len(h.Commits) != 2 || h.Commits[0].Subject != "body" || h.Commits[1].Subject != "first" {
		t.Errorf("History = %+v, %v", h, err)
	}
	b, err := BlameLines(t.Context(), r, BlameRequest{Path: "b.go#T.Close"})
	if err != nil || b.Path != "b.go" || len(b.Lines) != 4 || b.Commits[b.Lines[2].Commit].Subject != "body" || b.Commits[b.Lines[0].Commit].Subject != "first" {
		t.Errorf("Blame = %+v, %v", b, err)
	}
	for _, short := range []string{"b.go#Close", "Close", "T.Close"} {
		if h, err := ListCommits(t.Context(), r, HistoryRequest{Path: short}); err != nil || h.Symbol != "b.go#T.Close" || len(h.Commits) != 2 {
			t.Errorf("History of %s = %+v, %v", short, h, err)
		}
		if b, err := BlameLines(t.Context(), r, BlameRequest{Path: short}); err != nil || b.Symbol != "b.go#T.Close" || len(b.Lines) != 4 {
			t.Errorf("Blame of %s = %+v, %v", short, b, err)
		}
	}
	var refused *usage.Error
	if _, err := ListCommits(t.Context(), r, HistoryRequest{Path: "b.go#T.Closed"}); !errors.As(err, &refused) || refused.Hint != "did you mean b.go#T.Close?" {
		t.Errorf("History of no symbol: %v", err)
	}
	if _, err := BlameLines(t.Context(), r, BlameRequest{Path: "c.go#T.Close"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Blame in no file: %v", err)
	}
	filetest.Write(t, dir, map[string]string{"c.go": "package a\n\nfunc Close() {}\n"})
	if _, err := BlameLines(t.Context(), r, BlameRequest{Path: "Close"}); !errors.As(err, &refused) || !strings.Contains(refused.Hint, "b.go#T.Close") || !strings.Contains(refused.Hint, "c.go#Close") {
		t.Errorf("Blame of a name of two: %v", err)
	}
	if h, err := ListCommits(t.Context(), r, HistoryRequest{Path: "odd#name.go"}); err != nil || h.Symbol != "" || len(h.Commits) != 1 {
		t.Errorf("History of a file with a #: %+v, %v", h, err)
	}
}

func TestBlameAndHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := workspacetest.Attach(t, dir)
	var none *origin.NoHistoryError
	if _, err := ListCommits(t.Context(), r, HistoryRequest{}); !errors.As(err, &none) || !errors.Is(err, git.ErrNoRepository) {
		t.Errorf("History outside git: %v", err)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "one\ntwo\n", "sub/b.go": "b\n"})
	filetest.Commit(t, dir, "first")
	filetest.Write(t, dir, map[string]string{"a.go": "one\nTWO\n"})
	filetest.Commit(t, dir, "second")

	b, err := BlameLines(t.Context(), r, BlameRequest{Path: "a.go"})
	if err != nil || len(b.Lines) != 2 || b.Commits[b.Lines[0].Commit].Subject != "first" || b.Commits[b.Lines[1].Commit].Subject != "second" || b.Edited || b.Branch != "main" {
		t.Fatalf("Blame = %+v, %v", b, err)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "one\nTWO, edited\n"})
	if b, err = BlameLines(t.Context(), r, BlameRequest{Path: "a.go", First: 1, Last: 2}); err != nil || !b.Edited {
		t.Errorf("Blame of an edited line = %+v, %v", b, err)
	}
	if b, err = BlameLines(t.Context(), r, BlameRequest{Path: "a.go", First: 1, Last: 1}); err != nil || b.Edited {
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
		t.Run(fmt.Sprintf("%+v", tt.req), func(t *testing.T) {
			h, err := ListCommits(t.Context(), r, tt.req)
			if err != nil || len(h.Commits) != tt.want || h.More != tt.more || h.File != tt.file {
				t.Errorf("History(%+v) = %+v, %v; want %d commits, more %v", tt.req, h, err, tt.want, tt.more)
			}
		})
	}
	filetest.Write(t, dir, map[string]string{"new.go": "new\n"})
	if _, err := BlameLines(t.Context(), r, BlameRequest{Path: "new.go"}); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Blame of a file that is not committed: %v", err)
	}
	for _, path := range []string{"nope.go", "../a.go", "/etc/passwd"} {
		t.Run(path, func(t *testing.T) {
			if _, err := BlameLines(t.Context(), r, BlameRequest{Path: path}); err == nil {
				t.Errorf("Blame(%q) gives no error", path)
			}
			if _, err := ListCommits(t.Context(), r, HistoryRequest{Path: path}); err == nil {
				t.Errorf("History of %q gives no error", path)
			}
		})
	}
}
