package cli

import (
	"espy/internal/overview"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) overviewCommand() *cobra.Command {
	var f navFlags
	form := ""
	cmd := &cobra.Command{
		Use:   "overview [PATH]",
		Short: "Show how a repository or a folder hangs together, on one screen",
		Long: `Shows on one screen what a newcomer needs: what the README says, languages, build
tools and what they start, the areas of the code and what these import of each other,
what most files import, where change meets complexity, import cycles, tests, and who
changed what lately. PATH is a folder, of which the same is shown.`,
		Example: `  espy overview
  espy overview internal/store
  espy overview --format mermaid
  espy overview --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			drawn, err := optional("format", form, render.Diagrams)
			if err != nil {
				return err
			}
			req := overview.Request{Path: place.ParseName(argOr(args, "")), Limit: f.limit}
			return p.navigate(cmd.Context(), &f, func(r *workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if req.Path, err = f.stand.path(req.Path); err != nil {
					return nil, nil, err
				}
				found, _, err := overview.Ask(cmd.Context(), r, req, w)
				if err != nil {
					return nil, nil, err
				}
				return render.Overview{Answer: found, As: drawn}, outcome(found.IsPartial(), found.Total.Files > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	cmd.Flags().StringVar(&form, "format", "", "draw what areas import of each other: mermaid or dot")
	completeWords(cmd, "format", wordsOf(render.Diagrams)...)
	return cmd
}
