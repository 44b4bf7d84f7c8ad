package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

// stagedOf is what git itself says is staged, of files.
func stagedOf(t *testing.T, dir string) []string {
	t.Helper()
	out := filetest.Git(t, dir, "diff-index", "--cached", "-z", "--no-renames", "HEAD")
	var paths []string
	f := strings.Split(out, "\x00")
	for i := 0; i+1 < len(f); i += 2 {
		facts := strings.Fields(f[i])
		content := facts[2] != facts[3] || facts[0][1:3] != facts[1][:2]
		if content && (strings.HasPrefix(facts[0], ":100") || strings.HasPrefix(facts[1], "100") || facts[4] == "U") && !slices.Contains(paths, f[i+1]) {
			paths = append(paths, f[i+1])
		}
	}
	return paths
}

func TestStaged(t *testing.T) {
	dir := t.TempDir()
	commit := staged(t, dir)
	r := open1(t, dir)
	check := func(step string, want int) {
		t.Helper()
		x, err := readIndex(t, dir, commit)
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		got, err := r.Staged(t.Context(), commit, x)
		if theirs := stagedOf(t, dir); err != nil || !slices.Equal(got, theirs) || len(got) != want {
			t.Errorf("%s: Staged = %q, %v; git says %q, want %d", step, got, err, theirs, want)
		}
	}
	check("nothing", 0)
	gittest.Write(t, dir, map[string]string{"a.go": "ONE\n", "new.go": "new\n", "sub/zz.go": "last\n"})
	check("not staged", 0)
	filetest.Git(t, dir, "add", "-A")
	check("changed and added", 3)
	filetest.Git(t, dir, "rm", "-q", "--cached", "sub.go")
	check("removed", 4)
	filetest.Git(t, dir, "rm", "-q", "link")
	check("a link is none", 4)
	os.Remove(filepath.Join(dir, "sub/b.go"))
	os.Symlink("a.go", filepath.Join(dir, "sub/b.go"))
	filetest.Git(t, dir, "add", "-A", "sub/b.go")
	check("a file becomes a link", 5)
	filetest.Git(t, dir, "reset", "-q")
	check("reset", 0)
	filetest.Git(t, dir, "update-index", "--skip-worktree", "sub.go") // which forgets the tree
	check("nothing, and no tree", 0)
	if _, err := r.Staged(t.Context(), "HEAD", &Index{}); err == nil {
		t.Error("Staged takes a name for a commit")
	}
}
