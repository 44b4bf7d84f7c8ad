package postgres_test

import (
	"fmt"
	"net/url"
	"testing"
	"time"

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
