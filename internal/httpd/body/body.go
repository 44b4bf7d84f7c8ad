// Package body reads the body of a request: JSON and nothing else, of a bounded
// size, in a bounded time, before anything is made of it.
package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/httpd/problem"
	"espy/internal/mcpserver/message"
	"espy/internal/usage"
)

// Max is the size of a body in bytes, beyond which it is not read.
const Max = message.MaxBytes

// maxTime is how long a client may take to send it.
const maxTime = 10 * time.Second

// Read returns the body of a request, and leaves it there to be read again.
func Read(w http.ResponseWriter, r *http.Request) ([]byte, *problem.Problem) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, problem.New(http.StatusUnsupportedMediaType, fmt.Sprintf("content type %q is not application/json", usage.Shorten(r.Header.Get("Content-Type"), 100)), "send Content-Type: application/json")
	}
	if r.ContentLength > Max {
		w.Header().Set("Connection", "close")
		return nil, tooLarge()
	}
	c := http.NewResponseController(w)
	late := time.Now().Add(maxTime)
	if err := c.SetReadDeadline(late); err == nil {
		defer c.SetReadDeadline(time.Time{}) //nolint:errcheck // the connection is gone
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, Max))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, problem.New(http.StatusRequestTimeout, fmt.Sprintf("the body did not arrive within %v", maxTime), "send it again")
	case err != nil:
		return nil, problem.New(http.StatusBadRequest, "the body could not be read", "send it again")
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return text, nil
}

func tooLarge() *problem.Problem {
	return problem.New(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", Max), "send less in one request")
}

// maxBatch is how many messages one body may bring. Revision 2025-03-26 has them.
const maxBatch = 16

// Messages returns the messages of the protocol that a body brings. What is wrong
// with them is answered as the protocol has it.
func Messages(text []byte) (list []jsonrpc.Message, bad *message.Bad) {
	parts := []json.RawMessage{text}
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' && json.Unmarshal(text, &parts) == nil {
		if len(parts) == 0 || len(parts) > maxBatch {
			return nil, &message.Bad{Code: jsonrpc.CodeInvalidRequest, Text: fmt.Sprintf("a batch has 1 to %d messages, not %d", maxBatch, len(parts))}
		}
	}
	for _, part := range parts {
		m, bad := message.Check(part)
		if bad != nil {
			return nil, bad
		}
		if m != nil {
			list = append(list, m)
		}
	}
	return list, nil
}
