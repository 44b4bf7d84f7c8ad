package cli

import (
	"context"
	"strings"
	"time"

	"espy/internal/changes"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) blameCommand() *cobra.Command {
	repoRef := ""
	cmd := &cobra.Command{
		Use:   "blame PATH[:FIRST[-LAST]] | [PATH#]SYMBOL",
		Short: "Show which commit each line of a file comes from",
		Long: `Shows the commit that each line of a file comes from, with its day, author and
subject. The file is the one that is checked out. With a symbol, by its id or a name
that one declaration bears, only its lines are shown. No program that the
configuration of the repository names is run.`,
		Example: `  espy blame internal/cli/cli.go
  espy blame internal/cli/cli.go:10-40 --json
  espy blame 'internal/cli/cli.go#program.root'`,
		Args: exactly("a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withLines(cmd.Context(), args, repoRef, func(ctx context.Context, at location) (render.Answer, error, error) {
				b, err := changes.BlameLines(ctx, at.repo, changes.BlameRequest{Path: at.path, First: at.first, Last: at.last})
				return render.Blame{Blame: b}, nil, err
			})
		},
	}
	p.gitFlags(cmd, &repoRef)
	return cmd
}

func (p *program) historyCommand() *cobra.Command {
	repoRef, since, limit := "", "", 0
	cmd := &cobra.Command{
		Use:   "history [PATH[:FIRST[-LAST]] | [PATH#]SYMBOL]",
		Short: "List the commits that touch a file, lines of it, a symbol, or a folder",
		Long: `Lists the newest commits that touch a file, lines of the file that is checked out,
a symbol by its id or name, or a folder; without PATH, the repository. Lines and symbols
are followed back through renames of their file. For a folder, the files that
changed most often are listed too. No program that the configuration of the
repository names is run.`,
		Example: `  espy history
  espy history internal/cli --since 2024-01-31
  espy history internal/cli/cli.go:10-40 --limit 5 --json
  espy history 'internal/cli/cli.go#program.root'`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req := changes.HistoryRequest{Limit: limit}
			if limit < 0 {
				return &usage.Error{Msg: "--limit must be 0 or more"}
			}
			if since != "" {
				var err error
				if req.Since, err = time.Parse(time.DateOnly, since); err != nil {
					return &usage.Error{Msg: "--since " + quote(since) + " is not a day", Hint: "write it as --since 2024-01-31"}
				}
			}
			return p.withLines(cmd.Context(), args, repoRef, func(ctx context.Context, at location) (render.Answer, error, error) {
				req.Path, req.First, req.Last = at.path, at.first, at.last
				h, err := changes.ListCommits(ctx, at.repo, req)
				if err != nil {
					return nil, nil, err
				}
				return render.History{History: h}, outcome(h.Partial, true), nil
			})
		},
	}
	p.gitFlags(cmd, &repoRef)
	cmd.Flags().IntVarP(&limit, "limit", "n", 0, "show at most `n` commits (0: 20)")
	cmd.Flags().StringVar(&since, "since", "", "only commits of this `day` (2024-01-31) or later")
	return cmd
}

func (p *program) gitFlags(cmd *cobra.Command, repoRef *string) {
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(repoRef, "repo", "r", "", "`repository` by name, path or UUID; PATH is relative to its root")
	cmd.Flags().Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	bindSetting(cmd.Flags(), "max-tokens", "max_tokens")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
}

// locateSymbol is locate for an argument that may also be the id of a symbol,
// PATH#NAME. The name stays in the path of the location.
func (p *program) locateSymbol(ctx context.Context, w *workspace.Workspace, arg, repoRef string) (location, error) {
	at, err := p.readPlace(ctx, w, arg, repoRef)
	file, name, ok := place.CutID(place.ParseName(arg), func(file string) bool {
		at, err := p.readPlace(ctx, w, file, repoRef)
		return err == nil && exists(at)
	})
	if !ok || err == nil && exists(at) {
		return at, err
	}
	if at, err = p.readPlace(ctx, w, file, repoRef); err == nil {
		at.path += "#" + name
	}
	return at, err
}

// withLines runs ask on the file and lines of an argument, or on the whole
// repository if there is none. The end that ask returns is that of the command.
func (p *program) withLines(ctx context.Context, args []string, repoRef string, ask func(context.Context, location) (a render.Answer, end error, err error)) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		var at location
		var err error
		switch {
		case len(args) > 0:
			at, err = p.locateSymbol(ctx, w, args[0], repoRef)
		case repoRef != "":
			at.repo, err = p.repo(ctx, w, repoRef)
		default:
			at.repo, err = p.here(ctx, w)
		}
		if err != nil {
			return err
		}
		if at.path == "." {
			at.path = ""
		}
		a, end, err := ask(ctx, at)
		if err != nil && !strings.Contains(at.path, "#") {
			return unreadable(ctx, at, err, render.Options{Repo: repoRef})
		}
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.MaxTokens, o.Repo, o.Here = int(p.cfg.MaxTokens), repoRef, p.standsIn(at.repo, repoRef).folder
		if err := p.answer(a, o); err != nil {
			return err
		}
		return end
	})
}
