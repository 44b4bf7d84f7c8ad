package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

// TestStudy holds that questions by meaning use what the commits teach, and are
// asked as they are where nothing can be learned.
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
		fails   bool // to write what was learned
	}{
		{"learns", func(string) error { return nil }, true, false},
		{"a folder in place of the record", func(folder string) error {
			return os.MkdirAll(filepath.Join(folder, "learned", "lesson.json", "x"), 0o755)
		}, false, true},
		{"no commits can be read", func(string) error {
			return os.Rename(filepath.Join(dir, ".git", "objects"), filepath.Join(dir, ".git", "gone"))
		}, false, false},
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
			if err := r.Learn(t.Context()); (err != nil) != c.fails {
				t.Fatalf("error %v", err)
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

// TestStudyOfAProcessThatStays holds that a question by meaning begins to learn in
// such a process only, and none again before the checkout changes.
func TestStudyOfAProcessThatStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, commits := gittest.Lessons(200)
	gittest.Import(t, dir, commits)
	filetest.Git(t, dir, "reset", "-q", "--hard", "main")
	model := &embeddingtest.Words{Size: 256}
	for _, stays := range []bool{false, true} {
		t.Run(fmt.Sprintf("stays %v", stays), func(t *testing.T) {
			w := openEmbedding(t, t.TempDir(), embedding.Models{Local: model}, stays)
			defer w.Close()
			r := attach(t, w, dir)
			means(t, w, r, "Let qwxab know")
			r.learn.Await(t.Context(), nil)
			_, res := means(t, w, r, "Let qwxab know")
			if got := r.book.Lesson(model.Identity()); (got != nil) != stays || !r.learn.Idle() {
				t.Errorf("learned %+v, under way %v, notes %q", got, !r.learn.Idle(), res.Notes)
			}
		})
	}
}
