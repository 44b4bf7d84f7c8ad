package mcpserver

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/render"
	"espy/internal/workspace"
)

const symbolSchema = `{
	"type": "object",
	"properties": {
		"symbol": {"type": "string", "description": "name, pkg.Type.method or id"},
		"at": {"type": "string", "description": "or file:LINE:COLUMN of a use"},
		"body": {"type": "boolean"},
		"repo": {"type": "string"},
		"ref": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

// navParams are the arguments that questions about symbols share.
type navParams struct {
	Symbol    string `json:"symbol"`
	At        string `json:"at"`
	Repo      string `json:"repo"`
	Ref       string `json:"ref"`
	Limit     int    `json:"limit"`
	Cursor    string `json:"cursor"`
	MaxTokens int    `json:"max_tokens"`
	Format    string `json:"format"`
}

type symbolParams struct {
	navParams
	Body bool `json:"body"`
}

func (s *Server) symbolTool() tool {
	return tool{
		name: "symbol", title: "Find definitions", readOnly: true, schema: symbolSchema,
		description: `Where a name is defined, or what the use at a place means: signature, documentation, body=true for its code.`,
		call:        s.symbol,
	}
}

func (s *Server) symbol(ctx context.Context, c *call) (string, error) {
	var p symbolParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	target, err := p.target()
	if err != nil {
		return "", err
	}
	return s.navigate(ctx, "symbol", c, &p.navParams, func(r *workspace.Repo, offset int) (navAnswer, error) {
		req := nav.SymbolRequest{Target: target, Body: p.Body, Limit: p.Limit, Offset: offset}
		found, in, err := r.Symbols(ctx, req, c.wait())
		a := &render.SymbolsAnswer{Request: &req, In: in, Symbols: found}
		return navAnswer{in, func(o render.Options) string { return render.Symbols(a, o) }, func(o render.Options) []byte { return render.SymbolsJSON(a, o) }}, err
	})
}

// target is the symbol that the arguments mean.
func (p *navParams) target() (nav.Target, error) {
	switch {
	case p.Symbol == "" && p.At == "":
		return nav.Target{}, &hinted{msg: "neither symbol nor at is given", hint: `symbol="Name", or at="path/file.go:LINE:COLUMN"`}
	case p.Symbol != "" && p.At != "":
		return nav.Target{}, &hinted{msg: "symbol and at are given", hint: "give one of them"}
	case p.Symbol != "":
		return nav.Target{Name: render.ParseName(p.Symbol)}, nil
	}
	target, err := render.ParseAt(p.At)
	if err != nil {
		return nav.Target{}, err
	}
	return target, nil
}

// navAnswer is the answer of one repository and its two forms.
type navAnswer struct {
	in   hit.Searched
	text func(render.Options) string
	json func(render.Options) []byte
}

// navigate asks the one repository of the arguments for the page of theirs.
func (s *Server) navigate(ctx context.Context, tool string, c *call, p *navParams, ask func(r *workspace.Repo, offset int) (navAnswer, error)) (string, error) {
	if p.Repo == allRepos {
		return "", &hinted{msg: tool + " looks into one repository", hint: "name it with repo; status() lists them"}
	}
	page, err := parseCursor(p.Cursor, question(tool, c.args))
	if err != nil {
		return "", err
	}
	r, err := s.repoAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	a, err := ask(r, page.offset)
	if err != nil {
		return "", s.notReady(ctx, []*workspace.Repo{r}, err)
	}
	if page, err = page.at([]hit.Searched{a.in}); err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo), Cursor: page.next(), Ref: p.Ref}
	if p.Format == "json" {
		return string(a.json(o)), nil
	}
	return a.text(o), nil
}
