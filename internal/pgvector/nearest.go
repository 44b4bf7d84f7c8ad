package pgvector

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
	"espy/internal/segment/vec"
)

// hasIndex reports whether a table has its index.
func hasIndex(ctx context.Context, db asks, table pgx.Identifier) (has bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid)`, indexOf(table).Sanitize()).Scan(&has)
	return has, err
}

func indexOf(table pgx.Identifier) pgx.Identifier {
	return pgx.Identifier{table[0], table[1] + "_near"}
}

// Index gives the tables that have grown beyond what is compared row by row an index,
// while others read and write them. One program at a time does it; any other returns.
func (s *Store) Index(ctx context.Context) error {
	return postgres.Run(ctx, s.pool, func(c *pgxpool.Conn) error {
		if usable(ctx, c.Conn()) != nil {
			return nil
		}
		rows, err := c.Query(ctx, `SELECT model FROM espy.embedded GROUP BY model HAVING sum(chunks) > $1`, s.exactRows)
		if err != nil {
			return err
		}
		models, err := pgx.CollectRows(rows, pgx.RowTo[int])
		for _, m := range models {
			if err == nil {
				err = s.index(ctx, c, tableOf(m))
			}
		}
		return err
	})
}

// built is among how many rows the makers of an index choose the neighbours of a row.
// Code has many rows that are nearly alike: of the 64 that are the default, all can be
// alike, and then no path leads to some other row.
const built = 200

// index makes the index of a table. What a maker that died left behind gives way.
func (s *Store) index(ctx context.Context, c *pgxpool.Conn, table pgx.Identifier) (err error) {
	if has, err := hasIndex(ctx, c, table); has || err != nil {
		return err
	}
	var mine bool
	if err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", makeLock+1).Scan(&mine); err != nil || !mine {
		return err
	}
	defer func() { // the connection serves others afterwards
		after := context.WithoutCancel(ctx)
		_, resetErr := c.Exec(after, "RESET ALL")
		_, unlockErr := c.Exec(after, "SELECT pg_advisory_unlock($1)", makeLock+1)
		err = errors.Join(err, resetErr, unlockErr)
	}()
	if has, err := hasIndex(ctx, c, table); has || err != nil {
		return err
	}
	s.log.Info("the vectors in the database get an index", "table", table.Sanitize())
	for _, statement := range []string{
		"SET maintenance_work_mem = '1GB'", "SET statement_timeout = 0",
		"DROP INDEX IF EXISTS " + indexOf(table).Sanitize(),
		fmt.Sprintf("CREATE INDEX CONCURRENTLY %s ON %s USING hnsw (row halfvec_cosine_ops) WITH (ef_construction = %d)", pgx.Identifier{indexOf(table)[1]}.Sanitize(), table.Sanitize(), built),
	} {
		if _, err := c.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// near is of how many chunks the nearest files are chosen, for each file that is kept.
const near = 20

// nearest compares the rows that the index finds nearest. The filter is part of its
// scan, which goes on until there are enough.
func (q *question) nearest(ctx context.Context, c *pgxpool.Conn, keep int) (best []vec.Best, err error) {
	cosine, args := q.cosine(3)
	low, high := make([]string, 0, len(q.spans)), ""
	for _, s := range q.spans {
		low = append(low, fmt.Sprintf("[%d,%d)", s.low, s.high))
	}
	high = "{" + strings.Join(low, ",") + "}"
	n := max(400, near*keep)
	err = pgx.BeginTxFunc(ctx, c, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		for _, setting := range []string{
			"enable_seqscan = off", "enable_sort = off", "hnsw.iterative_scan = relaxed_order", "hnsw.max_scan_tuples = 1000000",
			fmt.Sprintf("hnsw.ef_search = %d", min(n, 1000)),
		} {
			if _, err := tx.Exec(ctx, "SET LOCAL "+setting); err != nil {
				return err
			}
		}
		rows, err := tx.Query(ctx, fmt.Sprintf(`SELECT v.place, v.chunk, %s FROM
			(SELECT place, chunk, scale, row FROM %s WHERE place <@ (SELECT $1::text::int8multirange) ORDER BY row <=> (SELECT $2::text::halfvec) LIMIT %d) v`,
			cosine, q.table.Sanitize(), n), append([]any{high, q.rounded()}, args...)...)
		if err != nil {
			return err
		}
		best, err = q.collect(rows)
		return err
	})
	return best, err
}

// rounded is the question as a halfvec, whose numbers are at most 65,504.
func (q *question) rounded() string {
	base, digits := q.query.Digits()
	sum := make([]int16, q.query.Dims())
	for k, factor := 0, 1; k < len(digits); k, factor = k+1, factor*base {
		for i, d := range digits[k] {
			sum[i] += d * int16(factor)
		}
	}
	return text(sum)
}
