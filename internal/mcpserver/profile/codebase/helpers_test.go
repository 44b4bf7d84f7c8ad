package codebase

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func contextWithin(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

// toError is what a client gets of an error.
func toError(t *testing.T, err error) *jsonrpc.Error {
	t.Helper()
	s := &server{Options: Options{Log: slog.New(slog.DiscardHandler)}}
	var e *jsonrpc.Error
	if !errors.As(s.failure("x", err), &e) {
		t.Fatalf("no error for a client: %v", err)
	}
	return e
}
