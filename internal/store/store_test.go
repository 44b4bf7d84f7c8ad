package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
	"espy/internal/store/part"
)

func family(t *testing.T, path string) *Family {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func begin(t *testing.T, f *Family, fresh bool) *Batch {
	t.Helper()
	unlock, err := f.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Begin(MainView, unlock, fresh)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// add writes files as one segment of a batch.
func add(t *testing.T, b *Batch, files map[string]string) {
	t.Helper()
	builder := segment.NewBuilder()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if err := builder.Add(file(path, files[path])); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Add(builder); err != nil {
		t.Fatal(err)
	}
}

func file(path, text string) *segment.File {
	return &segment.File{
		Path: path, Hash: hash(text), Size: int64(len(text)), Text: []byte(text),
		Chunks: []code.Chunk{{Start: 0, End: uint32(len(text)), StartLine: 1, EndLine: uint32(1 + strings.Count(text, "\n"))}},
	}
}

func hash(text string) (h code.Hash) {
	copy(h[:], fmt.Sprintf("%016x", len(text)))
	copy(h[8:], text)
	return h
}

// treeOf is a tree that saw the files.
func treeOf(files map[string]string) *listing.Tree {
	tree := &listing.Tree{Looked: 1}
	for path, text := range files {
		tree.Leaves = append(tree.Leaves, listing.Leaf{Path: path, Hash: hash(text), Stat: listing.Stat{Size: int64(len(text))}})
	}
	listing.Sort(tree.Leaves)
	return tree
}

// commit makes a generation with changes, nil texts removing files, of a state
// that is updated too.
func commit(t *testing.T, f *Family, state, set map[string]string, dead ...string) uint64 {
	t.Helper()
	b := begin(t, f, false)
	for path := range set {
		if _, ok := state[path]; ok {
			dead = append(dead, path)
		}
	}
	slices.Sort(dead)
	if err := b.Tombstone(dead); err != nil {
		t.Fatal(err)
	}
	for _, path := range dead {
		delete(state, path)
	}
	maps.Copy(state, set)
	if len(set) > 0 {
		add(t, b, set)
	}
	g, err := b.Commit(context.Background(), Generation{Tree: treeOf(state), Written: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	b.Log(len(set)+len(dead), nil)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return g
}

func snapshot(t *testing.T, f *Family) *Snapshot {
	t.Helper()
	s, err := f.Snapshot(MainView)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func contents(t *testing.T, s *Snapshot) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := segment.Guard(func() (err error) {
		var cache segment.TextCache
		s.Each(func(seg, file int) bool {
			var text []byte
			text, err = s.Segments[seg].Text(file, &cache)
			all[s.Segments[seg].Path(file)] = string(text)
			return err == nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func wantContents(t *testing.T, s *Snapshot, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, contents(t, s)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func wantWhole(t *testing.T, f *Family) {
	t.Helper()
	if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %+v, %v", v, err)
	}
}

// parts lists the files of the folder that end so.
func parts(t *testing.T, f *Family, suffix string) (names []string) {
	t.Helper()
	all, err := f.dir.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		if strings.HasSuffix(n, suffix) {
			names = append(names, n)
		}
	}
	return names
}

func TestGenerations(t *testing.T) {
	path := t.TempDir()
	f := family(t, path)
	if _, err := f.Snapshot(MainView); !errors.Is(err, ErrNoIndex) {
		t.Errorf("Snapshot of nothing: error %v, want ErrNoIndex", err)
	}
	state := map[string]string{}
	steps := []struct {
		name string
		set  map[string]string
		dead []string
	}{
		{"first", map[string]string{"a": "one\n", "b": "two\n", "c": "three\n"}, nil},
		{"edit", map[string]string{"b": "two again\n"}, nil},
		{"remove", nil, []string{"a"}},
		{"rename", map[string]string{"d": "three\n"}, []string{"c"}},
		{"everything", map[string]string{"b": "x\n", "d": "y\n"}, nil},
		{"nothing left", nil, []string{"b", "d"}},
		{"back", map[string]string{"a": "one\n"}, nil},
	}
	for i, s := range steps {
		before := f.Stamp(MainView)
		if g := commit(t, f, state, s.set, s.dead...); g != uint64(i+1) {
			t.Errorf("%s: generation %d, want %d", s.name, g, i+1)
		}
		if f.Stamp(MainView) == before {
			t.Errorf("%s: the stamp stayed", s.name)
		}
		for _, reader := range []*Family{f, family(t, path)} {
			snap := snapshot(t, reader)
			wantContents(t, snap, state)
			if got := snap.Stats().Files; got != len(state) {
				t.Errorf("%s: %d files counted, want %d", s.name, got, len(state))
			}
			for p := range state {
				if _, _, ok := snap.Find(p); !ok {
					t.Errorf("%s: %s is not found", s.name, p)
				}
			}
			if tree, err := snap.Tree(); err != nil || len(tree.Leaves) != len(state) {
				t.Errorf("%s: tree %v, %v", s.name, tree, err)
			}
			wantWhole(t, reader)
		}
		if got := len(parts(t, f, treeSuffix)); got != 1 {
			t.Errorf("%s: %d trees are kept", s.name, got)
		}
	}
}

func TestNothingIsPublishedWithoutCommit(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "old\n"})
	b := begin(t, f, false)
	if err := b.Tombstone([]string{"a"}); err != nil {
		t.Fatal(err)
	}
	add(t, b, map[string]string{"a": "new\n"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Commit(ctx, Generation{Tree: treeOf(nil)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: error %v, want canceled", err)
	}
	if got := len(parts(t, f, ".lex")); got != 2 {
		t.Errorf("%d segments while the batch runs, want 2", got)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	wantContents(t, snapshot(t, f), state)
	if got := len(parts(t, f, ".lex")); got != 1 {
		t.Errorf("%d segments after the batch, want 1", got)
	}
	begin(t, f, false) // the lock was given back
}

// TestACommitThatCannotBeWritten makes the manifest's place unusable.
func TestACommitThatCannotBeWritten(t *testing.T) {
	f := family(t, t.TempDir())
	b := begin(t, f, false)
	add(t, b, map[string]string{"a": "text\n"})
	obstacle := filepath.Join(f.dir.Path(), manifest.Name(MainView), "x")
	if err := os.MkdirAll(obstacle, 0o700); err != nil {
		t.Fatal(err)
	}
	g := Generation{Tree: treeOf(map[string]string{"a": "text\n"})}
	if n, err := b.Commit(context.Background(), g); n != 0 || err == nil || !strings.Contains(err.Error(), manifest.Name(MainView)) {
		t.Errorf("Commit: %d, error %v, want one that names the manifest", n, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := b.Commit(gone, g); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("Commit after its end: %d, %v", n, err)
	}
	if err := os.RemoveAll(filepath.Dir(obstacle)); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Commit(context.Background(), g); err != nil || n != 1 {
		t.Errorf("second Commit = %d, %v", n, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	wantContents(t, snapshot(t, f), map[string]string{"a": "text\n"})
}

// TestTombstoneAfterAdd holds that tombstones are for what the batch began with:
// a file that it added already stays.
func TestTombstoneAfterAdd(t *testing.T) {
	f := family(t, t.TempDir())
	commit(t, f, map[string]string{}, map[string]string{"a": "old\n", "b": "old\n"})
	b := begin(t, f, false)
	add(t, b, map[string]string{"a": "new\n"})
	if err := b.Tombstone([]string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "new\n"}
	if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(want)}); err != nil {
		t.Fatal(err)
	}
	wantContents(t, snapshot(t, f), want)
}

func TestSame(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "alpha one", "b": "beta two"})
	first := snapshot(t, f)
	clone := first.Clone()
	defer clone.Close()
	want := func(name string, s *Snapshot, same bool) {
		t.Run(name, func(t *testing.T) {
			if first.Same(s) != same || s.Same(first) != same {
				t.Errorf("Same = %v, want %v", !same, same)
			}
		})
	}
	want("a clone", clone, true)
	want("opened again", snapshot(t, f), true)
	parse(t, f, MainView, map[string]string{"a": "alpha one"})
	want("with syntax", snapshot(t, f), false)
	first = snapshot(t, f)
	commit(t, f, state, nil, "b")
	want("with a file less", snapshot(t, f), false)
}

func TestClones(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "old\n"})
	want := maps.Clone(state)
	s := snapshot(t, f)
	c := s.Clone()
	commit(t, f, state, map[string]string{"a": "new\n"})
	if len(parts(t, f, ".lex")) != 1 {
		t.Errorf("segments on disk: %q", parts(t, f, ".lex"))
	}
	for range 2 { // the second does nothing
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantContents(t, c, want)
	again := c.Clone()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	wantContents(t, again, want)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPartsAreShared holds that a part is mapped once for all that have it open,
// and no longer.
func TestPartsAreShared(t *testing.T) {
	f := family(t, t.TempDir())
	commit(t, f, map[string]string{}, map[string]string{"a": "old\n"})
	first, second := snapshot(t, f), snapshot(t, f)
	if first.Segments[0].Reader != second.Segments[0].Reader {
		t.Error("a part is mapped twice")
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Fatal(err)
	}
	if first.Segments[0].Reader == snapshot(t, f).Segments[0].Reader {
		t.Error("a part stays mapped that nobody has open")
	}
}

// TestReadersWhileAWriterCommits holds that every snapshot shows one generation.
func TestReadersWhileAWriterCommits(t *testing.T) {
	path := t.TempDir()
	f := family(t, path)
	state := map[string]string{}
	round := func(n int) map[string]string {
		set := map[string]string{}
		for i := range 5 {
			set[fmt.Sprint("f", i)] = fmt.Sprintf("round %d\n", n)
		}
		return set
	}
	commit(t, f, state, round(0))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 4 {
		reader := f
		if i%2 == 1 {
			reader = family(t, path) // as another process
		}
		wg.Go(func() {
			for last := uint64(0); ; {
				select {
				case <-stop:
					return
				default:
				}
				s, err := reader.Snapshot(MainView)
				if err != nil {
					t.Error(err)
					return
				}
				texts := map[string]bool{}
				for _, text := range contents(t, s) {
					texts[text] = true
				}
				if len(texts) != 1 || s.Stats().Files != 5 || len(s.Damaged) > 0 || s.Freshness.Generation < last {
					t.Errorf("generation %d after %d: %d files, texts %v, damaged %v", s.Freshness.Generation, last, s.Stats().Files, texts, s.Damaged)
				}
				last = s.Freshness.Generation
				s.Close()
			}
		})
	}
	for n := range 40 {
		commit(t, f, state, round(n+1))
	}
	close(stop)
	wg.Wait()
	wantWhole(t, f)
}

func TestPartialGenerations(t *testing.T) {
	f := family(t, t.TempDir())
	b := begin(t, f, false)
	add(t, b, map[string]string{"a": "text\n"})
	if !b.First() {
		t.Error("First = false in the first batch")
	}
	done := map[string]string{"a": "text\n"}
	if _, err := b.Commit(context.Background(), Generation{Tree: treeOf(done), Indexed: 1, Total: 2}); err != nil {
		t.Fatal(err)
	}
	if s := snapshot(t, f); !s.Freshness.Partial || s.Freshness.IndexedFiles != 1 || s.Freshness.TotalFiles != 2 || len(contents(t, s)) != 1 {
		t.Errorf("freshness %+v", s.Freshness)
	}
	b.Close() // as if it had been killed here
	b = begin(t, f, false)
	if !b.First() || b.Base() == nil || len(contents(t, b.Base())) != 1 {
		t.Error("the next batch does not go on from what was done")
	}
	add(t, b, map[string]string{"b": "more\n"})
	done["b"] = "more\n"
	if g, err := b.Commit(context.Background(), Generation{Tree: treeOf(done)}); err != nil || g != 2 {
		t.Fatalf("Commit = %d, %v", g, err)
	}
	if s := snapshot(t, f); s.Freshness.Partial || b.First() {
		t.Errorf("freshness %+v, First %v after the whole generation", s.Freshness, b.First())
	}
}

// TestProgressOfAnIndexing holds that generations of an indexing are new ones,
// though they may show the same files.
func TestProgressOfAnIndexing(t *testing.T) {
	f := family(t, t.TempDir())
	b := begin(t, f, false)
	for i, g := range []Generation{{Indexed: 1, Total: 9}, {Indexed: 2, Total: 9}, {Indexed: 2, Total: 9}, {Indexed: 2, Total: 8}} {
		g.Tree = treeOf(nil)
		want := []uint64{1, 2, 2, 3}[i]
		if got, err := b.Commit(t.Context(), g); err != nil || got != want {
			t.Errorf("%d of %d files: generation %d, %v, want %d", g.Indexed, g.Total, got, err, want)
		}
	}
}

// TestTreeThatListsOtherFiles commits trees that do not agree with the segments.
func TestTreeThatListsOtherFiles(t *testing.T) {
	for name, tree := range map[string]map[string]string{
		"one less":     {"a": "one\n"},
		"one more":     {"a": "one\n", "b": "two\n", "c": "three\n"},
		"another":      {"a": "one\n", "c": "two\n"},
		"another text": {"a": "one\n", "b": "three\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := family(t, t.TempDir())
			b := begin(t, f, false)
			add(t, b, map[string]string{"a": "one\n", "b": "two\n"})
			if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(tree)}); err != nil {
				t.Fatal(err)
			}
			if v, err := f.Verify(t.Context(), MainView, nil); err != nil || len(v.Problems) != 1 || !errors.Is(v.Problems[0].Err, ErrDamaged) {
				t.Errorf("Verify = %+v, %v; want one problem", v, err)
			}
		})
	}
}

// TestNoteUse holds that a view is marked as used once an hour at most, since
// each mark makes others read its manifest again.
func TestNoteUse(t *testing.T) {
	f := family(t, t.TempDir())
	commit(t, f, map[string]string{}, map[string]string{"a": "one\n"})
	stamp := f.Stamp(MainView)
	if f.NoteUse(MainView); f.Stamp(MainView) != stamp {
		t.Error("a view that was committed just now is marked")
	}
	long := time.Now().Add(-2 * usedEvery)
	if err := os.Chtimes(filepath.Join(f.dir.Path(), manifest.Name(MainView)), long, long); err != nil {
		t.Fatal(err)
	}
	if f.NoteUse(MainView); time.Since(f.Used(MainView)) > usedEvery {
		t.Errorf("a view is not marked: used %v", f.Used(MainView))
	}
}

func TestFormats(t *testing.T) {
	set := func(f *Family, change func(m string) string) {
		t.Helper()
		m, err := f.dir.Record(manifest.Name(MainView))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.dir.Replace(manifest.Name(MainView), []byte(change(string(m)))); err != nil {
			t.Fatal(err)
		}
	}
	number := func(name string, from, to int) func(string) string {
		return func(m string) string {
			return strings.Replace(m, fmt.Sprintf(`%q:%d`, name, from), fmt.Sprintf(`%q:%d`, name, to), 1)
		}
	}
	tests := []struct {
		name            string
		change          func(string) string
		newer, damaged  bool
		anew, refusable bool
	}{
		{name: "newer format", change: number("format", manifest.Format, manifest.Format+1), newer: true, refusable: true},
		{name: "newer analysis", change: number("analysis", manifest.Analysis, manifest.Analysis+1), newer: true, refusable: true},
		{name: "older analysis", change: number("analysis", manifest.Analysis, manifest.Analysis-1), anew: true},
		{name: "no format", change: number("format", manifest.Format, 0), damaged: true, anew: true},
		{name: "no JSON", change: func(string) string { return "hello" }, damaged: true, anew: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := family(t, t.TempDir())
			commit(t, f, map[string]string{}, map[string]string{"a": "text\n"})
			set(f, tt.change)
			_, err := f.Snapshot(MainView)
			var format *FormatError
			if errors.As(err, &format) == tt.damaged || errors.Is(err, ErrDamaged) != tt.damaged || Rebuildable(err) == tt.refusable {
				t.Errorf("Snapshot: error %v", err)
			}
			if format != nil && format.Newer() != tt.newer {
				t.Errorf("Newer = %v for %v", format.Newer(), err)
			}
			unlock, err := f.TryLock()
			if err != nil {
				t.Fatal(err)
			}
			b, err := f.Begin(MainView, unlock, false)
			if (err != nil) != tt.refusable {
				t.Fatalf("Begin: error %v", err)
			}
			if tt.refusable {
				if got := len(parts(t, f, ".lex")); got != 1 {
					t.Errorf("%d segments after a refusal, want 1", got)
				}
				return
			}
			if (b.Anew() != nil) != tt.anew || b.Base() != nil {
				t.Errorf("Anew = %v, Base = %v", b.Anew(), b.Base())
			}
			b.Close()
		})
	}
}

// TestManifestOfANewerProgram has another end than ours.
func TestManifestOfANewerProgram(t *testing.T) {
	f := family(t, t.TempDir())
	commit(t, f, map[string]string{}, map[string]string{"a": "text\n"})
	path := filepath.Join(f.dir.Path(), manifest.Name(MainView))
	for _, tt := range []struct {
		name, text string
		newer      bool
	}{
		{"another end", fmt.Sprintf(`{"format":%d,"analysis":1}`, manifest.Format+1), true},
		{"our end, damaged", fmt.Sprintf(`{"format":%d,"analysis":1}`+"\nxxh3:0123456789abcdef\n", manifest.Format+1), false},
		{"our format without an end", fmt.Sprintf(`{"format":%d,"analysis":1}`, manifest.Format), false},
		{"nothing", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := f.Snapshot(MainView)
			var format *FormatError
			if got := errors.As(err, &format) && format.Newer(); got != tt.newer || errors.Is(err, ErrDamaged) == tt.newer {
				t.Errorf("error %v, newer %v, want %v", err, got, tt.newer)
			}
		})
	}
}

func TestQuarantine(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one\n"})
	commit(t, f, state, map[string]string{"b": "two\n"})
	s := snapshot(t, f)
	bad := filepath.Base(s.Segments[0].Name())
	cause := errors.New("found damaged")
	f.Quarantine(bad, cause)
	if !f.Holds(s.Segments[0].Name()) || f.Holds("overlay segment 0") {
		t.Error("Holds is wrong")
	}
	for _, reader := range []*Family{f, family(t, f.dir.Path())} {
		left := snapshot(t, reader)
		if len(left.Damaged) != 1 || left.Damaged[0].Part != bad || len(contents(t, left)) != 1 {
			t.Errorf("damaged %v, files %v; want %s and one file", left.Damaged, contents(t, left), bad)
		}
	}
	wantContents(t, s, state) // those that had it open keep it
	left := snapshot(t, f)
	o, err := left.Overlay(Delta{Tree: treeOf(state)})
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Damaged) != 0 || len(o.Replaced) != 1 || o.Replaced[0].Part != bad {
		t.Errorf("an overlay is damaged in %v and replaces %v, want it to replace %s", o.Damaged, o.Replaced, bad)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if got := parts(t, f, part.BadSuffix); len(got) != 1 {
		t.Errorf("set aside: %q", got)
	}
	commit(t, f, state, map[string]string{"a": "one\n"}) // the very bytes that were damaged
	wantContents(t, snapshot(t, f), state)
	wantWhole(t, f)
	if got := parts(t, f, part.BadSuffix); len(got) != 0 {
		t.Errorf("still set aside: %q", got)
	}
}

func TestFollows(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one\n"})
	s := snapshot(t, f)
	follows := func() bool { b := begin(t, f, false); defer b.Close(); return b.Follows(s) }
	if !follows() {
		t.Error("a batch does not follow the newest snapshot")
	}
	f.Quarantine(filepath.Base(s.Segments[0].Name()), errors.New("damaged"))
	if follows() {
		t.Error("a batch that lost a part follows a snapshot that has it")
	}
	s = snapshot(t, f)
	if !follows() {
		t.Error("a batch does not follow a snapshot with the same damage")
	}
	commit(t, f, state, map[string]string{"a": "two\n"})
	if follows() {
		t.Error("a batch follows an old snapshot")
	}
}

func TestTreeThatIsDamaged(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one\n", "b": "two\n"}, "x")
	commit(t, f, state, nil, "b")
	for _, damage := range []func(string) error{func(p string) error { return os.Truncate(p, 20) }, os.Remove} {
		if err := damage(filepath.Join(f.dir.Path(), parts(t, f, treeSuffix)[0])); err != nil {
			t.Fatal(err)
		}
		tree, err := snapshot(t, f).Tree()
		if !errors.Is(err, ErrDamaged) || len(tree.Leaves) != 1 || tree.Leaves[0].Path != "a" || tree.Leaves[0].Hash != hash("one\n") {
			t.Errorf("Tree = %+v, %v; want the live file and ErrDamaged", tree, err)
		}
		if v, err := f.Verify(context.Background(), MainView, nil); err != nil || len(v.Problems) != 1 {
			t.Errorf("Verify = %+v, %v; want one problem", v, err)
		}
	}
}

func TestMissingPart(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one\n"})
	if err := f.dir.Remove(parts(t, f, ".lex")[0]); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, family(t, f.dir.Path()))
	if len(s.Damaged) != 1 || !errors.Is(s.Damaged[0].Err, fs.ErrNotExist) {
		t.Errorf("damaged: %v", s.Damaged)
	}
}

func TestOverlay(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	commit(t, f, state, map[string]string{"a": "one\n", "b": "two\n"})
	s := snapshot(t, f)
	builder := segment.NewBuilder()
	if err := builder.Add(file("b", "changed\n")); err != nil {
		t.Fatal(err)
	}
	var data strings.Builder
	if _, err := builder.WriteTo(&data); err != nil {
		t.Fatal(err)
	}
	d := Delta{Dead: []string{"a", "b", "never"}, Segments: [][]byte{[]byte(data.String())}, Tree: treeOf(map[string]string{"b": "changed\n"})}
	o, err := s.Overlay(d)
	if err != nil {
		t.Fatal(err)
	}
	wantContents(t, o, map[string]string{"b": "changed\n"})
	wantContents(t, s, state)
	if tree, err := o.Tree(); err != nil || len(tree.Leaves) != 1 {
		t.Errorf("tree of the overlay: %v, %v", tree, err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	d.Segments = [][]byte{[]byte("not a segment")}
	if _, err := s.Overlay(d); err == nil {
		t.Error("an overlay of garbage was made")
	}
	wantContents(t, s, state)
}

// TestCompaction commits one file at a time: the segments stay few, and the
// files the same.
func TestCompaction(t *testing.T) {
	f := family(t, t.TempDir())
	state := map[string]string{}
	for i := range 70 {
		commit(t, f, state, map[string]string{fmt.Sprintf("f%02d", i%50): fmt.Sprintf("text %d\n", i)})
		if got := len(parts(t, f, ".lex")); got >= 2*tierSegments {
			t.Fatalf("%d segments after %d commits", got, i+1)
		}
	}
	wantContents(t, snapshot(t, f), state)
	wantWhole(t, f)
}

// TestFirst tells when generations may be published on the way: never in the
// place of a whole one.
func TestFirst(t *testing.T) {
	f := family(t, t.TempDir())
	want := func(step string, fresh, first bool) {
		t.Helper()
		b := begin(t, f, fresh)
		defer b.Close()
		if got := b.First(); got != first {
			t.Errorf("%s: First = %v, want %v", step, got, first)
		}
	}
	want("no generation", false, true)
	want("no generation, fresh", true, true)
	commit(t, f, map[string]string{}, map[string]string{"a": "1\n"})
	want("a whole one", false, false)
	want("a whole one, fresh", true, false)
}

func TestPick(t *testing.T) {
	dir := t.TempDir()
	f := family(t, dir)
	b := begin(t, f, false)
	line := strings.Repeat("word ", 200) + "\n"
	make := func(n, kb int) (segments []Segment) {
		for range n {
			add(t, b, map[string]string{"a": strings.Repeat(line, kb), "b": fmt.Sprintln(len(b.members))})
			segments = append(segments, b.members[len(b.members)-1].Segment)
		}
		return segments
	}
	small, medium, large := make(tierSegments, 1), make(2, 100), make(tierSegments, 3000)
	half := large[tierSegments-1]
	half.tombstone([]string{"a"})
	add(t, b, numbered(10, line))
	ten := b.members[len(b.members)-1].Segment
	dead := func(n int) []Segment { // of ten files of one size
		s := ten
		s.tombstone(slices.Collect(maps.Keys(numbered(n, ""))))
		return []Segment{s}
	}
	tests := []struct {
		name     string
		segments []Segment
		limit    int64
		want     int
	}{
		{"none", nil, maxMergedText, 0},
		{"too few", small[:tierSegments-1], maxMergedText, 0},
		{"a full tier", small, maxMergedText, tierSegments},
		{"unlike sizes of the lowest tier", slices.Concat(small[:tierSegments-2], medium), maxMergedText, tierSegments},
		{"two tiers that are not full", slices.Concat(small[:tierSegments-1], large[:tierSegments-1]), maxMergedText, 0},
		{"the lower tier first", slices.Concat(large, small), maxMergedText, tierSegments},
		{"too large for the limit", large, 10 << 20, 0},
		{"mostly dead", []Segment{half}, maxMergedText, 1},
		{"mostly dead among few", slices.Concat(small[:3], []Segment{half}), maxMergedText, 1},
		{"six of ten files dead", dead(6), maxMergedText, 1},
		{"half of ten files dead", dead(5), maxMergedText, 0},
		{"four of ten files dead", dead(4), maxMergedText, 0},
		{"mostly dead, and more than the limit", dead(6), 1 << 10, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []Segment
			if err := segment.Guard(func() error { got = pick(tt.segments, tt.limit); return nil }); err != nil {
				t.Fatal(err)
			}
			if len(got) != tt.want {
				t.Errorf("picked %d segments, want %d", len(got), tt.want)
			}
			if tt.name == "the lower tier first" && slices.ContainsFunc(got, func(s Segment) bool { return s.Size() > 100_000 }) {
				t.Error("picked the larger ones")
			}
		})
	}
}

func TestReserve(t *testing.T) {
	f := family(t, t.TempDir())
	for _, source := range []int64{0, math.MaxInt64} {
		t.Run(fmt.Sprintf("%d bytes", source), func(t *testing.T) { // never more than enoughFree
			if err := f.Reserve(source); err != nil {
				t.Errorf("Reserve(%d): %v", source, err)
			}
		})
	}
	if err := f.Reserve(100); err != nil {
		t.Errorf("Reserve(100): %v", err)
	}
}

func TestTwoWriters(t *testing.T) {
	path := t.TempDir()
	one, two := family(t, path), family(t, path)
	b := begin(t, one, false)
	if _, err := two.TryLock(); !errors.Is(err, local.ErrLocked) {
		t.Errorf("TryLock of a second writer: error %v, want ErrLocked", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	unlock, err := two.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestTreeOutlivesItsGeneration asks a snapshot for what its generation saw
// when the next one has replaced it.
func TestTreeOutlivesItsGeneration(t *testing.T) {
	dir := t.TempDir()
	reader, writer := family(t, dir), family(t, dir)
	state := map[string]string{}
	commit(t, writer, state, map[string]string{"a.go": "package a\n"})
	s, err := reader.Snapshot(MainView)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	clone := s.Clone()
	name, want := s.manifest.Tree, treeOf(state)
	commit(t, writer, state, map[string]string{"b.go": "package b\n"})
	if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the tree of the first generation is still there (%v): this test tests nothing", err)
	}
	if err := clone.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := s.Tree()
	if err != nil || !cmp.Equal(got.Leaves, want.Leaves) {
		t.Errorf("Tree = %+v, %v; want %+v", got, err, want)
	}
}
