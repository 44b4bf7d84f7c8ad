package host

import (
	"errors"
	"io/fs"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/render"
	"espy/internal/usage"
)

// maxError bounds the text of an error in bytes; clients cut longer ones.
const maxError = 4_000

// errorResult is an error that a model can act on: the first line says what was
// wrong, the second what would work.
func errorResult(err error) *mcp.CallToolResult {
	msg, hint := Explain(err)
	text := "error: " + render.Clean(msg)
	if hint != "" {
		text += "\nhint: " + render.Clean(hint)
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: usage.Shorten(text, maxError)}}}
}

// Explain splits an error into what was wrong and what would work.
func Explain(err error) (msg, hint string) {
	if msg, hint = usage.Explain(err); hint == "" && errors.Is(err, fs.ErrNotExist) {
		hint = "files() lists what there is"
	}
	return msg, hint
}
