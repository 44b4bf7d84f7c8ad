package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/httpd"
	"espy/internal/httpd/door"
	"espy/internal/mcpserver"
	"espy/internal/mcpserver/host"
	"espy/internal/usage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	addr, profile             string
	sets                      []string
	readOnly, stateful        bool
	install, yes              bool
	hosts, origins, addresses []string
}

func (p *program) serveCommand() *cobra.Command {
	f := serveFlags{sets: mcpserver.DefaultToolsets, profile: p.env["ESPY_PROFILE"]}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve many clients over HTTP",
		Long: `Serves the Model Context Protocol over HTTP, at /mcp, to many clients that share
one index, and other profiles at /mcp/NAME. It ends at an interrupt, after the
requests at work are answered. docs/server.md describes it.`,
		Example: `  espy serve
  espy serve --addr localhost:3000
  claude mcp add --transport http espy http://127.0.0.1:3779/mcp`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.install {
				return p.install(givenFlags(cmd, "install", "yes"), f.yes)
			}
			return p.serve(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:3779", "`address` to listen on, HOST:PORT")
	flags.StringVar(&f.profile, "profile", f.profile, "serve the tools of another `program` at /mcp: shebe (ESPY_PROFILE)")
	flags.StringSliceVar(&f.sets, "toolsets", f.sets, "`sets` of tools to serve, separated by commas: "+strings.Join(mcpserver.Toolsets, ", "))
	flags.BoolVar(&f.readOnly, "read-only", false, "leave out what changes indexes")
	flags.BoolVar(&f.stateful, "stateful", false, "keep sessions, for clients that need them; clients of revision 2026-07-28 are not served then")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "`names` that requests may give the server in Host, beside its own")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "`origins` of web pages that may use the server, such as https://tools.example.org")
	flags.StringSliceVar(&f.addresses, "allow-address", nil, "addresses and `networks` of clients, such as 10.0.0.0/8; all if not given")
	secretsFlag(cmd)
	flags.BoolVar(&f.install, "install", false, "show a service file that starts the server with the other flags, and write it if you agree")
	flags.BoolVar(&f.yes, "yes", false, "with --install: agree")
	return cmd
}

// givenFlags are the flags that a command was given, but for some, as arguments.
func givenFlags(cmd *cobra.Command, but ...string) (args []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(but, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}

func (p *program) serve(ctx context.Context, f *serveFlags) error {
	for _, s := range f.sets {
		if _, err := oneOf("toolsets", s, mcpserver.Toolsets); err != nil {
			return err
		}
	}
	if f.profile != "" {
		if _, err := profile(f.profile); err != nil {
			return err
		}
	}
	return p.withApp(true, func(a *app.App) error {
		own, err := p.ownTools(a, f)
		if err != nil {
			return err
		}
		defer own.Close()
		served := map[string]*host.Server{}
		return p.withProfiles(a, slices.Sorted(maps.Keys(profiles)), served, func() error {
			return p.listen(ctx, a, f, own, served)
		})
	})
}

// ownTools are Espy's own tools, of the folder that the server is started in.
func (p *program) ownTools(a *app.App, f *serveFlags) (*host.Server, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return mcpserver.New(mcpserver.Options{
		Workspace: a.Workspace, Start: dir, Version: versionText(), Toolsets: f.sets, ReadOnly: f.readOnly, Log: p.log,
		Timeout: config.Duration(p.cfg.MCPTimeout),
	}).Server, nil
}

// withProfiles adds a server of each profile, and runs f while they are open.
func (p *program) withProfiles(a *app.App, names []string, served map[string]*host.Server, f func() error) error {
	if len(names) == 0 {
		return f()
	}
	dir := p.cfg.DataDir
	return profiles[names[0]](p, a, func(s *host.Server) error {
		p.cfg.DataDir = dir // a profile may have its own
		defer s.Close()
		served[names[0]] = s
		return p.withProfiles(a, names[1:], served, f)
	})
}

// listen serves until ctx ends.
func (p *program) listen(ctx context.Context, a *app.App, f *serveFlags, own *host.Server, served map[string]*host.Server) error {
	tools := own
	if f.profile != "" {
		tools = served[f.profile]
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return listenError(f.addr, err)
	}
	server, err := httpd.New(httpd.Options{
		Door:  door.Options{Addr: f.addr, Hosts: f.hosts, Origins: f.origins, Addresses: f.addresses},
		Tools: tools, Profiles: served, Stateful: f.stateful, Version: versionText(), Log: p.log, Health: p.healthOf(a),
	})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	p.signals.allow(httpd.DrainTime + grace)
	fmt.Fprintf(p.stderr, "espy serves http://%s/mcp\n", l.Addr())
	ctx, cancel := context.WithCancel(ctx)
	shared := make(chan error, 1)
	go func() { shared <- p.share(ctx, a.Workspace) }()
	err = server.Serve(ctx, l)
	cancel()
	return errors.Join(err, <-shared)
}

func listenError(addr string, err error) error {
	hint := "--addr takes HOST:PORT, such as 127.0.0.1:3779"
	if errors.Is(err, syscall.EADDRINUSE) {
		hint = "another program, or another espy serve, listens there: use that one, or choose another port with --addr"
	}
	return &usage.Error{Arg: "addr", Value: addr, Msg: err.Error(), Hint: hint}
}

// reachTime bounds a look whether the server of a model can be reached.
const reachTime = 500 * time.Millisecond

// healthOf tells what the server stands on.
func (p *program) healthOf(a *app.App) func(context.Context) httpd.Health {
	return func(ctx context.Context) httpd.Health {
		h := httpd.Health{Database: httpd.Connected, Ollama: httpd.NotConfigured, Embedder: p.cfg.Embedding}
		if _, err := a.Workspace.Repos(ctx); err != nil {
			p.log.Error("the indexes cannot be read", "err", err)
			h.Database = httpd.Disconnected
		}
		far := a.Workspace.Models().Remote
		if p.cfg.Embedding != config.EmbeddingOllama || far == nil {
			return h
		}
		h.Ollama = httpd.Disconnected
		conn, err := (&net.Dialer{Timeout: reachTime}).DialContext(ctx, "tcp", far.Host())
		if err == nil {
			conn.Close()
			h.Ollama = httpd.Connected
		}
		return h
	}
}
