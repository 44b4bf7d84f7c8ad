package host

import (
	"context"
	"errors"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/permit"
)

// CallerKey is where the facts of a token name the permit.Caller that it stands for.
const CallerKey = "caller"

// asked returns a context in which the caller of a request asks. A session lives
// longer than the request that began it: what counts is the token of this one.
func asked(ctx context.Context, req mcp.Request) context.Context {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		if c, ok := extra.TokenInfo.Extra[CallerKey].(*permit.Caller); ok {
			return permit.With(ctx, c)
		}
	}
	return ctx
}

// needs is the role that a tool needs.
func (s *Server) needs(tool string) permit.Role {
	if s.changes[tool] {
		return permit.Index
	}
	return permit.Read
}

// admits says why a tool cannot be called, nil where it can.
func (s *Server) admits(ctx context.Context, tool string) error {
	if !slices.Contains(s.names, tool) {
		return s.unknown(tool)
	}
	return permit.Check(ctx, s.needs(tool), tool)
}

// protocolError is an error as the protocol has it.
func protocolError(err error) error {
	var refused *permit.RefusedError
	if errors.As(err, &refused) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	return err
}

// restrict takes out of the list of tools what who asks may not call. The list is
// then the caller's own, and no cache may give it to another.
func (s *Server) restrict(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		c := permit.Of(ctx)
		if list, ok := res.(*mcp.ListToolsResult); ok && err == nil && c != nil {
			list.CacheScope = "private"
			list.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool { return !c.Role.Allows(s.needs(t.Name)) })
		}
		return res, err
	}
}
