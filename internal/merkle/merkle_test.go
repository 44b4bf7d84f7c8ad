package merkle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// TestCompare follows a folder from one tree to the next, each through its file.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n", "c.md": "# C\n", "z.bin": "\x00"})
	r := workspacetest.Attach(t, dir)
	file := filepath.Join(t.TempDir(), "x.merkle")
	for _, step := range []struct {
		name   string
		change func()
		want   string // added, modified, deleted, unchanged, chunks, left out
	}{
		{"first", func() {}, "3 0 0 0 3 1"},
		{"at rest", func() {}, "0 0 0 3 0 1"},
		{"changed", func() { filetest.Write(t, dir, map[string]string{"b.go": "package b // changed\n"}) }, "0 1 0 2 1 1"},
		{"swapped", func() {
			filetest.Write(t, dir, map[string]string{"a.go": "package b // changed\n", "b.go": "package a\n"})
		}, "0 2 0 1 2 1"},
		{"renamed", func() {
			filetest.Remove(t, dir, "a.go")
			filetest.Write(t, dir, map[string]string{"a2.go": "package b // changed\n"})
		}, "1 0 1 2 1 1"},
		{"gone", func() { filetest.Remove(t, dir, "a2.go", "b.go", "c.md") }, "0 0 3 0 0 1"},
		{"gone for good", func() {}, "0 0 0 0 0 1"},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.change()
			old, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			c, now, err := Compare(t.Context(), r, old, nil, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(c.Added, c.Modified, c.Deleted, c.Unchanged, c.Chunks, c.Left)
			if got != step.want || c.Indexed() != c.Added+c.Modified || c.Files() != len(now.leaves) {
				t.Errorf("%s, want %s", got, step.want)
			}
			if err := now.Save(file); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestDamage reads files that are not as they were written.
func TestDamage(t *testing.T) {
	tree := &Tree{leaves: []leaf{{path: 1}, {path: 2}, {path: 3}}}
	whole := filepath.Join(t.TempDir(), "whole")
	if err := tree.Save(whole); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(string(text))
	flipped[len(magic)+hashSize+8] ^= 1
	for name, text := range map[string]string{"empty": "", "cut": string(text[:len(text)-1]), "a leaf short": string(text[:len(text)-leafSize]), "flipped": string(flipped), "other": "something else", "magic alone": magic} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(file); err == nil || !strings.HasSuffix(err.Error(), "is damaged") {
				t.Errorf("%v", err)
			}
		})
	}
	if got, err := Load(whole); err != nil || len(got.leaves) != 3 || got.root() != tree.root() {
		t.Errorf("%v, %v", got, err)
	}
}
