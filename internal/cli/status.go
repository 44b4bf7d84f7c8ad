package cli

import (
	"context"
	"time"

	"espy/internal/app"
	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/visits"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) statusCommand() *cobra.Command {
	ref := ""
	cmd := &cobra.Command{
		Use:   "status [REPO]",
		Short: "Show the repositories, how fresh and complete their indexes are, and the settings",
		Long: `Shows the attached repositories, or one of them by name, UUID or a path in it:
what is checked out and how many files differ from it, how fresh the index is,
the number of files and their languages, the size, the files left out by reason,
how files are watched, which work trees share the index, and which earlier
checkouts it keeps on disk (at most 8, for 30 days, and no more than the index
itself takes, or 64 MB). Each setting with its source follows.`,
		Example: `  espy status
  espy status api
  espy status . --json`,
		Args:              atMost(1),
		ValidArgsFunction: p.repoNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.status(cmd.Context(), argOr(args, ref))
		},
	}
	cmd.Flags().StringVarP(&ref, "repo", "r", "", "`repository` by name, path or UUID, like REPO")
	p.completeRepos(cmd, "repo")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) status(ctx context.Context, ref string) error {
	return p.withApp(false, func(a *app.App) error {
		w := a.Workspace
		list, err := p.statusRepos(ctx, w, ref)
		if err != nil {
			return err
		}
		report := &render.Status{Version: versionText(), Settings: p.settings(), Disk: w.Disk(), Until: map[code.RepoID]time.Time{}}
		log := visits.Of(w)
		for _, r := range list {
			if until, ok := log.Until(r.ID()); ok {
				report.Until[r.ID()] = until
			}
			s, err := r.Status(ctx)
			if err != nil {
				return err
			}
			report.Repos = append(report.Repos, s)
		}
		report.Jobs, report.Notes = a.Team(ctx)
		return p.answer(report, p.listOptions())
	})
}

func (p *program) statusRepos(ctx context.Context, w *workspace.Workspace, ref string) ([]*workspace.Repo, error) {
	if ref == "" || ref == allRepos {
		return w.Repos(ctx)
	}
	r, err := p.find(ctx, w, ref)
	return []*workspace.Repo{r}, err
}

func (p *program) settings() []render.Setting {
	var list []render.Setting
	for _, s := range p.cfg.List() {
		value := settingText(s)
		if p.json {
			value = s.Text
		}
		list = append(list, render.Setting{Name: s.Key, Value: value, Source: s.Origin.String()})
	}
	return list
}
