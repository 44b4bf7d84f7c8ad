package choice

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// impactOf asks about the commits of a small repository, written step by step.
func impactOf(t *testing.T, steps []map[string]string, commits int) (*Choice, error) {
	t.Helper()
	dir := t.TempDir()
	for i, files := range steps {
		filetest.Write(t, dir, files)
		filetest.Commit(t, dir, fmt.Sprint("step ", i))
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	m, err := Ask(t.Context(), []*workspace.Repo{r}, Request{Commits: commits, Seed: 1, Progress: func(string, int, int) { told++ }})
	if err == nil && told != len(m.Repos[0].Commits) {
		t.Errorf("progress was told %d times of %d commits", told, len(m.Repos[0].Commits))
	}
	return m, err
}

func TestAsk(t *testing.T) {
	t.Parallel()
	test := func(name string, n int) string {
		return fmt.Sprintf("package p\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) { %s(%d) }\n", name, name, n)
	}
	code := func(name string, n int) string {
		return fmt.Sprintf("package p\n\nfunc %s(n int) int { return n * %d }\n", name, n)
	}
	first := map[string]string{"lone/lone_test.go": "package lone\n\nimport \"testing\"\n\nfunc TestLone(t *testing.T) {}\n"}
	for _, name := range []string{"Apple", "Berry", "Cherry"} {
		lower := strings.ToLower(name)
		first[lower+"/"+lower+".go"], first[lower+"/"+lower+"_test.go"] = code(name, 0), test(name, 0)
	}
	m, err := impactOf(t, []map[string]string{
		first,
		{"apple/apple.go": code("Apple", 1), "apple/apple_test.go": test("Apple", 1)},
		{"berry/berry.go": code("Berry", 1), "lone/lone_test.go": first["lone/lone_test.go"] + "\n// more\n"}, // nothing leads there
		{"cherry/cherry.go": code("Cherry", 1), "new_test.go": test("New", 1)},                                // a test that was not there
		{"README.md": "words\n", "apple/apple_test.go": test("Apple", 2)},                                     // no source
	}, 10)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Commit{}
	for _, c := range m.Repos[0].Commits {
		got[strings.Join(c.Tests, " ")] = c
	}
	apple, lone := got["apple/apple_test.go"], got["lone/lone_test.go"]
	if len(got) != 2 || len(apple.Missed) > 0 || len(lone.Missed) != 1 || apple.Chosen != 1 || apple.Suites != 4 || apple.Source != 1 || apple.Held == lone.Held {
		t.Errorf("commits = %+v", m.Repos[0].Commits)
	}
	text := m.Text()
	for _, want := range []string{"steps      2   50 %", "50 % of 2", "25.0 %", "fitted to  1", "held out   1", "all        2"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
}

func TestAskOfNothing(t *testing.T) {
	t.Parallel()
	var refused *usage.Error
	if _, err := impactOf(t, []map[string]string{{"a.go": "package a\n"}}, 1); !errors.As(err, &refused) {
		t.Errorf("err = %v, want a usage.Error", err)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		list  []float64
		share float64
		want  float64
	}{{nil, 0.5, 0}, {[]float64{3, 1, 2}, 0.5, 2}, {[]float64{1, 2, 3, 4}, 0.95, 4}, {[]float64{5}, 0, 5}} {
		t.Run(fmt.Sprint(tt.list, tt.share), func(t *testing.T) {
			if got := quantile(tt.list, tt.share); got != tt.want {
				t.Errorf("quantile = %v, want %v", got, tt.want)
			}
		})
	}
}
