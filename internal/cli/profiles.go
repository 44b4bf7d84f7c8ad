package cli

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"espy/internal/app"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/codebase"
	"espy/internal/mcpserver/profile/conformance"
	"espy/internal/mcpserver/profile/rustcode"
	"espy/internal/mcpserver/profile/shaktiman"
	"espy/internal/mcpserver/profile/shebe"
	"espy/internal/usage"
)

// profiles are the programs whose tools can be served instead of Espy's own. Each
// runs f on a server of its tools, over the workspace that is open or, where it
// has another or none is open, over its own.
var profiles = map[string]func(p *program, open *app.App, f func(*host.Server) error) error{
	shebe.Name:     (*program).withShebeServer,
	shaktiman.Name: (*program).withShaktimanServer,
	codebase.V1:    codebaseServer(codebase.V1),
	codebase.V2:    codebaseServer(codebase.V2),
	rustcode.Name:  (*program).withRustCode,
}

// withFixture runs f on a server of the fixture of the conformance suite.
func withFixture(p *program, _ *app.App, f func(*host.Server) error) error {
	return f(conformance.New(p.log))
}

// profile returns a profile by its name.
func profile(name string) (func(p *program, open *app.App, f func(*host.Server) error) error, error) {
	if name == conformance.Name { // it is hidden
		return withFixture, nil
	}
	if serve := profiles[name]; serve != nil {
		return serve, nil
	}
	return nil, &usage.Error{Msg: "unknown profile " + quote(name), Hint: "the profiles are " + strings.Join(slices.Sorted(maps.Keys(profiles)), ", ") + "; without --profile the tools are Espy's own"}
}

// mcpProfile serves a profile.
func (p *program) mcpProfile(ctx context.Context, name string) error {
	serve, err := profile(name)
	if err != nil {
		return err
	}
	start, err := p.start()
	if err != nil {
		return err
	}
	start.Profile = name
	return p.serveAgent(ctx, start, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return serve(p, nil, func(s *host.Server) error { return s.ServeStdio(ctx, in, out) })
	})
}
