package cli

import (
	"context"

	"espy/internal/eval"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// evalCommits asks the commits of a repository.
func (p *program) evalCommits(ctx context.Context, f *evalFlags, args []string) error {
	if f.questions != "" || f.corpora != "" || len(f.navigation) > 0 || f.report != "" {
		return &usage.Error{Msg: "--history makes its own questions", Hint: "leave out --questions, --corpora, --navigation and --report"}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := p.repoOrHere(ctx, w, argOr(args, ""))
		if err != nil {
			return err
		}
		c, err := eval.AskCommits(ctx, r, w.Models())
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(c)
		}
		return p.print(c.Text())
	})
}
