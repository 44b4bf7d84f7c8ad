package pgvector

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/segment/vec"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

const family = code.RepoID("00000000-0000-4000-8000-000000000001")

// open opens a database that has a family.
func open(t testing.TB, u *url.URL) (*Store, *pgxpool.Pool) {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), "INSERT INTO espy.families VALUES ($1) ON CONFLICT DO NOTHING", family); err != nil {
		t.Fatal(err)
	}
	return New(pool, slog.New(slog.DiscardHandler)), pool
}

// made is a part of made vectors: files of three chunks each, about topics.
type made struct {
	name string
	*vec.Reader
}

const perFile = 3

func chunksOf(file int) (first, end int) { return perFile * file, perFile * (file + 1) }

// makePart makes a part of so many files. A chunk in fifty has no vector.
func makePart(t testing.TB, model string, dims, files int, seed uint64) made {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	w := vec.NewBuilder(&b, vec.Header{Model: model, Dims: dims})
	for chunk := range files * perFile {
		v := make(embedding.Vector, dims)
		if chunk%50 != 7 {
			v = direction(random, dims)
		}
		row, err := vec.NewRow(code.Hash{1, byte(chunk)}, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(&row); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	r, err := vec.Open(b.Bytes(), "made")
	if err != nil {
		t.Fatal(err)
	}
	return made{fmt.Sprintf("%s-%d-%d.vec", strings.ReplaceAll(model, "/", "_"), files, seed), r}
}

// direction is a vector near to one of 200 topics, as those of texts lie together.
func direction(random *rand.Rand, dims int) embedding.Vector {
	topic := rand.New(rand.NewPCG(random.Uint64N(200), 2))
	v := make(embedding.Vector, dims)
	for i := range v {
		v[i] = float32(topic.NormFloat64() + 0.8*random.NormFloat64())
	}
	return v
}

func keepPart(t testing.TB, s *Store, pool *pgxpool.Pool, p made) {
	t.Helper()
	if _, err := pool.Exec(t.Context(), "INSERT INTO espy.parts (family, name, size) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING", family, p.name); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), family, p.name, p.Reader, chunksOf); err != nil {
		t.Fatal(err)
	}
}

func makeQuery(t testing.TB, dims int, seed uint64) *vec.Query {
	t.Helper()
	q, err := vec.NewQuery(direction(rand.New(rand.NewPCG(seed, 3)), dims))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func order(best []vec.Best) []vec.Best {
	slices.SortFunc(best, func(a, b vec.Best) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.File, b.File), cmp.Compare(a.Chunk, b.Chunk))
	})
	return best
}

// scan is what the parts themselves answer.
func scan(parts []made, wanted []vec.Wanted) (best []vec.Best) {
	for in, w := range wanted {
		for _, f := range w.Files {
			for file := f.First; file < f.End; file++ {
				first, end := chunksOf(file)
				none := vec.Best{In: in, File: file, Chunk: -1, Cosine: -2}
				both := []vec.Best{none, none} // those that are told apart last
				parts[in].Cosines(w.Query, first, end, func(chunk int, cosine float64) bool {
					b := &both[0]
					if slices.Contains(w.Apart, uint32(chunk)) {
						b = &both[1]
					}
					if cosine > b.Cosine {
						b.Chunk, b.Cosine = chunk, cosine
					}
					return true
				})
				best = append(best, slices.DeleteFunc(both, func(b vec.Best) bool { return b.Chunk < 0 })...)
			}
		}
	}
	return order(best)
}

