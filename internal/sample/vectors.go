package sample

import (
	"bytes"
	"testing"

	"espy/internal/embedding"
	"espy/internal/segment/vec"
	"espy/internal/store"
	"espy/internal/store/vectors"
)

// WithVectors adds to a snapshot the vectors that a model gives its chunks.
func WithVectors(t testing.TB, s *store.Snapshot, model embedding.Model) *store.Snapshot {
	t.Helper()
	for i := range s.Segments {
		s.Segments[i].Vectors = embedded(t, &s.Segments[i], model)
	}
	return s
}

func embedded(t testing.TB, s *store.Segment, model embedding.Model) *vec.Reader {
	t.Helper()
	var part bytes.Buffer
	b := vec.NewBuilder(&part, vec.Header{Lex: s.Identity(), Model: model.Identity(), Dims: model.Dims()})
	for file := range s.NumFiles() {
		docs, err := vectors.Documents(s.Reader, file, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, err := model.Documents(t.Context(), docs)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range all {
			row, err := vec.NewRow(vec.KeyOf(&docs[k]), v)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Add(&row); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	r, err := vec.Open(part.Bytes(), "vectors")
	if err != nil {
		t.Fatal(err)
	}
	return r
}
