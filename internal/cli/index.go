package cli

import (
	"context"

	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// indexFlags are the flags of espy index.
type indexFlags struct {
	name, repo                         string
	force, paranoid, allowBroad, exact bool
}

func (p *program) indexCommand() *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index [PATH]",
		Short: "Add a repository, or bring its index up to date",
		Long: `Indexes the repository that holds PATH (default: the working directory): the
nearest folder above it with a .git, else the folder itself. A repository that
is indexed already is brought up to date; only changed files are read.

What is left out, and why, is shown by espy files --excluded. Which files are
indexed is up to ignore files (.gitignore, .espyignore) and to the settings
described in docs/settings.md.`,
		Example: `  espy index
  espy index ~/src/api --name api
  espy index . --force
  espy index --repo api --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.index(cmd.Context(), args, &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.name, "name", "", "`name` of the repository (default: the folder's)")
	flags.BoolVar(&f.force, "force", false, "build the index anew")
	flags.BoolVar(&f.paranoid, "paranoid", false, "read every file again instead of trusting sizes and times")
	flags.BoolVar(&f.exact, "exact", false, "take PATH itself, not the nearest folder above it with a .git")
	flags.BoolVar(&f.allowBroad, "allow-broad", false, "allow PATH to be / or the home folder")
	p.jsonFlag(cmd)
	flags.StringVarP(&f.repo, "repo", "r", "", "`repository` that is attached already, by name or UUID, instead of PATH")
	flags.Int("workers", 0, "processor `cores` to use (0: all)")
	bindSetting(flags, "workers", "workers")
	p.completeRepos(cmd, "repo")
	return cmd
}

func (p *program) index(ctx context.Context, args []string, f *indexFlags) error {
	if f.repo != "" && len(args) > 0 {
		return &hinted{msg: "a path and --repo are given", hint: "give one of them"}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		r, err := f.attach(ctx, w, args)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		report, err := r.Index(ctx, workspace.IndexOptions{Force: f.force, Paranoid: f.paranoid, Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(render.IndexJSON(&report))
		}
		return p.print(render.Index(&report, p.renderOptions()))
	})
}

// attach finds the repository to index, adding it when it is new.
func (f *indexFlags) attach(ctx context.Context, w *workspace.Workspace, args []string) (*workspace.Repo, error) {
	if f.repo != "" {
		return w.Find(ctx, f.repo)
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	} else if f.name == "" && !f.exact {
		return here(ctx, w)
	}
	return w.Attach(ctx, dir, workspace.AttachOptions{Name: f.name, AllowBroad: f.allowBroad, Exact: f.exact})
}
