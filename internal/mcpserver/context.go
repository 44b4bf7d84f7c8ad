package mcpserver

import (
	"context"

	"espy/internal/bundle"
	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/seen"
)

type contextParams struct {
	Query     string     `json:"query,omitempty" jsonschema:"question, symbol, path:LINE, diff, issue or trace"`
	Changes   string     `json:"changes,omitempty" jsonschema:"or A..B, or a commit"`
	Path      []string   `json:"path,omitempty"`
	Lang      []string   `json:"lang,omitempty"`
	Scope     code.Scope `json:"scope,omitempty"`
	Seen      *string    `json:"seen,omitempty"`
	MaxTokens budget     `json:"max_tokens,omitempty"`
	Format    form       `json:"format,omitempty"`
	atParams
}

func (s *Server) contextTool() tool {
	return with(tool{
		name: "context", title: "Context", readOnly: true, lists: []string{"max_tokens"},
		description: `Start here: what a task needs in one call: definitions, callers, callees, tests, docs.`,
	}, s.context)
}

func (s *Server) context(ctx context.Context, c *call, p *contextParams) (string, error) {
	req := bundle.Request{Text: p.Query, Changes: p.Changes, Paths: p.Path, Languages: p.Lang, Scope: p.Scope, MaxTokens: int(p.MaxTokens)}
	if err := req.Check(); err != nil {
		return "", err
	}
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	token := ""
	if p.Seen != nil {
		token = *p.Seen
	}
	var a *bundle.Answer
	held, err := seen.Parse(token, func(repo, path string) []string { return a.Lines(repo, path) })
	if err != nil {
		return "", err
	}
	if a, err = bundle.GatherAll(ctx, repos, req, c.wait()); err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	o := render.Options{Repo: oneRepo(p.Repo), Ref: p.Ref, MaxTokens: req.MaxTokens, Seen: held}
	return p.Format.written(&render.Context{Request: &req, Answer: a}, s.shown(o)), nil
}
