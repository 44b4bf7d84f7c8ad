package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// write lays out a repository of a corpus.
func write(t *testing.T, corpora, repo string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(corpora, repo, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func evaluateIn(t *testing.T, o Options) *Run {
	t.Helper()
	o.DataDir = t.TempDir()
	run, err := Evaluate(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

var mice = map[string]string{
	"src/cheese.go": "package src\n\n// Ripen keeps a cheese until it smells.\nfunc Ripen(days int) {}\n",
	"src/trap.go":   "package src\n\n// Snap closes the trap on the mouse.\nfunc Snap() {}\n",
	"README.md":     "# Mice\n\nThe trap snaps when the cheese is taken from the trap.\n",
}

func TestEvaluate(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", mice)
	questions := []Question{
		{ID: "1", Repo: "mice", Query: "Ripen", Targets: []Target{{Path: "src/cheese.go", StartLine: 4, EndLine: 4}}},
		{ID: "2", Repo: "mice", Query: "where is the trap closed", Targets: []Target{{Path: "src/trap.go"}, {Path: "src/gone.go"}}},
		{ID: "3", Repo: "mice", Query: "scope:nowhere trap", Targets: []Target{{Path: "README.md"}}},
	}
	repos := []Repository{{Name: "mice", Root: "src"}}
	for _, test := range []struct {
		root   bool
		absent []string
		readme bool
	}{
		{false, []string{"mice src/gone.go"}, true},
		{true, []string{"mice src/gone.go", "mice README.md"}, false},
	} {
		run := evaluateIn(t, Options{Questions: questions, Repos: repos, Corpora: corpora, RootMode: test.root, Compared: true})
		t.Run(run.Mode, func(t *testing.T) {
			for i, want := range []string{"src/cheese.go", "src/trap.go"} {
				if got := run.Answers[i].Results; len(got) == 0 || got[0].Path != want {
					t.Errorf("question %d: results %v, want %s first", i+1, got, want)
				}
			}
			if a := run.Answers[2]; a.Error == "" || len(a.Results) > 0 {
				t.Errorf("a query with an unknown scope is answered: %+v", a)
			}
			if diff := cmp.Diff(test.absent, run.Absent); diff != "" {
				t.Errorf("absent targets differ (-want +got):\n%s", diff)
			}
			if got := holdsPath(run.Answers[1].Results, "README.md"); got != test.readme {
				t.Errorf("README.md among the results: %v, want %v", got, test.readme)
			}
			if got := run.Summary().Refused; got != 1 {
				t.Errorf("refused = %d, want 1", got)
			}
		})
	}
}

func holdsPath(results []Result, path string) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.Path == path })
}

func TestEvaluateMissing(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", mice)
	questions := []Question{{ID: "1", Repo: "mice", Query: "x", Targets: []Target{{Path: "x"}}}, {ID: "2", Repo: "cats", Query: "x", Targets: []Target{{Path: "x"}}}}
	_, err := Evaluate(t.Context(), Options{Questions: questions, Corpora: corpora, DataDir: t.TempDir()})
	var missing *MissingError
	if !errors.As(err, &missing) || !slices.Equal(missing.Repos, []string{"cats"}) {
		t.Fatalf("Evaluate without a repository = %v, want a MissingError for cats", err)
	}
}

// ownSet reads the project's own questions with the modules they are about
// laid out in a folder.
func ownSet(t *testing.T) Options {
	t.Helper()
	o := Options{Corpora: t.TempDir(), RootMode: true}
	var err error
	if o.Questions, err = ReadQuestions("testdata/questions.jsonl"); err != nil {
		t.Fatal(err)
	}
	if o.Repos, err = ReadRepositories("testdata/repos.json"); err != nil {
		t.Fatal(err)
	}
	for name, dir := range moduleDirs(t, o.Repos) {
		if err := os.Symlink(dir, filepath.Join(o.Corpora, name)); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// moduleDirs asks the go command where the modules are; it downloads one that
// is not there, and checks it, as it does for a build.
func moduleDirs(t *testing.T, repos []Repository) map[string]string {
	t.Helper()
	args := []string{"mod", "download", "-json"}
	names := map[string]string{}
	for _, r := range repos {
		args = append(args, r.Repository+"@"+r.Revision)
		names[r.Repository] = r.Name
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod download: %v\n%s%s", err, stderr.String(), out)
	}
	dirs := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var m struct{ Path, Dir string }
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		dirs[names[m.Path]] = m.Dir
	}
	return dirs
}

// TestOwnQuestions compares the rank at which each of the project's own
// questions is answered with the one on record, so that a change of ranking
// shows as a difference.
func TestOwnQuestions(t *testing.T) {
	o := ownSet(t)
	run := evaluateIn(t, o)
	if len(run.Absent) > 0 {
		t.Errorf("targets that are not in the index: %v", run.Absent)
	}
	golden(t, "testdata/ranks.golden", ranks(run))
}

// ranks lists the ranks of each question's targets and what they come to.
func ranks(run *Run) string {
	var b strings.Builder
	b.WriteString("# rank of each target, - where it is not among the first 10\n")
	for i := range run.Questions {
		q := &run.Questions[i]
		var at []string
		for _, r := range Ranks(run.Answers[i].Results, q.Targets) {
			if r == 0 {
				at = append(at, "-")
			} else {
				at = append(at, fmt.Sprint(r))
			}
		}
		fmt.Fprintf(&b, "%-15s %-6s %s\n", q.ID, strings.Join(at, " "), q.Query)
	}
	s := run.Summary()
	b.WriteString("\n# NDCG@10, MRR, Recall@10\n")
	rows := append(append([]Row{{"all", s.Means}}, s.Categories...), s.ByRepo...)
	for _, r := range rows {
		fmt.Fprintf(&b, "%-15s %.3f %.3f %.3f\n", r.Name, r.NDCG, r.MRR, r.Recall)
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := lineDiff(string(want), got); diff != "" {
		t.Fatalf("%s differs; -update writes it anew (-want +got):\n%s", file, diff)
	}
}

// lineDiff lists the lines that stand in one of two texts only.
func lineDiff(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for _, line := range w {
		if !slices.Contains(g, line) {
			b.WriteString("-" + line + "\n")
		}
	}
	for _, line := range g {
		if !slices.Contains(w, line) {
			b.WriteString("+" + line + "\n")
		}
	}
	if b.Len() == 0 && want != got {
		return "the order of lines\n"
	}
	return b.String()
}

// TestReport compares the page that a small run makes.
func TestReport(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", mice)
	o := Options{
		Questions: []Question{
			{ID: "1", Repo: "mice", Language: "go", Category: "symbol", Query: "Ripen", Targets: []Target{{Path: "src/cheese.go"}}},
			{ID: "2", Repo: "mice", Language: "go", Category: "semantic", Query: "is the cheese taken", Targets: []Target{{Path: "README.md"}}},
		},
		Repos: []Repository{{Name: "mice", Root: "src"}}, Corpora: corpora, Compared: true,
	}
	whole := evaluateIn(t, o)
	o.RootMode = true
	root := evaluateIn(t, o)
	golden(t, "testdata/report.golden", Report(root, whole))
}

func TestEvaluateStops(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", mice)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Evaluate(ctx, Options{Questions: []Question{{ID: "1", Repo: "mice", Query: "x", Targets: []Target{{Path: "x"}}}}, Corpora: corpora, DataDir: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Evaluate with a cancelled context = %v, want context.Canceled", err)
	}
}
