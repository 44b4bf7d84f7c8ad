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
	corpora := t.TempDir()
	for path, text := range map[string]string{
		"ledger/account.go": "package ledger\n\n// Reconcile compares bank statements with booked invoices.\nfunc Reconcile() {}\n",
		"planets/orbit.py":  "# The ellipse that a planet follows round its star.\ndef ellipse_of_planet():\n    pass\n",
	} {
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
	rep, err := misplaced.Measure(t.Context(), w, misplaced.Options{Corpora: corpora, Others: 1, Questions: []eval.Question{
		{ID: "a", Repo: "ledger", Language: "go", Query: "reconcile bank statements with invoices", Targets: []eval.Target{{Path: "account.go"}}},
		{ID: "b", Repo: "planets", Language: "python", Query: "ellipse that a planet follows", Targets: []eval.Target{{Path: "orbit.py"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
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

// TestRead holds that pairings that were read are counted by themselves, but for those that
// ask for what the repository has.
func TestRead(t *testing.T) {
	rep := &misplaced.Report{Found: 10, Elsewhere: 20, Refused: 15, Absent: 8, Denied: 6}
	if table := rep.Table(); !strings.HasSuffix(table, "| of these read to ask for what it does not have | 8 | 6 | 75.0 % |\n") {
		t.Error(table)
	}
	here, all := misplaced.Read()
	if all != 300 || here != 16 {
		t.Errorf("%d of %d pairings ask for what is there", here, all)
	}
}
