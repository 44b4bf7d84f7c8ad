package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/segment"
	"espy/internal/store"
)

// answers asks one question of each mode and returns the hits and totals.
func answers(t *testing.T, w *Workspace, r *Repo) string {
	t.Helper()
	var b strings.Builder
	for _, req := range []hit.Request{
		{Mode: hit.ModeKeyword, Query: "serve handle request", Limit: 1000},
		{Mode: hit.ModeLiteral, Query: "func Handle", Limit: 1000},
		{Mode: hit.ModeRegex, Query: `return x[0-9]+`, Limit: 1000},
		{Mode: hit.ModeSemantic, Query: "serve the request", Limit: 1000},
	} {
		res, err := w.Search(context.Background(), []*Repo{r}, mustCompile(t, req), Wait{})
		if err != nil {
			t.Fatalf("%s %q: %v", req.Mode, req.Query, err)
		}
		for i := range res.Hits { // what a hit stands in is known better once its file is parsed
			h := &res.Hits[i]
			h.Symbol, h.Kind, h.SymbolID, h.SymbolLine, h.Calls = "", "", "", 0, hit.Calls{}
		}
		j, err := json.Marshal(struct {
			Hits  []hit.Hit
			Total int
		}{res.Hits, res.Total})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(j, '\n'))
	}
	return b.String()
}

// damageLab is a tree, a data folder with its index, and what it answers.
type damageLab struct {
	tree, data, want string
	files            []string // of the index, below the data folder
}

