package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/eval"
	"espy/internal/eval/history"
	"espy/internal/filetest"
)

// laidOut lays out the questions of a repository in which burglars are first said
// between its two questions.
func laidOut(t *testing.T) history.Options {
	t.Helper()
	repo, out := t.TempDir(), t.TempDir()
	write := func(message string, files map[string]string) {
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		filetest.Commit(t, repo, message)
	}
	const till, door = "package shop\n\n// Count counts the coins in the drawer.\nfunc Count() {}\n", "package shop\n\n// Open lets customers in.\nfunc Open() {}\n"
	write("Begin", map[string]string{"till.go": till, "door.go": door})
	write("Count the coins in the drawer twice", map[string]string{"till.go": till + "\n// twice\n"})
	write("Lock", map[string]string{"door.go": door + "\n// Shut keeps burglars out of the building at night.\nfunc Shut() {}\n"})
	write("Keep burglars out of the building on Sundays", map[string]string{"door.go": door + "\n// Shut keeps burglars out on Sundays.\nfunc Shut() {}\n"})
	h := eval.History{
		Name: "shop", Language: "go", GitDir: filepath.Join(repo, ".git"), Limit: 50, Tree: filepath.Join(out, "shop"),
		Commit: strings.TrimSpace(filetest.Git(t, repo, "rev-parse", "HEAD")),
	}
	questions, base, err := h.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.LayOut(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	return history.Options{Options: eval.Options{Questions: questions, Corpora: out, DataDir: t.TempDir()}}
}

// TestMeasure holds that questions are asked over the tree before all commits, where
// nothing says burglars, and over that before their own, and that reports stand apart.
func TestMeasure(t *testing.T) {
	o := laidOut(t)
	if len(o.Questions) != 2 {
		t.Fatalf("%+v", o.Questions)
	}
	long := o.Questions[1]
	long.Repo, long.Query = "shop", long.Query+strings.Repeat(" and the notes", 20)
	for _, c := range []struct {
		before int
		want   []string
	}{
		{0, []string{"as people ask (not asked).", "| one tree | 2 | 0.500 | 0.500 | 0.500 | 0.500 |\n| one tree, BM25", "| shop | 2 | 0.500 | 0.500 | 0.500 | 0.500 |\n"}},
		{1, []string{"; at most 1 of a repository, the newest.", "| before | 1 | 1.000 | 1.000 | 1.000 | 1.000 |\n", "| shop | 2 | 0.500 | 0.500 | 0.500 | 0.500 | 1.000 | 1.000 | 1.000 | 1.000 |\n"}},
		{9, []string{"| before | 2 | 1.000 | 1.000 | 1.000 | 1.000 |\n"}},
	} {
		o.Before = c.before
		rep, err := history.Measure(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		table := rep.Table()
		for _, want := range c.want {
			t.Run(fmt.Sprint(c.before, want), func(t *testing.T) {
				if !strings.Contains(table, want) {
					t.Error(table)
				}
			})
		}
	}
	o.Questions[1] = long
	rep, err := history.Measure(t.Context(), o)
	if err != nil || rep.Questions.Tree.Questions != 1 || rep.Reports.Tree.Questions != 1 || rep.Reports.Before.First != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
}

// TestTreeWithoutCommits holds that a tree without its commits is refused.
func TestTreeWithoutCommits(t *testing.T) {
	o := laidOut(t)
	if err := os.RemoveAll(filepath.Join(o.Corpora, "shop", ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Measure(t.Context(), o); err == nil || !strings.Contains(err.Error(), "lacks its commits") {
		t.Error(err)
	}
}
