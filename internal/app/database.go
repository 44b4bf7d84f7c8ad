package app

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/config"
	"espy/internal/postgres"
	"espy/internal/tasks"
	taskspostgres "espy/internal/tasks/postgres"
	"espy/internal/tasks/sqlite"
)

// database opens the database that the settings name, nil for none.
func database(c *config.Config, log *slog.Logger) (*pgxpool.Pool, error) {
	if c.DatabaseURL == "" {
		return nil, nil
	}
	return postgres.Open(context.Background(), postgres.Options{URL: c.DatabaseURL, Log: log})
}

// taskStore is where tasks are kept: the team's database, or a folder.
func (a *App) taskStore(c *config.Config, o Options) tasks.Store {
	if a.pool != nil && o.TasksDir == "" {
		return taskspostgres.New(a.pool)
	}
	return sqlite.New(cmp.Or(o.TasksDir, filepath.Join(c.DataDir, "tasks")), o.TaskReaders)
}

// closePool waits until no connection is in use.
func (a *App) closePool() {
	if a.pool != nil {
		a.pool.Close()
	}
}
