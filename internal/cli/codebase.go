package cli

import (
	"log/slog"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/codebase"
)

// codebaseServer makes servers of one of the profiles of codebase-mcp.
func codebaseServer(name string) func(p *program, open *app.App, f func(*host.Server) error) error {
	return func(p *program, open *app.App, f func(*host.Server) error) error {
		return p.withCodebase(open, func(o codebase.Options) error { return f(codebase.New(name, o)) })
	}
}

// withCodebase runs f on the workspace and tasks that the environment variables of
// codebase-mcp name, which are those that are open where they name none. The files
// of the repositories are watched.
func (p *program) withCodebase(open *app.App, f func(o codebase.Options) error) error {
	c := codebase.LoadConfig(p.env)
	log := p.log
	if level := new(slog.LevelVar); level.UnmarshalText([]byte(c.LogLevel)) == nil {
		log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	}
	for _, n := range c.Notices {
		log.Warn(n)
	}
	run := func(a *app.App) error {
		return f(codebase.Options{Workspace: a.Workspace, Tasks: a.Tasks, DataDir: p.cfg.DataDir, Version: semantic(versionText()), Log: log})
	}
	if open != nil && c.OllamaURL == "" && c.TasksDir == "" && c.Readers == 0 {
		return run(open)
	}
	if c.OllamaURL != "" {
		own := *p.cfg
		own.Embedding, own.EmbedURL, own.EmbedModel = config.EmbeddingOllama, c.OllamaURL, c.OllamaModel
		defer func(before *config.Config) { p.cfg = before }(p.cfg)
		p.cfg = &own
	}
	return p.withOptions(app.Options{Watch: true, TasksDir: c.TasksDir, TaskReaders: c.Readers}, run)
}
