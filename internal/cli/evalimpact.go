package cli

import (
	"context"

	"espy/internal/eval/choice"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// evalImpact asks what commits of some repositories affect.
func (p *program) evalImpact(ctx context.Context, f *evalFlags, args []string) error {
	if f.questions != "" || f.corpora != "" || len(f.navigation) > 0 || f.report != "" {
		return &usage.Error{Msg: "--impact makes its own questions", Hint: "leave out --questions, --corpora, --navigation and --report"}
	}
	if f.commits < 1 {
		return &usage.Error{Msg: "--commits must be 1 or more"}
	}
	if len(args) == 0 {
		args = []string{""}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		var repos []*workspace.Repo
		for _, a := range args {
			r, err := p.repoOrHere(ctx, w, a)
			if err != nil {
				return err
			}
			repos = append(repos, r)
		}
		m, err := choice.Ask(ctx, repos, choice.Request{Commits: f.commits, Seed: f.seed, Progress: func(repo string, done, total int) {
			p.log.Info("evaluate", "repo", repo, "done", done, "total", total)
		}})
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(m)
		}
		return p.print(m.Text())
	})
}
