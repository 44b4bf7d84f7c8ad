package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"espy/internal/postgres"
	"espy/internal/usage"
)

const queueName = "index"

// WorkOptions say how a worker works.
type WorkOptions struct {
	// Do brings one repository up to date. Its context ends when the job is cancelled,
	// taken over or the worker stops. An error that is a *usage.Error ends the job: no
	// other attempt would succeed. It is called by several goroutines.
	Do func(context.Context, Job) error
	// AtOnce is how many jobs run at a time; 0 for 1.
	AtOnce int
	// Lost is after which silence of a worker its job is taken over; 0 for a minute. It
	// says that it is at its job six times in that time.
	Lost time.Duration
}

const defaultLost = time.Minute

// Work takes jobs and does them until ctx ends. Those at work are then put back, and
// cost no attempt.
func (q *Queue) Work(ctx context.Context, o WorkOptions) error {
	o.AtOnce, o.Lost = cmp.Or(o.AtOnce, 1), cmp.Or(o.Lost, defaultLost)
	w := &worker{queue: q, opts: o, name: workerName()}
	kinds := river.NewWorkers()
	river.AddWorker(kinds, river.WorkFunc(w.work))
	client, err := river.NewClient(riverpgxv5.New(q.pool), &river.Config{
		ID: w.name, Schema: schema, Logger: q.log, Workers: kinds,
		Queues:                      map[string]river.QueueConfig{queueName: {MaxWorkers: o.AtOnce}},
		JobTimeout:                  -1, // a large repository takes hours
		RescueStuckJobsAfter:        o.Lost,
		CompletedJobRetentionPeriod: keepDone, CancelledJobRetentionPeriod: keepDead, DiscardedJobRetentionPeriod: keepDead,
	})
	if err != nil {
		return fmt.Errorf("work: %w", err)
	}
	running := context.WithoutCancel(ctx)
	if err := client.Start(running); err != nil {
		return fmt.Errorf("work: %w", postgres.Explain(err))
	}
	w.watch(ctx)
	w.stopping.Store(true)
	limited, cancel := context.WithTimeout(running, stopTime)
	defer cancel()
	if err := client.StopAndCancel(limited); err != nil {
		return fmt.Errorf("stop working: %w", err)
	}
	return nil
}

// watch takes over what other workers left, until ctx ends.
func (w *worker) watch(ctx context.Context) {
	tick := time.NewTicker(w.opts.Lost / 2)
	defer tick.Stop()
	for ctx.Err() == nil {
		if n, err := w.takeOver(ctx); n > 0 || err != nil && ctx.Err() == nil {
			w.queue.log.Warn("jobs of workers that are gone", "taken over", n, "err", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// takeOver makes the jobs available whose workers have been silent, and returns how
// many. One that has ended all its workers is given up. What this worker is at stays
// its own, however late it says so.
func (w *worker) takeOver(ctx context.Context) (n int64, err error) {
	err = postgres.Run(ctx, w.queue.pool, func(c *pgxpool.Conn) error {
		done, err := c.Exec(ctx, `UPDATE espy.river_job SET
				state = CASE WHEN metadata ? 'cancel_attempted_at' THEN 'cancelled' WHEN attempt >= max_attempts THEN 'discarded' ELSE 'available' END::espy.river_job_state,
				finalized_at = CASE WHEN metadata ? 'cancel_attempted_at' OR attempt >= max_attempts THEN now() END,
				scheduled_at = now(),
				errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', 'its worker died or was cut off', 'trace', ''))
			WHERE state = 'running' AND kind = $1 AND attempted_at < now() - make_interval(secs => $2) AND id <> ALL($3)`, Job{}.Kind(), w.opts.Lost.Seconds(), w.busy())
		n = done.RowsAffected()
		return err
	})
	return n, err
}

// stopTime is how long a worker that stops waits for its jobs to notice.
const stopTime = 30 * time.Second

// workerName tells the workers of a team apart.
func workerName() string {
	host, err := os.Hostname()
	if err != nil || len(host) > 60 {
		host = "host"
	}
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), uuid.NewString()[:8])
}

// worker does jobs for River.
type worker struct {
	queue    *Queue
	opts     WorkOptions
	name     string
	stopping atomic.Bool
	at       sync.Map // the IDs of the jobs that it does now
}

// busy are the IDs of the jobs that the worker does now.
func (w *worker) busy() []int64 {
	ids := []int64{}
	w.at.Range(func(id, _ any) bool {
		ids = append(ids, id.(int64))
		return true
	})
	return ids
}

// pause is until a job is looked at again that waits for another to end.
const pause = 2 * time.Second

// errTakenOver is why a job ends that another worker has.
var errTakenOver = errors.New("another worker has taken the job over")

// work does one job.
func (w *worker) work(ctx context.Context, job *river.Job[Job]) error {
	if w.behind(ctx, job.Args.After) {
		return river.JobSnooze(pause)
	}
	w.at.Store(job.ID, nil)
	defer w.at.Delete(job.ID)
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.stay(ctx, cancel, job.ID)
	}()
	err := w.do(ctx, job.Args)
	why := context.Cause(ctx)
	cancel(nil)
	<-ended
	return w.outcome(err, why)
}

// do returns a panic as an error.
func (w *worker) do(ctx context.Context, j Job) (err error) {
	defer func() {
		if r := recover(); r != nil {
			w.queue.log.Error("a job panicked", "place", j.Place, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("the worker panicked: %v", r)
		}
	}()
	return w.opts.Do(ctx, j)
}

// behind reports whether a job runs that another waits for.
func (w *worker) behind(ctx context.Context, id int64) bool {
	if id == 0 {
		return false
	}
	before, err := w.queue.client.JobGet(ctx, id)
	return err == nil && before.State == rivertype.JobStateRunning
}

// outcome says what River does with a job that ended, and why its context did.
func (w *worker) outcome(err, why error) error {
	var never *usage.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(why, rivertype.ErrJobCancelledRemotely):
		return river.JobCancel(rivertype.ErrJobCancelledRemotely)
	case w.stopping.Load(), errors.Is(why, errTakenOver):
		return river.JobSnooze(0) // done twice at worst, never not at all
	case errors.As(err, &never):
		return river.JobCancel(kept(err))
	}
	return kept(err)
}

// maxError is the longest text of an error that is kept, in bytes.
const maxError = 4000

// kept is an error as the database can keep it.
func kept(err error) error {
	text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\ufffd"), "\x00", "\ufffd")
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + " ..."
	}
	return errors.New(text)
}

// stay says that the worker is at a job until it ends, and ends it where another
// worker has it.
func (w *worker) stay(ctx context.Context, cancel context.CancelCauseFunc, id int64) {
	tick := time.NewTicker(w.opts.Lost / 6)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var mine bool
		err := postgres.Run(ctx, w.queue.pool, func(c *pgxpool.Conn) error {
			done, err := c.Exec(ctx, `UPDATE espy.river_job SET attempted_at = now()
				WHERE id = $1 AND state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $2`, id, w.name)
			mine = done.RowsAffected() == 1
			return err
		})
		switch {
		case err != nil && ctx.Err() == nil:
			w.queue.log.Warn("cannot say that a job is being done", "job", id, "err", err)
		case err == nil && !mine:
			cancel(errTakenOver)
		}
	}
}
