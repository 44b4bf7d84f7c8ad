package cli

import (
	"context"

	"github.com/spf13/cobra"

	"espy/internal/deps"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

func (p *program) depsCommand() *cobra.Command {
	var f navFlags
	var req deps.Request
	cmd := &cobra.Command{
		Use:   "deps [NAME]",
		Short: "List the packages that a repository uses, and where their sources are",
		Long: `Lists the packages of others that the manifests of the repository ask for, with
their versions, and whether their sources are on this machine: in Go's module cache, in
node_modules, in the site-packages of an environment or of the system, in Cargo's
registry, among installed gems, or in vendor folders. With NAME, only packages whose
names hold it are listed. Nothing is downloaded or run.

search, symbol, references, files and outline with --scope deps ask these packages. A
package that has sources is a repository for every command: --repo
deps/ECOSYSTEM/NAME@VERSION.`,
		Example: `  espy deps
  espy deps cobra --json
  espy deps add --all
  espy search --scope deps 'parse a duration'
  espy read deps/go/github.com/spf13/cobra@v1.10.2/command.go:1-40`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Name, req.Limit, req.Offset = argOr(args, ""), f.limit, f.offset
			return p.withDeps(cmd.Context(), &f, func(l *deps.Library, r *workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				found, err := l.List(cmd.Context(), r, req, w)
				if err != nil {
					return nil, nil, err
				}
				return render.Packages{Answer: found}, outcome(false, len(found.Rows) > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	cmd.Flags().BoolVar(&req.All, "all", false, "also list packages that only other packages ask for")
	cmd.AddCommand(p.depsAddCommand(), p.depsRemoveCommand())
	return cmd
}

func (p *program) depsAddCommand() *cobra.Command {
	var f navFlags
	var req deps.Request
	cmd := &cobra.Command{
		Use:   "add [NAME]",
		Short: "Index packages that a repository uses",
		Long: `Indexes the packages that the manifests of the repository ask for, or those whose
names hold NAME. With --all, packages that only other packages ask for too: --scope
deps then asks these as well. Packages that nobody has asked for in 30 days are dropped.`,
		Example: `  espy deps add
  espy deps add cobra
  espy deps add --all`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Name = argOr(args, "")
			return p.withDeps(cmd.Context(), &f, func(l *deps.Library, r *workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				added, notes, err := l.Add(cmd.Context(), r, req, w)
				if err != nil {
					return nil, nil, err
				}
				k := render.Kept{Done: "added", Notes: notes}
				for _, r := range added {
					k.Names = append(k.Names, r.Name())
				}
				return k, outcome(false, len(added) > 0), nil
			})
		},
	}
	cmd.Flags().StringVarP(&f.repo, "repo", "r", "", "`repository` by name, path or UUID")
	cmd.Flags().BoolVar(&req.All, "all", false, "also packages that only other packages ask for")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
	return cmd
}

func (p *program) depsRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "remove [NAME]",
		Short:   "Delete the indexes of packages",
		Long:    `Deletes the index of a package, or of every package. The sources are not touched.`,
		Example: "  espy deps remove\n  espy deps remove github.com/spf13/cobra",
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withWorkspace(func(w *workspace.Workspace) error {
				library, err := deps.Needed(w)
				if err != nil {
					return err
				}
				removed, err := library.Remove(cmd.Context(), argOr(args, ""))
				if err != nil {
					return err
				}
				return p.answer(render.Kept{Done: "dropped", Names: removed}, p.renderOptions())
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

// withDeps runs ask on the packages and the repository of the flags.
func (p *program) withDeps(ctx context.Context, f *navFlags, ask func(*deps.Library, *workspace.Repo, workspace.Wait) (a render.Answer, end error, err error)) error {
	if f.limit < 0 || f.offset < 0 {
		return &usage.Error{Msg: "--limit and --offset must be 0 or more"}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := p.singleRepo(ctx, w, f.repo, f.ref)
		if err != nil {
			return err
		}
		library, err := deps.Needed(w)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		answer, end, err := ask(library, r, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.Repo, o.Ref, o.Here = oneRepo([]string{f.repo}), f.ref, p.standsIn(r, f.repo).folder
		if err := p.answer(answer, o); err != nil {
			return err
		}
		return end
	})
}
