package mcpserver

import (
	"context"
	"slices"

	"espy/internal/hit"
	"espy/internal/overview"
	"espy/internal/place"
	"espy/internal/render"
)

type overviewParams struct {
	Path string `json:"path,omitempty" jsonschema:"folder"`
	atParams
	Limit positive `json:"limit,omitempty"`
	drawParams
}

// drawParams say how an answer is written that is a graph.
type drawParams struct {
	MaxTokens tokens   `json:"max_tokens,omitempty"`
	Format    drawForm `json:"format,omitempty"`
}

// drawForm is the form of an answer that can be drawn.
type drawForm string

// forms are the form of the text, and that of the drawing.
func (p drawParams) forms() (formParams, render.Diagram) {
	if as := render.Diagram(p.Format); slices.Contains(render.Diagrams, as) {
		return formParams{p.MaxTokens, formText}, as
	}
	return formParams{p.MaxTokens, form(p.Format)}, ""
}

func (s *Server) overviewTool() tool {
	return with(tool{
		name: "overview", title: "Show how a repository hangs together", set: setGraph, readOnly: true,
		description: `The map of a repository or folder on one screen: languages, entry points, areas and what they import, hot spots, cycles, authors.`,
	}, s.overview)
}

func (s *Server) overview(ctx context.Context, c *call, p *overviewParams) (string, error) {
	text, drawn := p.forms()
	n := navParams{atParams: p.atParams, formParams: text}
	r, err := s.oneRepo(ctx, c, &n)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, navigation{navParams: &n, repo: r}, func(int) (render.Answer, hit.Searched, error) {
		found, err := overview.Ask(ctx, r, overview.Request{Path: place.ParseName(p.Path), Limit: int(p.Limit)}, c.wait())
		if err != nil {
			return nil, hit.Searched{}, err
		}
		return render.Overview{Answer: found, As: drawn}, found.In, nil
	})
}
