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
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
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
	cfg.ConnConfig, cfg.MaxConns = conn, int32(o.MaxConns)
	if err := migrate(ctx, conn, o.Log); err != nil {
		return nil, fmt.Errorf("open the database %s: %w", Describe(conn), Explain(err))
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return pool, nil
}

// migrationLock is the key of the advisory lock under which tables change: "espy" in ASCII.
const migrationLock = 0x65737079

// migrate brings the tables to the newest form, one program at a time. Its connections
// are its own, so that a pool of one is enough. A database that is read only, as a
// replica is, is taken as it is.
func migrate(ctx context.Context, cfg *pgx.ConnConfig, log *slog.Logger) (err error) {
	db := stdlib.OpenDB(*cfg)
	defer db.Close()
	lock, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	if done, err := formed(ctx, lock); done || err != nil {
		return err
	}
	var readOnly bool
	if err := lock.QueryRowContext(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&readOnly); err != nil {
		return err
	}
	steps, err := provider(db, log)
	if err != nil {
		return err
	}
	if readOnly {
		return compare(ctx, steps, true)
	}
	if _, err := lock.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		return err
	}
	defer func() {
		_, end := lock.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock)
		err = errors.Join(err, end)
	}()
	if _, err := lock.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS espy"); err != nil {
		return err
	}
	if err := compare(ctx, steps, false); err != nil {
		return err
	}
	_, err = steps.Up(ctx)
	return err
}

// formed reports whether the tables have the newest form, by reading alone.
func formed(ctx context.Context, conn *sql.Conn) (bool, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	var numbers []int64
	for _, name := range names {
		n, numberErr := goose.NumericComponent(name)
		numbers, err = append(numbers, n), errors.Join(err, numberErr)
	}
	if err != nil {
		return false, err
	}
	var same bool
	missing := conn.QueryRowContext(ctx, `SELECT array_agg(DISTINCT version_id ORDER BY version_id) = (SELECT array_agg(n ORDER BY n) FROM unnest($1::bigint[]) n)
		FROM espy.migrations WHERE is_applied AND version_id > 0`, numbers).Scan(&same)
	return missing == nil && same, nil
}

func provider(db *sql.DB, log *slog.Logger) (*goose.Provider, error) {
	sub, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	table, err := database.NewStore(database.DialectPostgres, "espy.migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(database.DialectCustom, db, sub, goose.WithStore(table), goose.WithAllowOutofOrder(true), goose.WithDisableGlobalRegistry(true), goose.WithSlog(log))
}

// compare refuses tables that are newer than this program, and older ones where they
// cannot be changed.
func compare(ctx context.Context, steps *goose.Provider, exactly bool) error {
	now, newest, err := steps.GetVersions(ctx)
	if err != nil {
		return err
	}
	if now > newest {
		return &usage.Error{Msg: fmt.Sprintf("its tables have the form %d of a newer program; this one knows %d", now, newest), Hint: "upgrade this program; servers and workers of one team run the same release"}
	}
	pending, err := steps.HasPending(ctx)
	if exactly && pending && err == nil {
		return &usage.Error{Msg: fmt.Sprintf("it is read only, and its tables have the form %d of an older program; this one needs %d", now, newest), Hint: "start a server or a worker of this release on the primary first, which brings the tables forward"}
	}
	return err
}
