package mcpserver

import (
	"errors"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/render"
	"espy/internal/usage"
)

// maxError bounds the text of an error in bytes; clients cut longer ones.
const maxError = 4_000

// errorResult answers with an error, in a form that a model can act on: what
// was wrong on the first line, what would work on the second.
func errorResult(err error) *mcp.CallToolResult {
	msg, hint := explain(err)
	text := "error: " + render.Clean(msg)
	if hint != "" {
		text += "\nhint: " + render.Clean(hint)
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: usage.Shorten(text, maxError)}}}
}

// explain splits an error into what was wrong and what would work.
func explain(err error) (msg, hint string) {
	if msg, hint = usage.Explain(err); hint == "" && errors.Is(err, fs.ErrNotExist) {
		hint = "files() lists what there is"
	}
	return msg, hint
}
