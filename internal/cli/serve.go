package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"espy/internal/app"
	"espy/internal/bearer"
	"espy/internal/config"
	"espy/internal/httpd"
	"espy/internal/httpd/auth"
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
	requireToken              bool
	issuer, keys, publicURL   string
	auditDays                 int
	groups                    string
	audit                     string
	rate                      int
	cert, key                 string
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
	flags.StringVar(&f.profile, "profile", f.profile, "serve the tools of another `program` at /mcp: shebe, shaktiman, codebase-mcp, codebase-mcp-v2 or rust-code-mcp (ESPY_PROFILE)")
	flags.StringSliceVar(&f.sets, "toolsets", f.sets, "`sets` of tools to serve, separated by commas: "+strings.Join(mcpserver.Toolsets, ", "))
	flags.BoolVar(&f.readOnly, "read-only", false, "leave out what changes indexes")
	flags.BoolVar(&f.stateful, "stateful", false, "keep sessions, for clients that need them; clients of revision 2026-07-28 are not served then")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "`names` that requests may give the server in Host, beside its own")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "`origins` of web pages that may use the server, such as https://tools.example.org")
	flags.StringSliceVar(&f.addresses, "allow-address", nil, "addresses and `networks` of clients, such as 10.0.0.0/8; all if not given")
	flags.BoolVar(&f.requireToken, "require-token", false, "refuse requests without a token on this machine too, as behind a proxy")
	flags.IntVar(&f.rate, "rate", 3000, "`requests` a minute of one token, or of one address beyond this machine; 0 sets no limit")
	flags.StringVar(&f.cert, "tls-cert", "", "PEM `file` of the certificate, to serve https")
	flags.StringVar(&f.key, "tls-key", "", "PEM `file` of its key")
	flags.StringVar(&f.publicURL, "public-url", "", "`address` that clients know the server by, such as https://espy.example.org")
	flags.StringVar(&f.issuer, "oauth-issuer", "", "`address` of the authorization server whose tokens count too")
	flags.StringVar(&f.keys, "oauth-keys", "", "`address` of its keys; it is asked if not given")
	flags.StringVar(&f.groups, "oauth-groups", "", "`file` of the repositories that exist for the groups of its tokens (claim groups), one GROUP: REPOSITORY... a line")
	flags.IntVar(&f.auditDays, "audit-days", 90, "`days` that the audit in a team's database is kept; 0 keeps all")
	flags.StringVar(&f.audit, "audit", "", "`file` to note in who touched which repository; audit.jsonl in the data folder if not given")
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
	if f.auditDays < 0 {
		return &usage.Error{Arg: "audit-days", Value: strconv.Itoa(f.auditDays), Msg: "is below 0", Hint: "0 keeps all"}
	}
	if f.rate < 0 {
		return &usage.Error{Arg: "rate", Value: strconv.Itoa(f.rate), Msg: "is below 0", Hint: "0 sets no limit"}
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
		names := slices.Sorted(maps.Keys(profiles))
		if f.profile != "" && !slices.Contains(names, f.profile) {
			names = append(names, f.profile)
		}
		return p.withProfiles(a, names, served, func() error {
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
		Workspace: a.Workspace, Start: dir, Version: versionText(), Tasks: a.Tasks, Team: a.Team, Toolsets: f.sets, ReadOnly: f.readOnly, Log: p.log,
		Timeout: config.Duration(p.cfg.MCPTimeout),
	}).Server, nil
}

// withProfiles adds a server of each profile, and runs f while they are open.
func (p *program) withProfiles(a *app.App, names []string, served map[string]*host.Server, f func() error) error {
	if len(names) == 0 {
		return f()
	}
	dir := p.cfg.DataDir
	open, err := profile(names[0])
	if err != nil {
		return err
	}
	return open(p, a, func(s *host.Server) error {
		p.cfg.DataDir = dir // a profile may have its own
		defer s.Close()
		served[names[0]] = s
		return p.withProfiles(a, names[1:], served, f)
	})
}

