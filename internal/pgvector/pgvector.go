// Package pgvector keeps the vectors of published parts as rows in the database of a
// team, where it has the extension vector, so that a question by meaning is answered
// over all repositories without their vectors on this machine.
//
// A row is a chunk: its place (the number of its part * 2^24 + its file), and the int8
// numbers of its vector as a halfvec, which holds them exactly. The rows of a model are
// one table, espy.vectors_N. The question comes as digits of its int16 numbers, whose
// products with a row add up exactly in float32: so a cosine is, to the last bit, what
// package segment/vec makes of the same part.
//
// Up to exactRows rows every one is compared. Beyond that the nearest are found by the
// graph of an index (HNSW), which may miss some, and compared in the same way.
package pgvector

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
)

// Store is the vectors in a database. It is safe for concurrent use. What it answers
// holds for the moment: the extension may come and go while programs run.
type Store struct {
	pool      *pgxpool.Pool
	log       *slog.Logger
	exactRows int
}

// New returns the vectors of a database.
func New(pool *pgxpool.Pool, log *slog.Logger) *Store {
	return &Store{pool: pool, log: log, exactRows: exactRows}
}

// exactRows is up to how many rows a question is compared with each, and from how many
// on a table gets an index (docs/scaling.md has the measures).
const exactRows = 100_000

// maxDims is how many numbers a row may have, so that it fits into a page.
const maxDims = 3900

// fileBits is how many bits of a place are the file.
const fileBits = 24

// unusable says why vectors cannot be kept or asked in a database.
type unusable struct{ why string }

// Error implements error.
func (e *unusable) Error() string { return e.why }

// Usable says why a database has no vectors to ask; nil where it can have them.
func (s *Store) Usable(ctx context.Context) error {
	return postgres.Run(ctx, s.pool, func(c *pgxpool.Conn) error { return usable(ctx, c.Conn()) })
}

// asks is what a pool, a connection and a transaction have in common.
type asks interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func usable(ctx context.Context, db asks) error {
	var version string
	var available, reached bool
	err := db.QueryRow(ctx, `SELECT coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
		EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector'), to_regtype('halfvec') IS NOT NULL`).Scan(&version, &available, &reached)
	switch {
	case err != nil:
		return err
	case version == "" && !available:
		return &unusable{"pgvector is not installed in this database: its server does not have it (package postgresql-NN-pgvector)"}
	case version == "":
		return &unusable{"pgvector is not installed in this database: CREATE EXTENSION vector makes it, by a user who may"}
	case older(version):
		return &unusable{"pgvector " + version + " is too old: 0.8 or newer is needed (ALTER EXTENSION vector UPDATE)"}
	case !reached:
		return &unusable{"pgvector is installed in a schema that is not in the search_path of the user"}
	}
	return nil
}

// older reports whether a version is before 0.8.
func older(version string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor) // what is no version is taken for an old one
	return n < 2 || major == 0 && minor < 8
}

// tableOf is that of a model.
func tableOf(model int) pgx.Identifier {
	return pgx.Identifier{"espy", fmt.Sprintf("vectors_%d", model)}
}

// The errors of statements that do not find the extension, or a table that went with it.
var gone = map[string]bool{
	"42P01": true, // undefined table
	"42703": true, // undefined column
	"42704": true, // undefined object: a type
	"42883": true, // undefined function: an operator
	"58P01": true, // undefined file: the library of the extension
}

// explain says of an error that the extension is missing, where it is that.
func explain(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) && gone[said.Code] {
		return &unusable{"pgvector was removed from this database, or its vectors were: " + said.Message}
	}
	return postgres.Explain(err)
}
