package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Figures is what a team has published.
type Figures struct {
	Views     int     // with a generation each
	Parts     int     // files of generations
	Bytes     int64   // of the parts
	NewestAge float64 // seconds since the last publication; 0 where there is none
}

// Count counts what is published.
func Count(ctx context.Context, pool *pgxpool.Pool) (f Figures, err error) {
	err = Run(ctx, pool, func(c *pgxpool.Conn) error {
		return c.QueryRow(ctx, `SELECT (SELECT count(*) FROM espy.views), (SELECT coalesce(extract(epoch FROM now() - max(published)), 0)::float8 FROM espy.views),
			count(*), coalesce(sum(size), 0)::bigint FROM espy.parts`).Scan(&f.Views, &f.NewestAge, &f.Parts, &f.Bytes)
	})
	return f, err
}
