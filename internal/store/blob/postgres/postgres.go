// Package postgres keeps the files of families in the database of a team (package
// postgres above says how it is opened; migration 2 has the tables).
//
// A part is put in one transaction, in pieces of 4 MiB, so that a program never holds
// more of it. It is seen by who asks for it, and counts for nothing until a view lists
// it. A view is replaced in one transaction, which also notes which parts it lists: a
// foreign key keeps these from being deleted. With it goes the announcement, so that
// readers hear of nothing that they do not find.
package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/store/blob"
)

// channel is where views are announced that were published or dropped: a JSON
// object, an announcement.
const channel = "espy_views"

// announcement says which edition a view has now; 0 for one that was dropped.
type announcement struct {
	Family  code.RepoID `json:"family"`
	View    string      `json:"view"`
	Edition int64       `json:"edition"`
}

// pieceBytes is the size of a piece; the last one of a part may be smaller.
const pieceBytes = 4 << 20

// Place is the files of one family. It implements blob.Place.
type Place struct {
	pool   *pgxpool.Pool
	family code.RepoID
}

// New returns the place of a family, which the catalogue lists.
func New(pool *pgxpool.Pool, family code.RepoID) *Place { return &Place{pool, family} }

// Put implements blob.Place.
func (p *Place) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		made, err := tx.Exec(ctx, `INSERT INTO espy.parts (family, name, size) VALUES ($1, $2, 0)
			ON CONFLICT DO NOTHING`, p.family, name)
		if err != nil {
			return err
		}
		if made.RowsAffected() == 0 {
			_, err := tx.Exec(ctx, `UPDATE espy.parts SET loose = now() WHERE family = $1 AND name = $2`, p.family, name)
			return err
		}
		w := &pieces{ctx: ctx, tx: tx, family: p.family, part: name, full: make([]byte, 0, pieceBytes)}
		if err := write(w); err != nil {
			return err
		}
		if err := w.flush(); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE espy.parts SET size = $3 WHERE family = $1 AND name = $2`, p.family, name, w.size)
		return err
	})
	return p.explain("put part", name, err)
}

// pieces writes what it is given as rows.
type pieces struct {
	ctx    context.Context // of the one Put
	tx     pgx.Tx
	family code.RepoID
	part   string
	full   []byte // of the piece that is being filled
	number int
	size   int64
}

// Write implements io.Writer.
func (w *pieces) Write(b []byte) (n int, err error) {
	for len(b) > 0 {
		if len(w.full) == pieceBytes {
			if err := w.flush(); err != nil {
				return n, err
			}
		}
		k := min(len(b), pieceBytes-len(w.full))
		w.full, b, n = append(w.full, b[:k]...), b[k:], n+k
	}
	return n, nil
}

func (w *pieces) flush() error {
	if len(w.full) == 0 {
		return nil
	}
	_, err := w.tx.Exec(w.ctx, `INSERT INTO espy.pieces (family, part, number, bytes) VALUES ($1, $2, $3, $4)`, w.family, w.part, w.number, w.full)
	w.size, w.number, w.full = w.size+int64(len(w.full)), w.number+1, w.full[:0]
	return err
}

// Get implements blob.Place.
func (p *Place) Get(ctx context.Context, name string, w io.Writer) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	rows, err := p.pool.Query(ctx, `SELECT part.size, piece.bytes FROM espy.parts part
		LEFT JOIN espy.pieces piece ON piece.family = part.family AND piece.part = part.name
		WHERE part.family = $1 AND part.name = $2 ORDER BY piece.number`, p.family, name)
	if err != nil {
		return p.explain("get part", name, err)
	}
	defer rows.Close()
	size, got := int64(-1), int64(0)
	var piece pgtype.DriverBytes // the buffer of the connection, which is not kept
	for rows.Next() {
		if err := rows.Scan(&size, &piece); err != nil {
			return p.explain("get part", name, err)
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		got += int64(len(piece))
	}
	switch err := rows.Err(); {
	case err != nil:
		return p.explain("get part", name, err)
	case size < 0:
		return p.explain("get part", name, fs.ErrNotExist)
	case size != got:
		return p.explain("get part", name, fmt.Errorf("the database holds %d of its %d bytes", got, size))
	}
	return nil
}

// Missing implements blob.Place.
func (p *Place) Missing(ctx context.Context, names []string) ([]string, error) {
	for _, name := range names {
		if err := blob.CheckName(name); err != nil {
			return nil, err
		}
	}
	rows, err := p.pool.Query(ctx, `WITH there AS (
			UPDATE espy.parts SET loose = now() WHERE family = $1 AND name = ANY($2) RETURNING name)
		SELECT wanted FROM unnest($2::text[]) wanted WHERE wanted NOT IN (SELECT name FROM there)`, p.family, names)
	if err != nil {
		return nil, p.explain("look for parts", "", err)
	}
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return missing, p.explain("look for parts", "", err)
}

// Publish implements blob.Place.
func (p *Place) Publish(ctx context.Context, v blob.View, base int64) (edition int64, err error) {
	if err := blob.CheckName(v.Name); err != nil {
		return 0, err
	}
	beside, err := json.Marshal(v.Beside)
	if err != nil {
		return 0, fmt.Errorf("publish %s: %w", v.Name, err)
	}
	err = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		args := []any{p.family, v.Name, v.Edition, append([]byte{}, v.Record...), beside}
		if base != 0 {
			args = append(args, base)
		}
		err := tx.QueryRow(ctx, swap(base), args...).Scan(&edition)
		if errors.Is(err, pgx.ErrNoRows) {
			return blob.ErrLost
		}
		if err != nil {
			return err
		}
		if err := p.list(ctx, tx, v); err != nil {
			return err
		}
		return p.announce(ctx, tx, v.Name, edition)
	})
	if err != nil {
		return 0, p.explain("publish", v.Name, err)
	}
	return edition, nil
}

// swap is the statement that replaces an edition of a view, or adds the first.
func swap(base int64) string {
	if base == 0 {
		return `INSERT INTO espy.views (family, name, edition, record, beside)
			VALUES ($1, $2, coalesce(nullif($3::bigint, 0), nextval('espy.editions')), $4, $5) ON CONFLICT DO NOTHING RETURNING edition`
	}
	return `UPDATE espy.views SET edition = coalesce(nullif($3::bigint, 0), nextval('espy.editions')), record = $4, beside = $5, published = now()
		WHERE family = $1 AND name = $2 AND edition = $6 RETURNING edition`
}

// list notes which parts a view lists now, and since when the others are not listed.
func (p *Place) list(ctx context.Context, tx pgx.Tx, v blob.View) error {
	parts := v.Listed()
	if parts == nil {
		parts = []string{} // an array without one, not NULL
	}
	_, err := tx.Exec(ctx, `WITH left_out AS (
			DELETE FROM espy.listed WHERE family = $1 AND view = $2 AND part <> ALL($3) RETURNING part)
		UPDATE espy.parts SET loose = now() WHERE family = $1 AND name IN (SELECT part FROM left_out)`, p.family, v.Name, parts)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO espy.listed (family, view, part) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`, p.family, v.Name, parts)
	return err
}

