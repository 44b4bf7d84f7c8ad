package pace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"espy/internal/eval/pace"
	"espy/internal/workspace"
)

// attached attaches a repository with files that say much in comments.
func attached(t *testing.T) (*workspace.Workspace, *workspace.Repo) {
	t.Helper()
	dir := t.TempDir()
	for i := range 3 {
		text := "package shop\n\nvar a = 1 // not a line of its own\n\n" + strings.Repeat(fmt.Sprintf("// Till %d counts the coins in the drawer.\n", i), 126) + "func f() {}\n"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("till%d.go", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "short.go"), []byte("package shop\n\n// Little is said.\nfunc g() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Name: "shop", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return w, r
}

func request() pace.Request {
	return pace.Request{Rounds: 2, Prepare: func(context.Context, *workspace.Repo) error { return nil }}
}

// TestSearches holds that questions are asked in rounds, told apart by their length, and
// that comments make texts of about 1,000 words.
func TestSearches(t *testing.T) {
	w, r := attached(t)
	req := request()
	req.Texts, req.Comments = []string{"coins in the drawer", strings.Repeat("till ", 700), strings.Repeat("till ", 16), strings.Repeat("till ", 17)}, 2
	asked := map[string]int{}
	req.Answer = func(question string, _ any) error {
		asked[fmt.Sprint(len(strings.Fields(question)))]++
		return nil
	}
	rep, err := pace.Measure(t.Context(), w, r, req)
	if err != nil {
		t.Fatal(err)
	}
	// Before each question stands its kind; the comments are 125 lines of eight words.
	if fmt.Sprint(asked) != "map[1007:4 20:2 21:2 704:2 8:2]" {
		t.Errorf("asked, by words: %v", asked)
	}
	page := regexp.MustCompile(`\d+\.\d\d \|`).ReplaceAllString(rep.Page(), "T |")
	for _, want := range []string{
		fmt.Sprintf("shop, 4 files in %d chunks, on ", rep.Chunks), "in 2 rounds after one that does not count",
		"| up to 16 words | 2 | T | T | T | T |\n| 17 to 39 words | 1 | T | T | T | T |\n| 700 to 1,400 words | 1 | T | T | T | T |\n| comments of a file, about 1,000 words | 2 | T | T | T | T |\n",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Error(page)
			}
		})
	}
	if rep.Chunks < 4 || !strings.Contains(rep.Table(), "till till till till till till till till\n") {
		t.Errorf("%d chunks\n%s", rep.Chunks, rep.Table())
	}
	req.Comments = 4
	if _, err := pace.Measure(t.Context(), w, r, req); err == nil || !strings.Contains(err.Error(), "3 files of shop say 1000 words") {
		t.Errorf("four texts of comments give %v", err)
	}
}

// TestCallsAlone holds that nothing is asked of ranked search unless it is given.
func TestCallsAlone(t *testing.T) {
	w, r := attached(t)
	req := request()
	req.Functions = 2
	rep, err := pace.Measure(t.Context(), w, r, req)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Kinds) != 3 || len(rep.Kinds[0].Questions) != 2 || len(rep.Searches) != 0 {
		t.Errorf("%+v", rep)
	}
}

func TestReadTexts(t *testing.T) {
	if texts, err := pace.ReadTexts("questions.jsonl"); err != nil || len(texts) != 24 {
		t.Errorf("%d questions, %v", len(texts), err)
	}
	for text, want := range map[string]string{"{\"query\":\"a\"}\n{}": "question 2 has no query", "{": "unexpected EOF"} {
		t.Run(want, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "q.jsonl")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := pace.ReadTexts(file); err == nil || !strings.Contains(err.Error(), want) {
				t.Error(err)
			}
		})
	}
}
