// Package filetest makes folders and git repositories for tests.
package filetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes files below a folder, by their paths.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Remove removes files of a folder.
func Remove(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		if err := os.Remove(filepath.Join(dir, n)); err != nil {
			t.Fatal(err)
		}
	}
}

// Link makes a symbolic link, in place of what has its name.
func Link(t testing.TB, dir, target, name string) {
	t.Helper()
	os.Remove(filepath.Join(dir, name))
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// Git runs git in a folder, without the user's configuration, and returns what
// it prints, without blanks at either end.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := GitCommand(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// GitCommand is the command that Git runs.
func GitCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main", "-c", "core.safecrlf=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_OPTIONAL_LOCKS=0")
	return cmd
}

// Commit commits everything in a folder, making it a repository first.
func Commit(t testing.TB, dir, message string) {
	t.Helper()
	Git(t, dir, "init", "-q")
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
}