// TestExact holds that the database answers what the parts do, to the last bit: for
// vectors of several lengths, some files alone, and questions of several turns.
func TestExact(t *testing.T) {
	s, pool := open(t, postgrestest.Vectors(t))
	for _, dims := range []int{1, 31, 256, 768, 1024, 1536, 3072} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			model := fmt.Sprintf("made/%d", dims)
			parts := []made{makePart(t, model, dims, 40, 1), makePart(t, model, dims, 25, 2)}
			for _, p := range parts {
				keepPart(t, s, pool, p)
			}
			for seed := range uint64(3) {
				q := makeQuery(t, dims, seed)
				wanted := []vec.Wanted{
					{Part: parts[0].name, Query: q, Files: []vec.Files{{First: 0, End: 7, Chunks: 21}, {First: 11, End: 12, Chunks: 3}, {First: 30, End: 40, Chunks: 30}}, Apart: []uint32{2, 6, 7, 8, 95}},
					{Part: parts[1].name, Query: makeQuery(t, dims, seed/2), Files: []vec.Files{{First: 0, End: 25, Chunks: 75}}},
				}
				best, exact, err := s.Best(t.Context(), model, wanted, 10)
				if err != nil || !exact {
					t.Fatalf("exact %v, %v", exact, err)
				}
				if diff := gocmp.Diff(scan(parts, wanted), order(best)); diff != "" {
					t.Fatalf("the parts, the database:\n%s", diff)
				}
			}
		})
	}
}

// TestPutTwice holds that a part is kept once, and goes with its file.
func TestPutTwice(t *testing.T) {
	s, pool := open(t, postgrestest.Vectors(t))
	p := makePart(t, "made/8", 8, 10, 1)
	keepPart(t, s, pool, p)
	keepPart(t, s, pool, p)
	count := func() (n int) {
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM espy.vectors_1").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got, want := count(), p.Stats().Rows; got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	if held, err := s.Held(t.Context(), []string{p.name, "other.vec"}); err != nil || len(held) != 1 || held[p.name] != "made/8" {
		t.Errorf("held %v, %v", held, err)
	}
	if _, err := pool.Exec(t.Context(), "DELETE FROM espy.parts"); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 0 {
		t.Errorf("%d rows of a part that is gone", n)
	}
}

// TestMissing holds that a database without the extension says so and how to get it,
// and that one that gains it catches up with the next part.
func TestMissing(t *testing.T) {
	u := postgrestest.Vectors(t)
	postgrestest.Exec(t, u, "DROP EXTENSION vector")
	s, pool := open(t, u)
	if err := s.Usable(t.Context()); err == nil || !strings.Contains(err.Error(), "CREATE EXTENSION vector") {
		t.Errorf("Usable: %v", err)
	}
	if held, err := s.Held(t.Context(), []string{"a.vec"}); err == nil || len(held) > 0 {
		t.Errorf("Held: %v, %v", held, err)
	}
	p := makePart(t, "made", 8, 10, 1)
	wanted := []vec.Wanted{{Part: p.name, Query: makeQuery(t, 8, 1), Files: filesOf(10, 1)}}
	if _, _, err := s.Best(t.Context(), "made", wanted, 1); err == nil || !strings.Contains(err.Error(), "no vectors of made") {
		t.Errorf("Best: %v", err)
	}
	keepPart(t, s, pool, p) // a superuser: it makes the extension
	if best, exact, err := s.Best(t.Context(), "made", wanted, 1); err != nil || !exact || len(best) != 10 {
		t.Errorf("afterwards %d, %v, %v", len(best), exact, err)
	}
	postgrestest.Exec(t, u, "DROP EXTENSION vector CASCADE")
	if _, _, err := s.Best(t.Context(), "made", wanted, 1); err == nil || !strings.Contains(err.Error(), "pgvector was removed") {
		t.Errorf("Best without it: %v", err)
	}
	if held, _ := s.Held(t.Context(), []string{p.name}); len(held) > 0 {
		t.Errorf("held %v", held)
	}
	keepPart(t, s, pool, p)
	if best, _, err := s.Best(t.Context(), "made", wanted, 1); err != nil || len(best) != 10 {
		t.Errorf("when it is back %d, %v", len(best), err)
	}
}

// TestUnprivileged holds that a user who may not make the extension is told so.
func TestUnprivileged(t *testing.T) {
	u := postgrestest.Vectors(t)
	database := u.Path[1:]
	postgrestest.Exec(t, u, "DROP EXTENSION vector; CREATE ROLE plain LOGIN PASSWORD 'plain'; GRANT CREATE ON DATABASE "+database+" TO plain")
	t.Cleanup(func() { postgrestest.Exec(t, u, "DROP OWNED BY plain; DROP ROLE plain") })
	plain := *u
	plain.User = url.UserPassword("plain", "plain")
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: plain.String()})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	postgrestest.Exec(t, u, "REVOKE CREATE ON DATABASE "+database+" FROM plain")
	p := makePart(t, "made", 8, 10, 1)
	err = New(pool, slog.New(slog.DiscardHandler)).Put(t.Context(), family, p.name, p.Reader, chunksOf)
	if err == nil || !strings.Contains(err.Error(), "by a user who may") {
		t.Errorf("Put: %v", err)
	}
}

