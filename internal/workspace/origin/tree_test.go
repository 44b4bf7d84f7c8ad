package origin

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"espy/internal/catalog"
	"espy/internal/filetest"
	"espy/internal/usage"
	"espy/internal/workspace/view"
)

// TestAwaitGit waits while git writes, and not for a lock that was left behind.
func TestAwaitGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	r := &tree{view: view.New(&view.Env{}, nil, catalog.Repo{Root: dir}, "main", "")}
	lock := filepath.Join(dir, ".git", "index.lock")
	filetest.Write(t, dir, map[string]string{".git/index.lock": ""})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := r.awaitGit(ctx); err == nil {
		t.Error("did not wait for git")
	}
	done := make(chan error)
	go func() { done <- r.awaitGit(t.Context()) }()
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	filetest.Write(t, dir, map[string]string{".git/index.lock": ""})
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	if err := r.awaitGit(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestHeadThatCannotBeRead asks for the commit of git folders that do not tell it:
// only of one without a commit it is said that nothing is committed.
func TestHeadThatCannotBeRead(t *testing.T) {
	t.Parallel()
	pipe := func(name string) func(dir string) error {
		return func(dir string) error {
			path := filepath.Join(dir, ".git", name)
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			return syscall.Mkfifo(path, 0o600)
		}
	}
	for name, tt := range map[string]struct {
		damage     func(dir string) error
		want, hint string // parts of the error
	}{
		"HEAD":        {pipe("HEAD"), "HEAD is not a file", "repair the git folder"},
		"packed refs": {pipe("packed-refs"), "packed-refs is neither", "repair the git folder"},
		"branch": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, ".git", "packed-refs")), pipe("refs/heads/main")(dir))
		}, "refs/heads/main is neither", "repair the git folder"},
		"new branch": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/new\n"), 0o600)
		}, errNoCommit.Error(), ""},
		"objects of others": {func(dir string) error {
			other := t.TempDir()
			alternates := os.WriteFile(filepath.Join(dir, ".git", "objects", "info", "alternates"), []byte(other+"\n"), 0o600)
			return errors.Join(alternates, os.Remove(filepath.Join(dir, ".git", "packed-refs")))
		}, "objects/info/alternates leads to", "ESPY_ROOTS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
			filetest.Commit(t, dir, "first")
			filetest.Git(t, dir, "branch", "-M", "main")
			filetest.Git(t, dir, "pack-refs", "--all")
			if err := tt.damage(dir); err != nil {
				t.Fatal(err)
			}
			r := newTree(view.New(&view.Env{}, nil, catalog.Repo{Root: dir}, "main", ""), nil)
			commit, _, err := r.Head()
			if err == nil {
				t.Fatalf("Head = %s", commit)
			}
			if problem, hint := usage.Explain(err); !strings.Contains(problem, tt.want) || !strings.Contains(hint, tt.hint) {
				t.Errorf("%q, hint %q; want %q and %q", problem, hint, tt.want, tt.hint)
			}
		})
	}
}
