package stdio

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/message"
	"espy/internal/pattern"
)

// maxLine is the length of a line in bytes beyond which it is not read.
const maxLine = message.MaxBytes

var errTooLong = errors.New("line too long")

// tooLong answers a line that is too long, of which both ends are known.
func tooLong(ends []byte) *message.Bad {
	return &message.Bad{Code: jsonrpc.CodeInvalidRequest, ID: idOf(ends), Text: fmt.Sprintf("line longer than %d bytes", maxLine)}
}

// The id at both ends of a message: before what may be long, or behind it.
var (
	firstID = pattern.New(`\A\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*[,}]`)
	lastID  = pattern.New(`[}\]"]\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*)*\}\s*\z`)
)

// idOf returns the id of a message of which both ends are known, nil where it is
// at neither.
func idOf(ends []byte) json.RawMessage {
	for _, form := range []pattern.Pattern{firstID, lastID} {
		if m := form().FindSubmatch(ends); m != nil && json.Valid(m[1]) {
			return m[1]
		}
	}
	return nil
}
