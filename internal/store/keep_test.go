package store

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/segment"
	"espy/internal/store/manifest"
)

// checkout makes a view show files as what a branch has, reviving what is
// known. It returns how many files were not.
func checkout(t *testing.T, f *Family, view, branch string, files map[string]string) (analysed int) {
	t.Helper()
	unlock, err := f.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Begin(view, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	old := map[string]string{}
	if b.Base() != nil {
		old = contents(t, b.Base())
	}
	var dead, changed []string
	for path, text := range old {
		if files[path] != text {
			dead = append(dead, path)
		}
	}
	for path, text := range files {
		if old[path] != text {
			changed = append(changed, path)
		}
	}
	slices.Sort(dead)
	known := b.Known(func(view string) bool { return !strings.HasPrefix(view, "foreign.") }, slices.Values(changed))
	defer known.Close()
	var reused []Reused
	fresh := map[string]string{}
	err = segment.Guard(func() error {
		for _, path := range changed {
			text := files[path]
			r, ok, err := known.Find(path, hash(text), int64(len(text)))
			if err != nil {
				return err
			}
			if ok {
				reused = append(reused, r)
			} else {
				fresh[path] = text
			}
		}
		return nil
	})
	if err := errors.Join(err, b.Tombstone(dead), b.Reuse(reused)); err != nil {
		t.Fatal(err)
	}
	if len(fresh) > 0 {
		add(t, b, fresh)
	}
	_, err = b.Commit(t.Context(), Generation{Tree: treeOf(files), Commit: "commit of " + branch, Branch: branch, Written: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return len(fresh)
}

func wantView(t *testing.T, f *Family, view string, files map[string]string) {
	t.Helper()
	s, err := f.Snapshot(view)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	wantContents(t, s, files)
	if v, err := f.Verify(t.Context(), view, nil); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify of %s: %+v, %v", view, v, err)
	}
}

// numbered returns n files whose text tells a version.
func numbered(n int, version string) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%02d", i)] = version + fmt.Sprint(i) + "\n"
	}
	return files
}

// TestBranchesComeBack goes from branch to branch: what was seen before is not
// analysed again, whether all of the files differ or few.
func TestBranchesComeBack(t *testing.T) {
	for _, differ := range []int{1, 5, 15, 20} {
		t.Run(fmt.Sprint(differ, " of 20 differ"), func(t *testing.T) {
			f := family(t, t.TempDir())
			main := numbered(20, "main ")
			topic := maps.Clone(main)
			maps.Copy(topic, numbered(differ, "topic "))
			delete(topic, "f00")
			for _, step := range []struct {
				branch   string
				files    map[string]string
				analysed int
			}{
				{"main", main, 20}, {"topic", topic, differ - 1}, {"main", main, 0}, {"topic", topic, 0}, {"main", main, 0},
			} {
				if n := checkout(t, f, MainView, step.branch, step.files); n != step.analysed {
					t.Errorf("%s: %d files were analysed, want %d", step.branch, n, step.analysed)
				}
				wantView(t, f, MainView, step.files)
				f = family(t, f.dir.Path()) // as another process
			}
		})
	}
}

// TestAWorktreeTakesOver shows files in a second view, and removes the first.
func TestAWorktreeTakesOver(t *testing.T) {
	f := family(t, t.TempDir())
	files := numbered(20, "main ")
	checkout(t, f, MainView, "main", files)
	other := maps.Clone(files)
	other["f03"], other["new"] = "of the work tree\n", "new\n"
	if n := checkout(t, f, "tree.x", "fix", other); n != 2 {
		t.Errorf("%d files were analysed, want 2", n)
	}
	if n := checkout(t, f, "foreign.x", "fix", map[string]string{"windows": "1\n"}); n != 1 {
		t.Errorf("%d files were analysed, want 1", n)
	}
	if n := checkout(t, f, MainView, "main", map[string]string{"windows": "1\n"}); n != 1 {
		t.Errorf("%d files were analysed, want one: the other view is none to take from", n)
	}
	err := f.Drop(t.Context(), func(view string) bool { tree, ok := TreeOf(view); return ok && tree == MainView })
	if err != nil {
		t.Fatal(err)
	}
	wantView(t, f, "tree.x", other)
	wantView(t, f, "foreign.x", map[string]string{"windows": "1\n"})
	if views, err := f.Views(); err != nil || len(views) != 2 {
		t.Errorf("views %q, %v", views, err)
	}
}

// TestAFewOfManyAreNotTaken leaves a large part of another view alone when less
// than a quarter of it would be of use.
func TestAFewOfManyAreNotTaken(t *testing.T) {
	for _, tt := range []struct {
		name            string
		files, analysed int
	}{
		{"one of twenty", 1, 1},
		{"four of twenty", 4, 4},
		{"six of twenty", 6, 0},
		{"all", 20, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := family(t, t.TempDir())
			checkout(t, f, MainView, "main", numbered(20, strings.Repeat("main ", 100)))
			if n := checkout(t, f, "tree.x", "fix", numbered(tt.files, strings.Repeat("main ", 100))); n != tt.analysed {
				t.Errorf("%d files were analysed, want %d", n, tt.analysed)
			}
		})
	}
}

