package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
)

// embed runs the pass over vectors.
func (w *tree) embed(ctx context.Context, view string, model embedding.Model, remote bool) (VectorReport, error) {
	in := VectorOptions{Pass: Pass{Family: w.family, View: view, Lock: w.family.Lock}, Model: model, Remote: remote}
	return Vectors(ctx, in, w.options())
}

// embedded runs the pass and returns what it says, without the generation.
func (w *tree) embedded(view string, model embedding.Model, remote bool) VectorReport {
	w.t.Helper()
	r, err := w.embed(w.t.Context(), view, model, remote)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Generation = 0
	return r
}

// pendingVectors lists the live files of a view that a model was not asked about.
func (w *tree) pendingVectors(view, model string) (paths []string) {
	w.t.Helper()
	s, err := w.family.Snapshot(view)
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	return pendingOf(w.t, s, model)
}

func pendingOf(t *testing.T, s *store.Snapshot, model string) (paths []string) {
	t.Helper()
	err := segment.Guard(func() error {
		s.Each(func(i, file int) bool {
			if seg := &s.Segments[i]; !seg.Embedded(model, file) {
				paths = append(paths, seg.Path(file))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// parts returns the bytes of all parts of a kind, by name.
func (w *tree) parts(suffix string) map[string]string {
	w.t.Helper()
	s, err := w.family.Snapshot(store.MainView)
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	names, err := filepath.Glob(filepath.Join(filepath.Dir(s.Segments[0].Name()), "*"+suffix))
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			w.t.Fatal(err)
		}
		all[filepath.Base(name)] = string(data)
	}
	return all
}

// numbered returns n small files.
func numbered(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%03d.go", i)] = fmt.Sprintf("package f\n\n// F%d does work %d.\nfunc F%d() {}\n", i, i%7, i)
	}
	return files
}

func TestVectors(t *testing.T) {
	w := newTree(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b.txt": "beta two", "empty.go": "", "c/d.bin": "x"})
	w.sync(store.MainView)
	model := &embeddingtest.Words{}
	for _, step := range []struct {
		name  string
		write map[string]string
		asked string
		want  VectorReport
	}{
		{"all", nil, "a.go b.txt c/d.bin", VectorReport{Embedded: 3}},
		{"nothing", nil, "", VectorReport{}},
		{"one changed", map[string]string{"b.txt": "gamma"}, "b.txt", VectorReport{Embedded: 1}},
	} {
		t.Run(step.name, func(t *testing.T) {
			w.write(step.write)
			w.sync(store.MainView)
			if got := w.embedded(store.MainView, model, false); got != step.want {
				t.Errorf("report %+v, want %+v", got, step.want)
			}
			asked := model.Asked()
			slices.Sort(asked)
			if got := strings.Join(asked, " "); got != step.asked {
				t.Errorf("asked about %q, want %q", got, step.asked)
			}
			if left := w.pendingVectors(store.MainView, "words"); len(left) > 0 {
				t.Errorf("pending %q", left)
			}
		})
	}
}

// TestVectorsAreTheSame holds that the parts do not depend on the workers, the
// rounds, or on a run that ended early.
func TestVectorsAreTheSame(t *testing.T) {
	files := numbered(30)
	whole := newTree(t, files)
	whole.sync(store.MainView)
	whole.embedded(store.MainView, &embeddingtest.Words{}, false)
	want := whole.parts(".vec")
	for _, c := range []struct {
		name  string
		round int
		fail  int // documents after which the model is down at first
	}{{"small rounds", 300, -1}, {"a failure", 0, 20}, {"a failure in small rounds", 300, 20}} {
		t.Run(c.name, func(t *testing.T) {
			w := newTree(t, files)
			w.round = c.round
			w.sync(store.MainView)
			model := &embeddingtest.Words{}
			if c.fail >= 0 {
				model.Fail(c.fail)
				rep := w.embedded(store.MainView, model, false)
				if !errors.Is(rep.Why, embeddingtest.ErrDown) || rep.Waiting == 0 || rep.Embedded+rep.Waiting != len(files) {
					t.Errorf("report %+v of a model that went down", rep)
				}
				if left := w.pendingVectors(store.MainView, "words"); len(left) != rep.Waiting {
					t.Errorf("%d files are pending, the report says %d", len(left), rep.Waiting)
				}
				model.Mend()
			}
			if rep := w.embedded(store.MainView, model, false); rep.Why != nil || rep.Waiting > 0 {
				t.Errorf("report %+v", rep)
			}
			if diff := cmp.Diff(want, w.parts(".vec")); diff != "" {
				t.Error("other parts than by one run")
			}
		})
	}
}

// TestVectorsOfAnotherModel holds that a changed model is asked about all files,
// and that its vectors take the place of the others.
func TestVectorsOfAnotherModel(t *testing.T) {
	w := newTree(t, numbered(5))
	w.sync(store.MainView)
	for _, model := range []*embeddingtest.Words{{Name: "one"}, {Name: "two"}, {Name: "two, larger", Size: 96}} {
		t.Run(model.Name, func(t *testing.T) {
			w.embedded(store.MainView, model, false)
			if n := len(model.Asked()); n == 0 || len(w.pendingVectors(store.MainView, model.Name)) > 0 || len(w.parts(".vec")) != 1 {
				t.Errorf("asked about %d documents, parts %q", n, slices.Collect(maps.Keys(w.parts(".vec"))))
			}
		})
	}
	if left := w.pendingVectors(store.MainView, "one"); len(left) != 5 {
		t.Errorf("the first model still has vectors: pending %q", left)
	}
}

// TestVectorsAreCopied holds that a model on another machine is asked only about
// documents that no part of the family has: not about what stays of a changed
// file, nor about what another view has.
func TestVectorsAreCopied(t *testing.T) {
	body := strings.Repeat("\t// a line of some length that fills a chunk\n", 60)
	two := func(name string) string {
		return "package a\n\nfunc First() {\n" + body + "}\n\nfunc " + name + "() {\n" + body + "}\n"
	}
	w := newTree(t, map[string]string{"a.go": two("Second"), "b.go": "package b\n"})
	w.sync(store.MainView)
	model := &embeddingtest.Words{}
	first := w.embedded(store.MainView, model, true)
	all := len(model.Asked())
	if first.Embedded != 2 || first.Copied != 0 || all < 3 {
		t.Fatalf("report %+v, %d documents", first, all)
	}
	w.sync("other")
	if rep := w.embedded("other", model, true); rep.Embedded+rep.Copied != 4 && rep.Embedded != 0 || len(model.Asked()) != 0 {
		t.Errorf("report %+v of a view with the same files", rep)
	}
	w.write(map[string]string{"a.go": two("Third")})
	w.sync(store.MainView)
	rep := w.embedded(store.MainView, model, true)
	if asked := len(model.Asked()); rep.Embedded != 1 || asked == 0 || asked >= all-1 {
		t.Errorf("report %+v; asked about %d documents of a file that changed in part, of %d in all", rep, asked, all)
	}
}

// TestVectorsInTheMeantime holds that a pass commits what is still as it was when
// files change while it runs.
func TestVectorsInTheMeantime(t *testing.T) {
	w := newTree(t, numbered(8))
	w.sync(store.MainView)
	model := &every{&embeddingtest.Words{}, sync.OnceFunc(func() {
		w.write(map[string]string{"f000.go": "package changed\n"})
		w.sync(store.MainView)
	})}
	w.embedded(store.MainView, model, false)
	if left := w.pendingVectors(store.MainView, "words"); len(left) > 0 {
		t.Errorf("pending %q after a pass that began before the change and went on", left)
	}
}

// TestVectorsEnd holds that a pass that is told to end does, and that nothing is
// asked where nothing can be written.
func TestVectorsEnd(t *testing.T) {
	w := newTree(t, numbered(20))
	w.sync(store.MainView)
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := &every{&embeddingtest.Words{}, cancel}
	if _, err := w.embed(ctx, store.MainView, cancelled, false); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a pass that was cancelled", err)
	}
	if left := w.pendingVectors(store.MainView, "words"); len(left) != 20 {
		t.Errorf("%d files pending", len(left))
	}
	refused := errors.New("refused")
	model := &embeddingtest.Words{}
	in := VectorOptions{Pass: Pass{Family: w.family, View: store.MainView, Lock: func(context.Context) (func(), error) { return nil, refused }}, Model: model}
	if _, err := Vectors(t.Context(), in, w.options()); !errors.Is(err, refused) || len(model.Asked()) > 0 {
		t.Errorf("error %v, want that of the lock", err)
	}
}

// TestVectorsGoOn holds that a pass that is told to end keeps what the model had
// answered, so that short runs come to an end too.
func TestVectorsGoOn(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("f%02d.txt", i)] = strings.Repeat(fmt.Sprintf("word%d of a long text\n", i), 10_000) // each is a call
	}
	w := newTree(t, files)
	w.sync(store.MainView)
	for left := len(files); left > 0; {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int32
		model := &every{&embeddingtest.Words{}, func() {
			if calls.Add(1) == 4 {
				cancel()
			}
		}}
		if _, err := w.embed(ctx, store.MainView, model, false); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		now := len(w.pendingVectors(store.MainView, "words"))
		if now > max(0, left-2) {
			t.Fatalf("%d files pending of %d after four calls", now, left)
		}
		left = now
	}
}

// every is a model that does something before each answer.
type every struct {
	*embeddingtest.Words
	do func()
}

func (e *every) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	e.do()
	return e.Words.Documents(ctx, docs)
}

