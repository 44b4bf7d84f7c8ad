// Package postgres opens the database that a team shares: a pool of connections, and
// the tables, which migrations bring to the form that this program knows.
//
// The tables are in the schema espy. Migrations are the SQL files below migrations;
// they go forward only. Any number of programs may start at once: an advisory lock
// lets one of them migrate. A database of a newer program is refused, because this
// one cannot know what its tables mean.
package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"espy/internal/usage"
)

//go:embed migrations/*.sql
var files embed.FS

// Options say which database is opened.
type Options struct {
	URL      string       // postgres://USER@HOST:5432/DATABASE
	MaxConns int          // connections of the pool at most; 0 for 20
	Log      *slog.Logger // nil is silent
}

const defaultConns = 20

// Open connects to a database and brings its tables to the newest form.
func Open(ctx context.Context, o Options) (*pgxpool.Pool, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxConns == 0 {
		o.MaxConns = defaultConns
	}
	conn, err := Parse(o.URL)
	if err != nil {
		return nil, err
	}
	cfg, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	conn.RuntimeParams["application_name"] = "espy"
	cfg.ConnConfig, cfg.MaxConns = conn, int32(max(o.MaxConns, 2)) // one holds the lock while another migrates
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := ready(ctx, pool, o.Log); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open the database %s: %w", Describe(conn), err)
	}
	return pool, nil
}

// migrationLock is the key of the advisory lock under which tables change: "espy" in ASCII.
const migrationLock = 0x65737079

// ready brings the tables to the newest form, unless they have it: that is found by
// reading alone, as a replica wants it.
func ready(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	newest, err := newestForm()
	if err != nil {
		return err
	}
	var now int64
	err = pool.QueryRow(ctx, "SELECT max(version_id) FROM espy.migrations WHERE is_applied").Scan(&now)
	if err == nil && now == newest {
		return nil
	}
	return migrate(ctx, pool, log)
}

// newestForm is the number of the newest migration.
func newestForm() (newest int64, err error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	for _, name := range names {
		n, numberErr := goose.NumericComponent(name)
		newest, err = max(newest, n), errors.Join(err, numberErr)
	}
	return newest, err
}

// migrate brings the tables to the newest form, one program at a time.
func migrate(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (err error) {
	lock, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	if _, err := lock.Exec(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		return err
	}
	defer func() {
		_, end := lock.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
		err = errors.Join(err, end)
	}()
	if _, err := lock.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS espy"); err != nil {
		return err
	}
	return forward(ctx, pool, log)
}

// forward applies the migrations that the database lacks.
func forward(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	sub, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	table, err := database.NewStore(database.DialectPostgres, "espy.migrations")
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	steps, err := goose.NewProvider(database.DialectCustom, db, sub, goose.WithStore(table), goose.WithDisableGlobalRegistry(true), goose.WithSlog(log))
	if err != nil {
		return err
	}
	now, newest, err := steps.GetVersions(ctx)
	if err != nil {
		return err
	}
	if now > newest {
		return &usage.Error{Msg: fmt.Sprintf("its tables have the form %d of a newer program; this one knows %d", now, newest), Hint: "upgrade this program; servers and workers of one team run the same release"}
	}
	_, err = steps.Up(ctx)
	return err
}
