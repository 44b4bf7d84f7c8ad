package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/store/part"
	"espy/internal/store/vectors"
)

// models are those of the tests, by whether they are on another machine.
var models = map[bool]vectors.Found{
	false: {Model: "one", Dims: 3},
	true:  {Model: "far", Dims: 5, Remote: true},
}

// rowsOf are the rows of a file with one chunk: a text that begins with z says nothing.
func rowsOf(t *testing.T, model vectors.Found, path, text string) []vec.Row {
	t.Helper()
	v := make(embedding.Vector, model.Dims)
	if text[0] != 'z' {
		v[len(text)%model.Dims] = 1
	}
	row, err := vec.NewRow(vec.KeyOf(&embedding.Document{Path: path, Symbols: []string{model.Model}, Text: text}), v)
	if err != nil {
		t.Fatal(err)
	}
	return []vec.Row{row}
}

// embed adds the vectors of files to the newest generation.
func embed(t *testing.T, f *Family, model vectors.Found, files map[string]string) (added int) {
	t.Helper()
	model.Files = map[vectors.Key][]vec.Row{}
	for path, text := range files {
		model.Files[vectors.Key{Path: path, Hash: hash(text)}] = rowsOf(t, model, path, text)
	}
	b := begin(t, f, false)
	added, err := b.AddVectors(model)
	if err := errors.Join(err, b.CommitPass(context.Background()), b.Close()); err != nil {
		t.Fatal(err)
	}
	return added
}

