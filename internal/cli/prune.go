package cli

import (
	"context"
	"io"
	"time"

	"espy/internal/render"
	"espy/internal/visits"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) pruneCommand() *cobra.Command {
	all := false
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Drop the indexes that only questions have made",
		Long: `A question about a folder that was never indexed makes an index for it. Unless
espy index, espy watch or an agent asks for it, that index is dropped 30 days after the
last question. This command drops those whose time is over, and with --all every one
of them, at once. No file of a repository is touched.`,
		Example: `  espy prune
  espy prune --all --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.prune(cmd.Context(), all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "also those that a question used lately")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) prune(ctx context.Context, all bool) error {
	unasked := visits.KeptFor
	if all {
		unasked = -time.Hour
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		log := visits.Of(w)
		list, err := log.Prune(ctx, time.Now(), unasked)
		if err != nil {
			return err
		}
		return p.answer(render.Pruned(list), p.renderOptions())
	})
}

// visit attaches a folder that a question is about and that nobody asked to index. The
// indexes of others that nobody asks about any more make room for it.
func (p *program) visit(ctx context.Context, w *workspace.Workspace, dir string) (*workspace.Repo, error) {
	r, err := w.Attach(ctx, dir, workspace.AttachOptions{})
	if err != nil {
		return nil, err
	}
	log := visits.Of(w)
	if err := log.Begin(r, time.Now()); err != nil {
		return nil, err
	}
	if _, err := log.Prune(ctx, time.Now(), visits.KeptFor); err != nil {
		p.log.Warn("an old index is not dropped", "err", err)
	}
	if !p.quiet {
		_, err = io.WriteString(p.stderr, render.Visited(r.Root(), p.renderOptions()))
	}
	return r, err
}

// visited notes a question about a repository that nobody asked to index.
func (p *program) visited(w *workspace.Workspace, r *workspace.Repo) *workspace.Repo {
	if err := visits.Of(w).Again(r, time.Now()); err != nil {
		p.log.Info("a question is not noted", "err", err)
	}
	return r
}
