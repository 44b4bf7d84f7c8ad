package app

import (
	"testing"

	"espy/internal/config"
	"espy/internal/postgrestest"
	"espy/internal/tasks"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// TestDatabase holds that programs of one team, each with a data folder of its own,
// see the same tasks.
func TestDatabase(t *testing.T) {
	u := postgrestest.Database(t)
	open := func() *App {
		c, err := config.Load(config.Input{Env: map[string]string{"HOME": t.TempDir(), "ESPY_DATABASE_URL": u.String()}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := Open(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return a
	}
	one, other := open(), open()
	made, err := one.Tasks.Create(t.Context(), tasks.Task{Title: "Cap the backoff"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.Tasks.Task(t.Context(), made.ID); err != nil || got.Title != made.Title {
		t.Errorf("another program reads %+v, %v", got, err)
	}
}
