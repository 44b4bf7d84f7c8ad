package changes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"

	"github.com/google/go-cmp/cmp"
)

// TestChangesAgreeWithGit edits a repository at random, some of it staged, and
// compares what differs from HEAD, file by file, with what git says: where the files
// are walked, and where they are followed.
func TestChangesAgreeWithGit(t *testing.T) {
	t.Parallel()
	rounds := 6
	if os.Getenv("ESPY_SOAK") != "" {
		rounds = 60
	}
	for seed := range uint64(rounds) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		dir := t.TempDir()
		scribble(t, rnd, dir, 40)
		filetest.Commit(t, dir, "first")
		r, followed := workspacetest.Attach(t, dir), follow(t, dir)
		scribble(t, rnd, dir, 15)
		filetest.Git(t, dir, "add", "-A")
		scribble(t, rnd, dir, 15)
		got, also := compared(t, r), compared(t, followed)
		if diff := cmp.Diff(got, also); diff != "" {
			t.Errorf("seed %d (-walked +followed):\n%s", seed, diff)
		}
		filetest.Git(t, dir, "add", "-A")
		if diff := cmp.Diff(gitSays(t, dir), got); diff != "" {
			t.Errorf("seed %d (-git +got):\n%s", seed, diff)
		}
	}
}

// follow attaches a folder, indexes it and follows its files.
func follow(t *testing.T, dir string) *workspace.Repo {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Watch: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Snapshot(t.Context(), workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if tree, err := r.Followed(t.Context()); tree == nil || err != nil {
		t.Fatalf("Followed = %v, %v", tree, err)
	}
	return r
}

// compared lists what differs from HEAD.
func compared(t *testing.T, r *workspace.Repo) (files []string) {
	t.Helper()
	c, err := Compare(t.Context(), r, Request{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		files = append(files, fmt.Sprintf("%c %s %s", strings.ToUpper(string(f.Status))[0], f.Old, f.Path))
	}
	slices.Sort(files)
	return files
}

// TestChangesOfAConflict holds that a path of which git's index has several entries is
// one file, and that a file which is not checked out did not change.
func TestChangesOfAConflict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.txt": "one\n", "b.txt": "one\n", "z.txt": "same\n", "sparse.txt": "not here\n"})
	filetest.Commit(t, dir, "first")
	filetest.Git(t, dir, "checkout", "-q", "-b", "other")
	filetest.Write(t, dir, map[string]string{"a.txt": "theirs\n", "b.txt": "theirs\n"})
	filetest.Commit(t, dir, "theirs")
	filetest.Git(t, dir, "checkout", "-q", "-")
	filetest.Write(t, dir, map[string]string{"a.txt": "ours\n"})
	filetest.Remove(t, dir, "b.txt")
	filetest.Commit(t, dir, "ours")
	merge := exec.Command("git", "merge", "-q", "other")
	merge.Dir = dir
	if out, err := merge.CombinedOutput(); err == nil {
		t.Fatalf("merged without a conflict: %s", out)
	}
	filetest.Git(t, dir, "update-index", "--skip-worktree", "sparse.txt")
	filetest.Remove(t, dir, "sparse.txt")
	want := []string{"A  b.txt", "M  a.txt"}
	for name, r := range map[string]*workspace.Repo{"walked": workspacetest.Attach(t, dir), "followed": follow(t, dir)} {
		if diff := cmp.Diff(want, compared(t, r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// scribble makes, edits, renames and removes files.
func scribble(t *testing.T, rnd *rand.Rand, dir string, steps int) {
	t.Helper()
	for range steps {
		var names []string
		if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			if err == nil && d.Type().IsRegular() {
				names = append(names, path)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		fresh := fmt.Sprintf("d%d/f%d.txt", rnd.IntN(4), rnd.IntN(1_000_000))
		if len(names) < 5 || rnd.IntN(3) == 0 {
			text := ""
			for range 20 + rnd.IntN(20) {
				text += fmt.Sprintf("line %x\n", rnd.Uint64())
			}
			filetest.Write(t, dir, map[string]string{fresh: text})
			continue
		}
		path := names[rnd.IntN(len(names))]
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, path)
		edited := fmt.Sprintf("%snew %x\n", text, rnd.Uint64())
		switch rnd.IntN(5) {
		case 0:
			filetest.Remove(t, dir, rel)
		case 1: // renamed
			filetest.Remove(t, dir, rel)
			filetest.Write(t, dir, map[string]string{fresh: string(text)})
		case 2: // renamed and edited
			filetest.Remove(t, dir, rel)
			filetest.Write(t, dir, map[string]string{fresh: edited})
		case 3:
			filetest.Write(t, dir, map[string]string{rel: edited})
		case 4: // written again
			filetest.Write(t, dir, map[string]string{rel: string(text)})
		}
	}
}

// gitSays lists the staged changes of a repository.
func gitSays(t *testing.T, dir string) []string {
	t.Helper()
	cmd := exec.Command("git", "diff", "--cached", "--name-status", "-M", "-z", "HEAD")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	f := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(f); i += 2 {
		if f[i][0] == 'R' {
			said = append(said, fmt.Sprintf("R %s %s", f[i+1], f[i+2]))
			i++
			continue
		}
		said = append(said, fmt.Sprintf("%c  %s", map[byte]byte{'A': 'A', 'D': 'R', 'M': 'M'}[f[i][0]], f[i+1]))
	}
	slices.Sort(said)
	return said
}
