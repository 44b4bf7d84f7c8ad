package cli

import (
	"context"
	"errors"
	"net"
	"runtime"
	"time"

	"espy/internal/app"
	"espy/internal/errand"
	"espy/internal/mcpserver"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/relay"
	"espy/internal/workspace"
)

// commandsAtWork is how many commands of others a server does at a time, for each
// processor.
const commandsAtWork = 4

// share serves the processes of the user that were started with the same settings,
// until ctx ends.
func (p *program) share(ctx context.Context, a *app.App) error {
	l, err := relay.Listen(ctx, p.cfg.DataDir)
	if l == nil || err != nil {
		return err
	}
	s := &shared{app: a, program: programText(), settings: p.settingsHash(), slots: make(chan struct{}, commandsAtWork*runtime.GOMAXPROCS(0))}
	relay.Accept(ctx, l, s.fits, func(ctx context.Context, start *relay.Start, conn net.Conn) {
		q := p.on(s, start)
		if err := q.serveOther(ctx, start, conn); err != nil && ctx.Err() == nil {
			p.log.Info("a process is not served any more", "err", err)
		}
	})
	return nil
}

// fits says why a process is not served, empty where it is.
func (s *shared) fits(start *relay.Start) string {
	folder, err := relay.Folder(start.Dir)
	switch {
	case start.Version != s.program:
		return "the server is espy " + versionText()
	case start.Settings != s.settings:
		return "the server has other settings"
	case err != nil || folder != start.Folder:
		return "the server finds another folder at " + start.Dir
	}
	return ""
}

// on is the program of another process, on what this one has open.
func (p *program) on(s *shared, start *relay.Start) *program {
	cfg := *p.cfg
	return &program{dir: start.Dir, env: environ(start.Env), parser: p.parser, cfg: &cfg, log: p.log, stderr: p.stderr, shared: s}
}

// serveOther serves another process until it has gone, or its command is done.
func (p *program) serveOther(ctx context.Context, start *relay.Start, conn net.Conn) error {
	switch {
	case start.Command != nil:
		return errand.Do(ctx, conn, func(ctx context.Context, s errand.Streams) (int, error) {
			p.stdin, p.stderr = s.In, s.Err
			p.printsTo(s.Out)
			p.args, p.terminal, p.progress = start.Command.Args, start.Command.Terminal[0], start.Command.Terminal[1]
			return p.runShared(ctx)
		})
	case start.Profile != "":
		serve, err := profile(start.Profile)
		if err != nil {
			return err
		}
		return serve(p, p.shared.app, func(s *host.Server) error { return s.ServeStdio(ctx, conn, conn) })
	}
	p.tasks = p.shared.app.Tasks
	return p.toolsFor(p.shared.app.Workspace, start).ServeStdio(ctx, conn, conn)
}

// runShared runs the command of another process, and returns its exit code.
func (p *program) runShared(ctx context.Context) (int, error) {
	select {
	case p.shared.slots <- struct{}{}:
		defer func() { <-p.shared.slots }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	log, began := p.log, time.Now() // load has the log of who asks
	err := p.run(ctx)
	if ctx.Err() != nil || errors.Is(err, errNotHere) {
		return 0, errors.Join(ctx.Err(), err)
	}
	code := p.report(err)
	log.Info("did a command", "name", p.name, "code", code, "ms", time.Since(began).Milliseconds())
	return code, nil
}

// sharing runs f, and meanwhile does the commands of other processes of the user, whose
// answers need no look at the files then.
func (p *program) sharing(ctx context.Context, a *app.App, f func() error) error {
	others, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := p.share(others, a); err != nil {
			p.log.Info("other processes are not served", "err", err)
		}
	}()
	err := f()
	end()
	<-ended
	return err
}

// toolsFor are Espy's own tools as a process was started with them.
func (p *program) toolsFor(w *workspace.Workspace, s *relay.Start) *mcpserver.Server {
	return mcpserver.New(mcpserver.Options{
		Workspace: w, Tasks: p.tasks, Start: s.Dir, Version: versionText(), Toolsets: s.Toolsets, ReadOnly: s.ReadOnly, Log: p.log, Timeout: s.Timeout,
	})
}
