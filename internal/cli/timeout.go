package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"espy/internal/config"
	"espy/internal/render"

	"github.com/spf13/cobra"
)

// timeoutFlag is the flag of every command that is a question.
const timeoutFlag = "timeout"

// question makes a command a question, which ends in time.
func question(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().String(timeoutFlag, "", "answer within this `time`, with what was found until then: 500ms, 30s, 5m (default 1m)")
	bindSetting(cmd.Flags(), timeoutFlag, "timeout")
	return cmd
}

// overrun is how long after its time a question may still write its answer. What
// does not stop by itself, such as a disk that hangs, is left to the system then.
const overrun = 400 * time.Millisecond

// bound ends the context of a question at its time, and the process soon after.
func (p *program) bound(cmd *cobra.Command) {
	limit := config.Duration(p.cfg.Timeout)
	ctx, cancel := context.WithTimeout(cmd.Context(), limit)
	cmd.SetContext(ctx)
	p.timer = time.AfterFunc(limit+overrun, func() {
		defer cancel()
		fmt.Fprintln(p.stderr, "espy: "+render.Clean(late(limit).Error()))
		os.Exit(exitError)
	})
}

// written lets a question go whose answer is known: its reader may take as long
// as it likes.
func (p *program) written() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

// outcome is how a question ends that has printed its answer.
func outcome(partial, found bool) error {
	switch {
	case partial:
		return errPartial
	case !found:
		return errNothing
	}
	return nil
}
