package news_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"espy/internal/news"
	"espy/internal/workspace"
)

func TestTake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a\n")
	write("b.go", "package a\n")
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{})
	if err != nil {
		t.Fatal(err)
	}
	change := func(text string) func() {
		return func() {
			write("a.go", text)
			if _, err := r.Index(t.Context(), workspace.IndexOptions{}); err != nil { // somebody else does it
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		before func()
		reader string
		again  bool
		want   string
	}{
		{"first", func() {}, "one", false, "2 of 2"},
		{"unchanged", func() {}, "one", false, "0 of 2"},
		{"indexed by another", change("package b\n"), "one", false, "1 of 2"},
		{"changed back", change("package a\n"), "one", false, "1 of 2"},
		{"another reader", func() {}, "two", false, "2 of 2"},
		{"again", func() {}, "one", true, "2 of 2"},
		{"removed", func() { os.Remove(filepath.Join(dir, "b.go")) }, "one", false, "0 of 1"},
		{"damaged", func() { os.WriteFile(filepath.Join(r.Folder(), "one.news"), []byte("98765432ABCDEFGH12345678"), 0o600) }, "one", false, "1 of 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.before()
			n, err := news.Take(t.Context(), r, tt.reader, tt.again)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%d of %d", n.Files, n.All); got != tt.want || n.Chunks != n.Files {
				t.Errorf("%s files are new, with %d chunks, want %s", got, n.Chunks, tt.want)
			}
		})
	}
}
