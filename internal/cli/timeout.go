package cli

import (
	"context"
	"fmt"
	"time"

	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// timeoutFlag is the flag of every command that is a question.
const timeoutFlag = "timeout"

// overrun is how long after its time a question may still write its answer. What
// does not stop by itself, such as a disk that hangs, is left to the system then.
const overrun = 400 * time.Millisecond

// deadline ends a question. The zero value ends none.
type deadline struct {
	limit time.Duration
	end   time.Time
	timer *time.Timer
}

// begin ends the context of a command at its time, and calls over soon after.
func (d *deadline) begin(cmd *cobra.Command, limit time.Duration, over func()) {
	ctx, cancel := context.WithTimeout(cmd.Context(), limit)
	cmd.SetContext(ctx)
	d.limit, d.end = limit, time.Now().Add(limit)
	d.timer = time.AfterFunc(limit+overrun, func() { cancel(); over() })
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

// late is the error of a question that has nothing to answer in its time.
func (d *deadline) late() error {
	return &usage.Error{
		Msg:  fmt.Sprintf("no answer within %v", d.limit),
		Hint: "narrow it with --path or --lang, or give it more with --timeout; espy status shows whether indexing is in progress",
	}
}
