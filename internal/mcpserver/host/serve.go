package host

import (
	"context"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/stdio"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// profileDrain is how long calls of a profile, which are not bounded in time,
// may still be answered after the end of the input.
const profileDrain = time.Hour

// ServeStdio serves one client over in and out, as stdio.Serve does, and
// returns when the work that goes on behind its answers has ended.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.Close()
	o := stdio.Options{Refuse: s.profile.refuse}
	if s.profile != nil {
		o.Drain, o.Queue, o.Greet = profileDrain, s.profile.queue, true
	}
	return stdio.Serve(ctx, s.mcp, in, out, o)
}

// Refuse says why a request is not taken, before it is handed on; nil takes it.
func (s *Server) Refuse(req *jsonrpc.Request) *jsonrpc.Error { return s.profile.refuse(req) }

// Protocol is the server of the protocol, for a transport that has many clients.
// Who uses it calls Close at the end.
func (s *Server) Protocol() *mcp.Server { return s.mcp }
