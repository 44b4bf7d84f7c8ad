// Package conformance serves what the official conformance suite of the Model
// Context Protocol asks a server for: tools, resources and prompts under names that
// the suite fixes. They show that the transports, and the SDK behind them, keep to
// the protocol where Espy's own tools have no use for it. It is served by
// --profile conformance, and listed nowhere.
//
// https://github.com/modelcontextprotocol/conformance
package conformance

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/host"
)

// Name is what selects the profile.
const Name = "conformance"

// New returns a server of the fixture.
func New(log *slog.Logger) *host.Server {
	nothing := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	m := mcp.NewServer(&mcp.Implementation{Name: "espy-conformance", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		},
		SubscribeHandler:   nothing,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	for _, list := range [][]tool{contents, askers(), rounds(), triggers(m)} {
		for _, t := range list {
			if t.schema == nil {
				t.schema = anything
			}
			m.AddTool(&mcp.Tool{Name: t.name, Description: t.about, InputSchema: t.schema}, t.call)
		}
	}
	addResources(m)
	addPrompts(m)
	return host.Wrap(m, log)
}

// triggers are tools that change a list, of which listeners are told.
func triggers(m *mcp.Server) []tool {
	return []tool{
		{"test_trigger_tool_change", "Changes the list of tools.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			m.AddTool(&mcp.Tool{Name: "test_came_later", Description: "Came with a change of the list.", InputSchema: anything}, always())
			return text("the list of tools has changed"), nil
		}},
		{"test_trigger_prompt_change", "Changes the list of prompts.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			m.AddPrompt(&mcp.Prompt{Name: "test_came_later", Description: "Came with a change of the list."}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{}, nil
			})
			return text("the list of prompts has changed"), nil
		}},
	}
}
