package cli

import (
	"context"
	"strings"

	"espy/internal/changes"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) changesCommand() *cobra.Command {
	var req changes.Request
	repoRef := ""
	cmd := &cobra.Command{
		Use:   "changes [COMMIT | A..B | A B] [PATH...]",
		Short: "Show which files and symbols differ between two states",
		Long: `Shows the files of the work tree that differ from the commit that is checked out
or from the commit of --since, or the files that differ between two commits. For
each file it lists the symbols that were added, removed or moved, or whose
signature, body or documentation (doc) changed. The place of a symbol in its file,
the layout of its code, file modes and line endings do not matter. No program that
the configuration of the repository names is run. Commits and paths may be given as
git diff takes them: a commit is --since, A..B and A B are --ref, a file or folder that
exists, or follows --, is --path.

A folder outside git is compared with the log of its index: since a day, or since
a generation of the index.`,
		Example: `  espy changes
  espy changes v1.2..v1.3 internal
  espy changes --since 2024-01-31 --path internal
  espy changes --ref main..HEAD
  espy changes --ref v1.2...topic --path internal --lang go --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Limit < 0 || req.Offset < 0 {
				return &usage.Error{Msg: "--limit and --offset must be 0 or more"}
			}
			if err := p.asDiff(args, cmd.ArgsLenAtDash(), &req); err != nil {
				return err
			}
			return p.changes(cmd.Context(), repoRef, req)
		},
	}
	flags := cmd.Flags()
	p.gitFlags(cmd, &repoRef)
	flags.StringVar(&req.Since, "since", "", "compare the work tree with this `commit`, day (2024-01-31), time, or generation:N of the index")
	flags.StringVar(&req.Ref, "ref", "", "compare the commits `A..B`; A...B compares B with their common ancestor")
	pathFlag(cmd, &req.Paths)
	flags.StringArrayVarP(&req.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	flags.IntVarP(&req.Limit, "limit", "n", 0, "show at most `n` files (0: 100)")
	flags.IntVar(&req.Offset, "offset", 0, "skip the first `n` files")
	return cmd
}

// asDiff takes arguments as git diff does: commits or a range, then paths, which exist or
// stand behind --. Dash is how many stand before it, -1 without one.
func (p *program) asDiff(args []string, dash int, req *changes.Request) error {
	var commits, paths []string
	for i, arg := range args {
		if dash >= 0 && i >= dash || len(paths) > 0 || p.isPlace(arg, true) {
			paths = append(paths, arg)
		} else {
			commits = append(commits, arg)
		}
	}
	req.Paths = append(req.Paths, paths...)
	most := 2
	switch {
	case req.Since != "" || req.Ref != "":
		most = 0
	case len(commits) > 0 && strings.Contains(commits[0], ".."):
		most = 1
	}
	if len(commits) > most {
		return &usage.Error{Msg: quote(commits[most]) + " is no file here, and the commits are named already", Hint: "a path that does not exist any more follows --"}
	}
	switch len(commits) {
	case 1:
		if most == 1 {
			req.Ref = commits[0]
		} else {
			req.Since = commits[0]
		}
	case 2:
		req.Ref = commits[0] + ".." + commits[1]
	}
	return nil
}

func (p *program) changes(ctx context.Context, repoRef string, req changes.Request) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		at, err := p.repoOrHere(ctx, w, repoRef)
		if err != nil {
			return err
		}
		here := p.standsIn(at, repoRef)
		if req.Paths, err = here.globs(req.Paths); err != nil {
			return err
		}
		bar := p.newProgress()
		req.Progress = bar.show
		c, err := changes.Compare(ctx, at, req)
		bar.finish()
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.Repo, o.Here = repoRef, here.folder
		if err := p.answer(render.Changes{Changes: c}, o); err != nil {
			return err
		}
		return outcome(c.Left+c.Pending > 0, true)
	})
}

// repoOrHere resolves a --repo value; without one it is the repository of the
// working directory.
func (p *program) repoOrHere(ctx context.Context, w *workspace.Workspace, ref string) (*workspace.Repo, error) {
	if ref == "" {
		return p.here(ctx, w)
	}
	return p.repo(ctx, w, ref)
}