// odd is a model that breaks its contract.
type odd struct {
	embeddingtest.Words
	spoil func([]embedding.Vector) []embedding.Vector
}

func (o *odd) Documents(ctx context.Context, docs []embedding.Document) ([]embedding.Vector, error) {
	v, err := o.Words.Documents(ctx, docs)
	return o.spoil(v), err
}

// TestOddModels holds that answers that cannot be are not taken for vectors.
func TestOddModels(t *testing.T) {
	zero := float32(0)
	for _, c := range []struct {
		name  string
		spoil func([]embedding.Vector) []embedding.Vector
		want  string
	}{
		{"too few", func(v []embedding.Vector) []embedding.Vector { return v[1:] }, "vectors for"},
		{"too many", func(v []embedding.Vector) []embedding.Vector { return append(v, v[0]) }, "vectors for"},
		{"none", func([]embedding.Vector) []embedding.Vector { return nil }, "0 vectors for"},
		{"too short", func(v []embedding.Vector) []embedding.Vector { v[0] = v[0][1:]; return v }, "63 numbers instead of 64"},
		{"not a number", func(v []embedding.Vector) []embedding.Vector { v[0][3] = zero / zero; return v }, "number 3 of the vector is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTree(t, numbered(3))
			w.sync(store.MainView)
			rep := w.embedded(store.MainView, &odd{spoil: c.spoil}, false)
			if rep.Why == nil || !strings.Contains(rep.Why.Error(), c.want) || rep.Waiting != 3 || len(w.pendingVectors(store.MainView, "words")) != 3 {
				t.Errorf("report %+v, want %q", rep, c.want)
			}
		})
	}
}

