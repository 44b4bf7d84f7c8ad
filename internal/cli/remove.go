package cli

import (
	"context"

	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) removeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "remove REPO",
		Short: "Forget a repository and delete its index",
		Long: `Forgets a repository, named by name, UUID or a path in it, and deletes its index
and, if it is a remote one, its clone. The files of the repository are not touched,
nor is data that its other work trees share. NAME@REF deletes only the index of
that commit.`,
		Example: `  espy remove api
  espy remove ~/src/api --json`,
		Args:              exactly("a repository"),
		ValidArgsFunction: p.repoNames,
		RunE:              func(cmd *cobra.Command, args []string) error { return p.remove(cmd.Context(), args[0]) },
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) remove(ctx context.Context, ref string) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := p.find(ctx, w, ref)
		if err != nil {
			return err
		}
		removed := render.Removed{ID: string(r.ID()), Name: r.Name(), Root: r.Place(), URL: r.URL()}
		if err := w.Remove(ctx, r); err != nil {
			return err
		}
		return p.answer(removed, p.renderOptions())
	})
}
