package cli

import (
	"context"
	"os"

	"espy/internal/mcpserver/profile/shebe"
	"espy/internal/workspace"
)

// profiles are the programs whose tools `espy mcp --profile` can answer instead
// of its own.
var profiles = map[string]func(p *program, ctx context.Context) error{
	shebe.Name: (*program).mcpShebe,
}

// mcpProfile serves a profile.
func (p *program) mcpProfile(ctx context.Context, name string) error {
	serve := profiles[name]
	if serve == nil {
		return &hinted{msg: "unknown profile " + quote(name), hint: "the profiles are " + shebe.Name + "; without --profile the tools are Espy's own"}
	}
	return serve(p, ctx)
}

func (p *program) mcpShebe(ctx context.Context) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	cfg, err := shebe.LoadConfig(shebe.Input{Env: p.env, Home: p.env["HOME"], Dir: dir})
	if err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		server := shebe.New(shebe.Options{Workspace: w, Version: versionText(), Config: cfg, Log: p.log})
		return server.ServeStdio(ctx, p.stdin, p.rawStdout)
	})
}
