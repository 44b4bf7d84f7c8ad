package queue_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/queue"
	"espy/internal/usage"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

func open(t *testing.T, u *url.URL) *queue.Queue {
	t.Helper()
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 6})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	q, err := queue.Open(t.Context(), pool, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func request(t *testing.T, q *queue.Queue, j queue.Job, p queue.Priority) (id int64, added bool) {
	t.Helper()
	id, added, err := q.Request(t.Context(), j, p)
	if err != nil {
		t.Fatal(err)
	}
	return id, added
}

// work runs a worker until the test ends or stop is called.
func work(t *testing.T, q *queue.Queue, o queue.WorkOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("work: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// until waits for a job to be of a state.
func until(t *testing.T, q *queue.Queue, id int64, want queue.State) *queue.Entry {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		list, _, err := q.List(t.Context(), queue.Filter{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.ID == id && e.State == want {
				return e
			}
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatalf("job %d did not become %s: %+v", id, want, list)
		}
	}
}

// TestStartTogether holds that programs that start at once find the tables made once.
func TestStartTogether(t *testing.T) {
	u := postgrestest.Database(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { open(t, u) })
	}
	group.Wait()
}

// TestUnique holds that a repository and ref wait once, and who goes first.
func TestUnique(t *testing.T) {
	q := open(t, postgrestest.Database(t))
	first, added := request(t, q, queue.Job{Place: "https://a.test/x"}, queue.Scheduled)
	if !added {
		t.Error("the first request added nothing")
	}
	if again, added := request(t, q, queue.Job{Place: "https://a.test/x"}, queue.Scheduled); again != first || added {
		t.Errorf("the same again is job %d, added %v", again, added)
	}
	if branch, added := request(t, q, queue.Job{Place: "https://a.test/x", Ref: "dev"}, queue.Scheduled); branch == first || !added {
		t.Error("another branch is the same job")
	}
	last, _ := request(t, q, queue.Job{Place: "https://a.test/y"}, queue.Scheduled)
	request(t, q, queue.Job{Place: "https://a.test/y"}, queue.Asked)
	var mu sync.Mutex
	var order []string
	work(t, q, queue.WorkOptions{Do: func(_ context.Context, j queue.Job) error {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, j.Place+"#"+j.Ref)
		return nil
	}})
	until(t, q, first, queue.Done)
	until(t, q, last, queue.Done)
	mu.Lock()
	defer mu.Unlock()
	if order[0] != "https://a.test/y#" {
		t.Errorf("order %q, want what somebody asked for first", order)
	}
}

// TestWhileRunning holds that what is asked for while a job runs is done behind it.
func TestWhileRunning(t *testing.T) {
	q := open(t, postgrestest.Database(t))
	begun, release := make(chan bool, 10), make(chan bool)
	var calls, beside atomic.Int32
	work(t, q, queue.WorkOptions{AtOnce: 2, Do: func(context.Context, queue.Job) error {
		if beside.Add(1) > 1 {
			t.Error("two jobs of one repository ran at once")
		}
		defer beside.Add(-1)
		calls.Add(1)
		begun <- true
		<-release
		return nil
	}})
	first, _ := request(t, q, queue.Job{Place: "/srv/x"}, queue.Asked)
	<-begun
	second, added := request(t, q, queue.Job{Place: "/srv/x"}, queue.Asked)
	third, again := request(t, q, queue.Job{Place: "/srv/x"}, queue.Asked)
	if second == first || !added || third != second || again {
		t.Errorf("jobs %d, %d (%v), %d (%v), want one more behind the first", first, second, added, third, again)
	}
	close(release)
	until(t, q, second, queue.Done)
	if calls.Load() != 2 {
		t.Errorf("%d runs, want 2", calls.Load())
	}
}

// TestFailures holds what becomes of jobs that fail, panic and can never succeed.
func TestFailures(t *testing.T) {
	q := open(t, postgrestest.Database(t))
	var broken atomic.Bool
	broken.Store(true)
	work(t, q, queue.WorkOptions{Do: func(_ context.Context, j queue.Job) error {
		switch {
		case !broken.Load():
			return nil
		case j.Place == "/never":
			return &usage.Error{Msg: "there is no such folder"}
		case j.Place == "/panics":
			panic("it broke")
		}
		return errors.New("the network is away\x00")
	}})
	fails, _ := request(t, q, queue.Job{Place: "/fails"}, queue.Asked)
	never, _ := request(t, q, queue.Job{Place: "/never"}, queue.Asked)
	panics, _ := request(t, q, queue.Job{Place: "/panics"}, queue.Asked)
	if e := until(t, q, never, queue.Dead); !strings.Contains(e.Error, "no such folder") || e.Attempt != 1 {
		t.Errorf("what can never succeed is %+v", e)
	}
	if e := until(t, q, panics, queue.Retrying); !strings.Contains(e.Error, "it broke") {
		t.Errorf("what panics is %+v", e)
	}
	until(t, q, fails, queue.Retrying)
	c, err := q.Counts(t.Context())
	if err != nil || c.Jobs[queue.Dead] != 1 || c.Jobs[queue.Retrying]+c.Jobs[queue.Waiting]+c.Jobs[queue.Running] != 2 {
		t.Errorf("counts %+v, %v", c, err)
	}
	broken.Store(false)
	if id, _ := request(t, q, queue.Job{Place: "/fails"}, queue.Asked); id != fails {
		t.Errorf("a request of what waits for its next attempt is job %d, want %d", id, fails)
	}
	if _, err := q.Retry(t.Context(), never); err != nil {
		t.Error(err)
	}
	until(t, q, fails, queue.Done)
	until(t, q, never, queue.Done)
}

// TestCancel holds that a waiting job and one that runs are ended.
func TestCancel(t *testing.T) {
	q := open(t, postgrestest.Database(t))
	waits, _ := request(t, q, queue.Job{Place: "/waits"}, queue.Asked)
	if e, err := q.Cancel(t.Context(), waits); err != nil || e.State != queue.Cancelled {
		t.Errorf("a waiting job is %+v, %v", e, err)
	}
	begun := make(chan bool, 1)
	work(t, q, queue.WorkOptions{Do: func(ctx context.Context, _ queue.Job) error {
		begun <- true
		<-ctx.Done()
		return ctx.Err()
	}})
	runs, _ := request(t, q, queue.Job{Place: "/runs"}, queue.Asked)
	<-begun
	if _, err := q.Cancel(t.Context(), runs); err != nil {
		t.Error(err)
	}
	until(t, q, runs, queue.Cancelled)
	var refused *usage.Error
	if _, err := q.Cancel(t.Context(), 1<<40); !errors.As(err, &refused) {
		t.Errorf("a job that there is not: %v", err)
	}
}

// TestStop holds that a worker that stops puts its job back, for another.
func TestStop(t *testing.T) {
	u := postgrestest.Database(t)
	q := open(t, u)
	begun := make(chan bool, 1)
	stop := work(t, q, queue.WorkOptions{Do: func(ctx context.Context, _ queue.Job) error {
		begun <- true
		<-ctx.Done()
		return ctx.Err()
	}})
	id, _ := request(t, q, queue.Job{Place: "/x"}, queue.Asked)
	<-begun
	stop()
	if e := until(t, q, id, queue.Waiting); e.Attempt != 0 || e.Error != "" {
		t.Errorf("the job is %+v, want no attempt used", e)
	}
	work(t, open(t, u), queue.WorkOptions{Do: func(context.Context, queue.Job) error { return nil }})
	until(t, q, id, queue.Done)
}

// TestDeadWorker holds that the job of a worker that is gone is taken over, and that
// of one that says that it is at it is not.
func TestDeadWorker(t *testing.T) {
	u := postgrestest.Database(t)
	q := open(t, u)
	id, _ := request(t, q, queue.Job{Place: "/x"}, queue.Asked)
	postgrestest.Exec(t, u, fmt.Sprintf("UPDATE espy.river_job SET state = 'running', attempt = 1, attempted_at = now() - interval '1 hour', attempted_by = ARRAY['gone'] WHERE id = %d", id))
	var calls atomic.Int32
	begun, release := make(chan bool, 10), make(chan bool)
	work(t, q, queue.WorkOptions{Lost: 300 * time.Millisecond, Do: func(context.Context, queue.Job) error {
		calls.Add(1)
		begun <- true
		<-release
		return nil
	}})
	<-begun
	// A worker that is late keeps what it is at.
	postgrestest.Exec(t, u, fmt.Sprintf("UPDATE espy.river_job SET attempted_at = now() - interval '1 hour' WHERE id = %d", id))
	seen := until(t, q, id, queue.Running).Seen
	for !until(t, q, id, queue.Running).Seen.After(seen) {
		select {
		case <-t.Context().Done():
			t.Fatal("the worker did not say that it is at its job")
		default:
		}
	}
	close(release)
	until(t, q, id, queue.Done)
	if calls.Load() != 1 {
		t.Errorf("the job was done %d times", calls.Load())
	}
}

// TestTakenOver holds that a worker ends the work on a job that another has.
func TestTakenOver(t *testing.T) {
	u := postgrestest.Database(t)
	q := open(t, u)
	begun, ended := make(chan bool, 10), make(chan error, 10)
	work(t, q, queue.WorkOptions{Lost: 300 * time.Millisecond, Do: func(ctx context.Context, _ queue.Job) error {
		begun <- true
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	}})
	id, _ := request(t, q, queue.Job{Place: "/x"}, queue.Asked)
	<-begun
	postgrestest.Exec(t, u, fmt.Sprintf("UPDATE espy.river_job SET attempted_by = ARRAY['other'] WHERE id = %d", id))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "taken the job over") {
		t.Errorf("it ended with %v", err)
	}
}

