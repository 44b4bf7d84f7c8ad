package postgres_test

import (
	"log/slog"
	"strings"
	"testing"

	"espy/internal/catalog"
	"espy/internal/catalog/catalogtest"
	shared "espy/internal/catalog/postgres"
	"espy/internal/postgres"
	"espy/internal/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

func TestCatalog(t *testing.T) {
	catalogtest.Run(t, func(t *testing.T) func(t *testing.T) catalog.Catalog {
		u, dir := postgrestest.Database(t), t.TempDir()
		pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 4})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return func(t *testing.T) catalog.Catalog { return shared.New(pool, nil, dir) }
	})
}

// TestReplica holds that a database which only reads lists the repositories, and says
// why it attaches none.
func TestReplica(t *testing.T) {
	u := postgrestest.Database(t)
	open := func() *shared.Catalog {
		pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return shared.New(pool, nil, t.TempDir())
	}
	if _, err := open().Attach(t.Context(), catalog.Repo{Root: "/src/first"}); err != nil {
		t.Fatal(err)
	}
	u.RawQuery += "&default_transaction_read_only=on"
	replica := open()
	sees(t, replica, 1)
	if _, err := replica.Attach(t.Context(), catalog.Repo{Root: "/src/second"}); err == nil || !strings.Contains(err.Error(), "name the primary") {
		t.Errorf("Attach: error %v", err)
	}
}

// TestHear holds that a catalogue that hears of changes asks the database for nothing
// else, and hears of all of them.
func TestHear(t *testing.T) {
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: postgrestest.Database(t).String(), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	l := postgres.NewListener(pool, slog.New(slog.DiscardHandler))
	here, there := shared.New(pool, l, t.TempDir()), shared.New(pool, nil, t.TempDir())
	l.Start()
	t.Cleanup(l.Close)
	if _, err = there.Attach(t.Context(), catalog.Repo{Root: "/src/first"}); err != nil {
		t.Fatal(err)
	}
	for _, on := l.Epoch(); !on; _, on = l.Epoch() { // until it hears, it asks
		sees(t, here, 1)
	}
	sees(t, here, 1)
	if _, err := there.Attach(t.Context(), catalog.Repo{Root: "/src/second"}); err != nil {
		t.Fatal(err)
	}
	for heard, err := here.List(); len(heard) < 2; heard, err = here.List() {
		if err != nil {
			t.Fatal(err)
		}
	}
	pool.Close()
	sees(t, here, 2) // what it knows
}

// sees holds how many repositories a catalogue lists.
func sees(t *testing.T, c catalog.Catalog, want int) {
	t.Helper()
	if list, err := c.List(); err != nil || len(list) != want {
		t.Fatalf("List = %v, %v, want %d", list, err, want)
	}
}
