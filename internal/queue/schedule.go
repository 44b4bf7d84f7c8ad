package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
)

// Mirror is a repository that a list says is to be kept up to date.
type Mirror struct {
	Place, Ref string
	Every      time.Duration
}

// Mirrors replaces what a list says, and returns what it said before and does not say
// any more. That is not asked for again, and stays indexed.
func (q *Queue) Mirrors(ctx context.Context, list string, now []Mirror) (gone []Mirror, err error) {
	for _, m := range now {
		if err := (Job{Place: m.Place, Ref: m.Ref}).check(); err != nil {
			return nil, err
		}
	}
	var places, refs []string
	var every []time.Duration
	for _, m := range now {
		places, refs, every = append(places, m.Place), append(refs, m.Ref), append(every, m.Every)
	}
	err = postgres.Run(ctx, q.pool, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "UPDATE espy.mirrors SET listed = false WHERE list = $1", list); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `INSERT INTO espy.mirrors (list, place, ref, every) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::interval[])
				ON CONFLICT (list, place, ref) DO UPDATE SET listed = true, every = excluded.every, due = least(mirrors.due, now() + excluded.every)`, list, places, refs, every)
			if err != nil {
				return err
			}
			rows, err := tx.Query(ctx, "SELECT place, ref, every FROM espy.mirrors WHERE list = $1 AND NOT listed ORDER BY place, ref", list)
			if err != nil {
				return err
			}
			gone, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Mirror])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("keep the list %s: %w", list, err)
	}
	return gone, nil
}

// maxDue is how many mirrors are asked for in one transaction.
const maxDue = 100

// Due asks for the mirrors of all lists whose time has come, and returns how many. Any
// number of workers may call it: each mirror is asked for once.
func (q *Queue) Due(ctx context.Context) (n int, err error) {
	for {
		some, err := q.due(ctx)
		if n += some; err != nil || some < maxDue {
			return n, err
		}
	}
}

func (q *Queue) due(ctx context.Context) (n int, err error) {
	err = postgres.Run(ctx, q.pool, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, `UPDATE espy.mirrors SET due = now() + every WHERE (list, place, ref) IN (
					SELECT list, place, ref FROM espy.mirrors WHERE listed AND due <= now() ORDER BY due LIMIT $1 FOR UPDATE SKIP LOCKED
				) RETURNING place, ref`, maxDue)
			if err != nil {
				return err
			}
			jobs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (j Job, err error) { return j, row.Scan(&j.Place, &j.Ref) })
			for i := 0; i < len(jobs) && err == nil; i++ {
				_, _, err = q.request(ctx, tx, jobs[i], Scheduled)
			}
			n = len(jobs)
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("ask for what is due: %w", err)
	}
	return n, nil
}
