package cli

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestClosedInTime holds that a question does not wait for what runs in its process
// for longer than it may take, and that another command does.
func TestClosedInTime(t *testing.T) {
	problem := errors.New("no space")
	for _, tt := range []struct {
		name     string
		question bool
		took     time.Duration // by the close
		want     time.Duration
		err      error
	}{
		{"in time", true, time.Second, time.Second, problem},
		{"behind a process that was stopped", true, time.Hour, 2*time.Second + overrun, nil},
		{"no question", false, time.Hour, time.Hour, problem},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d deadline
				if tt.question {
					d = deadline{limit: 2 * time.Second, end: time.Now().Add(2 * time.Second), timer: time.NewTimer(time.Hour)}
				}
				began := time.Now()
				err := d.closed(func() error { time.Sleep(tt.took); return problem })
				if took := time.Since(began); took != tt.want || err != tt.err {
					t.Errorf("closed = %v after %v, want %v after %v", err, took, tt.err, tt.want)
				}
				time.Sleep(tt.took) // nothing is left running
			})
		})
	}
}
