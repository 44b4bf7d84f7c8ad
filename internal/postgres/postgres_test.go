package postgres_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/usage"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// TestStartTogether holds that servers which start at once find the tables made once.
func TestStartTogether(t *testing.T) {
	u := postgrestest.Database(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 3})
			if err != nil {
				t.Error(err)
				return
			}
			defer pool.Close()
			var n int
			if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM espy.repositories").Scan(&n); err != nil || n != 0 {
				t.Errorf("%d repositories, %v", n, err)
			}
		})
	}
	wg.Wait()
}

// TestNewerTables holds that the tables of a newer program are left alone.
func TestNewerTables(t *testing.T) {
	u := postgrestest.Database(t)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String()})
	if err != nil {
		t.Fatal(err)
	}
	pool.Close()
	postgrestest.Exec(t, u, "INSERT INTO espy.migrations (version_id, is_applied) VALUES (99999, true)")
	_, err = postgres.Open(t.Context(), postgres.Options{URL: u.String()})
	var refused *usage.Error
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "99999") || strings.Contains(err.Error(), postgrestest.Password) {
		t.Errorf("error %v", err)
	}
}

// TestAddedBetween holds that a database gets a migration whose number is below those
// that it has.
func TestAddedBetween(t *testing.T) {
	u := postgrestest.Database(t)
	for range 2 {
		pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String()})
		if err != nil {
			t.Fatal(err)
		}
		var n int
		err = pool.QueryRow(t.Context(), "SELECT count(*) FROM espy.embedded").Scan(&n)
		pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		postgrestest.Exec(t, u, "DROP TABLE espy.embedded, espy.models; DROP FUNCTION espy.forget_vectors; DELETE FROM espy.migrations WHERE version_id = 3")
	}
}
