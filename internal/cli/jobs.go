package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"espy/internal/app"
	"espy/internal/catalog"
	"espy/internal/queue"
	"espy/internal/render"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// workerStopTime is how long a worker may take to put its jobs back.
const workerStopTime = 30 * time.Second

func (p *program) jobsCommand() *cobra.Command {
	var state string
	limit := 20
	cmd := &cobra.Command{
		Use:   "jobs",
		Short: "Show and steer what the workers of a team index",
		Long: `Lists the jobs in the team's database (setting database_url), the newest first, and
counts those of each state: running, waiting, retrying, dead, cancelled, done. A dead
job was given up after its last attempt, or can never succeed; its error says why.`,
		Example: `  espy jobs --state dead
  espy jobs add https://git.example/shop.git --branch next
  espy jobs retry 12`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return runRoot(cmd, args)
			}
			return p.jobs(cmd.Context(), state, limit)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&state, "state", "", "only those of a `state`")
	flags.IntVarP(&limit, "limit", "n", limit, "`jobs` to list")
	p.jsonFlag(cmd)
	completeWords(cmd, "state", wordsOf(queue.States)...)
	cmd.AddCommand(p.jobsAdd(), p.jobsOne("cancel", "End a job, also one that runs", (*queue.Queue).Cancel), p.jobsOne("retry", "Have a job done again that is dead or cancelled, or waits for its next attempt", (*queue.Queue).Retry))
	return cmd
}

func (p *program) jobs(ctx context.Context, state string, limit int) error {
	f := queue.Filter{Limit: limit}
	if state != "" {
		s, err := oneOf("state", state, queue.States)
		if err != nil {
			return err
		}
		f.States = []queue.State{s}
	}
	if limit < 1 {
		return &usage.Error{Arg: "limit", Value: strconv.Itoa(limit), Msg: "is below 1", Hint: "--limit 20"}
	}
	return p.withQueue(ctx, func(q *queue.Queue) error {
		counts, err := q.Counts(ctx)
		if err != nil {
			return err
		}
		list, more, err := q.List(ctx, f)
		if err != nil {
			return err
		}
		return p.answer(render.Jobs{List: list, More: more, Counts: counts}, p.listOptions())
	})
}

// withQueue runs f on the queue of the team.
func (p *program) withQueue(ctx context.Context, f func(*queue.Queue) error) error {
	return p.withOptions(app.Options{}, func(a *app.App) error {
		q, err := a.Queue(ctx)
		if err != nil {
			return err
		}
		return f(q)
	})
}

func (p *program) jobsAdd() *cobra.Command {
	var ref string
	cmd := &cobra.Command{
		Use:   "add PLACE",
		Short: "Ask for a repository to be brought up to date, before what is scheduled",
		Long: `Asks for a repository to be brought up to date by a worker: a URL, or a folder that
every worker sees. Where a job of it waits already, that one goes first.`,
		Example: `  espy jobs add https://git.example/shop.git
  espy jobs add /srv/git/web`,
		Args: exactly("a URL or a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			j, err := p.jobOf(args[0], ref)
			if err != nil {
				return err
			}
			return p.withQueue(cmd.Context(), func(q *queue.Queue) error {
				id, added, err := q.Request(cmd.Context(), j, queue.Asked)
				if err != nil {
					return err
				}
				return p.answer(render.JobAdded{ID: id, Added: added, Place: j.Place, Ref: j.Ref}, p.renderOptions())
			})
		},
	}
	cmd.Flags().StringVar(&ref, "branch", "", "`branch`, tag or commit of a URL")
	p.jsonFlag(cmd)
	return cmd
}

// jobOf reads a place. A password is refused: others would see it.
func (p *program) jobOf(text, ref string) (j queue.Job, err error) {
	if !catalog.IsURL(text) {
		if ref != "" {
			return j, &usage.Error{Arg: "branch", Value: ref, Msg: "a folder has the branch that is checked out", Hint: "give the repository as a URL to name a branch"}
		}
		dir, err := filepath.Abs(p.path(text))
		return queue.Job{Place: dir}, err
	}
	remote, err := catalog.RemoteOf(text)
	if err != nil {
		return j, err
	}
	if public, _, _ := strings.Cut(text, "#"); strings.HasPrefix(public, "https://") && strings.Contains(strings.TrimPrefix(public, "https://"), "@") {
		return j, &usage.Error{Arg: "place", Value: remote.URL, Msg: "a job may not hold a user or a password", Hint: "put the address with it into the file that espy worker --mirror reads, and name it here without"}
	}
	if ref == "" {
		ref = remote.Ref
	}
	return queue.Job{Place: remote.URL, Ref: ref}, nil
}

// jobsOne is a command about one job.
func (p *program) jobsOne(name, short string, do func(*queue.Queue, context.Context, int64) (*queue.Entry, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:     name + " ID",
		Short:   short,
		Example: "  espy jobs " + name + " 12",
		Args:    exactly("the number of a job"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return &usage.Error{Arg: "id", Value: args[0], Msg: "not the number of a job", Hint: "espy jobs lists them"}
			}
			return p.withQueue(cmd.Context(), func(q *queue.Queue) error {
				e, err := do(q, cmd.Context(), id)
				if err != nil {
					return err
				}
				return p.answer(render.Job{Entry: e}, p.renderOptions())
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}
