package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/worker"
	"espy/internal/filetest"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// fakeParser makes of a text one symbol, its first word. While held it waits.
type fakeParser struct {
	mu    sync.Mutex
	calls int
	gone  bool
	held  chan struct{} // nil: does not wait
}

func (f *fakeParser) Parse(ctx context.Context, _, _ string, text []byte) (*facts.File, error) {
	f.mu.Lock()
	f.calls++
	gone, held := f.gone, f.held
	f.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if gone {
		return nil, worker.ErrUnavailable
	}
	word, _, _ := strings.Cut(string(text), " ")
	return &facts.File{Symbols: []facts.Symbol{{
		Name: word, Place: facts.Place{Line: 1, Column: 1}, End: uint32(len(text)), Parent: facts.None, Type: facts.None,
	}}}, nil
}

func (f *fakeParser) set(gone bool, held chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone, f.held = gone, held
}

func (f *fakeParser) called() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// openParsing is open with a parser.
func openParsing(t *testing.T, data string, p index.Parser, stays bool) *Workspace {
	t.Helper()
	w, err := Open(Options{DataDir: data, Parser: p, Watch: stays})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// symbols tells of each file its first symbol, or its state.
func symbols(s *store.Snapshot) map[string]string {
	all := map[string]string{}
	s.Each(func(seg, file int) bool {
		said := s.SyntaxState(seg, file).String()
		if s.SyntaxState(seg, file) == syn.Parsed {
			said = s.Segments[seg].Syntax.File(file).Symbol(0).Name
		}
		all[s.Segments[seg].Path(file)] = said
		return true
	})
	return all
}

// lookSyntax asks a question about symbols.
func lookSyntax(t *testing.T, r *Repo, w Wait) (found map[string]string, f code.Freshness) {
	t.Helper()
	if err := r.ask(context.Background(), question{Wait: w, syntax: true}, func(s *store.Snapshot) error { found, f = symbols(s), s.Freshness; return nil }); err != nil {
		t.Fatal(err)
	}
	return found, f
}

func wantSymbols(t *testing.T, r *Repo, want map[string]string) {
	t.Helper()
	found, f := lookSyntax(t, r, Wait{})
	if diff := cmp.Diff(want, found); diff != "" || f.SyntaxPending > 0 {
		t.Errorf("symbols, %d files pending (-want +got):\n%s", f.SyntaxPending, diff)
	}
}

func TestAQuestionSeesTheSymbolsOfEveryChange(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.py": "alpha one", "b.go": "package b\n\nfunc Beta() {}\n"})
	p := &fakeParser{}
	w := openParsing(t, data, p, false)
	r := attach(t, w, dir)
	fresh(t, r)
	if p.called() > 0 {
		t.Error("a search parsed files")
	}
	want := map[string]string{"a.py": "alpha", "b.go": "Beta"}
	wantSymbols(t, r, want)
	steps := []struct {
		name    string
		do      func()
		want    map[string]string
		without string
	}{
		{name: "edit", do: func() { filetest.Write(t, dir, map[string]string{"a.py": "gamma two"}) }, want: map[string]string{"a.py": "gamma"}},
		{name: "add", do: func() { filetest.Write(t, dir, map[string]string{"c/d.py": "delta three"}) }, want: map[string]string{"c/d.py": "delta"}},
		{name: "rename", do: func() { os.Rename(filepath.Join(dir, "b.go"), filepath.Join(dir, "e.go")) }, want: map[string]string{"e.go": "Beta"}, without: "b.go"},
		{name: "remove", do: func() { os.Remove(filepath.Join(dir, "a.py")) }, without: "a.py"},
		{name: "search first", do: func() {
			filetest.Write(t, dir, map[string]string{"f.py": "epsilon four"})
			fresh(t, r)
		}, want: map[string]string{"f.py": "epsilon"}},
		{name: "too much for an overlay", do: func() {
			filetest.Write(t, dir, map[string]string{"g.py": "zeta " + strings.Repeat("x", overlaySyntaxBytes)})
		}, want: map[string]string{"g.py": "zeta"}},
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			s.do()
			maps.Copy(want, s.want)
			delete(want, s.without)
			wantSymbols(t, r, want)
		})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := attach(t, openParsing(t, data, &fakeParser{gone: true}, false), dir)
	wantSymbols(t, again, want)
}

func TestIndexParses(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.py": "alpha one", "b.go": "package b\n\nfunc Beta() {}\n", "c.txt": "text"})
	r := attach(t, openParsing(t, data, &fakeParser{}, false), dir)
	var phases []string
	rep, err := r.Index(context.Background(), IndexOptions{Progress: func(p progress.Report) { phases = append(phases, p.Phase) }})
	if err != nil || rep.Syntax.Parsed != 2 || rep.Syntax.Failed+rep.Syntax.Pending > 0 || rep.Syntax.Bytes == 0 {
		t.Errorf("Index = %+v, %v; want 2 files parsed", rep, err)
	}
	st, err := r.Status(context.Background())
	if err != nil || st.Syntax != rep.Syntax || st.Indexing != nil || st.LastError != "" || st.IndexBytes <= st.Syntax.Bytes {
		t.Errorf("Status = %+v, %v; want the syntax of %+v", st, err, rep.Syntax)
	}
}

