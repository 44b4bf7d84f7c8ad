package mcpserver

import (
	"errors"
	"io/fs"
	"strings"

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
	text := "error: " + cleanLines(msg)
	if hint != "" {
		text += "\nhint: " + cleanLines(hint)
	}
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + "..."
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// explain splits an error into what was wrong and what would work.
func explain(err error) (msg, hint string) {
	if msg, hint = usage.Explain(err); hint == "" && errors.Is(err, fs.ErrNotExist) {
		hint = "files() lists what there is"
	}
	return msg, hint
}

// cleanLines makes a text harmless and keeps its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = render.Clean(l)
	}
	return strings.Join(lines, "\n")
}
