package replica_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/store/blob"
	"espy/internal/store/blob/local"
	shared "espy/internal/store/blob/postgres"
	"espy/internal/store/manifest"
	"espy/internal/store/replica"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

const family = code.RepoID("00000000-0000-4000-8000-000000000001")

func newPlace(t *testing.T) *shared.Place {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: postgrestest.Database(t).String(), MaxConns: 6})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), "INSERT INTO espy.families VALUES ($1)", family); err != nil {
		t.Fatal(err)
	}
	return shared.New(pool, family)
}

// commit makes a generation in a folder, of one part with a text.
func commit(t *testing.T, folder, text string, generation uint64) (part string) {
	t.Helper()
	dir, err := local.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	part = code.Hash(xxh3.Hash128([]byte(text)).Bytes()).String() + ".tree"
	if _, err := dir.Put(func(w io.Writer) error { _, err := io.WriteString(w, text); return err }, func() string { return part }); err != nil {
		t.Fatal(err)
	}
	record, err := json.Marshal(manifest.Manifest{Format: manifest.Format, Analysis: manifest.Analysis, Generation: generation, Tree: part})
	if err != nil {
		t.Fatal(err)
	}
	if err := dir.Replace(manifest.Name("main"), record); err != nil {
		t.Fatal(err)
	}
	return part
}

// holds holds that a folder shows a generation whose part has a text.
func holds(t *testing.T, folder, text string, generation uint64) {
	t.Helper()
	dir, err := local.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	b, err := dir.Record(manifest.Name("main"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Parse(b, "main")
	if err != nil || m.Generation != generation {
		t.Fatalf("generation %+v, %v, want %d", m, err, generation)
	}
	if got, err := os.ReadFile(filepath.Join(folder, m.Tree)); err != nil || string(got) != text {
		t.Errorf("its part holds %q, %v, want %q", got, err, text)
	}
}

// TestPushAndPull holds that a folder goes where another is, with its files.
func TestPushAndPull(t *testing.T) {
	place, from, to := newPlace(t), t.TempDir(), t.TempDir()
	var got []byte
	push := replica.Replica{Shared: place, Folder: from, View: "main", Beside: []replica.File{{Name: "log", Read: func() ([]byte, error) { return []byte("lines"), nil }}}}
	pull := replica.Replica{Shared: place, Folder: to, View: "main", Beside: []replica.File{{Name: "log", Write: func(b []byte) error { got = b; return nil }}}}
	if _, err := pull.Pull(t.Context(), false); !errors.Is(err, replica.ErrUnpublished) {
		t.Errorf("before anything was published: %v", err)
	}
	for n, text := range []string{"one", "two"} {
		commit(t, from, text, uint64(n+1))
		for range 2 { // the second time there is nothing to do
			if err := push.Push(t.Context()); err != nil {
				t.Fatal(err)
			}
			p, err := pull.Pull(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			if edition, err := pull.Edition(t.Context()); err != nil || edition != p.Edition || edition == 0 {
				t.Errorf("edition %d, %v, want %d", edition, err, p.Edition)
			}
		}
		holds(t, to, text, uint64(n+1))
	}
	if string(got) != "lines" {
		t.Errorf("the file that goes with it is %q", got)
	}
}

// TestLost holds that who did not build on the newest edition publishes nothing.
func TestLost(t *testing.T) {
	place := newPlace(t)
	one := replica.Replica{Shared: place, Folder: t.TempDir(), View: "main"}
	two := replica.Replica{Shared: place, Folder: t.TempDir(), View: "main"}
	commit(t, one.Folder, "one", 1)
	commit(t, two.Folder, "two", 1)
	if err := one.Push(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := two.Push(t.Context()); !errors.Is(err, blob.ErrLost) {
		t.Errorf("error %v", err)
	}
	if _, err := two.Pull(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	holds(t, two.Folder, "one", 1)
	commit(t, two.Folder, "both", 2)
	if err := two.Push(t.Context()); err != nil {
		t.Error(err)
	}
}

// slow is a place on which something happens before the first part is read.
type slow struct {
	blob.Place
	before func()
}

func (s *slow) Get(ctx context.Context, name string, w io.Writer) error {
	if before := s.before; before != nil {
		s.before = nil
		before()
	}
	return s.Place.Get(ctx, name, w)
}

// TestSlowReader holds that a reader who is slower than the grace gets the newest
// generation instead.
func TestSlowReader(t *testing.T) {
	place := newPlace(t)
	writer := replica.Replica{Shared: place, Folder: t.TempDir(), View: "main"}
	old := commit(t, writer.Folder, "one", 1)
	if err := writer.Push(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := replica.Replica{Folder: t.TempDir(), View: "main", Shared: &slow{place, func() {
		commit(t, writer.Folder, "two", 2)
		if err := writer.Push(t.Context()); err != nil {
			t.Error(err)
		}
		if n, err := place.Sweep(t.Context(), 0); n != 1 || err != nil {
			t.Errorf("Sweep = %d, %v", n, err)
		}
		if missing, err := place.Missing(t.Context(), []string{old}); len(missing) != 1 || err != nil {
			t.Errorf("Missing = %q, %v", missing, err)
		}
	}}}
	if _, err := reader.Pull(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	holds(t, reader.Folder, "two", 2)
}

// TestOtherBytes holds that a part which is not what its name says is refused, and
// the folder left as it was; and that one which was cut off here is taken again.
func TestOtherBytes(t *testing.T) {
	place := newPlace(t)
	writer := replica.Replica{Shared: place, Folder: t.TempDir(), View: "main"}
	reader := replica.Replica{Shared: place, Folder: t.TempDir(), View: "main"}
	part := commit(t, writer.Folder, "one", 1)
	if err := writer.Push(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Pull(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(reader.Folder, part), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Pull(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	holds(t, reader.Folder, "one", 1)
	record, err := json.Marshal(manifest.Manifest{Format: manifest.Format, Analysis: manifest.Analysis, Generation: 2, Tree: "00.tree"})
	if err != nil {
		t.Fatal(err)
	}
	if err := place.Put(t.Context(), "00.tree", func(w io.Writer) error { _, err := io.Copy(w, bytes.NewReader(make([]byte, 9))); return err }); err != nil {
		t.Fatal(err)
	}
	now, err := place.Edition(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := place.Publish(t.Context(), blob.View{Name: "main", Record: record, Parts: []string{"00.tree"}}, now); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Pull(t.Context(), false); !errors.Is(err, local.ErrDamaged) {
		t.Errorf("error %v", err)
	}
	holds(t, reader.Folder, "one", 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := reader.Pull(ctx, false); err == nil {
		t.Error("a pull without time ended well")
	}
}
