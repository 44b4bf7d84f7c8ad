package mcpserver

import (
	"context"

	"espy/internal/calls"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/render"
	"espy/internal/workspace"
)

type callsParams struct {
	Symbol    string          `json:"symbol,omitempty"`
	At        string          `json:"at,omitempty"`
	Direction calls.Direction `json:"direction,omitempty"`
	Depth     positive        `json:"depth,omitempty"`
	To        string          `json:"to,omitempty"`
	Possible  bool            `json:"possible,omitempty"`
	Path      []string        `json:"path,omitempty"`
	scopeParams
	namedParams
}

func (s *Server) callsTool() tool {
	return with(tool{
		name: "calls", title: "Calls", readOnly: true, lists: []string{"!path"},
		description: `Who calls a function or what it calls, to depth 5, each with the line that proves it; to=NAME for the way there.`,
	}, s.calls)
}

func (s *Server) calls(ctx context.Context, c *call, p *callsParams) (string, error) {
	return s.named(ctx, c, &p.namedParams, p.within(&p.repoParams, asking{p.Symbol, p.At}), func(repos []*workspace.Repo, t locate.Target, offset int) (render.Answer, []hit.Searched, error) {
		req := calls.Request{Target: t, Direction: p.Direction, Depth: int(p.Depth), To: p.To, Possible: p.Possible, Scope: p.Scope, Limit: int(p.Limit), Offset: offset}
		found, in, err := calls.Find(ctx, s.inScope(repos, p.Scope, c, p.Path...), req)
		return &render.CallTree{In: in, Answer: found}, in.Repos, err
	})
}
