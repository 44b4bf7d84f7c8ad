package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/discover"
	"espy/internal/facts"
	grammar "espy/internal/facts/worker"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// fakeParser makes of a text one symbol, its first word.
type fakeParser struct {
	mu     sync.Mutex
	asked  []string // paths, in order
	gone   bool     // cannot parse anything
	failAt string   // the text that it cannot parse
	stop   func()   // called with each file
}

func (f *fakeParser) Parse(_ context.Context, language, path string, text []byte) (*facts.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, path)
	if f.stop != nil {
		f.stop()
	}
	if f.gone {
		return nil, fmt.Errorf("%w: no such program", grammar.ErrUnavailable)
	}
	if f.failAt != "" && strings.Contains(string(text), f.failAt) {
		return nil, &grammar.Failure{Reason: "it is too " + f.failAt}
	}
	word, _, _ := strings.Cut(string(text), " ")
	return &facts.File{Symbols: []facts.Symbol{{
		Name: word, Place: facts.Place{Line: 1, Column: 1}, End: uint32(len(text)), Parent: facts.None, Type: facts.None,
	}}}, nil
}

// took returns the paths that were asked for since the last call, sorted.
func (f *fakeParser) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	paths := f.asked
	f.asked = nil
	slices.Sort(paths)
	return paths
}

// tree is a repository with its index.
type tree struct {
	t      *testing.T
	dir    string
	family *store.Family
	parser *fakeParser
	round  int // Options.round
}

func newTree(t *testing.T, files map[string]string) *tree {
	t.Helper()
	f, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &tree{t: t, dir: t.TempDir(), family: f, parser: &fakeParser{}}
	w.write(files)
	return w
}

func (w *tree) write(files map[string]string) {
	w.t.Helper()
	for path, text := range files {
		name := filepath.Join(w.dir, path)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err := errors.Join(err, os.WriteFile(name, []byte(text), 0o644)); err != nil {
			w.t.Fatal(err)
		}
	}
}

// sync brings a view up to date, by one worker: several divide the files as they come to them.
func (w *tree) sync(view string) {
	w.t.Helper()
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	defer root.Close()
	unlock, err := w.family.TryLock()
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := w.family.Begin(view, unlock, false)
	if err != nil {
		w.t.Fatal(err)
	}
	plan, err := Compare(context.Background(), root, b.Base(), Options{Paranoid: true})
	if err == nil && (!plan.Clean() || b.First()) {
		_, err = Sync(context.Background(), b, plan, Options{Workers: 1})
	}
	if err := errors.Join(err, b.Close()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *tree) options() Options { return Options{Workers: 2, Parser: w.parser, round: w.round} }

func (w *tree) parse(ctx context.Context, view string) (SyntaxReport, error) {
	return Syntax(ctx, Pass{Family: w.family, View: view, Lock: w.family.Lock}, w.options())
}

// parsed runs the pass and returns what it says.
func (w *tree) parsed(view string) SyntaxReport {
	w.t.Helper()
	r, err := w.parse(context.Background(), view)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// syntax tells of each live file of a view the names of its symbols, or its state.
func (w *tree) syntax(view string) map[string]string {
	w.t.Helper()
	s, err := w.family.Snapshot(view)
	if err != nil {
		w.t.Fatal(err)
	}
	defer s.Close()
	return syntaxOf(w.t, s)
}

func syntaxOf(t *testing.T, s *store.Snapshot) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := segment.Guard(func() error {
		s.Each(func(seg, file int) bool {
			said := s.SyntaxState(seg, file).String()
			if r := s.Segments[seg].Syntax; r != nil {
				switch f := r.File(file); f.State() {
				case syn.Parsed:
					var names []string
					for i := range f.NumSymbols() {
						names = append(names, f.Symbol(i).Name)
					}
					said = strings.Join(names, " ")
				case syn.Failed:
					said += ": " + f.Reason()
				}
			}
			all[s.Segments[seg].Path(file)] = said
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func wantSyntax(t *testing.T, got, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("syntax (-want +got):\n%s", diff)
	}
}

// counts leaves the generation out of a report.
func counts(r SyntaxReport) SyntaxReport {
	r.Generation = 0
	return r
}

func wantPaths(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s were parsed: %q, want %q", what, got, want)
	}
}

func TestSyntax(t *testing.T) {
	w := newTree(t, map[string]string{
		"a.py": "alpha one", "b.py": "heavy two", "lib/c.py": "gamma three", "m.go": "package m\n\nfunc F(x int) {}\n", "read.me": "text",
	})
	w.parser.failAt = "heavy"
	w.sync(store.MainView)
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "absent", "b.py": "absent", "lib/c.py": "absent", "m.go": "absent", "read.me": "absent"})
	if got, want := counts(w.parsed(store.MainView)), (SyntaxReport{Parsed: 3, Failed: 1}); got != want {
		t.Errorf("report %+v, want %+v", got, want)
	}
	want := map[string]string{"a.py": "alpha", "b.py": "failed: it is too heavy", "lib/c.py": "gamma", "m.go": "F x", "read.me": "unknown"}
	wantSyntax(t, w.syntax(store.MainView), want)
	wantPaths(t, "at first", w.parser.took(), "a.py", "b.py", "lib/c.py")

	w.parsed(store.MainView)
	wantPaths(t, "when all is known", w.parser.took())

	// A rename, an edit, a copy and a failure that moves: only what is new is parsed.
	if err := os.Rename(filepath.Join(w.dir, "a.py"), filepath.Join(w.dir, "z.py")); err != nil {
		t.Fatal(err)
	}
	w.write(map[string]string{"lib/c.py": "delta four", "copy.py": "alpha one", "again.py": "heavy two"})
	w.sync(store.MainView)
	if got, want := counts(w.parsed(store.MainView)), (SyntaxReport{Parsed: 1, Copied: 2}); got != want {
		t.Errorf("report %+v, want %+v", got, want)
	}
	wantPaths(t, "after edits", w.parser.took(), "lib/c.py")
	delete(want, "a.py")
	maps.Copy(want, map[string]string{"z.py": "alpha", "copy.py": "alpha", "again.py": "failed: it is too heavy", "lib/c.py": "delta"})
	wantSyntax(t, w.syntax(store.MainView), want)

	// The same bytes in another dialect are other facts.
	w.write(map[string]string{"a.js": "alpha one"})
	w.sync(store.MainView)
	w.parsed(store.MainView)
	wantPaths(t, "in another language", w.parser.took(), "a.js")
}

func TestSyntaxOfAnotherView(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one", "b.py": "beta two"})
	w.sync(store.MainView)
	w.parsed(store.MainView)
	w.parser.took()
	w.write(map[string]string{"b.py": "changed three"})
	w.sync("other")
	if got, want := counts(w.parsed("other")), (SyntaxReport{Parsed: 1, Copied: 1}); got != want {
		t.Errorf("report %+v, want %+v", got, want)
	}
	wantPaths(t, "in the other view", w.parser.took(), "b.py")
	wantSyntax(t, w.syntax("other"), map[string]string{"a.py": "alpha", "b.py": "changed"})
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "alpha", "b.py": "beta"})
}

