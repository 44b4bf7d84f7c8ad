package cli

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) verifyCommand() *cobra.Command {
	ref := ""
	cmd := &cobra.Command{
		Use:   "verify [REPO]",
		Short: "Check every byte of an index",
		Long: `Reads the whole index of a repository (default: that of the working directory;
all: every repository) and checks its checksums and counts. espy index --force
repairs damage.`,
		Example: `  espy verify
  espy verify api --json
  espy verify all`,
		Args:              atMost(1),
		ValidArgsFunction: p.repoNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.verify(cmd.Context(), argOr(args, ref))
		},
	}
	cmd.Flags().StringVarP(&ref, "repo", "r", "", "`repository` by name, path or UUID, like REPO")
	p.completeRepos(cmd, "repo")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) verify(ctx context.Context, ref string) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := p.verifyRepos(ctx, w, ref)
		if err != nil {
			return err
		}
		var damaged []string
		for _, r := range list {
			report, err := r.Verify(ctx)
			if err != nil {
				return fmt.Errorf("verify %s: %w", r.Name(), err)
			}
			if len(report.Problems) > 0 {
				damaged = append(damaged, r.Name())
			}
			if err := p.answer(render.Verify{Name: r.Name(), Verified: &report}, p.renderOptions()); err != nil {
				return err
			}
		}
		if len(damaged) > 0 {
			return &usage.Error{Msg: "damaged: " + strings.Join(damaged, ", "), Hint: "espy index --force --repo " + damaged[0] + " rebuilds the index"}
		}
		return nil
	})
}

func (p *program) verifyRepos(ctx context.Context, w *workspace.Workspace, ref string) ([]*workspace.Repo, error) {
	if ref == allRepos {
		return w.Repos(ctx)
	}
	r, err := p.attached(ctx, w, ref)
	return []*workspace.Repo{r}, err
}
