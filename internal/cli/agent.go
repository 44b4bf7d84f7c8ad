package cli

import (
	"context"
	"os"
	"runtime/debug"

	"espy/internal/mcpserver/relay"
	"espy/internal/mcpserver/stdio"
)

// serveAgent serves the agent that started this process, by the server of the user
// where one runs that takes it, or alone.
func (p *program) serveAgent(ctx context.Context, start *relay.Start, alone relay.Alone) error {
	conn, err := relay.Dial(ctx, p.cfg.DataDir, start)
	if err != nil {
		p.log.Debug("no server to share", "err", err)
		return alone(ctx, p.stdin, p.rawStdout)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go stdio.WatchParent(ctx, cancel, os.Getppid, os.Getppid())
	debug.FreeOSMemory() // it hands on lines, and there may be many of it
	return relay.Run(ctx, conn, p.stdin, p.rawStdout, alone)
}