// TestSyntaxWaits holds that files stay pending while nothing can parse them,
// and that the pass ends nevertheless.
func TestSyntaxWaits(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one", "b.py": "beta two", "m.go": "package m"})
	w.sync(store.MainView)
	w.parser.gone = true
	got := w.parsed(store.MainView)
	if got.Parsed != 1 || got.Waiting != 2 || !errors.Is(got.Why, grammar.ErrUnavailable) {
		t.Errorf("report %+v, want 1 parsed and 2 waiting", got)
	}
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "absent", "b.py": "absent", "m.go": ""})
	w.parser.gone = false
	if got := w.parsed(store.MainView); got.Parsed != 2 || got.Waiting != 0 || got.Why != nil {
		t.Errorf("report %+v, want 2 parsed", got)
	}
}

// TestSyntaxGoesOn cancels passes: what they had parsed is kept, committed or not,
// and the next pass parses the rest.
func TestSyntaxGoesOn(t *testing.T) {
	for _, round := range []int{1000, roundText} {
		t.Run(fmt.Sprint(round), func(t *testing.T) { goesOn(t, round) })
	}
}

func goesOn(t *testing.T, round int) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%02d.py", i)] = fmt.Sprintf("word%d %s", i, strings.Repeat("x", 500))
	}
	w := newTree(t, files)
	w.round = round
	w.sync(store.MainView)
	left := len(files)
	for kills := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		w.parser.stop = func() {
			if n++; n == 7 {
				cancel()
			}
		}
		if _, err := w.parse(ctx, store.MainView); !errors.Is(err, context.Canceled) {
			t.Fatalf("pass %d: error %v, want it cancelled", kills, err)
		}
		cancel()
		before := left
		left = 0
		for _, said := range w.syntax(store.MainView) {
			if said == "absent" {
				left++
			}
		}
		if left > before-6 || left == 0 {
			t.Errorf("pass %d leaves %d files of %d", kills, left, before)
		}
	}
	w.parser.stop = nil
	w.parser.took()
	w.parsed(store.MainView)
	if n := len(w.parser.took()); n != left {
		t.Errorf("the last pass parsed %d files, want the %d that were left", n, left)
	}
	for path, said := range w.syntax(store.MainView) {
		if want, _, _ := strings.Cut(files[path], " "); said != want {
			t.Errorf("%s: %s, want %s", path, said, want)
		}
	}
}

