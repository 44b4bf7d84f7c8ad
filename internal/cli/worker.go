package cli

import (
	"context"
	"fmt"
	"strconv"

	"espy/internal/app"
	"espy/internal/mirror"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

func (p *program) workerCommand() *cobra.Command {
	w := mirror.Worker{AtOnce: 1}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Index what a team asks for, until interrupted",
		Long: `Takes jobs of the team's database (setting database_url), brings the repository of
each up to date in the data folder of this machine, and publishes it there. Any number
of workers may run. A repository is a URL, which is cloned, or a folder that every
worker sees under the same path. A job that fails is tried again, up to eight times in
a little more than an hour; that of a worker that is gone is taken over within ninety
seconds.

--mirror names a file of repositories to keep up to date, one a line; it is read again
when it changes. What is gone from it is said, and stays indexed:

  https://git.example/shop.git
  https://git.example/api.git every=15m branch=main branch=next
  /srv/git/web every=1h

Passwords in its URLs stay on this machine. See docs/workers.md.`,
		Example: `  espy worker
  espy worker --mirror repositories.txt --at-once 2`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.worker(cmd.Context(), &w) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&w.File, "mirror", "", "`file` of repositories to keep up to date")
	flags.IntVar(&w.AtOnce, "at-once", w.AtOnce, "`jobs` that run at a time; each uses all cores")
	return cmd
}

// maxAtOnce bounds the jobs of one worker: they share its cores and its disk.
const maxAtOnce = 64

func (p *program) worker(ctx context.Context, w *mirror.Worker) error {
	if w.AtOnce < 1 || w.AtOnce > maxAtOnce {
		return &usage.Error{Arg: "at-once", Value: strconv.Itoa(w.AtOnce), Msg: fmt.Sprintf("not from 1 to %d", maxAtOnce), Hint: "1 is enough where repositories are large"}
	}
	return p.withOptions(app.Options{Build: true}, func(a *app.App) error {
		q, err := a.Queue(ctx)
		if err != nil {
			return err
		}
		p.signals.allow(workerStopTime)
		w.Workspace, w.Queue, w.Log = a.Workspace, q, p.log
		w.Tell = func(line string) { fmt.Fprintln(p.stderr, line) }
		w.Tell("espy works")
		return w.Run(ctx)
	})
}
