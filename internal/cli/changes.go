package cli

import (
	"context"
	"errors"
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
		Use:   "changes",
		Short: "Show which files and symbols differ between two states",
		Long: `Shows the files of the work tree that differ from the commit that is checked out
or from the commit of --since, or the files that differ between two commits. For
each file it lists the symbols that were added, removed or moved, or whose
signature, body or documentation (doc) changed. The place of a symbol in its file,
the layout of its code, file modes and line endings do not matter. No program that
the configuration of the repository names is run.

A folder outside git is compared with the log of its index: since a day, or since
a generation of the index.`,
		Example: `  espy changes
  espy changes --since 2024-01-31 --path internal
  espy changes --ref main..HEAD
  espy changes --ref v1.2...topic --path internal --lang go --json`,
		Args: p.noRange,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if req.Limit < 0 || req.Offset < 0 {
				return &usage.Error{Msg: "--limit and --offset must be 0 or more"}
			}
			return p.changes(cmd.Context(), repoRef, req)
		},
	}
	flags := cmd.Flags()
	p.gitFlags(cmd, &repoRef)
	flags.StringVar(&req.Since, "since", "", "compare the work tree with this `commit`, day (2024-01-31), time, or generation:N of the index")
	flags.StringVar(&req.Ref, "ref", "", "compare the commits `A..B`; A...B compares B with their common ancestor")
	flags.StringArrayVarP(&req.Paths, "path", "p", nil, "only files that match this `glob`; repeatable, !glob excludes")
	flags.StringArrayVarP(&req.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	flags.IntVarP(&req.Limit, "limit", "n", 0, "show at most `n` files (0: 100)")
	flags.IntVar(&req.Offset, "offset", 0, "skip the first `n` files")
	return cmd
}

// noRange refuses arguments like atMost(0), and says with which flags those are given that
// git diff takes: commits, a range, and paths, which exist.
func (p *program) noRange(cmd *cobra.Command, args []string) error {
	err := atMost(0)(cmd, args)
	h := (*usage.Error)(nil)
	if !errors.As(err, &h) {
		return err
	}
	var commits []string
	var paths string
	for _, arg := range args {
		if len(commits) == 2 || len(commits) == 1 && strings.Contains(commits[0], "..") || p.isPlace(arg, true) {
			paths += " --path " + quote(arg)
		} else {
			commits = append(commits, arg)
		}
	}
	h.Hint = cmd.CommandPath()
	switch {
	case len(commits) == 2:
		h.Hint += " --ref " + quote(commits[0]+".."+commits[1])
	case len(commits) == 1 && strings.Contains(commits[0], ".."):
		h.Hint += " --ref " + quote(commits[0])
	case len(commits) == 1:
		h.Hint += " --since " + quote(commits[0])
	}
	h.Hint += paths
	return err
}

func (p *program) changes(ctx context.Context, repoRef string, req changes.Request) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		at, err := p.repoOrHere(ctx, w, repoRef)
		if err != nil {
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
		o.Repo = repoRef
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
