package mcpserver

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// navParams are the arguments that questions about symbols share.
type navParams struct {
	atParams
	pageParams
	formParams
}

type symbolParams struct {
	Symbol string `json:"symbol,omitempty" jsonschema:"name, pkg.Type.method or id"`
	At     string `json:"at,omitempty" jsonschema:"or file:LINE:COLUMN of a use"`
	Body   bool   `json:"body,omitempty"`
	navParams
}

func (s *Server) symbolTool() tool {
	return with(tool{
		name: "symbol", title: "Find definitions", readOnly: true,
		description: `Where a name is defined, or what the use at a place means: signature, documentation, body=true for its code.`,
	}, s.symbol)
}

func (s *Server) symbol(ctx context.Context, c *call, p *symbolParams) (string, error) {
	target, err := target(p.Symbol, p.At)
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, c, &p.navParams, func(r *workspace.Repo, offset int) (render.Answer, hit.Searched, error) {
		req := nav.SymbolRequest{Target: target, Body: p.Body, Limit: int(p.Limit), Offset: offset}
		found, in, err := r.Symbols(ctx, req, c.wait())
		return &render.Symbols{Request: &req, In: in, Symbols: found}, in, err
	})
}

// target is the symbol that the arguments mean.
func target(symbol, at string) (nav.Target, error) {
	switch {
	case symbol == "" && at == "":
		return nav.Target{}, &usage.Error{Msg: "neither symbol nor at is given", Hint: `symbol="Name", or at="path/file.go:LINE:COLUMN"`}
	case symbol != "" && at != "":
		return nav.Target{}, &usage.Error{Msg: "both symbol and at are given", Hint: "give only one of them"}
	case symbol != "" && !place.IsPosition(symbol):
		return nav.Target{Name: place.ParseName(symbol)}, nil
	case symbol != "":
		at = symbol
	}
	use, err := place.ParsePosition(at)
	return nav.Target{Path: use.Path, Line: use.Line, Column: use.Column}, err
}

// navigate asks the repository of the arguments for a page of results.
func (s *Server) navigate(ctx context.Context, c *call, p *navParams, ask func(r *workspace.Repo, offset int) (render.Answer, hit.Searched, error)) (string, error) {
	if p.Repo == allRepos {
		return "", &usage.Error{Msg: c.tool + " works on one repository", Hint: "name it with repo; status() lists them"}
	}
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	r, err := s.repoAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	a, in, err := ask(r, page.offset)
	if err != nil {
		return "", s.notReady(ctx, []*workspace.Repo{r}, err)
	}
	if page, err = page.at([]hit.Searched{in}); err != nil {
		return "", err
	}
	return p.written(a, s.shown(p.options(page))), nil
}
