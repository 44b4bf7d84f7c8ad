package host

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/stdio"
)

// profileDrain is how long calls of a profile, which are not bounded in time,
// may still be answered after the end of the input.
const profileDrain = time.Hour

// ServeStdio serves one client over in and out, as stdio.Serve does, and
// returns when the work that goes on behind its answers has ended.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.Close()
	s.greeted()
	o := stdio.Options{Refuse: s.profile.refuse}
	if s.profile != nil {
		o.Drain, o.Queue, o.Greet = profileDrain, s.profile.queue, true
	}
	return stdio.Serve(ctx, s.mcp, in, out, o)
}

// Protocol is the server of the protocol, for a transport that has many clients.
// Who uses it calls Close at the end.
func (s *Server) Protocol() *mcp.Server { return s.mcp }

// Refuse says why a request is not taken, before it is handed on; nil takes it.
func (s *Server) Refuse(req *jsonrpc.Request) *jsonrpc.Error { return s.profile.refuse(req) }

type requestKey struct{}

// WhileWanted returns a context for a request whose answer can only go to who sent
// it: its calls end when ctx does. The SDK has the calls of older revisions go on.
func WhileWanted(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestKey{}, ctx)
}

// wanted ends a call with the request that it belongs to.
func wanted(ctx context.Context) (context.Context, context.CancelFunc) {
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(request, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// Wrap returns a server of a protocol server that is complete, such as the fixture
// of a test suite: its tools are not looked at.
func Wrap(m *mcp.Server, log *slog.Logger) *Server {
	s := newServer(Options{About: &mcp.Implementation{}, Log: log})
	s.mcp = m
	return s
}