func (p *Place) announce(ctx context.Context, tx pgx.Tx, view string, edition int64) error {
	text, err := json.Marshal(announcement{Family: p.family, View: view, Edition: edition})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(text))
	return err
}

// View implements blob.Place.
func (p *Place) View(ctx context.Context, name string) (blob.View, error) {
	v := blob.View{Name: name}
	if err := blob.CheckName(name); err != nil {
		return v, err
	}
	var beside []byte
	err := p.pool.QueryRow(ctx, `SELECT edition, record, beside FROM espy.views WHERE family = $1 AND name = $2`, p.family, name).Scan(&v.Edition, &v.Record, &beside)
	if err == nil {
		err = json.Unmarshal(beside, &v.Beside)
	}
	return v, p.explain("read view", name, err)
}

// Edition implements blob.Place.
func (p *Place) Edition(ctx context.Context, name string) (edition int64, err error) {
	if err := blob.CheckName(name); err != nil {
		return 0, err
	}
	err = p.pool.QueryRow(ctx, `SELECT coalesce(max(edition), 0) FROM espy.views WHERE family = $1 AND name = $2`, p.family, name).Scan(&edition)
	return edition, p.explain("look for view", name, err)
}

// Views implements blob.Place.
func (p *Place) Views(ctx context.Context) ([]string, error) {
	rows, err := p.pool.Query(ctx, `SELECT name FROM espy.views WHERE family = $1 ORDER BY name`, p.family)
	if err != nil {
		return nil, p.explain("list views", "", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return names, p.explain("list views", "", err)
}

// Drop implements blob.Place.
func (p *Place) Drop(ctx context.Context, name string) error {
	if err := blob.CheckName(name); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		if err := p.list(ctx, tx, blob.View{Name: name}); err != nil {
			return err
		}
		gone, err := tx.Exec(ctx, `DELETE FROM espy.views WHERE family = $1 AND name = $2`, p.family, name)
		if err != nil || gone.RowsAffected() == 0 {
			return err
		}
		return p.announce(ctx, tx, name, 0)
	})
	return p.explain("drop view", name, err)
}

// Sweep implements blob.Place. A part that a writer puts or lists at this moment is
// locked, and left for another time.
func (p *Place) Sweep(ctx context.Context, grace time.Duration) (int, error) {
	gone, err := p.pool.Exec(ctx, `DELETE FROM espy.parts WHERE family = $1 AND name IN (
			SELECT name FROM espy.parts part WHERE family = $1 AND loose <= now() - $2::interval
			AND NOT EXISTS (SELECT FROM espy.listed WHERE listed.family = $1 AND listed.part = part.name)
			FOR UPDATE SKIP LOCKED)`, p.family, grace)
	if sqlState(err) == foreignKeyViolation {
		return 0, nil // a part was listed in this moment
	}
	return int(gone.RowsAffected()), p.explain("sweep", "", err)
}

// Codes of errors of PostgreSQL, of its appendix A.
const (
	foreignKeyViolation = "23503"
	readOnlyTransaction = "25006"
)

// explain adds to an error what was being done, and says what it means here.
func (p *Place) explain(doing, name string, err error) error {
	if err == nil {
		return nil
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = fs.ErrNotExist
	case sqlState(err) == foreignKeyViolation:
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case sqlState(err) == readOnlyTransaction:
		err = fmt.Errorf("the database can only be read, as a replica can: give the address of its primary server: %w", err)
	}
	if name != "" {
		doing += " " + name
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func sqlState(err error) string {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code
	}
	return ""
}
