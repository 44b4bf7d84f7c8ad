package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/workspace/coverage"
)

func openEmbedding(t *testing.T, data string, models embedding.Models, stays bool) *Workspace {
	t.Helper()
	w, err := Open(Options{DataDir: data, Models: models, Watch: stays})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// means answers a question by meaning: the paths that are found, in order, and the notes.
func means(t *testing.T, w *Workspace, r *Repo, text string) (paths []string, res *hit.Result) {
	t.Helper()
	q := mustCompile(t, hit.Request{Query: text, Mode: hit.ModeSemantic})
	res, err := w.Search(t.Context(), []*Repo{r}, q, Wait{})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range res.Hits {
		paths = append(paths, h.Path)
	}
	return paths, res
}

// TestMeaning holds that a question by meaning sees the files as they are: after
// the first indexing, changed, new, and gone.
func TestMeaning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := &embeddingtest.Words{Same: [][]string{{"remove", "erase"}}}
	w := openEmbedding(t, t.TempDir(), embedding.Models{Local: model}, false)
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc Erase() {}\n", "b.go": "package b\n\nfunc Keep() {}\n"})
	r := attach(t, w, dir)
	for _, step := range []struct {
		name   string
		change map[string]string
		first  string
		asked  string // what the model is asked about, where no commit is under way
	}{
		{"first indexing", nil, "a.go", "a.go b.go"},
		{"nothing new", nil, "a.go", "-"},
		{"a better file", map[string]string{"c.go": "package remove\n"}, "c.go", "c.go"},
		{"it changes", map[string]string{"c.go": "package paint\n"}, "a.go", "c.go"},
		{"another is gone", map[string]string{"a.go": ""}, "c.go", ""},
	} {
		t.Run(step.name, func(t *testing.T) {
			for path, text := range step.change {
				if text == "" {
					filetest.Remove(t, dir, path)
				} else {
					filetest.Write(t, dir, map[string]string{path: text})
				}
			}
			paths, res := means(t, w, r, "remove package")
			if len(paths) == 0 || paths[0] != step.first || len(res.Notes) > 0 {
				t.Errorf("found %q, notes %q; want %s first", paths, res.Notes, step.first)
			}
			asked := model.Asked()
			slices.Sort(asked)
			if got := cmp.Or(strings.Join(asked, " "), "-"); step.asked != "" && got != step.asked {
				t.Errorf("the model was asked about %s, want %s", got, step.asked)
			}
		})
	}
}

// TestVectorsOfTheIndex holds what indexing says of vectors, with models that
// answer, fail, and are changed.
func TestVectorsOfTheIndex(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package f\n\nfunc F%d() {}\n", i)
	}
	filetest.Write(t, dir, files)
	down := &embeddingtest.Words{Name: "down"}
	down.Fail(0)
	for _, c := range []struct {
		name  string
		model *embeddingtest.Words
		want  coverage.OfVectors
	}{
		{"it fails", down, coverage.OfVectors{Model: "down", Pending: 40, Why: embeddingtest.ErrDown.Error()}},
		{"it answers", &embeddingtest.Words{Name: "one"}, coverage.OfVectors{Model: "one", Embedded: 40, Chunks: 40}},
		{"another", &embeddingtest.Words{Name: "two", Size: 32}, coverage.OfVectors{Model: "two", Embedded: 40, Chunks: 40}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := openEmbedding(t, data, embedding.Models{Local: c.model}, false)
			defer w.Close()
			rep, err := attach(t, w, dir).Index(t.Context(), IndexOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Vectors) != 1 || (rep.Vectors[0].Bytes > 0) != (c.want.Embedded > 0) {
				t.Fatalf("vectors %+v", rep.Vectors)
			}
			rep.Vectors[0].Bytes = 0
			if d := diff.Diff(c.want, rep.Vectors[0]); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if asked := c.model.Asked(); len(asked) != 0 && len(slices.Compact(slices.Sorted(slices.Values(asked)))) != len(asked) {
				t.Errorf("asked twice about a file: %q", strings.Join(asked, " "))
			}
		})
	}
}

// TestVectorsInTheBackground holds that a process that stays makes vectors after
// it has indexed, and that another model's are replaced by an upgrade.
func TestVectorsInTheBackground(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	w := openEmbedding(t, data, embedding.Models{Local: &embeddingtest.Words{Name: "one"}}, true)
	r := attach(t, w, dir)
	fresh(t, r)
	eventually(t, "the files are embedded", func() bool {
		st, err := r.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(st.Vectors) == 1 && st.Vectors[0].Embedded == 2 && st.Vectors[0].Pending == 0
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openEmbedding(t, data, embedding.Models{Local: &embeddingtest.Words{Name: "two"}}, false)
	for _, want := range []coverage.UpgradeState{coverage.UpgradeDone, coverage.UpgradeCurrent} {
		t.Run(string(want), func(t *testing.T) {
			list, err := w.Upgrade(t.Context(), nil)
			if err != nil || len(list) != 1 || list[0].State != want {
				t.Errorf("Upgrade = %+v, %v; want %s", list, err, want)
			}
		})
	}
}

// TestDamagedVectorsHeal holds that a question by meaning gets past damage to the
// vectors of the index.
func TestDamagedVectorsHeal(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc Erase() {}\n", "b.go": "package b\n\nfunc Keep() {}\n"})
	w := openEmbedding(t, data, models, false)
	r := attach(t, w, dir)
	if paths, _ := means(t, w, r, "erase"); len(paths) != 1 {
		t.Fatalf("found %q", paths)
	}
	parts, err := filepath.Glob(filepath.Join(data, "repos", "*", "*.vec"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	bytes, err := os.ReadFile(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{40, len(bytes) - 70, len(bytes) - 5} {
		t.Run(fmt.Sprint("byte ", at), func(t *testing.T) {
			w.Close()
			damaged := slices.Clone(bytes)
			damaged[at] ^= 4
			if err := errors.Join(os.Chmod(parts[0], 0o600), os.WriteFile(parts[0], damaged, 0o600)); err != nil {
				t.Fatal(err)
			}
			w = openEmbedding(t, data, models, false)
			paths, res := means(t, w, attach(t, w, dir), "erase")
			if len(paths) != 1 || paths[0] != "a.go" || res.Partial {
				t.Errorf("found %q, partial %v, notes %q", paths, res.Partial, res.Notes)
			}
		})
	}
}
