package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"espy/internal/hierarchy"
	"espy/internal/render"
	"espy/internal/workspace"
)

// hierarchyFlags are the flags of espy hierarchy.
type hierarchyFlags struct {
	navFlags
	up, down bool
	format   string
	request  hierarchy.Request
}

// hierarchyFormats are the forms of a hierarchy.
var hierarchyFormats = append([]string{"text", "json"}, wordsOf(render.Diagrams)...)

func (p *program) hierarchyCommand() *cobra.Command {
	f := hierarchyFlags{navFlags: navFlags{several: true}}
	cmd := &cobra.Command{
		Use:   "hierarchy [SYMBOL]",
		Short: "Find the types above and below a type, and what a method overrides",
		Long: `Lists what stands above and below a type: what it extends, implements or embeds, and
what extends, implements or embeds it, as a tree of --depth levels. Of a method it
lists those that it overrides or implements, and those that override or implement it.
SYMBOL is named as for espy symbol. Each line has the line of code that proves it.

Notes in parentheses say how the lower of the two stands to the upper:
  extends, implements, includes   it names the other, a trait or module that it uses
  embeds                          a struct or an interface of Go embeds the other
  has its methods                 a type of Go has the methods of an interface
  overrides                       a method replaces the other; hides: a static one does
  is declared as                  a type is declared as the other
  declared outside ...            no file of the repository declares it
  likely, possible                with the reason
  again                           what follows is listed in another place
  cycle                           it is among those that lead here`,
		Example: `  espy hierarchy Handler
  espy hierarchy Shape --down --depth 10
  espy hierarchy Circle.area --up
  espy hierarchy src/shapes.py#Shape --format mermaid`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.hierarchy(cmd.Context(), &f, args) },
	}
	p.navFlags(cmd, &f.navFlags, true)
	flags := cmd.Flags()
	flags.BoolVar(&f.up, "up", false, "list only what stands above it")
	flags.BoolVar(&f.down, "down", false, "list only what stands below it")
	flags.IntVar(&f.request.Depth, "depth", 0, "follow `n` levels, 1 to 50 (0: 3)")
	flags.StringVar(&f.format, "format", "text", "`form` of the answer: text, json, mermaid or dot")
	completeWords(cmd, "format", hierarchyFormats...)
	return cmd
}

func (p *program) hierarchy(ctx context.Context, f *hierarchyFlags, args []string) (err error) {
	req := f.request
	if req.Target, err = f.target(args); err != nil {
		return err
	}
	if _, err = oneOf("format", f.format, hierarchyFormats); err != nil {
		return err
	}
	as := render.Diagram(f.format)
	switch {
	case f.up && !f.down:
		req.Direction = hierarchy.Up
	case f.down && !f.up:
		req.Direction = hierarchy.Down
	}
	req.Limit, req.Offset = f.limit, f.offset
	p.json = p.json || f.format == "json"
	return p.navigateOver(ctx, &f.navFlags, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
		if err := f.stand.target(&req.Target); err != nil {
			return nil, nil, err
		}
		found, in, err := hierarchy.Find(ctx, list, req, w)
		if err != nil {
			return nil, nil, err
		}
		a := &render.Hierarchy{In: in, Answer: found}
		end := outcome(found.Left > 0, found.Total > 0)
		if slices.Contains(render.Diagrams, as) {
			return render.DrawnHierarchy{Hierarchy: a, As: as}, end, nil
		}
		return a, end, nil
	})
}
