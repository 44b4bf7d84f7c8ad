package git

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

func TestRefs(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	filetest.Git(t, dir, "tag", "v1", ids[0])
	filetest.Git(t, dir, "branch", "topic/x", ids[1])
	filetest.Git(t, dir, "update-ref", "refs/remotes/origin/dev", ids[1])
	got, err := open1(t, dir).Refs(t.Context())
	slices.Sort(got)
	if want := []string{"main", "origin/dev", "topic/x", "v1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Refs = %q, %v; want %q", got, err, want)
	}
	if open1(t, dir).Shallow() {
		t.Error("a whole repository is said to be shallow")
	}
	clone := filepath.Join(t.TempDir(), "clone")
	filetest.Git(t, dir, "clone", "-q", "--depth=1", "file://"+dir, clone)
	if !open1(t, clone).Shallow() {
		t.Error("a shallow clone is said to be whole")
	}
}

// TestEndlessRefs puts what never ends where git looks for refs.
func TestEndlessRefs(t *testing.T) {
	dir := t.TempDir()
	gittest.History(t, dir)
	gittest.Write(t, dir, map[string]string{".git/refs/heads/loop": "ref: refs/heads/loop\n", ".git/refs/heads/out": "ref: ../../../../etc/passwd\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, ".git", "refs", "heads", "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := open1(t, dir)
	r.patience = 300 * time.Millisecond
	for _, name := range []string{"loop", "out", "pipe", "pipe~1", "pipe^", "pipe@{1}"} {
		t.Run(name, func(t *testing.T) {
			id, err := r.Resolve(t.Context(), name)
			if err == nil {
				t.Errorf("Resolve(%q) = %q", name, id)
			}
			if strings.HasPrefix(name, "pipe") && !errors.As(err, new(*unsoundError)) {
				t.Errorf("Resolve(%q): %v, want an error that names the pipe", name, err)
			}
		})
	}
	gittest.Write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/pipe\n"})
	for _, name := range []string{"HEAD", "HEAD~1", "@", "@~1", "@{1}"} {
		t.Run(name, func(t *testing.T) {
			if id, err := r.Resolve(t.Context(), name); !errors.As(err, new(*unsoundError)) {
				t.Errorf("Resolve(%q) = %q, %v, want an error that names the pipe", name, id, err)
			}
		})
	}
}