// TestWholeAgain holds that a segment whose files are all live again is named as
// it was when it was written, without a bitmap.
func TestWholeAgain(t *testing.T) {
	f := family(t, t.TempDir())
	for _, branch := range []string{"main", "topic", "main"} {
		checkout(t, f, MainView, branch, numbered(10, branch+" "))
	}
	for _, l := range snapshot(t, f).Segments {
		if l.Live.Live != nil {
			t.Errorf("segment %s has a bitmap of %d files, all of which are live", l.Name(), l.Count())
		}
	}
}

// TestReusedInAnOverlay shows known files over a snapshot, commits them, and
// does not where their part is gone.
func TestReusedInAnOverlay(t *testing.T) {
	f := family(t, t.TempDir())
	main, topic := numbered(10, "main "), numbered(10, "topic ")
	checkout(t, f, MainView, "main", main)
	checkout(t, f, MainView, "topic", topic)
	s := snapshot(t, f)
	dead := slices.Sorted(maps.Keys(topic))
	d := Delta{Dead: dead, Tree: treeOf(main), Known: s.Known(func(string) bool { return true }, slices.Values(dead))}
	err := segment.Guard(func() error {
		for path, text := range main {
			r, ok, err := d.Known.Find(path, hash(text), int64(len(text)))
			if err != nil || !ok {
				t.Fatalf("Find(%s) = %v, %v", path, ok, err)
			}
			d.Reused = append(d.Reused, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Overlay(d)
	if err != nil {
		t.Fatal(err)
	}
	wantContents(t, o, main)
	wantContents(t, s, topic)

	if err := f.Drop(t.Context(), func(view string) bool { return strings.HasPrefix(view, keptPrefix) }); err != nil {
		t.Fatal(err)
	}
	wantContents(t, o, main) // its parts are held
	b := begin(t, f, false)
	if err := b.Reuse(d.Reused); !errors.Is(err, ErrGone) {
		t.Errorf("Reuse of parts that were removed: %v, want ErrGone", err)
	}
	if err := errors.Join(b.Close(), o.Close(), d.Close()); err != nil {
		t.Fatal(err)
	}
	wantView(t, f, MainView, topic)
}

// TestUnfinishedIsNotKept leaves no generation of an unfinished indexing behind.
func TestUnfinishedIsNotKept(t *testing.T) {
	for name, total := range map[string]int{"finished": 0, "unfinished": 9} {
		t.Run(name, func(t *testing.T) {
			f := family(t, t.TempDir())
			b := begin(t, f, false)
			add(t, b, map[string]string{"a": "one\n"})
			if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(map[string]string{"a": "one\n"}), Commit: "c1", Branch: "main", Total: total}); err != nil {
				t.Fatal(err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			checkout(t, f, MainView, "topic", map[string]string{"a": "two\n"})
			d, err := f.Disk()
			if want := map[bool]int{true: 1, false: 0}[total == 0]; err != nil || d.Kept != want {
				t.Errorf("%d generations are kept, %v; want %d", d.Kept, err, want)
			}
		})
	}
}

// TestWhatIsKept is bounded by number, age and bytes, and told.
func TestWhatIsKept(t *testing.T) {
	f := family(t, t.TempDir())
	for i := range 2 * keptViews {
		checkout(t, f, MainView, fmt.Sprint("branch", i), numbered(3, fmt.Sprintf("v%02d ", i)))
	}
	kept := func() (n int) {
		t.Helper()
		d, err := f.Disk()
		if err != nil {
			t.Fatal(err)
		}
		if (d.Kept == 0) != (d.KeptBytes == 0) || d.Bytes == 0 {
			t.Errorf("Disk = %+v", d)
		}
		return d.Kept
	}
	if n := kept(); n != keptViews {
		t.Errorf("%d generations are kept, want %d", n, keptViews)
	}
	if n := checkout(t, f, MainView, "early", numbered(3, "v00 ")); n != 3 {
		t.Errorf("%d files of a branch that is not kept were analysed, want 3", n)
	}
	if n := checkout(t, f, MainView, "late", numbered(3, fmt.Sprintf("v%02d ", 2*keptViews-1))); n != 0 {
		t.Errorf("%d files of a branch that is kept were analysed", n)
	}
	views, err := f.Views()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		if strings.HasPrefix(v, keptPrefix) {
			if err := os.WriteFile(filepath.Join(f.dir.Path(), manifest.Name(v)), []byte("damaged"), 0o600); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	checkout(t, f, MainView, "late", map[string]string{"x": "x\n"}) // the branch stays: nothing is kept
	if n := kept(); n != keptViews-1 {
		t.Errorf("%d generations are kept once one is damaged, want %d", n, keptViews-1)
	}
}

// TestKeptOnce holds that a batch keeps the generation that it began with when it
// first commits, and not again.
func TestKeptOnce(t *testing.T) {
	f := family(t, t.TempDir())
	checkout(t, f, MainView, "main", map[string]string{"a": "main\n"})
	b := begin(t, f, false)
	if err := b.Tombstone([]string{"a"}); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	var kept []string
	for _, path := range []string{"b", "c"} {
		files[path] = path + "\n"
		add(t, b, map[string]string{path: files[path]})
		if _, err := b.Commit(t.Context(), Generation{Tree: treeOf(files), Commit: "commit of topic", Branch: "topic"}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(f.dir.Path(), manifest.Name(b.keptView(b.base.manifest))))
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, string(text))
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if kept[0] != kept[1] {
		t.Errorf("it was kept as %s\nand again as %s", kept[0], kept[1])
	}
	wantView(t, f, MainView, files)
}

// TestDamageEndsKeeping damages a part that only a kept generation needs.
func TestDamageEndsKeeping(t *testing.T) {
	f := family(t, t.TempDir())
	checkout(t, f, MainView, "main", numbered(3, "main "))
	old := parts(t, f, ".lex")[0]
	checkout(t, f, MainView, "topic", numbered(3, "topic "))
	if err := os.Truncate(filepath.Join(f.dir.Path(), old), 100); err != nil {
		t.Fatal(err)
	}
	f = family(t, f.dir.Path())
	if n := checkout(t, f, MainView, "main", numbered(3, "main ")); n != 3 {
		t.Errorf("%d files were analysed, want 3: their part is damaged", n)
	}
	for _, view := range []string{MainView, "tree.x"} {
		checkout(t, f, view, "other", map[string]string{"x": "x\n"})
	}
	wantView(t, f, MainView, map[string]string{"x": "x\n"})
	views, err := f.Views()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		if ver, err := f.Verify(t.Context(), v, nil); err != nil || len(ver.Problems) > 0 {
			t.Errorf("Verify of %s: %+v, %v", v, ver, err)
		}
	}
}

func TestKeepFirst(t *testing.T) {
	now := time.Now()
	part := func(name string, size int64) manifest.Segment { return manifest.Segment{Part: name, Size: size} }
	view := func(age time.Duration, refs ...manifest.Segment) keptView {
		at := now.Add(-age)
		return keptView{manifest: &manifest.Manifest{Kept: &at, Segments: refs}}
	}
	used := []*manifest.Manifest{{Segments: []manifest.Segment{part("a", keptBytes)}}, {Segments: []manifest.Segment{part("a", keptBytes), part("b", keptBytes)}}}
	many := make([]keptView, 2*keptViews)
	for i := range many {
		many[i] = view(time.Hour, part("a", keptBytes))
	}
	for name, tt := range map[string]struct {
		kept []keptView
		want int
	}{
		"none":                    {nil, 0},
		"shared parts are free":   {many, keptViews},
		"old":                     {[]keptView{view(keptFor - time.Hour), view(keptFor + time.Hour)}, 1},
		"twice as many bytes":     {[]keptView{view(0, part("c", keptBytes)), view(0, part("d", keptBytes)), view(0, part("e", 1))}, 2},
		"one that is too large":   {[]keptView{view(0, part("c", 3*keptBytes))}, 0},
		"the same part once more": {[]keptView{view(0, part("c", 2*keptBytes)), view(0, part("c", 2*keptBytes))}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := keepFirst(used, tt.kept); got != tt.want {
				t.Errorf("%d stay, want %d", got, tt.want)
			}
		})
	}
}

func TestTreeOf(t *testing.T) {
	for view, want := range map[string]string{
		"main": "main", "tree.x": "tree.x", "kept.main.0123": "main", "kept.tree.x.0123": "tree.x",
		"kept.tree.a.b.0123": "tree.a.b", "session.main.1": "", "ref.main": "", "kept.": "", "kept.x": "", "": "",
	} {
		t.Run("view "+view, func(t *testing.T) {
			if got, ok := TreeOf(view); ok != (want != "") || ok && got != want {
				t.Errorf("TreeOf(%q) = %q, %v; want %q", view, got, ok, want)
			}
		})
	}
}

// TestOtherFormatsBesideIt collects parts beside a view of an older format, which
// is built anew before it shows anything, and none beside one of a newer format.
func TestOtherFormatsBesideIt(t *testing.T) {
	for format, want := range map[int]int{manifest.Format - 1: 1, manifest.Format: 1, manifest.Format + 1: 2} {
		t.Run(fmt.Sprint("format ", format), func(t *testing.T) {
			f := family(t, t.TempDir())
			state := map[string]string{}
			commit(t, f, state, map[string]string{"a": "one\n"})
			record := fmt.Sprintf(`{"format":%d,"analysis":%d,"segments":null}`, format, min(format, manifest.Analysis))
			if err := f.dir.Replace(manifest.Name("tree.x"), []byte(record)); err != nil {
				t.Fatal(err)
			}
			commit(t, f, state, map[string]string{"a": "two\n"})
			if got := len(parts(t, f, ".lex")); got != want {
				t.Errorf("%d segments stay, want %d", got, want)
			}
		})
	}
}
