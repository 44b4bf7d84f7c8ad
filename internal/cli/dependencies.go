package cli

import (
	"espy/internal/dependencies"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) dependenciesCommand() *cobra.Command {
	var f navFlags
	var req dependencies.Request
	level, direction, form := "", "", ""
	cmd := &cobra.Command{
		Use:   "dependencies [PATH]",
		Short: "List what a file, folder or package imports, and what imports it",
		Long: `Lists the imports of a file, a folder or a package, and who imports it, each with
the line that proves it. Imports are resolved as their language does; what the
repository does not hold is of the standard library, of a third party that a manifest
asks for (with the version it asks for), or unknown. Without PATH, the imports between
the folders of the repository are listed.

A folder counts with its subfolders. Languages that import packages (Go) are listed
by package. Uses that need no import, as within a package, are not listed.`,
		Example: `  espy dependencies internal/store
  espy dependencies src/server.ts --depth 3 --direction importers
  espy dependencies --level folder --format mermaid
  espy dependencies internal/cli --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			req.Path = place.ParseName(argOr(args, ""))
			req.Limit, req.Offset = f.limit, f.offset
			if req.Level, err = optional("level", level, dependencies.Levels); err != nil {
				return err
			}
			if req.Direction, err = oneOf("direction", direction, dependencies.Directions); err != nil {
				return err
			}
			drawn, err := optional("format", form, render.Diagrams)
			if err != nil {
				return err
			}
			return p.navigate(cmd.Context(), &f, func(r *workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if req.Path, err = f.stand.path(req.Path); err != nil {
					return nil, nil, err
				}
				found, _, err := dependencies.Ask(cmd.Context(), r, req, w)
				if err != nil {
					return nil, nil, err
				}
				return render.Dependencies{Answer: found, As: drawn}, outcome(found.Left > 0, found.Total() > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	cmd.Flags().StringVar(&level, "level", "", "list by `level`: file or folder (default: file for a file, else folder)")
	cmd.Flags().StringVar(&direction, "direction", string(dependencies.Both), "which `side`: both, imports or importers")
	cmd.Flags().IntVar(&req.Depth, "depth", 1, "follow up to `n` imports in a row")
	cmd.Flags().StringVar(&form, "format", "", "draw a graph: mermaid or dot")
	completeWords(cmd, "level", wordsOf(dependencies.Levels)...)
	completeWords(cmd, "direction", wordsOf(dependencies.Directions)...)
	completeWords(cmd, "format", wordsOf(render.Diagrams)...)
	return cmd
}

// optional is oneOf for a flag that may be left out.
func optional[T ~string](flag, value string, words []T) (T, error) {
	if value == "" {
		return "", nil
	}
	return oneOf(flag, value, words)
}
