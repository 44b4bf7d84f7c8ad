package cli

import (
	"log/slog"

	"espy/internal/app"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/rustcode"
)

// withRustCode runs f on a server of the profile of rust-code-mcp, over the workspace
// that is open or its own, whose files are watched.
func (p *program) withRustCode(open *app.App, f func(*host.Server) error) error {
	dir, err := p.workingDir()
	if err != nil {
		return err
	}
	c := rustcode.LoadConfig(p.env)
	log := p.log
	if level := new(slog.LevelVar); level.UnmarshalText([]byte(c.LogLevel)) == nil {
		log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	}
	run := func(a *app.App) error {
		return f(rustcode.New(rustcode.Options{
			Workspace: a.Workspace, Start: dir, Home: p.cfg.Home, Version: semantic(versionText()), Log: log, NoSync: c.NoSync,
		}))
	}
	if open != nil {
		return run(open)
	}
	return p.withApp(true, run)
}
