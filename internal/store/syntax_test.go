package store

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
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

// parsed is what the tests parse a text to: one symbol, its first word.
func parsed(t *testing.T, text string) Parsed {
	t.Helper()
	word, _, _ := strings.Cut(text, " ")
	if word == "bad" {
		return Parsed{Record: syn.Failure("it is " + text)}
	}
	r, err := syn.Encode(&facts.File{Symbols: []facts.Symbol{{
		Name: word, Kind: code.KindFunc, Place: facts.Place{Line: 1, Column: 1}, End: uint32(len(text)), Parent: facts.None, Type: facts.None,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return Parsed{Record: r}
}

// parse adds to the newest generation of a view what the texts of files are
// parsed to.
func parse(t *testing.T, f *Family, view string, files map[string]string) (added int) {
	t.Helper()
	found := map[SyntaxKey]Parsed{}
	for path, text := range files {
		found[SyntaxKey{Hash: hash(text), Ext: filepath.Ext(path)}] = parsed(t, text)
	}
	unlock, err := f.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Begin(view, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	added, err = b.AddSyntax(found)
	if err := errors.Join(err, b.CommitPass(context.Background()), b.Close()); err != nil {
		t.Fatal(err)
	}
	return added
}

// syntaxOf tells of each live file its symbol, the reason of its failure, or "".
func syntaxOf(t *testing.T, s *Snapshot) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := segment.Guard(func() error {
		s.Each(func(seg, file int) bool {
			path := s.Segments[seg].Path(file)
			all[path] = ""
			if r := s.Segments[seg].Syntax; r != nil {
				switch f := r.File(file); f.State() {
				case syn.Parsed:
					all[path] = f.Symbol(0).Name
				case syn.Failed:
					all[path] = f.Reason()
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

func wantSyntax(t *testing.T, s *Snapshot, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, syntaxOf(t, s)); diff != "" {
		t.Errorf("syntax (-want +got):\n%s", diff)
	}
	pending := 0
	for _, found := range want {
		if found == "" {
			pending++
		}
	}
	if got := s.SyntaxPending(); got != pending {
		t.Errorf("SyntaxPending() = %d, want %d", got, pending)
	}
}

func TestSyntax(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	first := map[string]string{"a": "alpha one", "b": "bad two", "c": "gamma three"}
	g := commit(t, f, state, first)
	wantSyntax(t, snapshot(t, f), map[string]string{"a": "", "b": "", "c": ""})

	if n := parse(t, f, MainView, map[string]string{"a": first["a"], "b": first["b"]}); n != 2 {
		t.Errorf("AddSyntax added %d files, want 2", n)
	}
	s := snapshot(t, f)
	wantSyntax(t, s, map[string]string{"a": "alpha", "b": "it is bad two", "c": ""})
	if s.Freshness.Generation != g || s.SyntaxBytes() == 0 || s.IndexBytes() <= s.SyntaxBytes() {
		t.Errorf("generation %d, syntax %d bytes of %d, want generation %d", s.Freshness.Generation, s.SyntaxBytes(), s.IndexBytes(), g)
	}
	if n := parse(t, f, MainView, first); n != 1 {
		t.Errorf("AddSyntax added %d files, want the one that was missing", n)
	}
	wantSyntax(t, snapshot(t, f), map[string]string{"a": "alpha", "b": "it is bad two", "c": "gamma"})

	// A commit keeps the syntax of what stays and knows nothing of what is new.
	commit(t, f, state, map[string]string{"c": "delta four", "d": "epsilon five"}, "b")
	wantSyntax(t, snapshot(t, f), map[string]string{"a": "alpha", "c": "", "d": ""})
	wantSyntax(t, s, map[string]string{"a": "alpha", "b": "it is bad two", "c": ""}) // as it was opened
	if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %+v, %v", v, err)
	}
	wantParts(t, f, ".syn", 1)
}

// TestFailureStays holds that a file that could not be parsed is not parsed again.
func TestFailureStays(t *testing.T) {
	f := family(t, t.TempDir())
	commit(t, f, map[string]string{}, map[string]string{"b": "bad two"})
	parse(t, f, MainView, map[string]string{"b": "bad two"})
	b := begin(t, f, false)
	defer b.Close()
	added, err := b.AddSyntax(map[SyntaxKey]Parsed{{Hash: hash("bad two")}: parsed(t, "good two")})
	if added != 0 || err != nil {
		t.Errorf("AddSyntax = %d, %v; want nothing added", added, err)
	}
}

// wantParts holds how many parts of a kind lie in the folder.
func wantParts(t *testing.T, f *Family, suffix string, want int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(f.dir.Path(), "*"+suffix))
	if err != nil || len(names) != want {
		t.Errorf("parts %q, %v; want %d", names, err, want)
	}
}

// TestSyntaxOfMerges edits at random, so that segments are merged, and parses
// some files now and then: what was parsed once stays known, what was not
// stays unknown.
func TestSyntaxOfMerges(t *testing.T) {
	f := family(t, t.TempDir())
	r := rand.New(rand.NewPCG(1, 1))
	state, want := map[string]string{}, map[string]string{}
	for round := range 60 {
		set := map[string]string{}
		for range 1 + r.IntN(4) {
			set[fmt.Sprintf("f%02d", r.IntN(30))] = fmt.Sprintf("w%dr%d text", r.IntN(9), round)
		}
		var dead []string
		for path := range state {
			if _, ok := set[path]; !ok && r.IntN(20) == 0 {
				dead = append(dead, path)
			}
		}
		commit(t, f, state, set, dead...)
		for path := range set {
			want[path] = ""
		}
		maps.DeleteFunc(want, func(path, _ string) bool { return state[path] == "" })
		if r.IntN(3) == 0 {
			some := map[string]string{}
			for path, text := range state {
				if r.IntN(2) == 0 {
					some[path] = text
					for other, same := range state {
						if same == text {
							want[other], _, _ = strings.Cut(text, " ")
						}
					}
				}
			}
			parse(t, f, MainView, some)
		}
		wantSyntax(t, snapshot(t, f), want)
	}
	s := snapshot(t, f)
	if len(s.Segments) > 2*tierSegments {
		t.Errorf("%d segments: none were merged", len(s.Segments))
	}
	parse(t, f, MainView, state)
	clean := family(t, t.TempDir())
	commit(t, clean, map[string]string{}, state)
	parse(t, clean, MainView, state)
	if diff := cmp.Diff(syntaxOf(t, snapshot(t, clean)), syntaxOf(t, snapshot(t, f))); diff != "" {
		t.Errorf("a clean build differs (-clean +this):\n%s", diff)
	}
	if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %+v, %v", v, err)
	}
}

// TestDamagedSyntax holds that damage to a syntax part costs that part alone.
func TestDamagedSyntax(t *testing.T) {
	files := map[string]string{"a": "alpha one", "b": "beta two"}
	all := map[string]string{"a": "alpha", "b": "beta"}
	none := map[string]string{"a": "", "b": ""}
	damages := map[string]func(name string, data []byte) error{
		"cut off": func(name string, data []byte) error { return os.WriteFile(name, data[:len(data)/2], 0o600) },
		"empty":   func(name string, data []byte) error { return os.WriteFile(name, nil, 0o600) },
		"removed": func(name string, _ []byte) error { return os.Remove(name) },
		"footer":  func(name string, data []byte) error { data[len(data)-5] ^= 1; return os.WriteFile(name, data, 0o600) },
		"of another segment": func(name string, _ []byte) error {
			other := family(t, t.TempDir())
			commit(t, other, map[string]string{}, map[string]string{"x": "other one", "y": "text two"})
			parse(t, other, MainView, map[string]string{"x": "other one"})
			names, _ := filepath.Glob(filepath.Join(other.dir.Path(), "*"+".syn"))
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
			names, err := filepath.Glob(filepath.Join(dir, "*"+".syn"))
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
			wantSyntax(t, s, none)
			if len(s.Damaged) > 0 || len(s.Unparsed) != 1 || s.Unparsed[0].Err == nil {
				t.Errorf("damaged %v, unparsed %v; want the syntax part alone", s.Damaged, s.Unparsed)
			}
			if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) != 1 {
				t.Errorf("Verify = %+v, %v; want one problem", v, err)
			}
			if n := parse(t, f, MainView, files); n != 2 {
				t.Errorf("%d files were parsed again, want 2", n)
			}
			s = snapshot(t, f)
			wantSyntax(t, s, all)
			if len(s.Unparsed) > 0 {
				t.Errorf("unparsed %v after it was written anew", s.Unparsed)
			}
			wantSyntax(t, snapshot(t, family(t, dir)), all)
		})
	}
}

// TestFlippedSyntax holds that Verify finds damage in the middle of a syntax
// part, which reading finds only where it touches it.
func TestFlippedSyntax(t *testing.T) {
	dir := t.TempDir()
	f := family(t, dir)
	files := map[string]string{"a": "alpha one", "b": "beta two"}
	commit(t, f, map[string]string{}, files)
	parse(t, f, MainView, files)
	names, _ := filepath.Glob(filepath.Join(dir, "*"+".syn"))
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
	wantSyntax(t, snapshot(t, f), map[string]string{"a": "", "b": ""})
	parse(t, f, MainView, files)
	wantSyntax(t, snapshot(t, f), map[string]string{"a": "alpha", "b": "beta"})
	wantParts(t, f, part.BadSuffix, 0)
}

// TestOtherSyntaxVersion holds that parts of another analysis are not read,
// and that the segments stay.
func TestOtherSyntaxVersion(t *testing.T) {
	f := family(t, t.TempDir())
	files := map[string]string{"a": "alpha one"}
	commit(t, f, map[string]string{}, files)
	parse(t, f, MainView, files)
	data, err := f.dir.Record(manifest.Name(MainView))
	if err != nil {
		t.Fatal(err)
	}
	now, other := fmt.Sprintf(`"analysis":%d}`, Syntax), fmt.Sprintf(`"analysis":%d}`, Syntax+1)
	changed := strings.ReplaceAll(string(data), now, other)
	if changed == string(data) {
		t.Fatalf("no %s in %s", now, data)
	}
	if err := f.dir.Replace(manifest.Name(MainView), []byte(changed)); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, f)
	wantContents(t, s, files)
	wantSyntax(t, s, map[string]string{"a": ""})
	if len(s.Damaged)+len(s.Unparsed) > 0 || s.OldSyntax() != Syntax+1 {
		t.Errorf("damaged %v, unparsed %v, version %d", s.Damaged, s.Unparsed, s.OldSyntax())
	}
	parse(t, f, MainView, files)
	s = snapshot(t, f)
	wantSyntax(t, s, map[string]string{"a": "alpha"})
	if s.OldSyntax() != 0 {
		t.Errorf("version %d of syntax that is parsed anew", s.OldSyntax())
	}
}

// TestSyntaxOfViews holds that views with the same segment share its syntax
// part, and that it goes with the last of them.
func TestSyntaxOfViews(t *testing.T) {
	f := family(t, t.TempDir())
	files := map[string]string{"a": "alpha one", "b": "beta two"}
	for _, view := range []string{MainView, "other"} {
		unlock, err := f.TryLock()
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Begin(view, unlock, false)
		if err != nil {
			t.Fatal(err)
		}
		add(t, b, files)
		if _, err := b.Commit(context.Background(), Generation{Tree: treeOf(files)}); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	parse(t, f, MainView, files)
	other, err := f.Snapshot("other")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	wantSyntax(t, other, map[string]string{"a": "", "b": ""})
	parse(t, f, "other", files)
	wantParts(t, f, ".lex", 1)
	wantParts(t, f, ".syn", 1)
	if err := f.Drop(context.Background(), func(view string) bool { return view == MainView }); err != nil {
		t.Fatal(err)
	}
	wantParts(t, f, ".syn", 1)
	if err := f.Drop(context.Background(), func(string) bool { return true }); err != nil {
		t.Fatal(err)
	}
	wantParts(t, f, ".syn", 0)
}

// TestSyntaxOfDamagedSegments holds that nothing is added beside a segment
// that is to be indexed anew: its files would be forgotten.
func TestSyntaxOfDamagedSegments(t *testing.T) {
	dir := t.TempDir()
	f := family(t, dir)
	files := map[string]string{"a": "alpha one"}
	commit(t, f, map[string]string{}, files)
	names, _ := filepath.Glob(filepath.Join(dir, "*"+".lex"))
	if err := os.WriteFile(names[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := f.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Begin(MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if n, err := b.AddSyntax(map[SyntaxKey]Parsed{{Hash: hash("alpha one")}: parsed(t, "alpha one")}); n != 0 || err != nil {
		t.Errorf("AddSyntax = %d, %v", n, err)
	}
	if err := b.CommitPass(context.Background()); !errors.Is(err, ErrDamaged) {
		t.Errorf("CommitPass: error %v, want one of damage", err)
	}
}
