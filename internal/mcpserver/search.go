package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/usage"
	"espy/internal/workspace"
)

const searchSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "words, or exact text or RE2 pattern by mode"},
		"mode": {"type": "string", "enum": ["auto", "keyword", "literal", "regex"]},
		"detail": {"type": "string", "enum": ["locate", "lines", "full"]},
		"path": {"type": "array", "items": {"type": "string"}, "description": "globs, ! excludes"},
		"lang": {"type": "array", "items": {"type": "string"}},
		"scope": {"type": "string", "enum": ["all", "code", "test", "docs", "deps"]},
		"ignore_case": {"type": "boolean"},
		"word": {"type": "boolean", "description": "match whole words"},
		"context": {"type": "integer", "minimum": 0, "maximum": 50, "description": "lines round a match"},
		"explain": {"type": "boolean"},
		"repo": {"type": "string"},
		"ref": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"required": ["query"],
	"additionalProperties": false
}`

type searchParams struct {
	Query      string     `json:"query"`
	Mode       hit.Mode   `json:"mode"`
	Detail     hit.Detail `json:"detail"`
	Path       []string   `json:"path"`
	Lang       []string   `json:"lang"`
	Scope      code.Scope `json:"scope"`
	IgnoreCase bool       `json:"ignore_case"`
	Word       bool       `json:"word"`
	Context    int        `json:"context"`
	Explain    bool       `json:"explain"`
	Repo       string     `json:"repo"`
	Ref        string     `json:"ref"`
	Limit      int        `json:"limit"`
	Cursor     string     `json:"cursor"`
	MaxTokens  int        `json:"max_tokens"`
	Format     string     `json:"format"`
}

func (s *Server) searchTool() tool {
	return tool{
		name: "search", title: "Search code", readOnly: true, schema: searchSchema,
		description: `Find code. Words or a question give ranked places with their definition; mode=literal or regex gives every matching line with an exact total. Use it instead of grep. Words take AND OR NOT, "phrases", -not, symbol:Name, kind:func, path:, lang:.`,
		call:        s.search,
	}
}

func (s *Server) search(ctx context.Context, c *call) (string, error) {
	var p searchParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	page, err := parseCursor(p.Cursor, question("search", c.args))
	if err != nil {
		return "", err
	}
	budget := tokens(p.MaxTokens)
	req := hit.Request{
		Query: p.Query, Mode: p.Mode, Detail: p.Detail, Paths: p.Path, Languages: p.Lang, Scope: p.Scope,
		Limit: min(p.Limit, maxHits), Offset: page.offset, IgnoreCase: p.IgnoreCase, Word: p.Word,
		Before: p.Context, After: p.Context, MaxTokens: budget, Explain: p.Explain,
	}
	q, err := search.Compile(req)
	if err != nil {
		return "", err
	}
	res, err := s.ws.Search(ctx, repos, q, c.wait())
	if err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	if page, err = page.at(res.Repos); err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: budget, Calls: render.ToolCalls, Repo: oneRepo(p.Repo), Request: &req, Cursor: page.next(), Ref: p.Ref}
	if p.Format == "json" {
		text, _ := render.SearchJSONPage(res, o)
		return string(text), nil
	}
	return render.Search(res, o), nil
}

// maxHits bounds the hits of one answer: many more than fit into the largest.
const maxHits = 2_000

// tokens returns the bound of an answer for a max_tokens argument, 0 when absent.
func tokens(asked int) int {
	if asked == 0 {
		return render.DefaultTokens
	}
	return min(asked, render.MaxTokens)
}

// notReady says so where a call failed because a first indexing goes on.
func (s *Server) notReady(ctx context.Context, repos []*workspace.Repo, err error) error {
	var refused *usage.Error
	if errors.As(err, &refused) || ctx.Err() != nil {
		return err
	}
	for _, r := range repos {
		st, statusErr := r.Status(ctx)
		if statusErr == nil && st.Indexing != nil && st.Freshness.Generation == 0 {
			return &hinted{
				msg:  fmt.Sprintf("partial: 0 of %d files; the first indexing of %s has not come to a first answer yet (%s)", st.Indexing.TotalFiles, render.Name(r.Name()), render.Progress(*st.Indexing)),
				hint: "ask again in a few seconds; it goes on in the background",
			}
		}
	}
	return err
}
