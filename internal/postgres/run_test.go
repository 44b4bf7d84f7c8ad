package postgres

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgrestest"
)

// TestExhausted holds that a pool without a free connection is an error that says so.
func TestExhausted(t *testing.T) {
	pool, err := Open(t.Context(), Options{URL: postgrestest.Database(t).String(), MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	held, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(*pgxpool.Conn) error { return nil }
	if err := once(t.Context(), pool, time.Millisecond, nothing); err == nil || !strings.Contains(err.Error(), "none of the 1 connections") {
		t.Errorf("error %v", err)
	}
	held.Release()
	if err := once(t.Context(), pool, time.Minute, nothing); err != nil {
		t.Errorf("when it is free again: %v", err)
	}
}

// TestRunAgain holds which errors are worth another attempt.
func TestRunAgain(t *testing.T) {
	u := postgrestest.Database(t)
	pool, err := Open(t.Context(), Options{URL: u.String(), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for _, tt := range []struct {
		name, statement string
		calls           int
		says            string
	}{
		{"cut off", "SELECT pg_terminate_backend(pg_backend_pid())", 2, ""},
		{"serialization", "DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$", 2, ""},
		{"time limit", "SET statement_timeout = 1; SELECT pg_sleep(60)", 1, "time limit (statement_timeout) ended the statement; a shorter question"},
		{"read only", "SET transaction_read_only = on; CREATE TABLE espy.more ()", 1, "read only"},
		{"wrong", "SELECT nothing", 1, "does not exist"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			err := Run(t.Context(), pool, func(c *pgxpool.Conn) error {
				if calls++; calls > 1 {
					return nil
				}
				_, err := c.Conn().PgConn().Exec(t.Context(), tt.statement).ReadAll()
				c.Conn().Close(context.WithoutCancel(t.Context())) // its settings are not for others
				return err
			})
			if calls != tt.calls || (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Run(ctx, pool, func(*pgxpool.Conn) error { cancel(); return io.ErrUnexpectedEOF })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a caller who has gone: %v", err)
	}
}

// TestUnreachable holds that a database that is not there is said, without the password.
func TestUnreachable(t *testing.T) {
	_, err := Open(t.Context(), Options{URL: "postgres://me:hidden-word@127.0.0.1:1/db?connect_timeout=2"})
	var connect *pgconn.ConnectError
	if !errors.As(err, &connect) || !strings.Contains(err.Error(), "does not answer") || strings.Contains(err.Error(), "hidden-word") {
		t.Errorf("error %v", err)
	}
}
