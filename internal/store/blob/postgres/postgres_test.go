package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/store/blob"
	"espy/internal/store/blob/blobtest"
	shared "espy/internal/store/blob/postgres"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

const family = code.RepoID("00000000-0000-4000-8000-000000000001")

// open opens a database that has a family.
func open(t *testing.T, u *url.URL, conns int) *pgxpool.Pool {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: conns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if _, err := pool.Exec(t.Context(), "INSERT INTO espy.families VALUES ($1) ON CONFLICT DO NOTHING", family); err != nil {
		t.Fatal(err)
	}
	return pool
}

func TestPlace(t *testing.T) {
	u := postgrestest.Database(t)
	pool := open(t, u, 4)
	n := 0
	blobtest.Run(t, func(t *testing.T) blobtest.Places {
		n++
		family := code.RepoID(fmt.Sprintf("00000000-0000-4000-8000-%012d", 100+n))
		if _, err := pool.Exec(t.Context(), "INSERT INTO espy.families VALUES ($1)", family); err != nil {
			t.Fatal(err)
		}
		return blobtest.Places{
			Open: func(t *testing.T) blob.Place { return shared.New(pool, family) },
			Age: func(t *testing.T, by time.Duration) {
				if _, err := pool.Exec(t.Context(), "UPDATE espy.parts SET loose = loose - $1::interval", by); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

func big(w io.Writer) error {
	_, err := w.Write(make([]byte, 9<<20))
	return err
}

// lacks holds that a part is not there at all.
func lacks(t *testing.T, p *shared.Place, name string) {
	t.Helper()
	if missing, err := p.Missing(t.Context(), []string{name}); len(missing) != 1 || err != nil {
		t.Errorf("Missing = %q, %v, want %s", missing, err, name)
	}
	if err := p.Get(t.Context(), name, io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Get: error %v", err)
	}
}

// TestRestart holds that nothing is half there when the database stops in the midst of
// a part or of a commit, and that the next try does it.
func TestRestart(t *testing.T) {
	u := postgrestest.Database(t)
	u.RawQuery += "&synchronous_commit=on" // as servers have it
	pool := open(t, u, 4)
	p := shared.New(pool, family)
	err := p.Put(t.Context(), "a", func(w io.Writer) error {
		err := big(w)
		postgrestest.Restart(t)
		return errors.Join(err, big(w))
	})
	if err == nil {
		t.Error("a part was put while the database stopped")
	}
	settle(t, pool)
	lacks(t, p, "a")
	if err := p.Put(t.Context(), "a", big); err != nil {
		t.Fatal(err)
	}
	first, err := p.Publish(t.Context(), blob.View{Name: "main", Record: []byte("1\n"), Parts: []string{"a"}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { // it holds what the next commit needs until the server is gone
		ended <- pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(t.Context(), "SELECT FROM espy.views FOR UPDATE"); err != nil {
				return err
			}
			ended <- nil
			_, err := tx.Exec(t.Context(), "SELECT pg_sleep(60)")
			return err
		})
	}()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	published := make(chan error)
	go func() {
		_, err := p.Publish(t.Context(), blob.View{Name: "main", Record: []byte("2\n")}, first)
		published <- err
	}()
	for waits := 0; waits == 0; {
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").Scan(&waits); err != nil {
			t.Fatal(err)
		}
	}
	postgrestest.Restart(t)
	if one, two := <-ended, <-published; one == nil || two == nil {
		t.Errorf("errors %v and %v", one, two)
	}
	settle(t, pool)
	v, err := p.View(t.Context(), "main")
	if err != nil || v.Edition != first || string(v.Record) != "1\n" {
		t.Fatalf("View = %+v, %v, want that of before", v, err)
	}
	if n, err := p.Sweep(t.Context(), 0); n != 0 || err != nil {
		t.Errorf("Sweep = %d, %v: a listed part", n, err)
	}
	if _, err := p.Publish(t.Context(), blob.View{Name: "main", Record: []byte("2\n")}, first); err != nil {
		t.Error(err)
	}
}

// settle has the pool find out which of its connections are gone.
func settle(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	for range 20 {
		if pool.Ping(t.Context()) == nil {
			return
		}
	}
	t.Fatal("the database does not answer")
}

// TestRefused holds what is said where the database does not do what it is asked.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		param, says string
	}{
		"replica":           {"default_transaction_read_only=on", "can only be read"},
		"statement timeout": {"statement_timeout=1", "statement timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			u := postgrestest.Database(t)
			good := shared.New(open(t, u, 2), family)
			limited := *u
			limited.RawQuery += "&" + tt.param
			cfg, err := pgxpool.ParseConfig(limited.String())
			if err != nil {
				t.Fatal(err)
			}
			pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			if err := shared.New(pool, family).Put(t.Context(), "a", big); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Put: error %v, want %q", err, tt.says)
			}
			lacks(t, good, "a")
		})
	}
}

// TestReplica holds that a server starts and reads on a database that can only be read.
func TestReplica(t *testing.T) {
	u := postgrestest.Database(t)
	if _, err := shared.New(open(t, u, 2), family).Publish(t.Context(), blob.View{Name: "main", Record: []byte("1\n")}, 0); err != nil {
		t.Fatal(err)
	}
	u.RawQuery += "&default_transaction_read_only=on"
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String()})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if v, err := shared.New(pool, family).View(t.Context(), "main"); err != nil || string(v.Record) != "1\n" {
		t.Errorf("View = %+v, %v", v, err)
	}
}

// TestExhausted holds that a call without a connection ends with its time, and that
// what is known is said then, with since when it may be old.
func TestExhausted(t *testing.T) {
	pool := open(t, postgrestest.Database(t), 2)
	news := shared.NewNews(pool, nil, slog.New(slog.DiscardHandler))
	if edition, since, err := news.Edition(t.Context(), family, "main"); edition != 0 || !since.IsZero() || err != nil {
		t.Fatalf("Edition = %d, %v, %v", edition, since, err)
	}
	for range 2 {
		held, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer held.Release()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := shared.New(pool, family).Put(ctx, "a", big); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Put: error %v", err)
	}
	if _, since, err := news.Edition(ctx, family, "main"); since.IsZero() || err == nil {
		t.Errorf("Edition: %v, %v", since, err)
	}
}

// TestNews holds that what is published is heard, and that a lost connection has it
// asked for again.
func TestNews(t *testing.T) {
	u := postgrestest.Database(t)
	pool := open(t, u, 4)
	l := postgres.NewListener(pool, slog.New(slog.DiscardHandler))
	news := shared.NewNews(pool, l, slog.New(slog.DiscardHandler))
	l.Start()
	defer l.Close()
	place := shared.New(pool, family)
	base := int64(0)
	publish := func() {
		t.Helper()
		var err error
		if base, err = place.Publish(t.Context(), blob.View{Name: "main", Record: []byte("1\n")}, base); err != nil {
			t.Fatal(err)
		}
	}
	learns := func() {
		t.Helper()
		for {
			edition, _, err := news.Edition(t.Context(), family, "main")
			if err != nil {
				t.Fatal(err)
			}
			if edition == base {
				return
			}
		}
	}
	publish()
	for _, on := l.Epoch(); !on; _, on = l.Epoch() {
		learns()
	}
	learns()
	publish()
	learns()
	before, _ := l.Epoch()
	postgrestest.Exec(t, u, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
	publish()
	for now, on := l.Epoch(); !on || now == before; now, on = l.Epoch() {
		learns()
	}
	learns()
}
