package codebase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/permit"
	"espy/internal/render"
	"espy/internal/usage"
)

// codeOwn is the code of errors of the program's own, such as what is not found.
const codeOwn = -32000

// newError returns an error whose data says more in one sentence.
func newError(code int64, message, details string) *jsonrpc.Error {
	data, err := json.Marshal(map[string]string{"details": render.Visible(details)})
	if err != nil {
		panic(fmt.Errorf("codebase: encode an error: %w", err))
	}
	return &jsonrpc.Error{Code: code, Message: message, Data: data}
}

// invalid is the error of an argument that does not fit.
func invalid(details string) *jsonrpc.Error {
	return newError(jsonrpc.CodeInvalidParams, "Invalid params", details)
}

// failure is the answer to a call that failed.
func (s *server) failure(tool string, err error) error {
	var known *jsonrpc.Error
	var refused *usage.Error
	var barred *permit.RefusedError
	switch {
	case errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &barred):
		return newError(codeOwn, "Not permitted", barred.Error())
	case errors.As(err, &refused):
		return invalid(refused.Error())
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("the call took too long")
	}
	s.Log.Error("tool call failed", "tool", tool, "err", err)
	return newError(jsonrpc.CodeInternalError, "Internal error", err.Error())
}