// TestSearchDoesNotWait holds that a search answers while files are parsed, and
// that a question about symbols with little time says what is pending.
func TestSearchDoesNotWait(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.py": "alpha one", "b.py": "beta two"})
	held := make(chan struct{})
	p := &fakeParser{held: held}
	r := attach(t, openParsing(t, t.TempDir(), p, false), dir)
	done := make(chan error)
	go func() { _, err := r.Index(context.Background(), IndexOptions{}); done <- err }()
	fresh(t, r)
	found, f := lookSyntax(t, r, Wait{First: time.Millisecond})
	if f.SyntaxPending != 2 || found["a.py"] != "absent" {
		t.Errorf("%d files pending, found %v; want both pending", f.SyntaxPending, found)
	}
	filetest.Write(t, dir, map[string]string{"a.py": "changed three"})
	wantTexts(t, r, map[string]string{"a.py": "changed three", "b.py": "beta two"})
	close(held)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wantSymbols(t, r, map[string]string{"a.py": "changed", "b.py": "beta"})
}

// TestSyntaxWithoutAParser holds that files nobody can parse stay pending, that
// this is said, and that questions do not try again and again.
func TestSyntaxWithoutAParser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.py": "alpha one", "b.go": "package b\n\nfunc Beta() {}\n"})
	p := &fakeParser{gone: true}
	r := attach(t, openParsing(t, t.TempDir(), p, false), dir)
	rep, err := r.Index(context.Background(), IndexOptions{})
	if err != nil || rep.Syntax.Parsed != 1 || rep.Syntax.Pending != 1 || !strings.Contains(rep.Syntax.Why, "not available") {
		t.Errorf("Index = %+v, %v; want one file pending, and why", rep.Syntax, err)
	}
	tried := p.called()
	for range 3 {
		if found, f := lookSyntax(t, r, Wait{}); f.SyntaxPending != 1 || found["b.go"] != "Beta" {
			t.Errorf("%d files pending, found %v", f.SyntaxPending, found)
		}
	}
	if n := p.called(); n != tried {
		t.Errorf("the parser was tried %d times more", n-tried)
	}
	p.set(false, nil)
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	wantSymbols(t, r, map[string]string{"a.py": "alpha", "b.go": "Beta"})
}

// TestKilledBetweenPasses ends processes after the first pass and in the middle
// of the second.
func TestKilledBetweenPasses(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	files, want := map[string]string{}, map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("f%02d.py", i)], want[fmt.Sprintf("f%02d.py", i)] = fmt.Sprintf("w%d text", i), fmt.Sprintf("w%d", i)
	}
	filetest.Write(t, dir, files)
	w := openParsing(t, data, &fakeParser{}, false)
	fresh(t, attach(t, w, dir)) // only the first pass
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p := &fakeParser{held: make(chan struct{})}
	w = openParsing(t, data, p, false)
	r := attach(t, w, dir)
	lookSyntax(t, r, Wait{First: time.Millisecond}) // the second has begun
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r = attach(t, openParsing(t, data, &fakeParser{}, false), dir)
	wantTexts(t, r, files)
	wantSymbols(t, r, want)
}

// TestParsesInTheBackground holds that a process that stays parses what its
// searches index.
func TestParsesInTheBackground(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.py": "alpha one"})
	r := attach(t, openParsing(t, t.TempDir(), &fakeParser{}, true), dir)
	fresh(t, r)
	deadline := time.After(20 * time.Second)
	for {
		s := fresh(t, r)
		if n, err := countPending(s); err != nil {
			t.Fatal(err)
		} else if n == 0 {
			return
		}
		select {
		case <-deadline:
			t.Fatal("the files were not parsed")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// TestDamagedSyntaxHeals damages the middle of a syntax part while it is in
// use: the question finds it, search is not touched, the files are parsed again.
func TestDamagedSyntaxHeals(t *testing.T) {
	t.Parallel()
	damages := map[string]func(string, []byte) error{
		"flipped": func(name string, data []byte) error { data[50] ^= 8; return os.WriteFile(name, data, 0o600) },
		"cut off": func(name string, data []byte) error { return os.Truncate(name, 0) },
		"removed": func(name string, data []byte) error { return os.Remove(name) },
	}
	for what, damage := range damages {
		t.Run(what, func(t *testing.T) {
			dir, data := t.TempDir(), t.TempDir()
			files := map[string]string{"a.py": "alpha one", "b.py": "beta two"}
			filetest.Write(t, dir, files)
			p := &fakeParser{}
			r := attach(t, openParsing(t, data, p, false), dir)
			if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			names, _ := filepath.Glob(filepath.Join(data, "repos", "*", "*.syn"))
			if len(names) != 1 {
				t.Fatalf("syntax parts %q", names)
			}
			whole, err := os.ReadFile(names[0])
			if err := errors.Join(err, damage(names[0], whole)); err != nil {
				t.Fatal(err)
			}
			wantTexts(t, r, files)
			wantSymbols(t, r, map[string]string{"a.py": "alpha", "b.py": "beta"})
			rep, err := r.Verify(context.Background())
			if what != "removed" && (err != nil || len(rep.Problems) > 0) {
				t.Errorf("Verify = %+v, %v", rep, err)
			}
			err = r.Look(context.Background(), Wait{}, func(s *store.Snapshot) error { return segment.Guard(func() error { symbols(s); return nil }) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func countPending(s *store.Snapshot) (n int, err error) {
	err = segment.Guard(func() error { n = s.SyntaxPending(); return nil })
	return n, err
}