// TestBadRequests holds what is refused, and that any other text is kept as it is.
func TestBadRequests(t *testing.T) {
	q := open(t, postgrestest.Database(t))
	for _, j := range []queue.Job{{}, {Place: "a\x00b"}, {Place: "\xff"}, {Place: strings.Repeat("x", 1<<20)}, {Place: "/x", Ref: strings.Repeat("x", 300)}} {
		var refused *usage.Error
		if _, _, err := q.Request(t.Context(), j, queue.Asked); !errors.As(err, &refused) || len(err.Error()) > 1000 {
			t.Errorf("%.30q#%.30q: %.200v", j.Place, j.Ref, err)
		}
	}
	hostile := `'; DROP TABLE espy.river_job; -- \u0000 $1`
	id, _ := request(t, q, queue.Job{Place: hostile, Ref: hostile}, queue.Asked)
	if e := until(t, q, id, queue.Waiting); e.Place != hostile || e.Ref != hostile {
		t.Errorf("kept as %+v", e)
	}
}

// TestReplica holds that a database which only reads, and has no tables of jobs yet, says
// where they are made.
func TestReplica(t *testing.T) {
	u := postgrestest.Database(t)
	pool, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	pool.Close()
	replica := *u
	replica.RawQuery += "&default_transaction_read_only=on"
	pool, err = postgres.Open(t.Context(), postgres.Options{URL: replica.String(), MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	var refused *usage.Error
	if _, err := queue.Open(t.Context(), pool, nil); !errors.As(err, &refused) || !strings.Contains(refused.Hint, "on the primary") {
		t.Errorf("without tables: error %v", err)
	}
	open(t, u)
	if q, err := queue.Open(t.Context(), pool, nil); err != nil {
		t.Errorf("with tables: %v", err)
	} else if _, err := q.Counts(t.Context()); err != nil {
		t.Errorf("counts: %v", err)
	}
}
