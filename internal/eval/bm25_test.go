package eval

import (
	"errors"
	"math"
	"testing"

	"espy/internal/workspace"

	"github.com/google/go-cmp/cmp"
)

// TestBM25 holds the scores of a small corpus against the formula by hand.
func TestBM25(t *testing.T) {
	corpora := t.TempDir()
	write(t, corpora, "mice", map[string]string{
		"mouse.go": "cheese cheese cheese trap\n", // and mouse twice, from its name
		"cat.go":   "cheese mouse\n",
		"dog.go":   "bone\n",
		"notes.md": "mouse mouse mouse mouse\n", // prose takes no part
	})
	q := Question{ID: "1", Repo: "mice", Query: "the mouse and cheese", Targets: []Target{{Path: "mouse.go"}}}
	run := evaluateIn(t, Options{Questions: []Question{q}, Corpora: corpora, Compared: true})
	want := []Result{{"mouse.go", 1, 1}, {"cat.go", 1, 1}}
	if diff := cmp.Diff(want, run.BM25[0].Results); diff != "" {
		t.Fatalf("results differ (-want +got):\n%s", diff)
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	repo, err := w.Attach(t.Context(), corpora+"/mice", workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := repo.Snapshot(t.Context(), workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(snap.Close(), w.Close()); err != nil {
			t.Error(err)
		}
	}()
	b := newBM25(&corpus{snap: snap, limit: Depth})
	if _, err := b.answer(q.Query); err != nil {
		t.Fatal(err)
	}
	// Lengths: 4 + 2, 2 + 2 and 1 + 2; both words are in two of the three chunks.
	idf := math.Log(1 + 1.5/2.5)
	part := func(tf, length float64) float64 {
		return idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*length/(13.0/3)))
	}
	for path, want := range map[string]float64{"mouse.go": part(2, 6) + part(3, 6), "cat.go": part(1, 4) + part(1, 4), "dog.go": 0, "notes.md": 0} {
		t.Run(path, func(t *testing.T) {
			for i := range b.scores {
				if b.result(i).Path == path && math.Abs(b.scores[i]-want) > 1e-12 {
					t.Errorf("%s scores %v, want %v", path, b.scores[i], want)
				}
			}
		})
	}
}
