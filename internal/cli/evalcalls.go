package cli

import (
	"context"

	"espy/internal/eval/edges"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// evalCalls compares the calls of a repository with those that a compiler or a
// language server gives.
func (p *program) evalCalls(ctx context.Context, f *evalFlags, args []string) error {
	if f.questions != "" || f.corpora != "" || f.history || f.impact || len(f.navigation) > 0 || f.report != "" {
		return &usage.Error{Msg: "--calls goes alone", Hint: "espy eval --calls " + f.calls}
	}
	truth, err := edges.Read(f.calls)
	if err != nil {
		return err
	}
	where := ""
	if len(args) > 0 {
		where = args[0]
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := p.repoOrHere(ctx, w, where)
		if err != nil {
			return err
		}
		s, err := edges.Compare(ctx, r, truth)
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(s)
		}
		return p.print(s.Text())
	})
}
