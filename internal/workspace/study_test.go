package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

// TestStudy holds that indexing learns from the commits, that questions by meaning
// use it, and that indexing succeeds where learning cannot.
func TestStudy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, commits := gittest.Lessons(400)
	gittest.Import(t, dir, commits)
	filetest.Git(t, dir, "reset", "-q", "--hard", "main")
	for _, c := range []struct {
		name    string
		prepare func(folder string) error
		learns  bool
	}{
		{"learns", func(string) error { return nil }, true},
		{"a folder in place of the record", func(folder string) error { return os.MkdirAll(filepath.Join(folder, "learned.json", "x"), 0o755) }, false},
		{"no commits can be read", func(string) error {
			return os.Rename(filepath.Join(dir, ".git", "objects"), filepath.Join(dir, ".git", "gone"))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := openEmbedding(t, t.TempDir(), embedding.Models{Local: &embeddingtest.Words{Size: 256}}, false)
			defer w.Close()
			r := attach(t, w, dir)
			if err := c.prepare(r.view.Folder()); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			st, err := r.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if learns := st.Learned != nil && st.Learned.Adapter != nil; learns != c.learns {
				t.Errorf("learned %+v", st.Learned)
			}
			paths, _ := means(t, w, r, "Let qwxab know")
			if found := slices.Contains(paths[:min(3, len(paths))], "src/wxab.go"); found != c.learns {
				t.Errorf("found %q", paths)
			}
		})
	}
}
