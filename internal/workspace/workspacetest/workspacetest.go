// Package workspacetest opens repositories for tests, each in a workspace of its own.
package workspacetest

import (
	"testing"

	"espy/internal/filetest"
	"espy/internal/workspace"
)

// Open attaches a new folder with files, by their paths.
func Open(t testing.TB, files map[string]string) *workspace.Repo {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	return Attach(t, dir)
}

// Attach attaches a folder, whatever stands above it.
func Attach(t testing.TB, dir string) *workspace.Repo {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