// vectorsOf tells of each live file whether the model was asked about it, and that
// it has the row of its text.
func vectorsOf(t *testing.T, s *Snapshot, model vectors.Found, texts map[string]string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := segment.Guard(func() error {
		s.Each(func(i, file int) bool {
			seg := &s.Segments[i]
			path := seg.Path(file)
			all[path] = seg.Embedded(model.Model, file)
			if first, _ := seg.ChunksOf(file); all[path] {
				got, want := seg.VectorsOf(model.Model).Row(first), rowsOf(t, model, path, texts[path])[0]
				if !cmp.Equal(got, want, cmp.AllowUnexported(vec.Row{})) {
					t.Errorf("%s has the row %+v, want %+v", path, got, want)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func wantVectors(t *testing.T, s *Snapshot, model vectors.Found, texts map[string]string, want map[string]bool) {
	t.Helper()
	if diff := cmp.Diff(want, vectorsOf(t, s, model, texts)); diff != "" {
		t.Errorf("vectors of %s (-want +got):\n%s", model.Model, diff)
	}
	pending := 0
	for _, known := range want {
		if !known {
			pending++
		}
	}
	if got := s.VectorsPending(model.Model); got != pending {
		t.Errorf("VectorsPending(%s) = %d, want %d", model.Model, got, pending)
	}
}

func TestVectors(t *testing.T) {
	for remote, model := range models {
		t.Run(model.Model, func(t *testing.T) {
			f := family(t, t.TempDir())
			state := map[string]string{}
			files := map[string]string{"a": "alpha one", "b": "zero", "c": "gamma three"}
			g := commit(t, f, state, files)
			wantVectors(t, snapshot(t, f), model, state, map[string]bool{"a": false, "b": false, "c": false})
			if n := embed(t, f, model, map[string]string{"a": files["a"], "b": files["b"], "x": "no such file"}); n != 2 {
				t.Errorf("AddVectors added %d files, want 2", n)
			}
			s := snapshot(t, f)
			wantVectors(t, s, model, state, map[string]bool{"a": true, "b": true, "c": false})
			if s.Freshness.Generation != g || s.VectorBytes(remote) == 0 || s.VectorBytes(!remote) != 0 || s.IndexBytes() <= s.VectorBytes(remote) {
				t.Errorf("generation %d, vectors %d and %d bytes of %d, want generation %d", s.Freshness.Generation, s.VectorBytes(false), s.VectorBytes(true), s.IndexBytes(), g)
			}
			if n := embed(t, f, model, files); n != 1 {
				t.Errorf("AddVectors added %d files, want the one that was missing", n)
			}
			commit(t, f, state, map[string]string{"c": "delta four", "d": "epsilon five"}, "b")
			wantVectors(t, snapshot(t, f), model, state, map[string]bool{"a": true, "c": false, "d": false})
			if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) > 0 {
				t.Errorf("Verify = %+v, %v", v, err)
			}
			wantParts(t, f, ".vec", 1)
		})
	}
}

// TestVectorsOfTwo holds that the vectors of two models lie beside each other, and
// that those of a third take the place of one.
func TestVectorsOfTwo(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "alpha one", "b": "beta two"})
	some := map[string]string{"a": "alpha one"}
	third := vectors.Found{Model: "third", Dims: 3}
	for _, step := range []struct {
		model vectors.Found
		files map[string]string
		want  [3]map[string]bool
	}{
		{models[false], state, [3]map[string]bool{{"a": true, "b": true}, {"a": false, "b": false}, {"a": false, "b": false}}},
		{models[true], some, [3]map[string]bool{{"a": true, "b": true}, {"a": true, "b": false}, {"a": false, "b": false}}},
		{third, some, [3]map[string]bool{{"a": false, "b": false}, {"a": true, "b": false}, {"a": true, "b": false}}},
	} {
		t.Run(step.model.Model, func(t *testing.T) {
			embed(t, f, step.model, step.files)
			for i, m := range []vectors.Found{models[false], models[true], third} {
				wantVectors(t, snapshot(t, f), m, state, step.want[i])
			}
		})
	}
	wantParts(t, f, ".vec", 2)
}

// TestVectorsOfMerges edits at random, so that segments are merged, and embeds
// some files now and then: what was embedded once stays so, by each model.
func TestVectorsOfMerges(t *testing.T) {
	f := family(t, t.TempDir())
	r := rand.New(rand.NewPCG(1, 1))
	state := map[string]string{}
	want := map[bool]map[string]bool{false: {}, true: {}}
	for round := range 40 {
		set := map[string]string{}
		for range 1 + r.IntN(4) {
			set[fmt.Sprintf("f%02d", r.IntN(30))] = fmt.Sprintf("%cw%dr%d text", "az"[r.IntN(2)], r.IntN(9), round)
		}
		var dead []string
		for _, path := range slices.Sorted(maps.Keys(state)) {
			if _, ok := set[path]; !ok && r.IntN(20) == 0 {
				dead = append(dead, path)
			}
		}
		commit(t, f, state, set, dead...)
		for remote, model := range models {
			for path := range set {
				want[remote][path] = false
			}
			maps.DeleteFunc(want[remote], func(path string, _ bool) bool { return state[path] == "" })
			some := map[string]string{}
			for path, text := range state {
				if (round+len(path+text))%3 == 0 {
					some[path] = text
					want[remote][path] = true
				}
			}
			if len(some) > 0 {
				embed(t, f, model, some)
			}
			wantVectors(t, snapshot(t, f), model, state, want[remote])
		}
	}
	if s := snapshot(t, f); len(s.Segments) > 2*tierSegments {
		t.Errorf("%d segments: none were merged", len(s.Segments))
	}
	if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %+v, %v", v, err)
	}
}

// TestDamagedVectors holds that damage to the vectors of a segment costs them
// alone, and that they are made again.
func TestDamagedVectors(t *testing.T) {
	files := map[string]string{"a": "alpha one", "b": "beta two"}
	damages := map[string]func(name string, data []byte) error{
		"cut off":   func(name string, data []byte) error { return os.WriteFile(name, data[:len(data)/2], 0o600) },
		"empty":     func(name string, data []byte) error { return os.WriteFile(name, nil, 0o600) },
		"removed":   func(name string, _ []byte) error { return os.Remove(name) },
		"footer":    func(name string, data []byte) error { data[len(data)-5] ^= 1; return os.WriteFile(name, data, 0o600) },
		"no longer": func(name string, data []byte) error { return os.WriteFile(name, append(data, 0), 0o600) },
		"of another segment": func(name string, _ []byte) error {
			other := family(t, t.TempDir())
			commit(t, other, map[string]string{}, map[string]string{"x": "other one", "y": "text two"})
			embed(t, other, models[false], map[string]string{"x": "other one"})
			names, _ := filepath.Glob(filepath.Join(other.dir.Path(), "*.vec"))
			data, err := os.ReadFile(names[0])
			return errors.Join(err, os.WriteFile(name, data, 0o600))
		},
	}
	for _, what := range slices.Sorted(maps.Keys(damages)) {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			f := family(t, dir)
			commit(t, f, map[string]string{}, files)
			parse(t, f, MainView, files)
			embed(t, f, models[false], files)
			names, err := filepath.Glob(filepath.Join(dir, "*.vec"))
			if err != nil || len(names) != 1 {
				t.Fatal(names, err)
			}
			data, err := os.ReadFile(names[0])
			if err := errors.Join(err, damages[what](names[0], data)); err != nil {
				t.Fatal(err)
			}
			f = family(t, dir)
			s := snapshot(t, f)
			wantContents(t, s, files)
			wantSyntax(t, s, map[string]string{"a": "alpha", "b": "beta"})
			wantVectors(t, s, models[false], files, map[string]bool{"a": false, "b": false})
			if len(s.Damaged) > 0 || len(s.Unparsed) != 1 || s.Unparsed[0].Err == nil {
				t.Errorf("damaged %v, beside them %v; want the vectors alone", s.Damaged, s.Unparsed)
			}
			if n := embed(t, f, models[false], files); n != 2 {
				t.Errorf("%d files were embedded again, want 2", n)
			}
			s = snapshot(t, f)
			wantVectors(t, s, models[false], files, map[string]bool{"a": true, "b": true})
			if len(s.Unparsed) > 0 {
				t.Errorf("left out %v after it was written anew", s.Unparsed)
			}
		})
	}
}

// TestFlippedVectors holds that Verify finds damage in the middle of vectors.
func TestFlippedVectors(t *testing.T) {
	dir := t.TempDir()
	f := family(t, dir)
	files := map[string]string{"a": "alpha one", "b": "beta two"}
	commit(t, f, map[string]string{}, files)
	embed(t, f, models[false], files)
	names, _ := filepath.Glob(filepath.Join(dir, "*.vec"))
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	data[60] ^= 4
	if err := os.WriteFile(names[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := f.Verify(context.Background(), MainView, nil)
	if err != nil || len(v.Problems) != 1 || v.Problems[0].Part != filepath.Base(names[0]) {
		t.Fatalf("Verify = %+v, %v; want one problem", v, err)
	}
	embed(t, f, models[false], files)
	wantVectors(t, snapshot(t, f), models[false], files, map[string]bool{"a": true, "b": true})
	wantParts(t, f, part.BadSuffix, 0)
}

// TestMergeOfTwoModels holds that a merge of segments with the vectors of several
// models never mixes them: it keeps those of the one that has most.
func TestMergeOfTwoModels(t *testing.T) {
	other := vectors.Found{Model: "other", Dims: 4}
	for _, c := range []struct {
		name         string
		other        int // of the segments, those with vectors of the other model
		model, fresh vectors.Found
	}{{"few of another", 2, models[false], other}, {"most of another", 5, other, models[false]}} {
		t.Run(c.name, func(t *testing.T) {
			f := family(t, t.TempDir())
			b := begin(t, f, false)
			state := map[string]string{}
			var all []vectors.Found
			for i := range tierSegments + 1 {
				path, text := fmt.Sprint("f", i), fmt.Sprint("text ", i)
				state[path] = text
				add(t, b, map[string]string{path: text})
				model := models[false]
				if i < c.other {
					model = other
				}
				model.Files = map[vectors.Key][]vec.Row{{Path: path, Hash: hash(text)}: rowsOf(t, model, path, text)}
				all = append(all, model)
			}
			g := Generation{Tree: treeOf(state), Indexed: 1, Total: 2} // merges nothing
			if _, err := b.Commit(context.Background(), g); err != nil {
				t.Fatal(err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			b = begin(t, f, false)
			for _, model := range all {
				if n, err := b.AddVectors(model); n != 1 || err != nil {
					t.Fatal(n, err)
				}
			}
			from := b.segmentsLocked()
			merged, err := f.merge(from)
			if err != nil {
				t.Fatal(err)
			}
			s := &Snapshot{Segments: []Segment{merged}}
			kept, lost := map[string]bool{}, map[string]bool{}
			for i := range from {
				path := fmt.Sprint("f", i)
				kept[path] = (i < c.other) == (c.model.Model == other.Model)
				lost[path] = false
			}
			wantVectors(t, s, c.model, state, kept)
			wantVectors(t, s, c.fresh, state, lost)
			if err := f.pool.Release(merged.parts()...); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestDocuments holds what the chunks of a file are embedded as.
func TestDocuments(t *testing.T) {
	builder := segment.NewBuilder()
	text := "one\ntwo\nthree\nfour\n"
	for _, path := range []string{"a.go", "b.go"} {
		err := builder.Add(&segment.File{
			Path: path, Text: []byte(text), Size: int64(len(text)),
			Chunks: []code.Chunk{{Start: 0, End: 8, StartLine: 1, EndLine: 2}, {Start: 8, End: 14, StartLine: 3, EndLine: 3}, {Start: 14, End: 19, StartLine: 4, EndLine: 4}},
			Definitions: []code.Definition{
				{Name: "One", Kind: code.KindFunc, Line: 1}, {Name: "Two", Kind: code.KindType, Line: 2}, {Name: "Four" + path[:1], Kind: code.KindFunc, Line: 4},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := segment.Open(written(t, func(w io.Writer) error { _, err := builder.WriteTo(w); return err }), "lex")
	if err != nil {
		t.Fatal(err)
	}
	var cache segment.TextCache
	for file, path := range []string{"a.go", "b.go"} {
		t.Run(path, func(t *testing.T) {
			docs, err := vectors.Documents(r, file, &cache)
			want := []embedding.Document{
				{Path: path, Text: text[:8], Symbols: []string{"One", "Two"}}, {Path: path, Text: text[8:14]}, {Path: path, Text: text[14:], Symbols: []string{"Four" + path[:1]}},
			}
			if diff := cmp.Diff(want, docs); diff != "" || err != nil {
				t.Errorf("Documents: %v (-want +got):\n%s", err, diff)
			}
		})
	}
}