// TestEmbedDelta holds that an overlay has the vectors of its files, and that they
// are kept when it is committed.
func TestEmbedDelta(t *testing.T) {
	w := newTree(t, numbered(6))
	w.sync(store.MainView)
	model := &embeddingtest.Words{}
	w.embedded(store.MainView, model, false)
	w.write(map[string]string{"f001.go": "package changed\n", "new.md": "new text\n", "none.go": ""})
	s, err := w.family.Snapshot(store.MainView)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	plan, err := Compare(t.Context(), root, s, Options{Paranoid: true})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Overlay(t.Context(), plan, w.options())
	if err := errors.Join(err, EmbedDelta(t.Context(), &d, model)); err != nil {
		t.Fatal(err)
	}
	o, err := s.Overlay(d)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if left := pendingOf(t, o, "words"); len(left) > 0 {
		t.Errorf("pending in the overlay: %q", left)
	}
	unlock, err := w.family.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.family.Begin(store.MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Commit(t.Context(), b, plan, d, w.options())
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	if left := w.pendingVectors(store.MainView, "words"); len(left) > 0 {
		t.Errorf("pending after the commit: %q", left)
	}
}

// TestVectorProgress holds that a pass tells how far it is, to the end.
func TestVectorProgress(t *testing.T) {
	w := newTree(t, numbered(30))
	w.sync(store.MainView)
	o := w.options()
	o.Workers = 1
	var last progress.Report
	o.Hooks.Progress = func(p progress.Report) {
		if p.Phase != progress.Vectors || p.Files <= last.Files {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}
	in := VectorOptions{Pass: Pass{Family: w.family, View: store.MainView, Lock: w.family.Lock}, Model: &embeddingtest.Words{}}
	if _, err := Vectors(t.Context(), in, o); err != nil || last.Files != 30 || last.TotalFiles != 30 {
		t.Errorf("last %+v, error %v", last, err)
	}
}
