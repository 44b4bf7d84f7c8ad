package eval

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/filetest"
	"espy/internal/git/gittest"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// commitsOf asks n commits of gittest.Lessons, or none where there is no history.
func commitsOf(t *testing.T, n int, models embedding.Models) (*Commits, error) {
	t.Helper()
	dir := t.TempDir()
	if n >= 0 {
		_, commits := gittest.Lessons(n)
		gittest.Import(t, dir, commits)
		filetest.Git(t, dir, "reset", "-q", "--hard", "main")
	} else {
		filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Models: models})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Name: "lessons"})
	if err != nil {
		t.Fatal(err)
	}
	return AskCommits(t.Context(), r, models)
}

func TestAskCommits(t *testing.T) {
	models := embedding.Models{Local: &embeddingtest.Words{Size: 256}}
	c, err := commitsOf(t, 400, models)
	if err != nil {
		t.Fatal(err)
	}
	recall := map[string]float64{}
	for _, r := range c.Runs {
		recall[strings.TrimSuffix(fmt.Sprintf("%s %s %s", r.Mode, r.Adapter, r.Work), " none")] = r.Recall
	}
	if len(recall) != 7 || recall["semantic learned"] < 0.9 || recall["semantic none"] > 0.2 || recall["semantic shuffled"] > 0.6 {
		t.Errorf("found %v", recall)
	}
	if c.Repo != "lessons" || len(c.Newest) != 40 || c.Questions < 40 || c.Fitted < 3*c.Questions {
		t.Errorf("asked %+v", c)
	}
	again, err := commitsOf(t, 400, models)
	if err != nil || again.Text() != c.Text() || !strings.Contains(c.Text(), "semantic  learned") {
		t.Errorf("error %v; asked twice:\n%s%s", err, c.Text(), again.Text())
	}
}

func TestAskCommitsRefuses(t *testing.T) {
	models := embedding.Models{Local: &embeddingtest.Words{}}
	for _, test := range []struct {
		name    string
		commits int
		models  embedding.Models
		usage   bool
		want    string
	}{
		{"no history", -1, models, false, "lessons"},
		{"one commit", 0, models, true, "too few questions"},
		{"few commits", 100, models, true, "too few questions"},
		{"no model", 100, embedding.Models{}, true, "no model"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := commitsOf(t, test.commits, test.models)
			var refused *usage.Error
			if err == nil || errors.As(err, &refused) != test.usage || !strings.Contains(err.Error(), test.want) {
				t.Errorf("answer %+v, error %v", c, err)
			}
		})
	}
}
