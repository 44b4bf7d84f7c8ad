package mcpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// hinted is a mistake in a call, with what would work.
type hinted struct{ msg, hint string }

func (e *hinted) Error() string {
	if e.hint == "" {
		return e.msg
	}
	return e.msg + " (" + e.hint + ")"
}

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
	var own *hinted
	var refused *usage.Error
	var missing *workspace.NotFoundError
	var noRef *workspace.RefError
	switch {
	case errors.As(err, &own):
		return own.msg, own.hint
	case errors.As(err, &refused):
		msg = refused.Arg + ": " + refused.Msg
		if refused.Value != "" {
			msg = fmt.Sprintf("%s %q: %s", refused.Arg, shortened(refused.Value), refused.Msg)
		}
		return msg, refused.Hint
	case errors.As(err, &missing):
		return fmt.Sprintf("repo %q is not attached", shortened(missing.Ref)), repoHint(missing.Nearest)
	case errors.As(err, &noRef):
		return fmt.Sprintf("repo %s has no branch, tag or commit %q", render.Name(noRef.Repo), shortened(noRef.Ref)), render.RefHint(noRef)
	case errors.Is(err, fs.ErrNotExist):
		return err.Error(), "files() lists what there is"
	}
	return err.Error(), ""
}

func repoHint(nearest []string) string {
	if len(nearest) == 0 {
		return `no repository is attached yet: leave out repo for the one of the start folder, or index(path="/path/to/it")`
	}
	return "attached are " + strings.Join(nearest, ", ") + `; leave out repo for the start folder's, or attach one with index(path="/path/to/it")`
}

func shortened(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "..."
	}
	return s
}

// cleanLines makes a text harmless and keeps its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = render.Clean(l)
	}
	return strings.Join(lines, "\n")
}
