package pgvector

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/postgres"
	"espy/internal/segment"
	"espy/internal/segment/vec"
)

// Put keeps the vectors of a part that the database has already, whole or not at all.
// It does nothing where they are there. chunksOf says which chunks are those of a file.
func (s *Store) Put(ctx context.Context, family code.RepoID, part string, vectors *vec.Reader, chunksOf func(file int) (first, end int)) error {
	err := postgres.Run(ctx, s.pool, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { return s.put(ctx, tx, family, part, vectors, chunksOf) })
	})
	if err != nil {
		return fmt.Errorf("keep the vectors of %s in the database: %w", part, explain(err))
	}
	return nil
}

func (s *Store) put(ctx context.Context, tx pgx.Tx, family code.RepoID, part string, vectors *vec.Reader, chunksOf func(file int) (first, end int)) error {
	model, err := s.table(ctx, tx, vectors.Model, vectors.Dims)
	if err != nil {
		return err
	}
	var number int64
	err = tx.QueryRow(ctx, `INSERT INTO espy.embedded (family, part, model, chunks) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING number`,
		family, part, model, vectors.Stats().Rows).Scan(&number)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	in, out := io.Pipe()
	go func() {
		out.CloseWithError(segment.Guard(func() error { return rows(out, number, vectors, chunksOf) }))
	}()
	_, err = tx.Conn().PgConn().CopyFrom(ctx, in, "COPY "+tableOf(model).Sanitize()+" (place, chunk, scale, row) FROM STDIN BINARY")
	return errors.Join(err, in.Close())
}

// makeLock is the key of the advisory lock under which tables of models are made:
// "vecs" in ASCII.
const makeLock = 0x76656373

// table returns the number of a model, whose table there is afterwards. One that lost
// its vectors with the extension is made anew.
func (s *Store) table(ctx context.Context, tx pgx.Tx, model string, dims int) (number int, err error) {
	if dims > maxDims {
		return 0, &unusable{fmt.Sprintf("the vectors of %s have %d numbers, and at most %d fit into a row", model, dims, maxDims)}
	}
	var known int
	var whole bool
	err = tx.QueryRow(ctx, `SELECT number, dims, EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('espy.vectors_' || number) AND attname = 'row' AND NOT attisdropped)
		FROM espy.models WHERE name = $1`, model).Scan(&number, &known, &whole)
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return 0, err
	case err == nil && known != dims:
		return 0, fmt.Errorf("a vector of %d numbers among those of %d that %s has in the database", dims, known, model)
	case whole:
		return number, nil
	}
	if err := s.install(ctx, tx); err != nil {
		return 0, err
	}
	return remake(ctx, tx, model, dims)
}

// install makes the extension where that can be done.
func (s *Store) install(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", makeLock); err != nil {
		return err
	}
	missing := usable(ctx, tx)
	if missing == nil {
		return nil
	}
	// In a transaction of its own, so that a refusal leaves this one as it is.
	err := pgx.BeginFunc(ctx, tx, func(try pgx.Tx) error {
		_, err := try.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector")
		return err
	})
	var refused *pgconn.PgError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	return usable(ctx, tx)
}

// remake makes the table of a model.
func remake(ctx context.Context, tx pgx.Tx, model string, dims int) (number int, err error) {
	err = tx.QueryRow(ctx, `INSERT INTO espy.models (name, dims) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET dims = excluded.dims RETURNING number`, model, dims).Scan(&number)
	if err != nil {
		return 0, err
	}
	var made bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'row' AND NOT attisdropped)`, tableOf(number).Sanitize()).Scan(&made); err != nil || made {
		return number, err // another program made it meanwhile
	}
	name := tableOf(number).Sanitize()
	for _, statement := range []string{
		"DROP TABLE IF EXISTS " + name,
		fmt.Sprintf("DELETE FROM espy.embedded WHERE model = %d", number),
		fmt.Sprintf("CREATE TABLE %s (place bigint NOT NULL, chunk integer NOT NULL, scale real NOT NULL, row halfvec(%d) NOT NULL, PRIMARY KEY (place, chunk))", name, dims),
		"ALTER TABLE " + name + " ALTER COLUMN row SET STORAGE PLAIN",
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return 0, err
		}
	}
	return number, nil
}

// rows writes the rows of a part as COPY reads them in binary: a header, and of each
// column the length and the bytes.
func rows(w io.Writer, number int64, vectors *vec.Reader, chunksOf func(file int) (first, end int)) error {
	be := binary.BigEndian
	b := append([]byte("PGCOPY\n\xff\r\n\x00"), make([]byte, 8)...)
	file, end := -1, 0 // end: behind the chunks of the file
	for row := range vectors.Rows() {
		for row.Chunk >= end {
			file++
			_, end = chunksOf(file)
		}
		b = be.AppendUint16(b, 4)
		b = be.AppendUint64(be.AppendUint32(b, 8), uint64(number<<fileBits|int64(file)))
		b = be.AppendUint32(be.AppendUint32(b, 4), uint32(row.Chunk))
		b = be.AppendUint32(be.AppendUint32(b, 4), math.Float32bits(row.Scale))
		b = be.AppendUint32(b, uint32(4+2*len(row.Values)))
		b = be.AppendUint32(b, uint32(len(row.Values))<<16)
		for _, v := range row.Values {
			b = be.AppendUint16(b, halves[v])
		}
		if len(b) > copyBytes {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := io.Copy(w, bytes.NewReader(be.AppendUint16(b, 0xffff)))
	return err
}

const copyBytes = 64 << 10

// halves are the int8 numbers, by their byte, in IEEE 754 binary16.
var halves = func() (all [256]uint16) {
	for i := range all {
		bits := math.Float32bits(float32(int8(i)))
		if int8(i) != 0 {
			all[i] = uint16(bits>>16&0x8000) | uint16(bits>>23&0xff-127+15)<<10 | uint16(bits>>13&0x3ff)
		}
	}
	return all
}()
