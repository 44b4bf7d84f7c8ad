package cli

import (
	"context"
	"errors"

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
		Long: `Indexes the repository that holds PATH (default: the working directory) as
espy index does, then follows its files: each batch of changes is indexed when
it has settled, and told in a line. espy mcp does the same by itself; of all
processes that follow a repository one does the work.

Where the system cannot tell of changes (its limit of watched folders is
reached, the folder lies on a network), the files are looked at every ten
seconds instead, which espy says.`,
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
	flags.StringVarP(&f.repo, "repo", "r", "", "`repository` that is attached already, by name or UUID, instead of PATH")
	p.completeRepos(cmd, "repo")
	return cmd
}

func (p *program) watch(ctx context.Context, args []string, f *indexFlags) error {
	if f.repo != "" && len(args) > 0 {
		return &usage.Error{Msg: "a path and --repo are given", Hint: "give one of them"}
	}
	return p.withWatched(func(w *workspace.Workspace) error {
		r, err := f.attach(ctx, w, args)
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
	})
}

// watched tells of a generation at once, whoever reads.
func (p *program) watched(report *workspace.IndexReport) error {
	err := p.answer(render.Watched{IndexReport: report}, p.renderOptions())
	return errors.Join(err, p.stdout.Flush())
}
