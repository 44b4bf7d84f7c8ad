package queue_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"espy/internal/postgrestest"
	"espy/internal/queue"
)

// TestMirrors holds that what is listed is asked for at its times, once by whichever
// worker, and that what is gone from the list is said and left alone.
func TestMirrors(t *testing.T) {
	u := postgrestest.Database(t)
	q, other := open(t, u), open(t, u)
	list := []queue.Mirror{{"https://a.test/x", "", time.Hour}, {"https://a.test/x", "dev", time.Hour}, {"/srv/y", "", time.Minute}}
	if gone, err := q.Mirrors(t.Context(), "list", list); err != nil || len(gone) != 0 {
		t.Fatalf("gone %v, %v", gone, err)
	}
	var asked atomic.Int32
	var group sync.WaitGroup
	for _, by := range []*queue.Queue{q, other, q, other} {
		group.Go(func() {
			n, err := by.Due(t.Context())
			if err != nil {
				t.Error(err)
			}
			asked.Add(int32(n))
		})
	}
	group.Wait()
	if c, err := q.Counts(t.Context()); err != nil || c.Jobs[queue.Waiting] != 3 || asked.Load() != 3 {
		t.Errorf("%d asked, jobs %+v, %v, want 3", asked.Load(), c, err)
	}
	gone, err := other.Mirrors(t.Context(), "list", list[:2])
	if err != nil || len(gone) != 1 || gone[0].Place != "/srv/y" || gone[0].Every != time.Minute {
		t.Errorf("gone %v, %v", gone, err)
	}
	postgrestest.Exec(t, u, "UPDATE espy.mirrors SET due = now() - interval '1 second'")
	if n, err := q.Due(t.Context()); n != 2 || err != nil {
		t.Errorf("%d are due, %v, want the two that are listed", n, err)
	}
	if gone, err = q.Mirrors(t.Context(), "list", list); err != nil || len(gone) != 0 {
		t.Errorf("when it is listed again: %v, %v", gone, err)
	}
}
