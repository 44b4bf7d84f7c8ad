package conformance

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// anything is the schema of a tool that takes whatever comes.
var anything = json.RawMessage(`{"type":"object"}`)

// tool is one tool of the fixture.
type tool struct {
	name, about string
	schema      json.RawMessage // nil is anything
	call        mcp.ToolHandler
}

// text is the answer of one text.
func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{words(format, args...)}}
}

func words(format string, args ...any) *mcp.TextContent {
	return &mcp.TextContent{Text: fmt.Sprintf(format, args...)}
}

// always is a tool's handler with one answer.
func always(content ...mcp.Content) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}

// failed is the answer of a tool that failed.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{words("%v", err)}}
}
