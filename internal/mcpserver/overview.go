package mcpserver

import (
	"context"
	"slices"

	"espy/internal/hit"
	"espy/internal/overview"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/workspace"
)

// graphParams are the arguments of questions about a part of a repository, whose
// answers can be drawn.
type graphParams struct {
	Path string `json:"path,omitempty"`
	atParams
	pageParams
	MaxTokens tokens   `json:"max_tokens,omitempty"`
	Format    drawForm `json:"format,omitempty"`
}

// drawForm is the form of an answer that can be drawn.
type drawForm string

// graph asks for a page of an answer that can be drawn.
func (s *Server) graph(ctx context.Context, c *call, p *graphParams, ask func(r *workspace.Repo, path string, offset int, as render.Diagram) (render.Answer, hit.Searched, error)) (string, error) {
	n := navParams{p.atParams, p.pageParams, formParams{p.MaxTokens, form(p.Format)}}
	as := render.Diagram(p.Format)
	if !slices.Contains(render.Diagrams, as) {
		as = ""
	}
	r, err := s.oneRepo(ctx, c, &n)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, navigation{navParams: &n, repos: []*workspace.Repo{r}}, func(offset int) (render.Answer, []hit.Searched, error) {
		a, in, err := ask(r, place.ParseName(p.Path), offset, as)
		return a, []hit.Searched{in}, err
	})
}

func (s *Server) overviewTool() tool {
	return with(tool{
		name: "overview", title: "Overview", readOnly: true,
		description: `The map of a repository or folder: languages, entry points, areas and their imports, hot spots, cycles, authors.`,
	}, s.overview)
}

func (s *Server) overview(ctx context.Context, c *call, p *graphParams) (string, error) {
	return s.graph(ctx, c, p, func(r *workspace.Repo, path string, _ int, as render.Diagram) (render.Answer, hit.Searched, error) {
		found, in, err := overview.Ask(ctx, r, overview.Request{Path: path, Limit: int(p.Limit)}, c.wait())
		return render.Overview{Answer: found, As: as}, in, err
	})
}
