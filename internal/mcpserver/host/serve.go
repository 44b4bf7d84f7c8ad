package host

import (
	"context"
	"io"
	"time"

	"espy/internal/mcpserver/stdio"
)

// profileDrain is how long calls of a profile, which are not bounded in time,
// may still be answered after the end of the input.
const profileDrain = time.Hour

// ServeStdio serves one client over in and out, as stdio.Serve does, and
// returns when the work that goes on behind its answers has ended.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	defer s.close()
	o := stdio.Options{Refuse: s.profile.refuse}
	if s.profile != nil {
		o.Drain, o.Queue, o.Greet = profileDrain, s.profile.queue, true
	}
	return stdio.Serve(ctx, s.mcp, in, out, o)
}