func newDamageLab(t *testing.T) *damageLab {
	l := &damageLab{tree: t.TempDir(), data: t.TempDir()}
	for version := range 3 { // three segments, one with dead files
		for i := range 30 {
			if version > 0 && i%(version*7) != 0 {
				continue
			}
			filetest.Write(t, l.tree, map[string]string{fmt.Sprintf("d%d/f%02d.go", i%3, i): fmt.Sprintf("package p\n\n// Handle%d can serve request %d.\nfunc Handle%d() int { return x%d }\n", i, version, i, version)})
		}
		w := open(t, l.data)
		if _, err := attach(t, w, l.tree).Index(context.Background(), IndexOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	clean := open(t, t.TempDir())
	l.want = answers(t, clean, attach(t, clean, l.tree))
	paths, err := filepath.Glob(filepath.Join(l.data, "repos", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := filepath.Glob(filepath.Join(l.data, "repos", "*", "jobs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(paths, jobs...) {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			rel, _ := filepath.Rel(l.data, p)
			l.files = append(l.files, rel)
		}
	}
	if len(l.files) < 11 { // the lock, two records, a manifest, a tree, three segments with their vectors
		t.Fatalf("files of the index: %q", l.files)
	}
	return l
}

// heals damages one file of a copy of the index and holds that the answers are
// right all the same, and that the index is whole in the end.
func (l *damageLab) heals(t *testing.T, name string, damage func(path string) error) {
	t.Helper()
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS(l.data)); err != nil {
		t.Fatal(err)
	}
	if err := damage(filepath.Join(data, name)); err != nil {
		t.Fatal(err)
	}
	w, err := Open(Options{DataDir: data, Models: models})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := attach(t, w, l.tree)
	if diff := cmp.Diff(l.want, answers(t, w, r)); diff != "" {
		t.Errorf("answers (-clean +damaged):\n%s", diff)
	}
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if v, err := r.Verify(context.Background()); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify in the end: %v, %v", v, err)
	}
	if diff := cmp.Diff(l.want, answers(t, w, r)); diff != "" {
		t.Errorf("answers in the end (-clean +healed):\n%s", diff)
	}
}

func TestEveryDamageIsGotPast(t *testing.T) {
	t.Parallel()
	l := newDamageLab(t)
	flips := proof.Rounds(60)
	if os.Getenv("ESPY_SOAK") != "" {
		flips = 200
	}
	for _, name := range l.files {
		t.Run(strings.TrimPrefix(filepath.Base(name), "view-"), func(t *testing.T) {
			t.Parallel()
			info, err := os.Stat(filepath.Join(l.data, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int64{0, 1, info.Size() / 2, info.Size() - 1} {
				l.heals(t, name, func(path string) error { return os.Truncate(path, size) })
			}
			l.heals(t, name, os.Remove)
			l.heals(t, name, func(path string) error { return appendByte(path) })
			seed := uint64(info.Size())
			rnd := rand.New(rand.NewPCG(seed, 1))
			for range flips {
				at, bit := rnd.Int64N(info.Size()), rnd.IntN(8)
				l.heals(t, name, func(path string) error { return flipBit(path, at, bit) })
				if t.Failed() {
					t.Fatalf("with bit %d of byte %d of %d flipped (seed %d)", bit, at, info.Size(), seed)
				}
			}
		})
	}
}

func appendByte(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.Write([]byte{0}); err != nil {
		return err
	}
	return f.Close()
}

func flipBit(path string, at int64, bit int) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[at] ^= 1 << bit
	return os.WriteFile(path, b, 0o600)
}

// TestVerifyFindsEveryFlip asks verify before anything has healed.
func TestVerifyFindsEveryFlip(t *testing.T) {
	t.Parallel()
	l := newDamageLab(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	for _, name := range l.files {
		if base := filepath.Base(name); strings.HasPrefix(base, "repo.") || strings.HasSuffix(base, "lock") || filepath.Ext(base) == ".log" || filepath.Base(filepath.Dir(name)) == "jobs" {
			continue // a record is read, and healed, before an index is; the others hold nothing of it
		}
		info, err := os.Stat(filepath.Join(l.data, name))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			data := t.TempDir()
			if err := os.CopyFS(data, os.DirFS(l.data)); err != nil {
				t.Fatal(err)
			}
			at, bit := rnd.Int64N(info.Size()), rnd.IntN(8)
			if err := flipBit(filepath.Join(data, name), at, bit); err != nil {
				t.Fatal(err)
			}
			w := open(t, data)
			v, err := attach(t, w, l.tree).Verify(context.Background())
			if err == nil && len(v.Problems) == 0 {
				t.Errorf("bit %d of byte %d of %s flipped: verify found nothing", bit, at, name)
			}
			w.Close()
		}
	}
}

// TestLookHeals comes upon the damage in the middle of listing the files, and
// lists them all the same.
func TestLookHeals(t *testing.T) {
	t.Parallel()
	l := newDamageLab(t)
	list := func(data string) (paths []string) {
		w := open(t, data)
		defer w.Close()
		err := attach(t, w, l.tree).Look(context.Background(), Wait{}, func(s *store.Snapshot) error {
			paths = nil
			s.Each(func(seg, file int) bool {
				f := s.Segments[seg].Reader.File(file)
				paths = append(paths, fmt.Sprint(f.Path, f.Lines, f.Language))
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	want := list(t.TempDir())
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, name := range l.files {
		if filepath.Ext(name) != ".lex" {
			continue
		}
		info, err := os.Stat(filepath.Join(l.data, name))
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			data := t.TempDir()
			if err := os.CopyFS(data, os.DirFS(l.data)); err != nil {
				t.Fatal(err)
			}
			at, bit := rnd.Int64N(info.Size()), rnd.IntN(8)
			if err := flipBit(filepath.Join(data, name), at, bit); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, list(data)); diff != "" {
				t.Fatalf("with bit %d of byte %d of %s flipped (-clean +damaged):\n%s", bit, at, name, diff)
			}
		}
	}
}

// TestPartOfAnotherIndex puts a whole segment of another tree in the place of one.
func TestPartOfAnotherIndex(t *testing.T) {
	t.Parallel()
	l, other := newDamageLab(t), newDamageLab(t)
	filetest.Write(t, other.tree, map[string]string{"secret.go": "package other\n\nfunc HandleOther() {}\n"})
	w := open(t, other.data)
	fresh(t, attach(t, w, other.tree))
	w.Close()
	parts, _ := filepath.Glob(filepath.Join(other.data, "repos", "*", "*.lex"))
	for _, name := range l.files {
		if filepath.Ext(name) != ".lex" {
			continue
		}
		for _, part := range parts {
			if filepath.Base(part) != filepath.Base(name) {
				l.heals(t, name, func(path string) error {
					b, err := os.ReadFile(part)
					if err != nil {
						return err
					}
					return os.WriteFile(path, b, 0o600)
				})
			}
		}
	}
}

// TestTruncatedWhileMapped cuts segments while a workspace has them open: the
// question is answered from what is healed, or fails, and the process lives.
func TestTruncatedWhileMapped(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 100} {
		t.Run(fmt.Sprintf("to %d bytes", size), func(t *testing.T) {
			l := newDamageLab(t)
			w := open(t, l.data)
			r := attach(t, w, l.tree)
			s := fresh(t, r) // mapped, and no page of it touched yet
			parts, _ := filepath.Glob(filepath.Join(l.data, "repos", "*", "*.lex"))
			for _, p := range parts {
				if err := os.Truncate(p, size); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(l.want, answers(t, w, r)); diff != "" {
				t.Errorf("answers (-clean +truncated):\n%s", diff)
			}
			err := segment.Guard(func() error {
				var cache segment.TextCache
				_, err := s.Segments[0].Text(0, &cache)
				return err
			})
			if err == nil && size == 0 { // the page that holds the new end stays, with zeros
				t.Error("text of a truncated part was read")
			}
			if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			if v, err := r.Verify(context.Background()); err != nil || len(v.Problems) > 0 {
				t.Errorf("Verify: %v, %v", v, err)
			}
		})
	}
}

// TestQuarantineIsForAllProcesses finds damage in one workspace and asks another.
func TestQuarantineIsForAllProcesses(t *testing.T) {
	t.Parallel()
	l := newDamageLab(t)
	parts, _ := filepath.Glob(filepath.Join(l.data, "repos", "*", "*.lex"))
	info, err := os.Stat(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := flipBit(parts[0], info.Size()/2, 3); err != nil {
		t.Fatal(err)
	}
	one, two := open(t, l.data), open(t, l.data)
	if v, err := attach(t, one, l.tree).Verify(context.Background()); err != nil || len(v.Problems) != 1 {
		t.Fatalf("Verify = %v, %v; want one problem", v, err)
	}
	r := attach(t, two, l.tree)
	if _, err := r.Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if v, err := r.Verify(context.Background()); err != nil || len(v.Problems) > 0 {
		t.Errorf("Verify after another process indexed: %v, %v", v, err)
	}
	if bad, _ := filepath.Glob(filepath.Join(l.data, "repos", "*", "*.bad")); len(bad) > 0 {
		t.Errorf("left behind: %v", bad)
	}
}
