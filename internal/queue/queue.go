// Package queue keeps what is to be indexed in the database of a team: jobs, which any
// number of workers take. River does the keeping (https://riverqueue.com); its tables
// stand in the schema espy, beside those of package postgres.
//
// There is one waiting job of a repository and ref. A request while it runs adds one
// more, behind it: what was asked for after a job began may not be in what it read.
// A job that fails is tried again, the pauses growing; after the last attempt it stays
// as a dead letter, until somebody tries it again or it is a week old. A worker says
// every few seconds that it is at its job; where it stops saying so, another takes the
// job over.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"espy/internal/postgres"
	"espy/internal/usage"
)

// schema holds the tables of River.
const schema = "espy"

// Queue is the jobs of a database. Its methods may be called by several goroutines.
type Queue struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	log    *slog.Logger
}

// Open brings the tables of the jobs to the form that this program knows. log may be
// nil.
func Open(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) (*Queue, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if err := migrate(ctx, pool, log); err != nil {
		return nil, unopened(err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: schema, Logger: log})
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return &Queue{pool: pool, client: client, log: log}, nil
}

// unopened says why the tables of the jobs are not as this program knows them.
func unopened(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == readOnly {
		return &usage.Error{Msg: "the database is read only, and its tables of jobs are not those of this program", Hint: "start espy worker or espy jobs of this release on the primary once, which makes them"}
	}
	return fmt.Errorf("open the queue: %w", postgres.Explain(err))
}

// readOnly is what PostgreSQL calls a write where only reading is possible.
const readOnly = "25006"

// migrationLock is the key of the advisory lock under which the tables of jobs change.
const migrationLock = 0x6a6f6273

// migrate makes the tables, one program at a time, and none where there are all.
func migrate(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	steps, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: schema, Logger: log})
	if err != nil {
		return err
	}
	if have, err := steps.Validate(ctx, nil); err == nil && have.OK {
		return nil
	}
	lock, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer lock.Close(context.WithoutCancel(ctx)) // which lets go of the lock
	if _, err := lock.Exec(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		return err
	}
	_, err = steps.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// Job is what is to be indexed.
type Job struct {
	Place string `json:"place" river:"unique"`           // URL, or a folder that workers share
	Ref   string `json:"ref" river:"unique"`             // branch, tag or commit; empty for the one of the place
	After int64  `json:"after,omitempty" river:"unique"` // the job that was running when this was asked for
}

// Kind implements river.JobArgs.
func (Job) Kind() string { return "index" }

// Priority says which jobs are taken first.
type Priority int

// The priorities, as River counts them.
const (
	Asked     Priority = 1 // somebody asked for it
	Scheduled Priority = 3
)

// attempts is how often a job is tried. The pauses are 1 s, 16 s, 81 s and so on, the
// fourth power of the attempt: it is given up after a little more than an hour.
const attempts = 8

// waiting are the states of jobs that another of the same repository and ref would repeat.
var waiting = []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled}

// Longest names of jobs, in bytes.
const (
	maxPlace = 2000
	maxRef   = 250
)

// check refuses what no repository can be called.
func (j Job) check() error {
	for _, f := range []struct {
		name, text string
		most       int
	}{{"place", j.Place, maxPlace}, {"ref", j.Ref, maxRef}} {
		if len(f.text) > f.most || strings.ContainsRune(f.text, 0) || !utf8.ValidString(f.text) {
			return &usage.Error{Arg: f.name, Value: fmt.Sprintf("%.100q", f.text), Msg: fmt.Sprintf("not text of at most %d bytes", f.most), Hint: "give a URL or the path of a folder, and the name of a branch"}
		}
	}
	if j.Place == "" {
		return &usage.Error{Arg: "place", Msg: "empty", Hint: "give a URL, or the path of a folder that every worker sees"}
	}
	return nil
}

// Request asks for a repository to be brought up to date, and returns the job that
// will do it. Where one waits already, that one is returned, with the higher priority
// of both and without its pause. new says whether it was added.
func (q *Queue) Request(ctx context.Context, j Job, p Priority) (id int64, added bool, err error) {
	if err := j.check(); err != nil {
		return 0, false, err
	}
	err = postgres.Run(ctx, q.pool, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			id, added, err = q.request(ctx, tx, j, p)
			return err
		})
	})
	if err != nil {
		return 0, false, fmt.Errorf("ask for %s: %w", j.Place, err)
	}
	return id, added, nil
}

func (q *Queue) request(ctx context.Context, tx pgx.Tx, j Job, p Priority) (id int64, added bool, err error) {
	found, err := q.client.InsertTx(ctx, tx, j, &river.InsertOpts{
		MaxAttempts: attempts, Priority: int(p), Queue: queueName,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: waiting},
	})
	switch {
	case err != nil:
		return 0, false, err
	case !found.UniqueSkippedAsDuplicate:
		return found.Job.ID, true, nil
	case found.Job.State == rivertype.JobStateRunning && j.After == 0:
		j.After = found.Job.ID
		return q.request(ctx, tx, j, p)
	case p > Asked:
		return found.Job.ID, false, nil
	}
	_, err = tx.Exec(ctx, `UPDATE espy.river_job SET priority = least(priority, $2), scheduled_at = least(scheduled_at, now()), state = 'available'
		WHERE id = $1 AND state IN ('available', 'retryable', 'scheduled')`, found.Job.ID, int(p))
	return found.Job.ID, false, err
}

// Cancel ends a job, also one that runs.
func (q *Queue) Cancel(ctx context.Context, id int64) (*Entry, error) {
	row, err := q.client.JobCancel(ctx, id)
	return q.entry(id, row, err)
}

// Retry makes a job available that was given up, was cancelled or waits for its next
// attempt.
func (q *Queue) Retry(ctx context.Context, id int64) (*Entry, error) {
	row, err := q.client.JobRetry(ctx, id)
	return q.entry(id, row, err)
}

func (q *Queue) entry(id int64, row *rivertype.JobRow, err error) (*Entry, error) {
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil, &usage.Error{Arg: "id", Value: fmt.Sprint(id), Msg: "there is no such job", Hint: "espy jobs lists them; a job that is done is kept for a day, a dead one for a week"}
	}
	if err != nil {
		return nil, fmt.Errorf("job %d: %w", id, postgres.Explain(err))
	}
	return newEntry(row)
}

// How long jobs are kept when they have ended.
const (
	keepDone = 24 * time.Hour
	keepDead = 7 * 24 * time.Hour
)
