package rustcode

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/host"
	"espy/internal/permit"
	"espy/internal/render"
	"espy/internal/usage"
)

// invalid is the error of a call that cannot be answered as it was put.
func invalid(format string, values ...any) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, values...)}
}

// failure is the answer to a call that failed.
func (s *server) failure(t tool, err error) error {
	var known *jsonrpc.Error
	var refused *permit.RefusedError
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled), host.WantsRoots(err):
		return err
	case errors.As(err, &refused):
		return invalid("%s", refused.Error())
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("it did not end in its time")
	}
	problem, hint := usage.Explain(err)
	if hint != "" {
		problem += "; " + hint
	}
	text := render.Visible(t.failed + ": " + problem)
	var wrong interface{ Explain() (problem, hint string) }
	if errors.As(err, &wrong) {
		return invalid("%s", text)
	}
	s.Log.Error("tool call failed", "tool", t.name, "err", err)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
}
