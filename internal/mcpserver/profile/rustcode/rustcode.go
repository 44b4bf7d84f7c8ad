// Package rustcode answers the ten tools of rust-code-mcp, a server for search by
// words and meaning and for the structure of code, over the engine of Espy: the names,
// schemas, defaults, limits, layouts and sentences of errors that its clients rely on.
//
// A tool is one file. What it answers is one text block; lines that the original does
// not have come behind its own. A failure is a JSON-RPC error.
package rustcode

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/host"
	"espy/internal/nearest"
)

// Name selects the profile.
const Name = "rust-code-mcp"

// New returns a server of the profile.
func New(o Options) *host.Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{Options: o, tracked: map[string]bool{}}
	p := host.Profile{Name: Name, Version: o.Version, Unknown: s.unknownTool}
	p.Refuse = func(method string, _ bool, params json.RawMessage) *jsonrpc.Error { return s.refuse(method, params) }
	for _, t := range s.tools() {
		s.names = append(s.names, t.name)
		p.Tools = append(p.Tools, host.ProfileTool{
			Name: t.name, Description: t.description, Schema: json.RawMessage(t.schema), Slow: t.slow, ReadOnly: !t.slow,
			Call: func(ctx context.Context, raw json.RawMessage, tell host.Tell) (string, error) {
				return s.answer(ctx, t, raw, tell)
			},
		})
	}
	h := host.NewProfile(p, o.Log)
	if !o.NoSync {
		h.Start(s.keepFresh)
	}
	return h
}

// tools are the tools, in the order of tools/list.
func (s *server) tools() []tool {
	return []tool{
		s.searchTool(), s.similarTool(), s.definitionTool(), s.referencesTool(), s.dependenciesTool(),
		s.callGraphTool(), s.complexityTool(), s.readFileTool(), s.indexTool(), s.healthTool(),
	}
}

func (s *server) answer(ctx context.Context, t tool, raw json.RawMessage, tell host.Tell) (string, error) {
	a, err := newArguments(raw, t)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, t.limit())
	defer cancel()
	text, err := t.call(ctx, a, tell)
	if err != nil {
		return "", s.failure(t, err)
	}
	return text, nil
}

func (s *server) unknownTool(name string) *jsonrpc.Error {
	hint := "the tools are " + strings.Join(s.names, ", ")
	if near := nearest.Of(name, s.names, 1); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return invalid("tool not found: %s; %s", name, hint)
}

// refuse says what is wrong with a message before it is decoded.
func (s *server) refuse(method string, params json.RawMessage) *jsonrpc.Error {
	if method != "tools/call" {
		return nil
	}
	var call struct {
		Name      *string
		Arguments json.RawMessage
	}
	switch err := json.Unmarshal(params, &call); {
	case err != nil || call.Name == nil:
		return invalid("params must be an object with a name and arguments")
	case len(call.Arguments) > 0 && call.Arguments[0] != '{' && string(call.Arguments) != "null":
		return invalid("arguments of %s must be an object", *call.Name)
	}
	return nil
}
