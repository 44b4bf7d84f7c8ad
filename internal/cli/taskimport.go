package cli

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/tasks"
	"espy/internal/tasks/codebase"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

// tasksCommand keeps development tasks. A running server does its commands, but for
// import: the address of a database may hold a password, and what the driver reads is
// the environment of its own process.
func (p *program) tasksCommand() *cobra.Command {
	cmd := p.shareable(p.taskCommand())
	cmd.AddCommand(p.taskImport())
	return cmd
}

func (p *program) taskImport() *cobra.Command {
	var from string
	var o tasks.ImportOptions
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring over the tasks that codebase-mcp kept in PostgreSQL",
		Long: `Brings over the tasks of codebase-mcp with their ids, texts, statuses, planning
references, branches, commits, history and times. The database is only read. It is
that of --from, else of DATABASE_URL, else of REGISTRY_DATABASE_URL; of a registry,
the databases that it names are read too, and in each every schema with tasks. The
password may stand in PGPASSWORD or ~/.pgpass instead of the address, and is never
shown.

Importing again changes nothing; what was changed there since is changed here too. A
task that was changed here since is kept, unless --overwrite is given.`,
		Example: `  espy task import --from postgres://codebase@localhost:5432/codebase_mcp --dry-run
  DATABASE_URL=postgresql+asyncpg://codebase@db/codebase_mcp espy task import
  espy task import --from postgres://localhost/codebase_mcp_registry --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.importTasks(cmd.Context(), from, o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&from, "from", "", "`address` of the database: postgres://user@host:port/database")
	flags.BoolVar(&o.DryRun, "dry-run", false, "only say what would be brought over")
	flags.BoolVar(&o.Overwrite, "overwrite", false, "also replace tasks that were changed here since; their files and symbols stay")
	p.jsonFlag(cmd)
	return cmd
}

// taskSource is the address that tasks are imported from.
func (p *program) taskSource(from string) (string, error) {
	for _, address := range []string{from, p.env["DATABASE_URL"], p.env["REGISTRY_DATABASE_URL"]} {
		if strings.HasPrefix(address, "sqlite") && from == "" {
			continue // tasks of the profile codebase-mcp, which are Espy's
		}
		if address != "" {
			return address, nil
		}
	}
	return "", &usage.Error{Msg: "from which database? Neither --from nor DATABASE_URL names a PostgreSQL server", Hint: "espy task import --from postgres://USER@HOST:5432/DATABASE --dry-run"}
}

func (p *program) importTasks(ctx context.Context, from string, o tasks.ImportOptions) error {
	address, err := p.taskSource(from)
	if err != nil {
		return err
	}
	return p.withTasks(ctx, func(*workspace.Workspace, func() map[code.RepoID]string) error {
		a := render.TaskImport{DryRun: o.DryRun, Fates: map[tasks.Fate]int{}}
		bar := p.importBar()
		a.From, err = codebase.Read(ctx, codebase.Options{URL: address, Progress: bar.show}, func(f codebase.Found) error {
			return p.importTask(ctx, f, o, &a)
		})
		bar.finish()
		if err != nil {
			if n := a.Fates[tasks.Created] + a.Fates[tasks.Updated]; n > 0 && !o.DryRun {
				fmt.Fprintf(p.stderr, "%d tasks were brought over before\n", n)
			}
			return err
		}
		return p.answer(a, p.renderOptions())
	})
}

// importTask takes one task over, and notes what became of it.
func (p *program) importTask(ctx context.Context, f codebase.Found, o tasks.ImportOptions, a *render.TaskImport) error {
	m := render.MarkedTask{ID: f.Task.ID, Title: f.Task.Title, Skipped: f.Skip, Lost: f.Lost}
	if m.Skipped == "" {
		fate, err := p.tasks.Import(ctx, f.Task, o)
		if err != nil {
			return fmt.Errorf("task %s: %w", f.Task.ID, err)
		}
		a.Fates[fate]++
		m.Kept = fate == tasks.Kept
	}
	if m.Skipped != "" || m.Kept || len(m.Lost) > 0 {
		a.Marked = append(a.Marked, m)
	}
	return nil
}

// importBar shows how many tasks of a source are read, on a terminal.
type importBar struct {
	p   *program
	bar *progressbar.ProgressBar
}

func (p *program) importBar() *importBar { return &importBar{p: p} }

func (b *importBar) show(done, total int) {
	if !isTerminal(b.p.stderr) || b.p.env["TERM"] == "dumb" {
		if done == 1 {
			fmt.Fprintf(b.p.stderr, "importing %d tasks\n", total)
		}
		return
	}
	if b.bar == nil || done == 1 {
		b.finish()
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.p.stderr), progressbar.OptionSetDescription("importing"),
			progressbar.OptionSetWidth(30), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	_ = b.bar.Set(done) // a bar that cannot be drawn does not fail the command
}

func (b *importBar) finish() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
}
