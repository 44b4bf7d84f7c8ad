package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// maxWait bounds how long a question waits for a connection of the pool.
const maxWait = 10 * time.Second

// pauses are the times between attempts: a database that restarts is back after a
// second or two, one that recovers from a crash a little later.
var pauses = []time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond, 900 * time.Millisecond, 2700 * time.Millisecond}

// Run calls f with a connection, and again where the connection was cut off or
// another transaction was in the way. So f may have taken effect before it is called
// again: what it writes must be the same twice, or f finds out. Errors are explained.
func Run(ctx context.Context, pool *pgxpool.Pool, f func(*pgxpool.Conn) error) error {
	for i := 0; ; i++ {
		err := once(ctx, pool, maxWait, f)
		if err == nil || i == len(pauses) || !passing(err) || ctx.Err() != nil {
			return Explain(err)
		}
		select {
		case <-ctx.Done():
			return Explain(err)
		case <-time.After(pauses[i]):
		}
	}
}

func once(ctx context.Context, pool *pgxpool.Pool, wait time.Duration, f func(*pgxpool.Conn) error) error {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := pool.Acquire(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("none of the %d connections to the database was free within %v: ask less at a time, or start another server", pool.Config().MaxConns, wait)
	}
	if err != nil {
		return err
	}
	defer conn.Release()
	return f(conn)
}

// passing reports whether an error may be gone the next time.
func passing(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		var connect *pgconn.ConnectError
		return errors.As(err, &connect) || cut(err)
	}
	switch refused.Code {
	case "40001", "40P01", "57P01", "57P02", "57P03":
		return true // serialization failure, deadlock, shutdown, crash, starting up
	}
	return false
}

// cut reports whether the connection broke, so that nobody knows how far a statement came.
func cut(err error) bool {
	var answered *pgconn.PgError
	var network net.Error
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if errors.As(err, &answered) {
		return answered.Code == "57P01" || answered.Code == "57P02"
	}
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// Explain says what an error of the database means for the user.
func Explain(err error) error {
	var refused *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &refused):
		if means, ok := meanings[refused.Code]; ok {
			return fmt.Errorf("the database: %s: %w", means, err)
		}
	case errors.As(err, &connect):
		return fmt.Errorf("the database does not answer: %w", err)
	case cut(err):
		return fmt.Errorf("the database: the connection was cut off: %w", err)
	}
	return err
}

// meanings explains the codes of PostgreSQL, appendix A of its manual.
var meanings = map[string]string{
	"25006": "it is read only, so nothing was written: name the primary, not a replica, in database_url",
	"28000": "it does not let this user in; espy config --help tells where the password may stand",
	"28P01": "it refused the password; put the right one in PGPASSWORD or ~/.pgpass",
	"3D000": "there is no such database: createdb makes it",
	"42501": "its user may not do this: it needs the right to create the schema espy, or to own it",
	"53100": "its disk is full, so nothing was written",
	"53200": "it is out of memory",
	"53300": "it has no connection left: raise its max_connections, or run fewer servers and workers",
	"55P03": "another transaction holds what is to be changed",
	"57014": "its time limit (statement_timeout) ended the statement; a shorter question, or a longer limit, may help",
	"57P01": "it is shutting down",
	"57P02": "it crashed and is starting again",
	"57P03": "it is starting up",
}
