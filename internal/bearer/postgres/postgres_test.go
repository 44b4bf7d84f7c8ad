package postgres

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/bearer"
	"espy/internal/bearer/bearertest"
	"espy/internal/permit"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// TestKeeper runs the suite with programs that hear of changes, and with some that read
// the tokens each time.
func TestKeeper(t *testing.T) {
	for name, hears := range map[string]bool{"heard": true, "read": false} {
		t.Run(name, func(t *testing.T) {
			bearertest.Run(t, func(t *testing.T) func() bearer.Keeper {
				u := postgrestest.Database(t).String()
				return func() bearer.Keeper { return open(t, u, hears) }
			})
		})
	}
}

func open(t *testing.T, u string, hears bool) *Keeper {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u, MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	if !hears {
		return New(pool, nil)
	}
	l := postgres.NewListener(pool, slog.New(slog.DiscardHandler))
	k := New(pool, l)
	l.Start()
	t.Cleanup(l.Close)
	return k
}

// TestGone holds that tokens count for a while when the database is gone, and none
// afterwards.
func TestGone(t *testing.T) {
	u := postgrestest.Database(t).String()
	k := open(t, u, true)
	s := bearer.NewStore(k)
	made, text, err := s.Create(t.Context(), bearer.Token{Name: "ci", Role: permit.Read}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Find(t.Context(), text); !ok || err != nil {
		t.Fatalf("found %v, %v", ok, err)
	}
	k.listener.Close()
	k.pool.Close()
	if got, ok, err := s.Find(t.Context(), text); !ok || err != nil || got.ID != made.ID {
		t.Errorf("without the database: %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := s.Find(t.Context(), text+"x"); ok || err != nil {
		t.Errorf("another token without the database: %v, %v", ok, err)
	}
	k.trust = 0
	if _, ok, err := s.Find(t.Context(), text); ok || err == nil || !strings.Contains(err.Error(), "read the tokens") {
		t.Errorf("too long without the database: %v, %v", ok, err)
	}
	never := open(t, u, false)
	never.pool.Close()
	if _, err := never.Tokens(t.Context(), time.Time{}); err == nil {
		t.Error("a program that never reached the database knows tokens")
	}
}

// TestUnheard holds that a token counts before anybody has heard of it, whoever asks at
// the same time with it or with another secret.
func TestUnheard(t *testing.T) {
	u := postgrestest.Database(t).String()
	k := open(t, u, true)
	s := bearer.NewStore(k)
	if all, err := s.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("at first %v, %v", all, err)
	}
	made := bearer.Token{ID: "later", Name: "ci", Role: permit.Read, Hash: fmt.Sprintf("%x", sha256.Sum256([]byte("secret"))), Created: time.Now().UTC().Truncate(time.Second), Expires: time.Now().Add(time.Hour)}
	if _, err := k.pool.Exec(t.Context(), `INSERT INTO espy.tokens (id, name, role, repos, hash, created, expires) VALUES ($1, $2, $3, '{}', $4, $5, $6)`,
		made.ID, made.Name, made.Role, made.Hash, made.Created, made.Expires); err != nil {
		t.Fatal(err)
	}
	var all errgroup.Group
	for range 20 {
		all.Go(func() error {
			if got, ok, err := s.Find(t.Context(), "espy_later_secret"); !ok || err != nil || got.Name != "ci" {
				return fmt.Errorf("found %+v, %v, %v", got, ok, err)
			}
			if _, ok, err := s.Find(t.Context(), "espy_later_other"); ok || err != nil {
				return fmt.Errorf("another secret: %v, %v", ok, err)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}
