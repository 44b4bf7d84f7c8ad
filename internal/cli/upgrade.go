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
		Short: "Bring all indexes to the format of this program",
		Long: `Rebuilds the indexes that an older espy wrote, parses again what it had parsed,
and says for each attached repository what was done. That happens by itself,
too, when a repository is asked about: this does it for all at once.

Repositories whose folder is gone are left as they are, and so are indexes that
a newer espy wrote. Repositories on other machines are not asked for what is new.`,
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
			if u.State == workspace.UpgradeFailed {
				failed++
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d repositories could not be upgraded", failed, len(list))
		}
		return nil
	})
}
