package cli

import (
	"context"
	"fmt"

	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) upgradeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upgrade",
		Short: "Rebuild indexes that an older espy wrote (not the program itself)",
		Long: `Rebuilds the indexes that an older espy wrote, parses their files again, and
reports what was done for each attached repository. This also happens by itself
when a repository is used; the command does it for all of them at once. The program
itself is upgraded the way it was installed; espy version shows which one runs.

Repositories whose folder is gone, and indexes that a newer espy wrote, are left
as they are. Remote repositories are not fetched.`,
		Example: `  espy upgrade
  espy upgrade --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.upgrade(cmd.Context()) },
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) upgrade(ctx context.Context) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		bar := p.newProgress()
		list, err := w.Upgrade(ctx, bar.show)
		bar.finish()
		if err != nil {
			return err
		}
		if err := p.answer(render.Upgrade(list), p.renderOptions()); err != nil {
			return err
		}
		failed := 0
		for _, u := range list {
			if u.Failed() {
				failed++
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d repositories could not be upgraded", failed, len(list))
		}
		return nil
	})
}
