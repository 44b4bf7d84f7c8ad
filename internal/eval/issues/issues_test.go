package issues

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/nav"

	"espy/internal/code"
	"espy/internal/workspace"
)

// TestMeasure holds that an issue is asked over the tree before its fix, that files and
// functions are ranked, that a mirror is attached once and kept, that what lacks a mirror is told, and that a kept answer is not
// asked for again.
func TestMeasure(t *testing.T) {
	mirrors := t.TempDir()
	dir := filepath.Join(mirrors, "Shop+till", "repo")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(n int) string {
		for path, text := range map[string]string{
			"refund.go": "package till\n\n// Refund gives money back to the customer, version %d.\nfunc Refund() {}\n\nfunc other() {}\n",
			"ledger.go": "package book\n\nvar entries = %d\n",
			"door.go":   "package till\n\n// Open opens the door. %d\nfunc Open() {}\n",
		} {
			if path == "door.go" && n > 0 {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, path), fmt.Appendf(nil, text, n), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		filetest.Commit(t, dir, "change")
		return strings.TrimSpace(filetest.Git(t, dir, "rev-parse", "HEAD"))
	}
	commit := ""
	for n := range 5 {
		commit = write(n)
	}
	if err := os.Rename(filepath.Join(dir, ".git"), filepath.Join(mirrors, "Shop+till.git")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(mirrors, "Shop+till")); err != nil {
		t.Fatal(err)
	}
	query := "Refund gives the money back twice\n\nThe customer gets money back twice\nwhen Refund is called\nat the counter, since this morning\n"
	list := filepath.Join(t.TempDir(), "instances.jsonl")
	line := func(id, repo string) string {
		return fmt.Sprintf(`{"id":%q,"sets":["multi"],"language":"go","repo":%q,"base_commit":%q,"query":%q,"files":[{"path":"refund.go","functions":[["Refund",4,4]]},{"path":"ledger.go"},{"path":"README.md"}]}`+"\n", id, repo, commit, query)
	}
	if err := os.WriteFile(list, []byte(line("a", "shop/till")+line("b", "shop/gone")), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := Read(list)
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	saved := map[string]Answer{}
	o := Options{Instances: all, Mirrors: mirrors, Folder: t.TempDir(), Save: func(a Answer) error { saved[a.ID] = a; return nil }, Progress: func(string, int, int) {}}
	answers, err := Measure(t.Context(), w, o)
	if err != nil || len(answers) != 1 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	a := answers[0]
	if fmt.Sprint(a.Files, a.Functions, a.Usual, a.Companions) != "[1 0] [1] 1 1" {
		t.Errorf("%+v", a)
	}
	if repos, err := w.Repos(t.Context()); err != nil || len(repos) != 1 || repos[0].Root() != filepath.Join(o.Folder, "shop+till") {
		t.Errorf("attached are %v, %v", repos, err)
	}
	o.Known, o.Save = saved, func(Answer) error { t.Error("asked again"); return nil }
	o.Until = time.Unix(1, 0)
	if answers, err = Measure(t.Context(), w, o); err != nil || len(answers) != 1 {
		t.Errorf("%d answers, %v", len(answers), err)
	}
	table := NewReport(all, answers).Table()
	for _, want := range []string{"| go | 1 | 100.0 | 0.0 | 0.0 | 0.0 | 0.0 |", "| all | 1 | 0.0 | 0.0 | 100.0 | 50.0 | 100.0 | 1.0 | 1.0 |", "Not asked: shop/gone (1)."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(table, want) {
				t.Error(table)
			}
		})
	}
}

// TestTableOfCommits holds that commits have a table of their own.
func TestTableOfCommits(t *testing.T) {
	rep := NewReport(nil, []Answer{
		{ID: "a", Language: "python", Sets: []string{"commits"}, Files: []int{1}, Functions: []int{2, 4}},
		{ID: "b", Language: "python", Sets: []string{"commits"}, Files: []int{0}, Functions: []int{0}},
	})
	if want := "| Espy | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 |\n"; !strings.Contains(rep.Table(), "2 commits, ") || !strings.HasSuffix(rep.Table(), want) {
		t.Errorf("%s\nwant %s", rep.Table(), want)
	}
	x := Instance{Sets: []string{"commits"}, Language: "python"}
	if got := x.languages(); len(got) != 1 || got[0] != "python" {
		t.Errorf("asked for %q", got)
	}
}

// TestFunctionOf holds which function a place counts for.
func TestFunctionOf(t *testing.T) {
	list := outermost([]nav.OutlineSymbol{
		{ID: "a.py#A", Kind: code.KindClass, Line: 1, EndLine: 20},
		{ID: "a.py#A.f", Kind: code.KindMethod, Depth: 1, Line: 2, EndLine: 9},
		{ID: "a.py#A.f.inner", Kind: code.KindFunc, Depth: 2, Line: 4, EndLine: 6},
		{ID: "a.py#A.g", Kind: code.KindMethod, Depth: 1, Line: 11, EndLine: 20},
	})
	for _, c := range []struct {
		id          string
		first, last int
		want        string
	}{
		{"a.py#A.f", 2, 9, "a.py#A.f"},
		{"a.py#A.f.inner", 4, 6, "a.py#A.f"},
		{"a.py#A.g", 1, 20, "a.py#A.g"},
		{"a.py#A", 1, 20, "a.py#A.f"},
		{"", 30, 40, ""},
	} {
		t.Run(c.id, func(t *testing.T) {
			if got := functionOf(&hit.Hit{Path: "a.py", SymbolID: c.id, StartLine: c.first, EndLine: c.last}, list); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
