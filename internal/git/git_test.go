package git

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

func TestHead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	want := func(step, commit, branch string) {
		t.Helper()
		if c, b := Head(root); c != commit || b != branch {
			t.Errorf("%s: Head = %q, %q; want %q, %q", step, c, b, commit, branch)
		}
	}
	want("no repository", "", "")
	filetest.Git(t, dir, "init", "-q")
	want("no commit", "", "main")
	filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
	first := filetest.Git(t, dir, "rev-parse", "HEAD")
	want("loose ref", first, "main")
	filetest.Git(t, dir, "checkout", "-q", "-b", "topic/x")
	filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "two")
	second := filetest.Git(t, dir, "rev-parse", "HEAD")
	want("branch with a slash", second, "topic/x")
	filetest.Git(t, dir, "pack-refs", "--all")
	want("packed ref", second, "topic/x")
	filetest.Git(t, dir, "checkout", "-q", "--detach", first)
	want("detached", first, "")
}

// TestLook tells a work tree that git has checked something out in from one that
// it has not.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if c := Look(root); c != (Checkout{}) {
		t.Errorf("outside git: %+v", c)
	}
	gittest.Write(t, dir, map[string]string{"a.txt": "one\n"})
	filetest.Git(t, dir, "init", "-q")
	filetest.Git(t, dir, "add", "-A")
	filetest.Git(t, dir, "commit", "-q", "-m", "one")
	first := Look(root)
	if first.Commit == "" || first.Branch != "main" || first.Index == (Stamp{}) || first.Busy || first != Look(root) {
		t.Errorf("Look = %+v, then %+v", first, Look(root))
	}
	filetest.Git(t, dir, "checkout", "-q", "-b", "topic")
	gittest.Write(t, dir, map[string]string{"a.txt": "two\n"})
	filetest.Git(t, dir, "commit", "-q", "-a", "-m", "two")
	if c := Look(root); c.Branch != "topic" || c.Commit == first.Commit {
		t.Errorf("after a commit: %+v", c)
	}
	filetest.Git(t, dir, "checkout", "-q", "main")
	if c := Look(root); c == first || c.Commit != first.Commit || c.Branch != "main" {
		t.Errorf("there and back: %+v, before %+v: want another index", c, first)
	}
	lock := filepath.Join(dir, ".git", "index.lock")
	gittest.Write(t, dir, map[string]string{".git/index.lock": ""})
	if c := Look(root); !c.Busy {
		t.Errorf("with a lock: %+v", c)
	}
	old := time.Now().Add(-2 * stale)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	if c := Look(root); c.Busy {
		t.Errorf("with a lock that was left behind: %+v", c)
	}
}

func TestHeadOfHostileRepositories(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	id := strings.Repeat("a", 40)
	if err := os.WriteFile(secret, []byte(id), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, build := range map[string]func(git string) error{
		"ref out of the tree": func(git string) error {
			return os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/../../../"+secret), 0o600)
		},
		"absolute ref": func(git string) error { return os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: "+secret), 0o600) },
		"link out":     func(git string) error { return os.Symlink(secret, filepath.Join(git, "HEAD")) },
		"pipe":         func(git string) error { return syscall.Mkfifo(filepath.Join(git, "HEAD"), 0o600) },
		"folder":       func(git string) error { return os.Mkdir(filepath.Join(git, "HEAD"), 0o700) },
		"empty":        func(git string) error { return os.WriteFile(filepath.Join(git, "HEAD"), nil, 0o600) },
		"no object name": func(git string) error {
			return os.WriteFile(filepath.Join(git, "HEAD"), []byte(strings.Repeat("z", 40)), 0o600)
		},
		"one long line": func(git string) error { return os.WriteFile(filepath.Join(git, "HEAD"), make([]byte, 1<<20), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git := filepath.Join(dir, ".git")
			if err := os.Mkdir(git, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := build(git); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			if commit, _ := Head(root); commit != "" {
				t.Errorf("Head = %q, want none", commit)
			}
		})
	}
}
