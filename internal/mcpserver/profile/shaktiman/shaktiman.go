// Package shaktiman answers the seven tools and the resource of Shaktiman, a server
// that finds code for coding agents by five signals, over the engine of Espy: the
// names, schemas, defaults, limits, sentences of errors and layouts that its clients
// rely on, and what its reference promises.
//
// A tool is one file. A failure is a result with isError. How many results an answer
// has is in its _meta, with what the reader must know of them.
package shaktiman

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/usage"
)

// Name is what selects the profile.
const Name = "shaktiman"

// protocolVersion is the version that the original gives in every release.
const protocolVersion = "0.9.0"

const instructions = `Ask here first, to narrow down what to read: summary, then search, then context for a task's code within a token budget, symbols for every definition of a name, dependencies for callers and callees, diff for recent changes. Tests are left out unless scope="test" or "all". For exact strings and regular expressions use Grep, for file names Glob.`

// New returns a server of the profile.
func New(o Options) *host.Server {
	s := newServer(o)
	p := host.Profile{
		Name: Name, Version: protocolVersion, Instructions: instructions, Unknown: unknownTool,
		Resources: []host.ProfileResource{{
			URI: "shaktiman://workspace/summary", Name: "Workspace Summary", MIME: "application/json", Read: s.readSummary,
		}},
	}
	no, yes := false, true
	for _, t := range s.tools() {
		p.Tools = append(p.Tools, host.ProfileTool{
			Name: t.name, Description: t.description, Schema: json.RawMessage(t.schema), ReadOnly: true,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &yes},
			Result: func(ctx context.Context, raw json.RawMessage, _ host.Tell) (*mcp.CallToolResult, error) {
				a, err := s.run(ctx, t, raw)
				return result(a, err)
			},
		})
	}
	s.host = host.NewProfile(p, o.Log)
	return s.host
}

// tools are sorted by name, as the original lists them.
func (s *server) tools() []tool {
	list := []tool{s.dependenciesTool(), s.diffTool(), s.statusTool(), s.searchTool(), s.summaryTool(), s.symbolsTool()}
	if s.Config.ContextEnabled {
		list = append([]tool{s.contextTool()}, list...)
	}
	return list
}

// run answers a call of a tool.
func (s *server) run(ctx context.Context, t tool, raw json.RawMessage) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	args, err := newArguments(raw)
	if err != nil {
		return nil, err
	}
	a, err := t.call(ctx, args)
	var plain failure
	if err != nil && !errors.As(err, &plain) {
		s.Log.Debug("tool call failed", "tool", t.name, "err", err)
		err = failure(t.failed + usage.Shorten(render.Clean(explained(err)), maxError))
	}
	return a, err
}

// maxError is how many bytes of an internal error are told.
const maxError = 200

// result is the answer to a call as the protocol has it.
func result(a *answer, err error) (*mcp.CallToolResult, error) {
	if err != nil {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}, Meta: mcp.Meta{"result_count": 0}}, nil
	}
	meta := mcp.Meta{"result_count": a.count}
	if len(a.notes) > 0 {
		meta["notes"] = a.notes
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(a.text, "\uFFFD")}}, Meta: meta}, nil
}

func unknownTool(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("tool '%s' not found: tool not found", usage.Shorten(render.Clean(name), 100))}
}
