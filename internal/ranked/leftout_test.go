package ranked_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace"
)

// TestLeftOutIsNoted asks about files that are no part of the index: those left out for one
// reason share a note.
func TestLeftOutIsNoted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"src/a.go": "package a\n", "data/model.c": "int x;\x00\x01\x02\x00", "a/lid.c": "\x00\x01", "b/lid.c": "\x00\x01", "c/lid.c": "\x00\x01"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	repo, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Name: "demo", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Index(t.Context(), workspace.IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	snap, err := repo.Snapshot(t.Context(), workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for _, c := range []struct {
		query, note string
	}{
		{"data/model.c:7", "data/model.c is not in the index"}, {"what is in model.c", "data/model.c is not in the index"}, {"src/a.go", ""}, {"package a", ""},
		{"model", "data/model.c is not in the index"}, {"where is the model of the data", "data/model.c is not in the index"}, {"model zebra", ""},
		{"what is in lid.c", "a/lid.c, b/lid.c and 1 more are not in the index"},
	} {
		t.Run(c.query, func(t *testing.T) {
			res, err := search.Search(t.Context(), []*store.Snapshot{snap}, hit.Request{Query: c.query}, search.Means{})
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(res.Notes, "; "); strings.Count(all, "not in the index") != min(1, len(c.note)) || !strings.Contains(all, c.note) {
				t.Errorf("notes %q, want %q once", res.Notes, c.note)
			}
		})
	}
}
