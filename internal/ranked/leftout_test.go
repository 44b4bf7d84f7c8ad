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

// TestLeftOutIsNoted asks about a file that is no part of the index.
func TestLeftOutIsNoted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"src/a.go": "package a\n", "data/model.c": "int x;\x00\x01\x02\x00"} {
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
		query string
		noted bool
	}{{"data/model.c:7", true}, {"what is in model.c", true}, {"src/a.go", false}, {"package a", false}, {"model", true}, {"where is the model of the data", true}, {"model zebra", false}} {
		t.Run(c.query, func(t *testing.T) {
			res, err := search.Search(t.Context(), []*store.Snapshot{snap}, hit.Request{Query: c.query}, search.Means{})
			if err != nil {
				t.Fatal(err)
			}
			if noted := strings.Contains(strings.Join(res.Notes, "; "), "data/model.c is not in the index"); noted != c.noted {
				t.Errorf("notes %q, want the file left out among them: %v", res.Notes, c.noted)
			}
		})
	}
}
