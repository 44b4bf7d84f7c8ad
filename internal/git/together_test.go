package git_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"espy/internal/filetest"
	"espy/internal/git"
)

func TestTogether(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a": "1\n", "d/b c": "1\n"})
	filetest.Commit(t, dir, "first")
	filetest.Write(t, dir, map[string]string{"a": "2\n"})
	filetest.Commit(t, dir, "second")
	filetest.Write(t, dir, map[string]string{"d/b c": "2\n", "e": "1\n"})
	third := git.Step{Message: "third\n\nand more of it", Paths: []string{"d/b c", "e"}}
	filetest.Commit(t, dir, third.Message)
	r, err := git.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	head, err := r.Resolve(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		o    git.LogOptions
		want []git.Step
	}{
		{"all", git.LogOptions{}, []git.Step{third, {Message: "second", Paths: []string{"a"}}}},
		{"some", git.LogOptions{Limit: 1}, []git.Step{third}},
		{"of a path, with what else they changed", git.LogOptions{Paths: []string{"d/b c"}}, []git.Step{third}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.Together(t.Context(), head, tt.o)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(git.Step{}, "ID", "Parents")); diff != "" || err != nil {
				t.Errorf("Together: %v (-want +got):\n%s", err, diff)
			}
		})
	}
	var bad *git.RevisionError
	if _, err := r.Together(t.Context(), "--all", git.LogOptions{}); !errors.As(err, &bad) {
		t.Errorf("Together of an option: %v", err)
	}
	text, err := r.Patch(t.Context(), head, head, nil)
	if err != nil || text != "" {
		t.Errorf("Patch of nothing = %q, %v", text, err)
	}
	first, err := r.Resolve(t.Context(), "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	text, err = r.Patch(t.Context(), first, head, []string{"e"})
	if err != nil || !strings.Contains(text, "+++ b/e\n@@ -0,0 +1 @@\n+1\n") || strings.Contains(text, "b c") {
		t.Errorf("Patch = %q, %v", text, err)
	}
	if _, err := r.Patch(t.Context(), "HEAD", head, nil); !errors.As(err, &bad) {
		t.Errorf("Patch from a name: %v", err)
	}
}
