package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/hit"
	"espy/internal/mcpserver/host"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/seen"
	"espy/internal/usage"
	"espy/internal/workspace"
)

type searchParams struct {
	Query string `json:"query,omitempty" jsonschema:"words, or exact text or RE2 pattern by mode"`
	queriesParams
	Mode       hit.Mode   `json:"mode,omitempty"`
	Detail     hit.Detail `json:"detail,omitempty"`
	Path       []string   `json:"path,omitempty" jsonschema:"globs, ! excludes"`
	Lang       []string   `json:"lang,omitempty"`
	Scope      code.Scope `json:"scope,omitempty"`
	IgnoreCase bool       `json:"ignore_case,omitempty"`
	Word       bool       `json:"word,omitempty"`
	Context    around     `json:"context,omitempty" jsonschema:"lines around"`
	Explain    bool       `json:"explain,omitempty"`
	atParams
	pageParams
	formParams
	seenParams
}

func (s *Server) searchTool() tool {
	return with(tool{
		name: "search", title: "Search", readOnly: true, lane: host.Searches,
		lists:       []string{"cursor", "lang", "limit", "max_tokens", "queries", "repo", "scope"},
		description: `Find code. Words or a question rank places; mode=literal or regex all matching lines and their total, structure f($A), semantic what means the same. Use it instead of grep. Words take AND OR NOT, "phrases", -not, symbol:Name, kind:func, path:, lang:.`,
	}, s.search)
}

func (s *Server) search(ctx context.Context, c *call, p *searchParams) (string, error) {
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	repos, notes, err := deps.InScope(ctx, s.ws, repos, p.Scope, c.wait())
	if err != nil {
		return "", err
	}
	held, err := p.held(ctx, repos)
	if err != nil {
		return "", err
	}
	if len(p.Queries) > 0 {
		all := several{call: c, arg: "query", alone: p.Query, list: p.Queries, form: p.formParams, seen: held}
		return all.ask(ctx, func(c *call, query string, form formParams) (string, error) {
			one := *p
			one.Query, one.formParams = query, form
			return s.searchOne(ctx, c, &one, searched{repos, notes, held, true})
		})
	}
	if err := c.missing("query"); err != nil {
		return "", err
	}
	return s.searchOne(ctx, c, p, searched{repos, notes, held, false})
}

// searched is what is asked, and what the caller holds of it.
type searched struct {
	repos   []*workspace.Repo
	notes   []string // what of the scope is left out
	held    *seen.Lines
	several bool // it is one of several questions
}

func (s *Server) searchOne(ctx context.Context, c *call, p *searchParams, in searched) (string, error) {
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	req := hit.Request{
		Query: p.Query, Mode: p.Mode, Detail: p.Detail, Paths: p.Path, Languages: p.Lang, Scope: p.Scope,
		Limit: min(int(p.Limit), maxHits), Offset: page.Offset, IgnoreCase: p.IgnoreCase, Word: p.Word,
		Before: int(p.Context), After: int(p.Context), MaxTokens: p.MaxTokens.bound(), Explain: p.Explain, ShowSecrets: s.showSecrets,
	}
	if req.Brief = p.Detail == "" && p.Format != formJSON; req.Brief && p.MaxTokens == 0 {
		req.MaxTokens = 0
	}
	if err := req.RefuseIgnored(argumentNames); err != nil {
		return "", err
	}
	q, err := search.Compile(req)
	if err != nil {
		return "", err
	}
	res, err := s.ws.Search(ctx, in.repos, q, c.wait())
	if err != nil {
		return "", s.notReady(ctx, in.repos, err)
	}
	if page, err = page.At(res.Repos); err != nil {
		return "", err
	}
	res.Notes = append(res.Notes, in.notes...)
	o := p.options(page)
	o.Seen, o.Several, o.Tasks = in.held, in.several, s.near(ctx, in.repos...)
	return p.written(render.Search{Result: res, Request: &req}, s.shown(o)), nil
}

// argumentNames are the names of arguments that not every mode takes.
var argumentNames = hit.Names{
	IgnoreCase: "ignore_case", Word: "word", Context: "context", Explain: "explain",
	Mode: func(m hit.Mode) string { return "mode=" + string(m) },
}

// maxHits bounds the hits of one answer. It is far more than fit into the largest.
const maxHits = 2_000

// notReady explains a failure that is caused by a first indexing in progress.
func (s *Server) notReady(ctx context.Context, repos []*workspace.Repo, err error) error {
	var refused *usage.Error
	if errors.As(err, &refused) || ctx.Err() != nil {
		return err
	}
	for _, r := range repos {
		st, statusErr := r.Status(ctx)
		if statusErr == nil && st.Indexing != nil && st.Freshness.Generation == 0 {
			return &usage.Error{
				Msg:  fmt.Sprintf("partial: 0 of %d files; the first indexing of %s cannot answer yet (%s)", st.Indexing.TotalFiles, place.Name(r.Name()), render.Progress(*st.Indexing)),
				Hint: "ask again in a few seconds; indexing continues in the background",
			}
		}
	}
	return err
}
