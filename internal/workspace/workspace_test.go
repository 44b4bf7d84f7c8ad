package workspace

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
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/index"
	"espy/internal/progress"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
)

// open returns a workspace on a data folder, closed when the test ends.
// models are those of most workspaces of the tests.
var models = embedding.Models{Local: &embeddingtest.Words{}}

func open(t *testing.T, data string) *Workspace {
	t.Helper()
	w, err := Open(Options{DataDir: data, Models: models})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func attach(t *testing.T, w *Workspace, dir string) *Repo {
	t.Helper()
	r, err := w.Attach(context.Background(), dir, AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// texts returns the searchable text of every live file of a snapshot.
func texts(t *testing.T, s *store.Snapshot) map[string]string {
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

func fresh(t *testing.T, r *Repo) *store.Snapshot {
	t.Helper()
	s, err := r.Snapshot(context.Background(), Wait{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func wantTexts(t *testing.T, r *Repo, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, texts(t, fresh(t, r))); diff != "" {
		t.Errorf("files of the index (-want +got):\n%s", diff)
	}
}

func TestAQuestionSeesEveryChange(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n", "sub/b.py": "x = 1\n"}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, data), dir)
	wantTexts(t, r, want)

	steps := []struct {
		name string
		do   func()
	}{
		{"edit", func() { want["a.go"] = "package edited\n"; filetest.Write(t, dir, want) }},
		{"add", func() { want["new/c.txt"] = "text\n"; filetest.Write(t, dir, want) }},
		{"remove", func() { delete(want, "sub/b.py"); os.Remove(filepath.Join(dir, "sub/b.py")) }},
		{"rename", func() {
			want["z.go"] = want["a.go"]
			delete(want, "a.go")
			os.Rename(filepath.Join(dir, "a.go"), filepath.Join(dir, "z.go"))
		}},
		{"same size and time", func() {
			path := filepath.Join(dir, "z.go")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			want["z.go"] = strings.ToUpper(want["z.go"])
			filetest.Write(t, dir, want)
			os.Chtimes(path, info.ModTime(), info.ModTime())
		}},
		{"becomes ignored", func() {
			delete(want, "new/c.txt")
			want[".gitignore"] = "*.txt\n"
			filetest.Write(t, dir, want)
		}},
		{"becomes binary", func() {
			filetest.Write(t, dir, map[string]string{"z.go": "a\x00b"})
			delete(want, "z.go")
		}},
		{"becomes text again", func() { want["z.go"] = "package z\n"; filetest.Write(t, dir, want) }},
		{"file becomes folder", func() {
			os.Remove(filepath.Join(dir, "z.go"))
			delete(want, "z.go")
			want["z.go/inner.go"] = "package inner\n"
			filetest.Write(t, dir, want)
		}},
	}
	for _, s := range steps {
		s.do()
		t.Run(s.name, func(t *testing.T) {
			wantTexts(t, r, want)
			wantTexts(t, attach(t, open(t, data), dir), want) // a second process
		})
	}
}

func TestChangesAreCommittedBehindTheQuestion(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	w := open(t, data)
	r := attach(t, w, dir)
	first := fresh(t, r).Freshness.Generation
	filetest.Write(t, dir, map[string]string{"b.go": "package b\n"})
	fresh(t, r)
	if err := w.Close(); err != nil { // waits for the commit
		t.Fatal(err)
	}
	r = attach(t, open(t, data), dir)
	s, err := r.newest()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Freshness.Generation != first+1 || len(texts(t, s)) != 2 {
		t.Errorf("generation %d with %d files, want %d with 2", s.Freshness.Generation, len(texts(t, s)), first+1)
	}
}

func TestAReaderIsFreshWithoutTheLock(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, data), dir)
	wantTexts(t, r, want)
	unlock, err := r.view.Family.Lock(context.Background()) // as another process would
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	want["b.go"] = "package b\n"
	filetest.Write(t, dir, want)
	wantTexts(t, r, want)
}

func TestAnOpenSnapshotOutlivesItsGeneration(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, data), dir)
	old := fresh(t, r)
	filetest.Write(t, dir, map[string]string{"a.go": "package other\n"})
	if _, err := r.Index(context.Background(), IndexOptions{Force: true}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, texts(t, old)); diff != "" {
		t.Errorf("files of the old snapshot (-want +got):\n%s", diff)
	}
}

// TestHitsTellThatTheirFileChanged asks without time to look for changes.
func TestHitsTellThatTheirFileChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package needle\n", "b.go": "package needle\n", "c.go": "package needle\n"})
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package other // needle\n"})
	if err := os.Remove(filepath.Join(dir, "c.go")); err != nil {
		t.Fatal(err)
	}
	res, err := w.Search(context.Background(), []*Repo{r}, mustCompile(t, hit.Request{Mode: hit.ModeLiteral, Query: "needle"}), Wait{Fresh: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, h := range res.Hits {
		got[h.Path] = h.Stale
	}
	if want := map[string]bool{"a.go": true, "b.go": false, "c.go": true}; !cmp.Equal(got, want) || !res.Repos[0].Freshness.Unchecked {
		t.Errorf("stale %v, want %v; unchecked %v, want true", got, want, res.Repos[0].Freshness.Unchecked)
	}
}

func TestManyChangesArePendingOrAwaited(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	r := attach(t, open(t, data), dir)
	fresh(t, r)
	more := map[string]string{}
	for i := range 3 {
		more[fmt.Sprint(i, ".txt")] = strings.Repeat(fmt.Sprintln("line of text", i), 2*overlayBytes/(3*15))
	}
	filetest.Write(t, dir, more)
	s, err := r.Snapshot(context.Background(), Wait{Fresh: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Freshness.PendingFiles != 3 {
		t.Errorf("pending files = %d, want 3", s.Freshness.PendingFiles)
	}
	if got := len(texts(t, fresh(t, r))); got != 4 {
		t.Errorf("%d files after waiting, want 4", got)
	}
}

func TestDamageIsNamedAndHealed(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{}
	for i := range 40 {
		want[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package f%d\n\nfunc F%d() {}\n", i, i)
	}
	filetest.Write(t, dir, want)
	w := open(t, data)
	wantTexts(t, attach(t, w, dir), want)
	w.Close()

	parts, _ := filepath.Glob(filepath.Join(data, "repos", "*", "*.lex"))
	for _, damage := range []struct {
		name string
		do   func(path string)
	}{
		{"bit flipped", func(path string) { flip(t, path, 100) }},
		{"cut in half", func(path string) { truncate(t, path, 2) }},
		{"emptied", func(path string) { truncate(t, path, 1<<40) }},
		{"removed", func(path string) { os.Remove(path) }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			parts, _ = filepath.Glob(filepath.Join(data, "repos", "*", "*.lex"))
			damage.do(parts[0])
			w := open(t, data)
			defer w.Close()
			r := attach(t, w, dir)
			v, err := r.Verify(context.Background())
			if err != nil || len(v.Problems) == 0 {
				t.Errorf("Verify = %v, %v; want a problem", v, err)
			}
			wantTexts(t, r, want)
			if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			if v, err := r.Verify(context.Background()); err != nil || len(v.Problems) > 0 {
				t.Errorf("Verify after healing = %v, %v; want none", v, err)
			}
		})
	}
	for _, record := range []string{"view-main.json", "*.tree"} {
		t.Run(record, func(t *testing.T) {
			paths, _ := filepath.Glob(filepath.Join(data, "repos", "*", record))
			for _, p := range paths {
				truncate(t, p, 2)
			}
			wantTexts(t, attach(t, open(t, data), dir), want)
		})
	}
}

func flip(t *testing.T, path string, at int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[at] ^= 4
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, divisor int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/divisor); err != nil {
		t.Fatal(err)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	w := open(t, data)
	wantTexts(t, attach(t, w, dir), want)
	w.Close()
	manifests, _ := filepath.Glob(filepath.Join(data, "repos", "*", "view-main.json"))
	records, err := local.Open(filepath.Dir(manifests[0]))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := records.Record("view-main.json")
	if err != nil {
		t.Fatal(err)
	}
	set := func(format int) {
		b := strings.Replace(string(whole), `"format":1`, fmt.Sprintf(`"format":%d`, format), 1)
		if err := records.Replace("view-main.json", []byte(b)); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("newer is refused", func(t *testing.T) {
		set(manifest.Format + 1)
		r := attach(t, open(t, data), dir)
		_, err := r.Snapshot(context.Background(), Wait{})
		var format *store.FormatError
		if !errors.As(err, &format) || !format.Newer() {
			t.Fatalf("error %v, want a FormatError that is newer", err)
		}
		if _, err := r.Index(context.Background(), IndexOptions{}); !errors.As(err, &format) {
			t.Errorf("Index error %v, want a FormatError", err)
		}
		if b, _ := os.ReadFile(manifests[0]); !strings.Contains(string(b), fmt.Sprintf(`"format":%d`, manifest.Format+1)) {
			t.Error("the newer index was touched")
		}
	})
	t.Run("force replaces newer", func(t *testing.T) {
		r := attach(t, open(t, data), dir)
		if _, err := r.Index(context.Background(), IndexOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, r, want)
	})
}

func TestARootThatIsGone(t *testing.T) {
	t.Parallel()
	parent, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(parent, "tree")
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, data), dir)
	wantTexts(t, r, want)
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	s := fresh(t, r)
	if !s.Freshness.Unchecked {
		t.Error("the snapshot of a root that is gone says that it was checked")
	}
	if diff := cmp.Diff(want, texts(t, s)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if _, err := r.Index(context.Background(), IndexOptions{}); err == nil || !strings.Contains(err.Error(), "espy remove") {
		t.Errorf("Index error %v, want a hint", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	one, two, data := filepath.Join(t.TempDir(), "api"), filepath.Join(t.TempDir(), "api"), t.TempDir()
	filetest.Write(t, one, map[string]string{"sub/a": "1"})
	filetest.Write(t, two, map[string]string{"b": "2"})
	w := open(t, data)
	r1, r2 := attach(t, w, one), attach(t, w, two)
	if r1.Name() != "api" || r2.Name() != "api-2" {
		t.Errorf("names %q and %q, want api and api-2", r1.Name(), r2.Name())
	}
	for _, c := range []struct {
		ref  string
		want *Repo
	}{{"api", r1}, {"api-2", r2}, {string(r2.ID()), r2}, {filepath.Join(one, "sub"), r1}, {two, r2}} {
		t.Run(c.ref, func(t *testing.T) {
			if got, err := w.Find(context.Background(), c.ref); err != nil || got != c.want {
				t.Errorf("Find(%q) = %v, %v", c.ref, got, err)
			}
		})
	}
	_, err := w.Find(context.Background(), "apu")
	var missing *catalog.NotFoundError
	if !errors.As(err, &missing) || !slices.Contains(missing.Nearest, "api") {
		t.Errorf("Find(apu): error %v, want NotFoundError naming api", err)
	}
	if err := w.Remove(context.Background(), r1); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Find(context.Background(), "api"); err == nil {
		t.Error("a removed repository is still found")
	}
	if _, err := os.Stat(filepath.Join(one, "sub/a")); err != nil {
		t.Errorf("removing touched the files: %v", err)
	}
}

func TestProgressAndPartialGenerations(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{}
	for i := range 500 {
		want[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("package p\n\nvar V%d = %d\n", i, i)
	}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, data), dir)
	phases := map[string]bool{}
	rep, err := r.Index(context.Background(), IndexOptions{Progress: func(p progress.Report) { phases[p.Phase] = true }})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Files != 500 || rep.Generation == 0 || rep.Chunks < 500 {
		t.Errorf("report %+v", rep)
	}
	st, err := r.Status(context.Background())
	if err != nil || st.Files != 500 || st.Languages["go"] != 500 || st.Freshness.Partial {
		t.Errorf("status %+v, %v", st, err)
	}
}

func TestCancelledIndexLeavesTheOldGeneration(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	w := open(t, data)
	r := attach(t, w, dir)
	wantTexts(t, r, want)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Index(ctx, IndexOptions{Force: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("Index error %v, want canceled", err)
	}
	wantTexts(t, r, want)
	w.Close()
	if temps, _ := filepath.Glob(filepath.Join(data, "repos", "*", "tmp-*")); len(temps) > 0 {
		t.Errorf("temporary files left: %v", temps)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", ".env": "KEY=1\n", "b.bin": "\x00\x01"})
	os.Symlink("/etc/passwd", filepath.Join(dir, "link"))
	r := attach(t, open(t, t.TempDir()), dir)
	if c, err := r.Read(context.Background(), "a.go"); err != nil || string(c.Text) != "package a\n" {
		t.Errorf("Read(a.go) = %q, %v", c.Text, err)
	}
	for _, path := range []string{".env", "b.bin", "link", "../x", "/etc/passwd", "a.go/../../x", "missing", "", ".", "a\x00b"} {
		t.Run(fmt.Sprintf("%q", path), func(t *testing.T) {
			if c, err := r.Read(context.Background(), path); err == nil {
				t.Errorf("Read(%q) = %q, want an error", path, c.Text)
			}
		})
	}
}

// TestPublishingOnTheWayLosesNothing indexes enough text that generations are
// published while workers write segments.
func TestPublishingOnTheWayLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(5, 5))
	files := map[string]string{}
	for i := range 300 {
		var text strings.Builder
		for range 4000 {
			fmt.Fprintf(&text, "word%d name%d\n", rnd.IntN(100_000), rnd.IntN(1000))
		}
		files[fmt.Sprintf("f%03d.txt", i)] = text.String()
	}
	filetest.Write(t, dir, files)
	r := attach(t, open(t, t.TempDir()), dir)
	s, err := r.Snapshot(context.Background(), Wait{First: time.Millisecond})
	for errors.Is(err, store.ErrNoIndex) || err == nil && s.Freshness.Partial {
		if err == nil {
			if got := len(texts(t, s)); got != s.Freshness.IndexedFiles || len(s.Damaged) > 0 {
				t.Fatalf("generation %d shows %d files and says %d, damaged %v", s.Freshness.Generation, got, s.Freshness.IndexedFiles, s.Damaged)
			}
			s.Close()
		}
		s, err = r.Snapshot(context.Background(), Wait{First: 200 * time.Millisecond})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := len(texts(t, s)); got != len(files) || len(s.Damaged) > 0 {
		t.Errorf("%d files in the end, want %d; damaged %v", got, len(files), s.Damaged)
	}
	if v, err := r.Verify(context.Background()); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify = %v, %v", v, err)
	}
}

// TestRandomEditsEqualACleanBuild edits a tree at random and compares what the
// incremental index holds with a clean build of the same tree.
func TestRandomEditsEqualACleanBuild(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	rnd := rand.New(rand.NewPCG(3, 14))
	files := map[string]string{}
	r := attach(t, open(t, data), dir)
	for round := range 25 {
		edit(t, rnd, dir, files)
		if round%5 == 4 {
			if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		got := fresh(t, r)
		clean := fresh(t, attach(t, open(t, t.TempDir()), dir))
		if diff := cmp.Diff(texts(t, clean), texts(t, got)); diff != "" {
			t.Fatalf("round %d: files (-clean +incremental):\n%s", round, diff)
		}
		if diff := cmp.Diff(clean.Stats(), got.Stats()); diff != "" {
			t.Fatalf("round %d: counts (-clean +incremental):\n%s", round, diff)
		}
		if diff := cmp.Diff(hashes(t, clean), hashes(t, got)); diff != "" {
			t.Fatalf("round %d: contents (-clean +incremental):\n%s", round, diff)
		}
		if diff := cmp.Diff(files, texts(t, got)); diff != "" {
			t.Fatalf("round %d: files (-written +indexed):\n%s", round, diff)
		}
	}
}

// edit makes a few random changes to the tree and to the record of it.
func edit(t *testing.T, rnd *rand.Rand, dir string, files map[string]string) {
	t.Helper()
	for range 1 + rnd.IntN(6) {
		names := slices.Sorted(maps.Keys(files))
		switch k := rnd.IntN(5); {
		case k < 2 || len(names) == 0:
			name := fmt.Sprintf("d%d/f%d.go", rnd.IntN(3), rnd.IntN(30))
			files[name] = fmt.Sprintf("package p%d\n\nfunc Handle%d() int { return %d }\n", rnd.IntN(9), rnd.IntN(9), rnd.IntN(99))
			filetest.Write(t, dir, map[string]string{name: files[name]})
		case k == 2:
			name := names[rnd.IntN(len(names))]
			files[name] += fmt.Sprintf("// line %d\n", rnd.IntN(99))
			filetest.Write(t, dir, map[string]string{name: files[name]})
		case k == 3:
			name := names[rnd.IntN(len(names))]
			delete(files, name)
			os.Remove(filepath.Join(dir, name))
		default:
			from, to := names[rnd.IntN(len(names))], fmt.Sprintf("d%d/moved%d.go", rnd.IntN(3), rnd.IntN(9))
			files[to] = files[from]
			if to != from {
				delete(files, from)
				os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755)
				if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestOneRepositoryOfAFolder(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir())
	a, b := t.TempDir(), t.TempDir()
	first, second := attach(t, w, a), attach(t, w, b)
	if attach(t, w, a) != first || attach(t, w, b) != second {
		t.Error("to attach one repository lets go of another")
	}
}

func TestAQuestionDoesNotWaitForAStoppedWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	w, err := Open(Options{DataDir: t.TempDir(), Patience: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := attach(t, w, dir)
	unlock, err := r.view.Family.Lock(context.Background()) // of a writer that stops after its first part
	if err != nil {
		t.Fatal(err)
	}
	root, err := r.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	batch, err := r.view.Family.Begin(store.MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Close()
	plan, err := index.Compare(context.Background(), root, nil, r.Options())
	if err != nil {
		t.Fatal(err)
	}
	delta, err := index.Overlay(context.Background(), plan, r.Options())
	if err != nil {
		t.Fatal(err)
	}
	for i := range delta.Segments {
		if err := batch.AddSegment(&delta, i); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := batch.Commit(context.Background(), store.Generation{Tree: delta.Tree, Indexed: 1, Total: 2}); err != nil {
		t.Fatal(err)
	}
	s := fresh(t, r)
	if diff := cmp.Diff(want, texts(t, s)); diff != "" || !s.Freshness.Partial {
		t.Errorf("partial %v, files (-want +got):\n%s", s.Freshness.Partial, diff)
	}
}

func TestTheIndexIsNotIndexed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := map[string]string{"a.go": "package a\n"}
	filetest.Write(t, dir, want)
	r := attach(t, open(t, filepath.Join(dir, "in[de]x*")), dir)
	wantTexts(t, r, want)
	wantTexts(t, r, want)
}

func TestLookingAgainKeepsTheGeneration(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	var last uint64
	for range 3 {
		w := open(t, data)
		r := attach(t, w, dir)
		rep, err := r.Index(context.Background(), IndexOptions{Paranoid: true})
		if err != nil || last != 0 && rep.Generation != last {
			t.Fatalf("Index = generation %d, %v; want %d", rep.Generation, err, last)
		}
		last = rep.Generation
		w.Close()
	}
}

func TestExclusionsAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", ".env": "K=1", "b.bin": "\x00", ".gitignore": "out/\n", "out/x": "1"})
	r := attach(t, open(t, t.TempDir()), dir)
	got := map[string]discover.Reason{}
	for _, x := range fresh(t, r).Excluded() {
		got[x.Path] = x.Reason
	}
	want := map[string]discover.Reason{".env": discover.ReasonSecret, "b.bin": discover.ReasonBinary, "out": discover.ReasonIgnored}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func mustCompile(t testing.TB, req hit.Request) *search.Query {
	t.Helper()
	q, err := search.Compile(req)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// hashes returns the content of each indexed file, as the tree of a snapshot has it.
func hashes(t *testing.T, s *store.Snapshot) map[string]code.Hash {
	t.Helper()
	tree, err := s.Tree()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]code.Hash{}
	for i := range tree.Leaves {
		if l := &tree.Leaves[i]; l.Reason == "" {
			all[l.Path] = l.Hash
		}
	}
	return all
}
