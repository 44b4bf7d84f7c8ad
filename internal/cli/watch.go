package cli

import (
	"context"
	"errors"

	"espy/internal/app"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) watchCommand() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "watch [PATH]",
		Short: "Index a repository and keep its index up to date until interrupted",
		Long: `Indexes the repository that contains PATH (default: the working directory), as
espy index does, then watches its files. Each batch of changes is indexed when it
has settled, and reported in one line. espy mcp does the same. If several
processes watch a repository, one of them does the work. Meanwhile questions of other
commands are answered by this process, as by espy serve, without a look at every file.

If the system cannot report changes (its limit of watched folders is reached, or
the folder is on a network), espy says so and checks the files every ten seconds.`,
		Example: `  espy watch
  espy watch ~/src/api --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.watch(cmd.Context(), args, &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	p.jsonFlag(cmd)
	flags.StringVarP(&f.repo, "repo", "r", "", "an attached `repository`, by name or UUID, instead of PATH")
	p.completeRepos(cmd, "repo")
	return cmd
}

func (p *program) watch(ctx context.Context, args []string, f *indexFlags) error {
	if f.repo != "" && len(args) > 0 {
		return &usage.Error{Msg: "both a path and --repo are given", Hint: "give only one of them"}
	}
	return p.withApp(true, func(a *app.App) error {
		return p.sharing(ctx, a, func() error { return p.follow(ctx, a.Workspace, args, f) })
	})
}

// follow indexes a repository, then again what changes, until ctx ends.
func (p *program) follow(ctx context.Context, w *workspace.Workspace, args []string, f *indexFlags) error {
	r, err := p.attach(ctx, w, args, f)
	if err != nil {
		return err
	}
	bar := p.newProgress()
	report, err := r.Index(ctx, workspace.IndexOptions{Progress: bar.show})
	bar.finish()
	if err == nil {
		err = r.Watch()
	}
	for err == nil {
		if err = p.watched(&report); err == nil {
			report, err = r.Next(ctx, report.Generation)
		}
	}
	return err
}

// watched prints a generation at once.
func (p *program) watched(report *workspace.IndexReport) error {
	err := p.answer(render.Watched{IndexReport: report}, p.renderOptions())
	return errors.Join(err, p.stdout.Flush())
}