// TestSyntaxOfEdits compares the syntax after random edits, removals and
// renames, with passes in between, with that of a clean build.
func TestSyntaxOfEdits(t *testing.T) {
	w := newTree(t, nil)
	r := rand.New(rand.NewPCG(7, 7))
	files := map[string]string{}
	for round := range 25 {
		for range 1 + r.IntN(5) {
			path := fmt.Sprintf("d%d/f%d%s", r.IntN(3), r.IntN(9), []string{".py", ".go", ".txt"}[r.IntN(3)])
			switch r.IntN(4) {
			case 0:
				delete(files, path)
				os.Remove(filepath.Join(w.dir, path))
			case 1:
				to := "moved" + path
				if text, ok := files[path]; ok {
					delete(files, path)
					os.Remove(filepath.Join(w.dir, path))
					files[to] = text
				}
			default:
				files[path] = fmt.Sprintf("package p%d\n\nfunc F%d() {}\n", r.IntN(4), round)
			}
		}
		w.write(files)
		w.sync(store.MainView)
		if r.IntN(2) == 0 {
			w.parsed(store.MainView)
		}
	}
	w.parsed(store.MainView)
	clean := newTree(t, files)
	clean.sync(store.MainView)
	clean.parsed(store.MainView)
	wantSyntax(t, w.syntax(store.MainView), clean.syntax(store.MainView))
	if v, err := w.family.Verify(context.Background(), store.MainView, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %+v, %v", v, err)
	}
}

// TestSyntaxBesideAWriter commits another generation in the middle of a pass.
func TestSyntaxBesideAWriter(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one", "b.py": "beta two"})
	w.sync(store.MainView)
	var once sync.Once
	w.parser.stop = func() {
		once.Do(func() {
			w.write(map[string]string{"b.py": "changed three", "c.py": "gamma four"})
			w.sync(store.MainView)
		})
	}
	w.parsed(store.MainView)
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "alpha", "b.py": "changed", "c.py": "gamma"})
}

func TestParseDelta(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one", "b.py": "beta two", "c.txt": "text"})
	w.sync(store.MainView)
	w.parsed(store.MainView)
	w.write(map[string]string{"b.py": "changed three", "d.go": "package d\n\nvar V int\n"})
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
	plan, err := Compare(context.Background(), root, s, Options{Policy: discover.Policy{}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Overlay(context.Background(), plan, w.options())
	if err == nil {
		err = ParseDelta(context.Background(), &d, w.options())
	}
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Overlay(d)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	want := map[string]string{"a.py": "alpha", "b.py": "changed", "c.txt": "unknown", "d.go": "V"}
	wantSyntax(t, syntaxOf(t, o), want)
	if n := o.SyntaxPending(); n != 0 {
		t.Errorf("SyntaxPending() = %d", n)
	}

	// The commit of the delta keeps what was parsed for it.
	unlock, err := w.family.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.family.Begin(store.MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Commit(context.Background(), b, plan, d, w.options()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	wantSyntax(t, w.syntax(store.MainView), want)
}

// TestSyntaxOfANewGrammar holds that files which an older program knew no
// grammar for are parsed by one that does.
func TestSyntaxOfANewGrammar(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one", "b.txt": "beta two"})
	w.sync(store.MainView)
	s, err := w.family.Snapshot(store.MainView)
	if err != nil {
		t.Fatal(err)
	}
	_, found, err := pending(s)
	if err != nil {
		t.Fatal(err)
	}
	seg, file, _ := s.Find("a.py")
	found[s.SyntaxKey(seg, file)] = store.Parsed{Record: syn.Unsupported()}
	p := &syntaxPass{in: Pass{Family: w.family, View: store.MainView, Lock: w.family.Lock}}
	if n, err := p.commit(context.Background(), found); n != 2 || err != nil {
		t.Fatalf("commit = %d, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "unknown", "b.txt": "unknown"})
	w.parsed(store.MainView)
	wantSyntax(t, w.syntax(store.MainView), map[string]string{"a.py": "alpha", "b.txt": "unknown"})
}

// TestSyntaxOfAnIndexThatCannotBeWritten holds that nothing is parsed in vain.
func TestSyntaxOfAnIndexThatCannotBeWritten(t *testing.T) {
	w := newTree(t, map[string]string{"a.py": "alpha one"})
	w.sync(store.MainView)
	refused := errors.New("refused")
	in := Pass{Family: w.family, View: store.MainView, Lock: func(context.Context) (func(), error) { return nil, refused }}
	if _, err := Syntax(context.Background(), in, w.options()); !errors.Is(err, refused) {
		t.Errorf("error %v, want that of the lock", err)
	}
	wantPaths(t, "of an index that cannot be written", w.parser.took())
	w.parsed(store.MainView)
	if _, err := Syntax(context.Background(), in, w.options()); err != nil {
		t.Errorf("with nothing to parse: %v", err)
	}
}
