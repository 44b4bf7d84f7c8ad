package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"espy/internal/render"

	"github.com/spf13/cobra"
)

// timeoutFlag is the flag of every command that is a question.
const timeoutFlag = "timeout"

// overrun is how long after its time a question may still write its answer. What
// does not stop by itself, such as a disk that hangs, is left to the system then.
const overrun = 300 * time.Millisecond

// What is said where the time of grepName is over.
const (
	grepName = "espy grep"
	grepLate = "espy: the time was over before all files were searched; --timeout 5m gives it more, a PATH or -g GLOB searches less"
)

// deadline ends a question. The zero value ends none.
type deadline struct {
	limit  time.Duration
	end    time.Time
	timer  *time.Timer
	parent context.Context // of the question, without a bound
	work   *time.Timer     // ends the context of bound; nil without one
}

// begin ends the context of a command at its time, and calls over soon after.
func (d *deadline) begin(cmd *cobra.Command, limit time.Duration, over func()) {
	d.parent = cmd.Context()
	ctx, cancel := context.WithTimeout(d.parent, limit)
	cmd.SetContext(ctx)
	d.limit, d.end = limit, time.Now().Add(limit)
	d.timer = time.AfterFunc(limit+overrun, func() { cancel(); over() })
}

// bound returns the context of a question that prints while it works, with a time of its
// own where limit is not 0. The time while its output waits for a reader does not count. It
// ends with the cause context.DeadlineExceeded.
func (d *deadline) bound(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if d.timer == nil {
		return context.WithCancel(ctx)
	}
	if limit > 0 {
		d.limit, d.end = limit, time.Now().Add(limit)
		d.timer.Reset(limit + overrun)
	}
	ctx, cancel := context.WithCancelCause(d.parent)
	d.work = time.AfterFunc(time.Until(d.end), func() { cancel(context.DeadlineExceeded) })
	return ctx, func() { d.work.Stop(); cancel(nil) }
}

// hold stops the time of a question until resume is called.
func (d *deadline) hold() (resume func()) {
	if d.timer == nil || !d.timer.Stop() { // its answer is known, or it is over
		return func() {}
	}
	works, began := d.work != nil && d.work.Stop(), time.Now()
	return func() {
		d.end = d.end.Add(time.Since(began))
		d.timer.Reset(time.Until(d.end) + overrun)
		if works {
			d.work.Reset(time.Until(d.end))
		}
	}
}

// written lets a question go whose answer is known: its reader may take as long
// as it likes.
func (d *deadline) written() {
	if d.timer != nil {
		d.timer.Stop()
	}
}

// closed closes what a question has open. What runs in the process may end by itself
// as long as the question has time; it is left to the system then, as an index
// survives that.
func (d *deadline) closed(close func() error) error {
	if d.timer == nil {
		return close()
	}
	done := make(chan error, 1)
	go func() { done <- close() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Until(d.end) + overrun):
		return nil
	}
}

// isLate reports whether an error says that the time of a question was over.
func (d *deadline) isLate(err error) bool {
	return d.timer != nil && errors.Is(err, context.DeadlineExceeded)
}

// unanswered answers a question whose time is over: that nothing was found in it, or that
// what is printed is not all.
func (p *program) unanswered() int {
	if p.name == grepName {
		fmt.Fprintln(p.stderr, grepLate)
		return exitPartial
	}
	late := render.Late{Limit: p.deadline.limit, Begun: p.printed.Load()}
	if !p.json || late.Begun {
		fmt.Fprint(p.stderr, late.Text(p.renderOptions()))
		return exitPartial
	}
	if _, err := p.rawStdout.Write(late.JSON(p.renderOptions())); err != nil {
		return exitError
	}
	return exitPartial
}
