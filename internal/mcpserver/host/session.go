package host

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type sessionKey struct{}

// inSession keeps the id of the session that a call belongs to.
func inSession(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	if req.Session == nil || req.Session.ID() == "" {
		return ctx
	}
	return context.WithValue(ctx, sessionKey{}, req.Session.ID())
}

// SessionOf returns the id of the session that a call belongs to. It is empty where the
// transport has none: over a pipe, whose process has one client, and where each request
// stands alone.
func SessionOf(ctx context.Context) string {
	id, _ := ctx.Value(sessionKey{}).(string)
	return id
}
