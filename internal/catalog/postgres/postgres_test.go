package postgres_test

import (
	"log/slog"
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
		return func(t *testing.T) catalog.Catalog { return shared.New(pool, dir) }
	})
}

// TestHear holds that a catalogue that hears of changes asks the database for nothing
// else, and hears of all of them.
func TestHear(t *testing.T) {
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: postgrestest.Database(t).String(), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string, 100)
	here, there := shared.New(pool, t.TempDir()), shared.New(pool, t.TempDir())
	l := postgres.Listen(pool, slog.New(slog.DiscardHandler), map[string]func(string){shared.Channel: func(said string) {
		here.Hear(said)
		heard <- said
	}})
	t.Cleanup(l.Close)
	here.Attend(l)
	repo, err := there.Attach(t.Context(), catalog.Repo{Root: "/src/first"}) // until it hears, it asks
	if err != nil {
		t.Fatal(err)
	}
	for said := false; !said; {
		if _, err = there.Attach(t.Context(), catalog.Repo{Root: "/src/first", Name: "again" + string(repo.ID)[:4]}); err != nil {
			t.Fatal(err)
		}
		if _, err = there.Attach(t.Context(), catalog.Repo{Root: "/src/first", Name: "first"}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-heard:
			said = true
		default:
		}
	}
	if list, err := here.List(); err != nil || len(list) != 1 {
		t.Fatalf("List = %v, %v", list, err)
	}
	second, err := there.Attach(t.Context(), catalog.Repo{Root: "/src/second"})
	if err != nil {
		t.Fatal(err)
	}
	for said := ""; said != string(second.ID); said = <-heard {
	}
	if list, err := here.List(); err != nil || len(list) != 2 {
		t.Errorf("List = %v, %v, want two", list, err)
	}
	pool.Close()
	if list, err := here.List(); err != nil || len(list) != 2 {
		t.Errorf("without the database: List = %v, %v, want two", list, err)
	}
}