// listen serves until ctx ends.
func (p *program) listen(ctx context.Context, a *app.App, f *serveFlags, own *host.Server, served map[string]*host.Server) error {
	o := httpd.Options{
		Door:  door.Options{Addr: f.addr, Hosts: f.hosts, Origins: f.origins, Addresses: f.addresses},
		Tools: own, API: own, Profiles: served, Stateful: f.stateful, Rate: f.rate, Version: versionText(), Log: p.log, Health: p.healthOf(a),
		Tally: a.Workspace.Options().Tally,
	}
	if f.profile != "" {
		o.Tools = served[f.profile]
	}
	secure, err := f.tls()
	if err != nil {
		return err
	}
	if o.Team, err = p.figures(ctx, a); err != nil {
		return err
	}
	audit, err := p.authorize(ctx, f, &o, a)
	if err != nil {
		return err
	}
	defer audit.Close()
	server, err := httpd.New(o)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return listenError(f.addr, err)
	}
	scheme := "http"
	if secure != nil {
		l, scheme = tls.NewListener(l, secure), "https"
	}
	p.signals.allow(httpd.DrainTime + grace)
	fmt.Fprintf(p.stderr, "espy serves %s://%s/mcp\n", scheme, l.Addr())
	if line := a.Vectors(ctx); line != "" {
		fmt.Fprintln(p.stderr, line)
	}
	ctx, cancel := context.WithCancel(ctx)
	shared := make(chan error, 1)
	go func() { shared <- p.share(ctx, a) }()
	err = server.Serve(ctx, l)
	cancel()
	return errors.Join(err, <-shared)
}

// tls is how https is served, nil for http.
func (f *serveFlags) tls() (*tls.Config, error) {
	if f.cert == "" && f.key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, &usage.Error{Msg: "https cannot be served: " + err.Error(), Hint: "--tls-cert and --tls-key name PEM files, and belong together"}
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}, nil
}

// authorize completes the options with who may use the server, and opens the audit.
func (p *program) authorize(ctx context.Context, f *serveFlags, o *httpd.Options, a *app.App) (audit io.Closer, err error) {
	if f.issuer != "" {
		if o.Issuer, err = p.newIssuer(f); err != nil {
			return nil, err
		}
	}
	if u, err := url.Parse(f.publicURL); err == nil && u.Hostname() != "" {
		o.Door.Hosts = append(o.Door.Hosts, u.Hostname())
	}
	store := a.Tokens()
	beyond, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return nil, listenError(f.addr, err)
	}
	required := f.requireToken || !door.Loopback(beyond)
	if err := mayServe(ctx, store, o.Issuer != nil, required); err != nil {
		return nil, err
	}
	p.tellUnused()
	if required && f.cert == "" && !door.Loopback(beyond) {
		fmt.Fprintln(p.stderr, "espy: without --tls-cert, tokens and code travel in the clear: use this on a network that you trust, or behind a proxy with TLS")
	}
	if err := os.MkdirAll(p.cfg.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("open the audit: %w", err)
	}
	out, err := os.OpenFile(cmp.Or(f.audit, filepath.Join(p.cfg.DataDir, "audit.jsonl")), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the audit: %w", err)
	}
	trail, closer := p.trail(a, f.auditDays, out)
	o.Auth = auth.New(auth.Options{Store: store, Issuer: o.Issuer, Required: required, Audit: slog.New(slog.NewJSONHandler(out, nil)), Touched: trail})
	return closer, nil
}

// newIssuer is the authorization server that the flags name.
func (p *program) newIssuer(f *serveFlags) (*auth.Issuer, error) {
	if f.publicURL == "" {
		return nil, &usage.Error{Msg: "--oauth-issuer needs --public-url: tokens name the server that they are for", Hint: "--public-url https://espy.example.org"}
	}
	client := &http.Client{}
	if proxy, err := url.Parse(p.cfg.Proxy); err == nil && p.cfg.Proxy != "" {
		client.Transport = &http.Transport{Proxy: http.ProxyURL(proxy)}
	}
	var groups *auth.Groups
	if f.groups != "" {
		var err error
		if groups, err = auth.NewGroups(f.groups); err != nil {
			return nil, err
		}
	}
	return auth.NewIssuer(auth.IssuerOptions{Groups: groups, URL: f.issuer, Keys: f.keys, Resource: strings.TrimRight(f.publicURL, "/") + "/mcp", Client: client})
}

// mayServe refuses to serve beyond this machine without anything that keeps others out.
func mayServe(ctx context.Context, store *bearer.Store, issuer, required bool) error {
	tokens, err := store.List(ctx)
	if err != nil || issuer || !required {
		return err
	}
	if slices.ContainsFunc(tokens, func(t bearer.Token) bool { return time.Now().Before(t.Expires) }) {
		return nil
	}
	return &usage.Error{Msg: "tokens are required here, and there is none that counts", Hint: "make one: espy token create --name NAME --role read; or listen on this machine alone: --addr 127.0.0.1:3779"}
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
