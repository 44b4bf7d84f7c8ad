package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"espy/internal/postgres"
)

// State says how far a job is.
type State string

// The states of jobs, in the order that lists have.
const (
	Running   State = "running"
	Waiting   State = "waiting"
	Retrying  State = "retrying" // it failed, and waits for its next attempt
	Dead      State = "dead"     // its last attempt failed, or it can never succeed
	Cancelled State = "cancelled"
	Done      State = "done"
)

// States lists the states in that order.
var States = []State{Running, Waiting, Retrying, Dead, Cancelled, Done}

// Entry is a job as lists show it.
type Entry struct {
	ID       int64     `json:"id"`
	Place    string    `json:"place"`
	Ref      string    `json:"ref"`
	State    State     `json:"state"`
	Priority int       `json:"priority"` // 1 is taken first
	Attempt  int       `json:"attempt"`
	Attempts int       `json:"attempts"`          // that it has at most
	Worker   string    `json:"worker,omitempty"`  // which took it last
	Asked    time.Time `json:"asked_at"`          // UTC
	Next     time.Time `json:"next_at,omitzero"`  // UTC, of the next attempt
	Seen     time.Time `json:"seen_at,omitzero"`  // UTC, when its worker last said that it is at it
	Ended    time.Time `json:"ended_at,omitzero"` // UTC
	Error    string    `json:"error,omitempty"`   // of the last attempt
}

func newEntry(row *rivertype.JobRow) (*Entry, error) {
	var j Job
	if err := json.Unmarshal(row.EncodedArgs, &j); err != nil {
		return nil, fmt.Errorf("job %d cannot be read: %w", row.ID, err)
	}
	e := &Entry{ID: row.ID, Place: j.Place, Ref: j.Ref, State: stateOf(row), Priority: row.Priority, Attempt: row.Attempt, Attempts: row.MaxAttempts, Asked: row.CreatedAt.UTC()}
	if n := len(row.AttemptedBy); n > 0 {
		e.Worker = row.AttemptedBy[n-1]
	}
	if e.State == Retrying || e.State == Waiting {
		e.Next = row.ScheduledAt.UTC()
	}
	if row.AttemptedAt != nil {
		e.Seen = row.AttemptedAt.UTC()
	}
	if row.FinalizedAt != nil {
		e.Ended = row.FinalizedAt.UTC()
	}
	if n := len(row.Errors); n > 0 {
		e.Error = row.Errors[n-1].Error
	}
	return e, nil
}

// states are those of River, and what they are here.
var states = map[rivertype.JobState]State{
	rivertype.JobStateRunning: Running, rivertype.JobStateAvailable: Waiting, rivertype.JobStatePending: Waiting, rivertype.JobStateScheduled: Waiting,
	rivertype.JobStateRetryable: Retrying, rivertype.JobStateDiscarded: Dead, rivertype.JobStateCancelled: Cancelled, rivertype.JobStateCompleted: Done,
}

// stateOf tells what can never succeed, which its worker gave up, from what somebody
// cancelled; and what failed from what is new, where its pause is short.
func stateOf(row *rivertype.JobRow) State {
	s, n := states[row.State], len(row.Errors)
	switch {
	case s == Cancelled && n > 0 && row.Errors[n-1].Error != cancelled:
		return Dead
	case s == Waiting && n > 0:
		return Retrying
	}
	return s
}

// cancelled is the error of a job that somebody cancelled.
var cancelled = rivertype.ErrJobCancelledRemotely.Error()

// Filter says which jobs are listed. The zero value passes all.
type Filter struct {
	States []State
	Limit  int // from 1
}

// List returns jobs, the newest first, and whether there are more.
func (q *Queue) List(ctx context.Context, f Filter) (list []*Entry, more bool, err error) {
	params := river.NewJobListParams().Kinds(Job{}.Kind()).OrderBy(river.JobListOrderByID, river.SortOrderDesc).First(maxListed)
	if len(f.States) > 0 {
		params = params.States(riverStates(f.States)...)
	}
	for {
		found, err := q.client.JobList(ctx, params)
		if err != nil {
			return nil, false, fmt.Errorf("list jobs: %w", postgres.Explain(err))
		}
		for _, row := range found.Jobs {
			e, err := newEntry(row)
			if err != nil {
				return nil, false, err
			}
			if len(f.States) > 0 && !slices.Contains(f.States, e.State) {
				continue
			}
			if len(list) == f.Limit {
				return list, true, nil
			}
			list = append(list, e)
		}
		if len(found.Jobs) < maxListed || found.LastCursor == nil {
			return list, false, nil
		}
		params = params.After(found.LastCursor)
	}
}

// maxListed is how many jobs are read at a time.
const maxListed = 1000

func riverStates(want []State) (list []rivertype.JobState) {
	for of, is := range states {
		if slices.Contains(want, is) || is == Cancelled && slices.Contains(want, Dead) || is == Waiting && slices.Contains(want, Retrying) {
			list = append(list, of)
		}
	}
	return list
}

// Counts is how many jobs there are of each state that has some, and how long the
// oldest of those that could run now has waited.
type Counts struct {
	Jobs   map[State]int `json:"jobs"`
	Oldest time.Duration `json:"-"`
}

// Counts counts the jobs.
func (q *Queue) Counts(ctx context.Context) (c Counts, err error) {
	c.Jobs = map[State]int{}
	err = postgres.Run(ctx, q.pool, func(conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT state::text, errors IS NOT NULL AND errors[array_upper(errors, 1)]->>'error' <> $1, count(*),
				coalesce(extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE state = 'available')), 0)::float8
			FROM espy.river_job WHERE kind = $2 GROUP BY 1, 2`, cancelled, Job{}.Kind())
		if err != nil {
			return err
		}
		var state string
		var failed bool
		var n int
		var oldest float64
		_, err = pgx.ForEachRow(rows, []any{&state, &failed, &n, &oldest}, func() error {
			row := &rivertype.JobRow{State: rivertype.JobState(state)}
			if failed {
				row.Errors = make([]rivertype.AttemptError, 1)
			}
			c.Jobs[stateOf(row)] += n
			c.Oldest = max(c.Oldest, time.Duration(oldest*float64(time.Second)))
			return nil
		})
		return err
	})
	return c, err
}
