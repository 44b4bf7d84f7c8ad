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
	"espy/internal/workspace/workspacetest"

	"github.com/google/go-cmp/cmp"
)

// TestChangesAgreeWithGit edits a repository at random, some of it staged, and
// compares what differs from HEAD, file by file, with what git says.
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
		r := workspacetest.Attach(t, dir)
		scribble(t, rnd, dir, 15)
		filetest.Git(t, dir, "add", "-A")
		scribble(t, rnd, dir, 15)
		c, err := Compare(t.Context(), r, Request{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range c.Files {
			got = append(got, fmt.Sprintf("%c %s %s", strings.ToUpper(string(f.Status))[0], f.Old, f.Path))
		}
		slices.Sort(got)
		filetest.Git(t, dir, "add", "-A")
		if diff := cmp.Diff(gitSays(t, dir), got); diff != "" {
			t.Errorf("seed %d (-git +got):\n%s", seed, diff)
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
