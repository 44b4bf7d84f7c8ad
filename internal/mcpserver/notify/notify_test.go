package notify

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgressIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2100*time.Millisecond)
		defer cancel()
		p := &Notifier{updates: make(chan Step, 1)}
		start := time.Now()
		var teller sync.WaitGroup
		teller.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				p.Tell("x", float64(i), 0)
				<-time.After(10 * time.Millisecond) // of the test's own clock
			}
		})
		var at []time.Duration
		p.send(ctx, func(Step) error {
			at = append(at, time.Since(start).Round(100*time.Millisecond))
			return nil
		})
		teller.Wait()
		if diff := cmp.Diff([]time.Duration{0, 500e6, 1000e6, 1500e6, 2000e6}, at); diff != "" {
			t.Errorf("notified at (-want +got):\n%s", diff)
		}
	})
}
