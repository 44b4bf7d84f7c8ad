package misplaced_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/eval"
	"espy/internal/eval/misplaced"
	"espy/internal/workspace"
)

// TestMeasure holds that a question is counted as found in its repository and as
// refused in one that has nothing about it.
func TestMeasure(t *testing.T) {
	rep := measure(t, map[string]string{
		"ledger/account.go": "package ledger\n\n// Reconcile compares bank statements with booked invoices.\nfunc Reconcile() {}\n",
		"planets/orbit.py":  "# The ellipse that a planet follows round its star.\ndef ellipse_of_planet():\n    pass\n",
	}, []eval.Question{
		{ID: "a", Repo: "ledger", Language: "go", Query: "reconcile bank statements with invoices", Targets: []eval.Target{{Path: "account.go"}}},
		{ID: "b", Repo: "planets", Language: "python", Query: "ellipse that a planet follows", Targets: []eval.Target{{Path: "orbit.py"}}},
	})
	if rep.Found != 2 || len(rep.Lost) != 0 || rep.Elsewhere != 2 || rep.Refused != 2 {
		t.Errorf("%+v", rep)
	}
	if table := rep.Table(); !strings.Contains(table, "| asked of another repository | 2 | 2 | 100.0 % |") {
		t.Error(table)
	}
	if page := rep.Page(); !strings.HasPrefix(page, "Written by") || !strings.HasSuffix(page, "\n\n"+rep.Table()) {
		t.Error(page)
	}
}

// TestMeasureRead holds that of pairings that were read those are told apart that ask for what
// the repository has as well.
func TestMeasureRead(t *testing.T) {
	rep := measure(t, map[string]string{
		"aiohttp/router.py":            "# Routing of a URL to its handler.\ndef route_url():\n    pass\n",
		"laravel-framework/router.php": "<?php\n// Routing of a URL to its controller.\nfunction route_url() {}\nclass Reminder {}\n",
	}, []eval.Question{
		{ID: "aiohttp#004", Repo: "aiohttp", Language: "python", Query: "routing of a URL", Targets: []eval.Target{{Path: "router.py"}}},
		{ID: "laravel-framework#001", Repo: "laravel-framework", Language: "php", Query: "reminder of a password", Targets: []eval.Target{{Path: "router.php"}}},
	})
	if rep.Present != 1 || rep.Answered != 1 || rep.Absent != 1 || rep.Denied != 1 {
		t.Errorf("%+v", rep)
	}
}

// measure asks questions of a repository of each folder of files, and of one other.
func measure(t *testing.T, files map[string]string, questions []eval.Question) *misplaced.Report {
	t.Helper()
	corpora := t.TempDir()
	for path, text := range files {
		file := filepath.Join(corpora, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rep, err := misplaced.Measure(t.Context(), w, misplaced.Options{Corpora: corpora, Others: 1, Questions: questions})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestRead holds that pairings that were read are counted by themselves, those that ask for
// what the repository does not have and those that ask for what it has.
func TestRead(t *testing.T) {
	rep := &misplaced.Report{Found: 10, Elsewhere: 20, Refused: 15, Absent: 8, Denied: 6, Present: 2, Answered: 1}
	want := "| of these read to ask for what it does not have | 8 | 6 | 75.0 % |\n" +
		"| read to ask for what it has as well | 2 | 1 | 50.0 % |\n\nRight of the 10 that were read: 7 (70.0 %).\n"
	if table := rep.Table(); !strings.HasSuffix(table, want) {
		t.Error(table)
	}
	here, all := misplaced.Read()
	if all != 300 || here != 16 {
		t.Errorf("%d of %d pairings ask for what is there", here, all)
	}
}
