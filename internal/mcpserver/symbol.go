package mcpserver

import (
	"context"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/mcpserver/arguments"
	"espy/internal/nav"
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

// namedParams are those of questions about symbols that are named.
type namedParams struct {
	queriesParams
	navParams
	seenParams
}

type symbolParams struct {
	Symbol string   `json:"symbol,omitempty" jsonschema:"name, pkg.Type.method or id"`
	At     string   `json:"at,omitempty" jsonschema:"or file:LINE:COLUMN of a use"`
	Body   bool     `json:"body,omitempty"`
	Path   []string `json:"path,omitempty"`
	scopeParams
	namedParams
}

func (s *Server) symbolTool() tool {
	return with(tool{
		name: "symbol", title: "Definitions", readOnly: true, lists: []string{"queries", "!path"},
		description: `Where a name is defined, or what the use at a place means: signature, documentation, body=true for its code.`,
	}, s.symbol)
}

func (s *Server) symbol(ctx context.Context, c *call, p *symbolParams) (string, error) {
	return s.named(ctx, c, &p.namedParams, p.within(&p.repoParams, asking{p.Symbol, p.At}), func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error) {
		req := nav.SymbolRequest{Target: t, Body: p.Body, Limit: int(p.Limit), Offset: offset}
		found, in, err := deps.Symbols(ctx, s.inScope(repos, p.Scope, c, p.Path...), req)
		return &render.Symbols{Request: &req, In: in, Symbols: found}, in.Repos, err
	})
}

// scopeParams have the packages asked that the repository uses.
type scopeParams struct {
	Scope code.Scope `json:"scope,omitempty"`
}

// inScope is a question to repositories, about some files where globs are given, or to the packages that one uses.
func (s *Server) inScope(repos []*workspace.Repo, scope code.Scope, c *call, paths ...string) deps.Question {
	return deps.Question{Library: deps.LibraryOf(s.ws), Repos: repos, Scope: scope, Paths: paths, Wait: c.wait()}
}

// asking is a symbol as the arguments name it, by name or place.
type asking struct{ symbol, at string }

// within has a symbol asked for in the package that it names, unless all are asked.
func (p *scopeParams) within(r *repoParams, what asking) asking {
	if p.Scope == code.ScopeDeps {
		return what
	}
	return asking{r.inPackage(what.symbol), r.inPackage(what.at)}
}

// asker answers a question about a symbol with a page of results.
type asker func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error)

// named asks about one symbol or several.
func (s *Server) named(ctx context.Context, c *call, p *namedParams, what asking, ask asker) (string, error) {
	t, err := arguments.Target(what.symbol, what.at)
	if err != nil && len(p.Queries) == 0 {
		return "", err
	}
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	held, err := p.held(ctx, repos)
	if err != nil {
		return "", err
	}
	if len(p.Queries) == 0 {
		return s.navigate(ctx, c, navigation{&p.navParams, repos, render.Options{Seen: held}}, func(offset int) (render.Answer, []hit.Searched, error) { return ask(repos, t, offset) })
	}
	all := several{call: c, arg: "symbol", alone: what.symbol + what.at, list: p.Queries, form: p.formParams, seen: held}
	return all.ask(ctx, func(c *call, symbol string, form formParams) (string, error) {
		t, err := arguments.Target(symbol, "")
		if err != nil {
			return "", err
		}
		one := p.navParams
		one.formParams = form
		return s.navigate(ctx, c, navigation{&one, repos, render.Options{Seen: held, Several: true}}, func(offset int) (render.Answer, []hit.Searched, error) { return ask(repos, t, offset) })
	})
}

// oneRepo is the repository of the arguments.
func (s *Server) oneRepo(ctx context.Context, c *call, p *navParams) (*workspace.Repo, error) {
	if p.Repo == allRepos {
		return nil, &usage.Error{Msg: c.Tool + " works on one repository", Hint: "name it with repo; status() lists them"}
	}
	return s.repoAt(ctx, p.Repo, p.Ref)
}

// navigation is a question about symbols of repositories.
type navigation struct {
	*navParams
	repos []*workspace.Repo
	seen  render.Options // what the caller holds
}

// navigate asks for a page of results.
func (s *Server) navigate(ctx context.Context, c *call, n navigation, ask func(offset int) (render.Answer, []hit.Searched, error)) (string, error) {
	page, err := c.page(n.Cursor)
	if err != nil {
		return "", err
	}
	a, in, err := ask(page.Offset)
	if err != nil {
		return "", s.notReady(ctx, n.repos, err)
	}
	if page, err = page.At(in); err != nil {
		return "", err
	}
	o := n.options(page)
	o.Seen, o.Several, o.Tasks = n.seen.Seen, n.seen.Several, s.near(ctx, n.repos...)
	return n.written(a, s.shown(o)), nil
}
