package codebase

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"espy/internal/nearest"
	"espy/internal/postgres"
	"espy/internal/usage"
)

// serverError is what a server refused, or that it does not answer.
type serverError struct {
	said       usage.Error
	unreadable bool // the server is there, and the database is not for this user
	err        error
}

func (e *serverError) Error() string                   { return e.said.Error() }
func (e *serverError) Explain() (problem, hint string) { return e.said.Explain() }
func (e *serverError) Unwrap() error                   { return e.err }

// database is a connection with a transaction that only reads.
type database struct {
	cfg  *pgx.ConnConfig
	conn *pgx.Conn
	tx   pgx.Tx
	wait time.Duration // for an answer
}

// open connects to a database within a time, and begins to read it.
func open(ctx context.Context, cfg *pgx.ConnConfig, connect, wait time.Duration) (*database, error) {
	db := &database{cfg: cfg, wait: wait}
	limit := fmt.Sprint(wait.Milliseconds())
	cfg.RuntimeParams["application_name"] = "espy task import"
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec // also behind a pool that shares connections
	cfg.ConnectTimeout = connect
	within, cancel := context.WithTimeout(ctx, connect)
	defer cancel()
	var err error
	if db.conn, err = pgx.ConnectConfig(within, cfg); err != nil {
		return nil, db.explained(ctx, connect, err)
	}
	if db.tx, err = db.conn.BeginTx(within, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}); err == nil {
		_, err = db.tx.Exec(within, "SET LOCAL statement_timeout = "+limit+"; SET LOCAL lock_timeout = "+limit, pgx.QueryExecModeSimpleProtocol)
	}
	if err != nil {
		db.close()
		return nil, db.explained(ctx, connect, err)
	}
	return db, nil
}

// close ends the connection, and with it the transaction, which has nothing to keep.
func (db *database) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = db.conn.Close(ctx)
}

// query runs a statement and scans each row of it.
func (db *database) query(ctx context.Context, scan func(pgx.Rows) error, statement string, args ...any) error {
	within, cancel := context.WithTimeout(ctx, 2*db.wait) // the server itself ends at the half, and says why
	defer cancel()
	rows, err := db.tx.Query(within, statement, args...)
	if err != nil {
		return db.explained(ctx, db.wait, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return db.explained(ctx, db.wait, err)
		}
	}
	return db.explained(ctx, db.wait, rows.Err())
}

// Codes of PostgreSQL, of its appendix A.
const (
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
	noDatabase           = "3D000"
	noPrivilege          = "42501"
	canceled             = "57014"
	lockUnavailable      = "55P03"
	tooMany              = "53300"
	shuttingDown         = "57P01"
	startingUp           = "57P03"
)

// explained says what an error means for the user. The errors of a caller's own end
// stay as they are.
func (db *database) explained(ctx context.Context, wait time.Duration, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	failure := &serverError{err: err}
	e := &failure.said
	at := postgres.Place(db.cfg)
	var refused *pgconn.PgError
	var failed net.Error
	var unknown *net.DNSError
	switch {
	case errors.As(err, &refused):
		failure.unreadable = refused.Code == noDatabase || refused.Code == noPrivilege
		db.refused(ctx, e, refused)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &failed) && failed.Timeout():
		e.Msg, e.Hint = fmt.Sprintf("the server at %s does not answer within %v", at, wait), "is that the port of PostgreSQL, and does a firewall let it through?"
	case errors.As(err, &unknown):
		e.Msg, e.Hint = "there is no host "+unknown.Name, "see the address that codebase-mcp has in DATABASE_URL"
	case db.conn == nil:
		e.Msg, e.Hint = fmt.Sprintf("no PostgreSQL answers at %s: %s", at, cause(err)), "is the server running, and is that its host and port? pg_isready says so"
	default:
		e.Msg, e.Hint = fmt.Sprintf("the connection to %s broke off: %s", at, cause(err)), "run it again: what was brought over stays, and is not brought twice"
	}
	return failure
}

// refused says what a server's refusal means.
func (db *database) refused(ctx context.Context, e *usage.Error, from *pgconn.PgError) {
	user, at := db.cfg.User, postgres.Place(db.cfg)
	switch from.Code {
	case invalidPassword, invalidAuthorization:
		e.Msg, e.Hint = fmt.Sprintf("the server at %s does not let %s in: %s", at, user, from.Message), "put the password in PGPASSWORD or ~/.pgpass, or name another user in the address"
	case noDatabase:
		e.Msg, e.Hint = fmt.Sprintf("the server at %s has no database %q", at, db.cfg.Database), db.near(ctx)
	case noPrivilege:
		e.Msg, e.Hint = fmt.Sprintf("%s may not read the tasks in %s: %s", user, db.cfg.Database, from.Message), "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+pgx.Identifier{user}.Sanitize()
	case canceled, lockUnavailable:
		e.Msg, e.Hint = fmt.Sprintf("the server at %s did not answer within %v: %s", at, db.wait, from.Message), "is a table locked? SELECT * FROM pg_stat_activity shows who works on it; run it again"
	case tooMany, startingUp, shuttingDown:
		e.Msg, e.Hint = fmt.Sprintf("the server at %s takes no questions now: %s", at, from.Message), "run it again in a moment"
	default:
		e.Msg, e.Hint = fmt.Sprintf("the server at %s refuses: %s (%s)", at, from.Message, from.Code), "its log says more"
	}
}

// cause is the innermost reason of an error, the last where there are several,
// without the address that pgconn repeats.
func cause(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	for {
		var inner error
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			inner = e.Unwrap()
		case interface{ Unwrap() []error }:
			all := e.Unwrap()
			inner = all[len(all)-1]
		}
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// near names databases that the user may have meant.
func (db *database) near(ctx context.Context) string {
	const hint = "psql -l shows those there are"
	cfg := db.cfg.Copy()
	cfg.Database = "postgres" // which nearly every server has
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return hint
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT datname::text FROM pg_database WHERE datallowconn AND NOT datistemplate ORDER BY 1")
	if err != nil {
		return hint
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	near := nearest.Of(db.cfg.Database, names, 1)
	if err != nil || len(near) == 0 {
		return hint
	}
	return fmt.Sprintf("did you mean %s? %s", near[0], hint)
}

// noTasks says that there is nothing to read.
func noTasks(name string, registered int) error {
	if registered > 0 {
		return &usage.Error{Msg: fmt.Sprintf("none of the %d databases that the registry %s names has tasks of codebase-mcp", registered, name), Hint: "releases from 2.0 keep none: name the database of before, or a backup of it that is restored"}
	}
	return &usage.Error{Msg: fmt.Sprintf("the database %s has no tasks of codebase-mcp: no table tasks with id, title, status, created_at and updated_at", name), Hint: "releases from 2.0 keep none: name the database of before, or a backup of it that is restored"}
}
