package origin

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/catalog"
	"espy/internal/filetest"
	"espy/internal/workspace/view"
)

// TestAwaitGit waits while git writes, and not for a lock that was left behind.
func TestAwaitGit(t *testing.T) {
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
