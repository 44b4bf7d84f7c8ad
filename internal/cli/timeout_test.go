package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"espy/internal/config"
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

// TestHeld holds that the time in which output waits for its reader is no time of the question.
func TestHeld(t *testing.T) {
	for _, tt := range []struct {
		name        string
		limit, want time.Duration
	}{
		{"the time of every question", 0, time.Hour + 5*time.Second},
		{"a time of its own", 2 * time.Second, time.Hour + 2*time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d deadline
				began, over := time.Now(), time.Duration(0)
				cmd := &cobra.Command{}
				cmd.SetContext(t.Context())
				d.begin(cmd, 5*time.Second, func() { over = time.Since(began) })
				ctx, cancel := d.bound(cmd.Context(), tt.limit)
				defer cancel()
				time.Sleep(time.Second)
				resume := d.hold()
				time.Sleep(time.Hour)
				resume()
				<-ctx.Done()
				if took := time.Since(began); took != tt.want || context.Cause(ctx) != context.DeadlineExceeded {
					t.Errorf("it ended after %v by %v, want %v", took, context.Cause(ctx), tt.want)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if want := tt.want + overrun; over != want {
					t.Errorf("over after %v, want %v", over, want)
				}
				d.hold()() // which brings nothing back
				time.Sleep(time.Minute)
			})
		})
	}
}

// TestUnanswered holds what is said when the time of a question is over: that nothing was
// found, or that what is printed is not all.
func TestUnanswered(t *testing.T) {
	for print, want := range map[string]string{
		"":         "nothing found so far\npartial: the time, 2s, was over before anything was looked at to its end",
		"a line\n": "partial: the time, 2s, was over before everything was printed",
	} {
		var out, said strings.Builder
		p := &program{stderr: &said, cfg: &config.Config{}, deadline: deadline{limit: 2 * time.Second}}
		p.printsTo(&out)
		p.stdout.WriteString(print)
		p.stdout.Flush()
		if code := p.unanswered(); code != exitPartial || out.String() != print || !strings.HasPrefix(said.String(), want) {
			t.Errorf("code %d, printed %q, said %q; want %q", code, out.String(), said.String(), want)
		}
		p.name = grepName
		said.Reset()
		if code := p.unanswered(); code != exitPartial || said.String() != grepLate+"\n" {
			t.Errorf("grep: code %d, said %q", code, said.String())
		}
	}
}
