package cli

import (
	"context"
	"errors"
	"os"
	"strings"

	"espy/internal/catalog"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/visits"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// indexFlags are the flags of espy index.
type indexFlags struct {
	name, repo                         string
	force, paranoid, allowBroad, exact bool
	cancel                             bool
}

func (p *program) indexCommand() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index [PATH|NAME|URL]",
		Short: "Add a repository, or bring its index up to date",
		Long: `Indexes the repository that contains PATH (default: the working directory): the
nearest folder above it that has a .git, or else the folder itself. If it is
indexed already, its index is brought up to date and only changed files are read.
An indexing that was killed or cancelled resumes where it stopped. If another
process is indexing the repository, the command waits for it.

A URL (https or ssh) names a remote repository. Its newest commit is cloned into
the data folder, without submodules, hooks or filters, and is searched like any
other repository. Index its name or URL again to fetch new commits. URL#REF clones
a branch, tag or commit. A user name and password in the URL are not stored: give
them again to fetch.

The work trees of one git repository are repositories of their own, each with its
name and its own answers. They share one index on disk, so files that another
work tree or branch already had are not analysed again. Submodules and
repositories inside the tree are indexed with it. Linked work trees are indexed
only by their own path (setting nested).

Ignore files (.gitignore, .espyignore) and the settings in docs/settings.md decide
which files are indexed. espy files --excluded lists the others, with the reason.`,
		Example: `  espy index
  espy index ~/src/api --name api
  espy index . --force
  espy index https://github.com/golang/example --name example
  espy index example
  espy index --repo api --json
  espy index --cancel api`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.index(cmd.Context(), args, &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.name, "name", "", "`name` of the repository (default: that of its folder)")
	flags.BoolVar(&f.force, "force", false, "rebuild the index from scratch")
	flags.BoolVar(&f.paranoid, "paranoid", false, "read every file again instead of trusting sizes and times")
	flags.BoolVar(&f.exact, "exact", false, "index PATH itself, not the nearest folder above it that has a .git")
	flags.BoolVar(&f.allowBroad, "allow-broad", false, "allow PATH to be / or the home folder")
	flags.BoolVar(&f.cancel, "cancel", false, "stop the indexing of PATH or NAME, whichever process runs it")
	p.jsonFlag(cmd)
	flags.StringVarP(&f.repo, "repo", "r", "", "an attached `repository`, by name or UUID, instead of PATH")
	flags.Int("workers", 0, "processor `cores` to use (0: all)")
	bindSetting(flags, "workers", "workers")
	p.completeRepos(cmd, "repo")
	return cmd
}

func (p *program) index(ctx context.Context, args []string, f *indexFlags) error {
	if f.repo != "" && len(args) > 0 {
		return &usage.Error{Msg: "both a path and --repo are given", Hint: "give only one of them"}
	}
	if f.cancel {
		return p.cancelIndex(ctx, argOr(args, f.repo))
	}
	return p.withBuilder(func(w *workspace.Workspace) error {
		r, err := p.attach(ctx, w, args, f)
		if err != nil {
			return err
		}
		o := workspace.IndexOptions{Force: f.force, Paranoid: f.paranoid}
		if len(args) > 0 && catalog.IsURL(args[0]) {
			o.URL = args[0]
		}
		bar := p.newProgress()
		o.Progress = bar.show
		report, err := r.Index(ctx, o)
		bar.finish()
		if err != nil {
			return errors.Join(err, w.Abandon(context.WithoutCancel(ctx), r))
		}
		return p.answer(render.Index{IndexReport: &report}, p.renderOptions())
	})
}

// cancelIndex stops the indexing of an attached repository.
func (p *program) cancelIndex(ctx context.Context, ref string) error {
	return p.withBuilder(func(w *workspace.Workspace) error {
		if ref == "" {
			ref = "."
		}
		r, err := p.find(ctx, w, ref)
		if err != nil {
			return err
		}
		ended, err := r.Cancel(ctx)
		if err != nil {
			return err
		}
		err = p.answer(render.Cancelled{ID: string(r.ID()), Name: r.Name(), Root: r.Root(), Ended: ended}, p.renderOptions())
		if err == nil && !ended {
			return errNothing
		}
		return err
	})
}

// attach finds the repository to index, and adds it if it is new.
func (p *program) attach(ctx context.Context, w *workspace.Workspace, args []string, f *indexFlags) (*workspace.Repo, error) {
	if f.repo != "" {
		return p.kept(w)(p.find(ctx, w, f.repo))
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
		if catalog.IsURL(dir) {
			return w.AttachURL(ctx, dir, f.name)
		}
		if _, err := os.Stat(p.path(dir)); err != nil && f.name == "" {
			if r, err := p.lookUp(ctx, w, dir); err == nil && r.Name() == dir {
				return p.kept(w)(r, nil)
			}
			if host, path, _ := strings.Cut(dir, "/"); strings.Contains(strings.Trim(host, "."), ".") && path != "" {
				return nil, &usage.Error{Arg: "path", Value: dir, Msg: "no such folder", Hint: "espy index https://" + dir + " clones a repository from there"}
			}
		}
	} else if f.name == "" && !f.exact {
		dir, err := p.workingDir()
		if err != nil {
			return nil, err
		}
		if r, err := w.Find(ctx, dir); err == nil && !gitBetween(dir, r.Root()) {
			return p.kept(w)(r, nil)
		}
		return w.Attach(ctx, dir, workspace.AttachOptions{})
	}
	return w.Attach(ctx, dir, workspace.AttachOptions{Name: f.name, AllowBroad: f.allowBroad, Exact: f.exact})
}

// kept has the index of a repository kept.
func (p *program) kept(w *workspace.Workspace) func(*workspace.Repo, error) (*workspace.Repo, error) {
	return func(r *workspace.Repo, err error) (*workspace.Repo, error) {
		if err != nil {
			return nil, err
		}
		return r, visits.Of(w).Keep(r)
	}
}
