package cli

import (
	"context"
	"log/slog"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/mcpserver/profile/codebase"
)

// mcpCodebase serves one of the profiles of codebase-mcp.
func (p *program) mcpCodebase(name string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		return p.withCodebase(func(o codebase.Options) error {
			return codebase.New(name, o).ServeStdio(ctx, p.stdin, p.rawStdout)
		})
	}
}

// withCodebase runs f on the workspace that the environment variables of
// codebase-mcp name. The files of the repositories are watched.
func (p *program) withCodebase(f func(o codebase.Options) error) error {
	c := codebase.LoadConfig(p.env)
	if c.OllamaURL != "" {
		p.cfg.Embedding, p.cfg.EmbedURL, p.cfg.EmbedModel = config.EmbeddingOllama, c.OllamaURL, c.OllamaModel
	}
	if level := new(slog.LevelVar); level.UnmarshalText([]byte(c.LogLevel)) == nil {
		p.log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	}
	for _, n := range c.Notices {
		p.log.Warn(n)
	}
	return p.withOptions(app.Options{Watch: true, TasksDir: c.TasksDir, TaskReaders: c.Readers}, func(a *app.App) error {
		return f(codebase.Options{Workspace: a.Workspace, Tasks: a.Tasks, DataDir: p.cfg.DataDir, Version: semantic(versionText()), Log: p.log})
	})
}