// TestDimensions holds that vectors of another length are refused by name.
func TestDimensions(t *testing.T) {
	s, pool := open(t, postgrestest.Vectors(t))
	p := makePart(t, "made", 8, 10, 1)
	keepPart(t, s, pool, p)
	for _, tt := range []struct {
		name, says string
		try        func() error
	}{
		{"a question", "a question of 9 numbers to vectors of 8", func() error {
			_, _, err := s.Best(t.Context(), "made", []vec.Wanted{{Part: p.name, Query: makeQuery(t, 9, 1), Files: filesOf(10, 1)}}, 1)
			return err
		}},
		{"a part", "a vector of 9 numbers among those of 8 that made has", func() error {
			other := makePart(t, "made", 9, 10, 2)
			return s.Put(t.Context(), family, other.name, other.Reader, chunksOf)
		}},
		{"too long", "at most 3900 fit into a row", func() error {
			long := makePart(t, "long", 4096, 1, 2)
			return s.Put(t.Context(), family, long.name, long.Reader, chunksOf)
		}},
		{"a part that is not there", "not in the database any more", func() error {
			_, _, err := s.Best(t.Context(), "made", []vec.Wanted{{Part: "other.vec", Query: makeQuery(t, 8, 1), Files: filesOf(10, 1)}}, 1)
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.try(); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %q", err, tt.says)
			}
		})
	}
}

// TestHardship holds that a question gets past a restart of the server, and that a
// time limit and a replica are met with what they allow.
func TestHardship(t *testing.T) {
	u := postgrestest.Vectors(t)
	s, pool := open(t, u)
	p := makePart(t, "made", 8, 10, 1)
	keepPart(t, s, pool, p)
	wanted := []vec.Wanted{{Part: p.name, Query: makeQuery(t, 8, 1), Files: filesOf(10, 1)}}
	ask := func(s *Store) error {
		best, _, err := s.Best(t.Context(), "made", wanted, 1)
		if err == nil && len(best) != 10 {
			err = fmt.Errorf("%d files", len(best))
		}
		return err
	}
	t.Run("restart", func(t *testing.T) {
		postgrestest.Exec(t, u, "CHECKPOINT") // its commits do not wait for the disk
		postgrestest.Restart(t)
		if err := ask(s); err != nil {
			t.Error(err)
		}
	})
	t.Run("cut off in the midst", func(t *testing.T) {
		held, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer held.Release()
		if _, err := held.Exec(t.Context(), "BEGIN; LOCK espy.vectors_1"); err != nil {
			t.Fatal(err)
		}
		asked := make(chan error)
		go func() { asked <- ask(s) }()
		for waits := 0; waits == 0; { // until the question waits for the lock
			if err := held.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(&waits); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := held.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"); err != nil {
			t.Fatal(err)
		}
		if _, err := held.Exec(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		if err := <-asked; err != nil {
			t.Error(err)
		}
	})
	for _, tt := range []struct{ name, setting, value, says string }{
		{"read only", "default_transaction_read_only", "on", ""},
		{"time limit", "statement_timeout", "1", "statement_timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := pgxpool.ParseConfig(u.String())
			if err != nil {
				t.Fatal(err)
			}
			cfg.ConnConfig.RuntimeParams[tt.setting] = tt.value
			other, err := pgxpool.NewWithConfig(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			s := New(other, slog.New(slog.DiscardHandler))
			if tt.says == "" {
				if err := ask(s); err != nil {
					t.Error(err)
				}
				return
			}
			held, err := pool.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer held.Rollback(t.Context())
			if _, err := held.Exec(t.Context(), "LOCK espy.embedded"); err != nil {
				t.Fatal(err)
			}
			if err := ask(s); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %q", err, tt.says)
			}
		})
	}
}
