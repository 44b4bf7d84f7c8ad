package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"

	"espy/internal/app"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/shaktiman"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (p *program) withShaktimanServer(open *app.App, f func(*host.Server) error) error {
	return p.withShaktiman(open, "", true, func(o shaktiman.Options) error {
		o.Sessions = true
		return f(shaktiman.New(o))
	})
}

// withShaktiman runs f on the project at a root, that of the working directory for "",
// in the workspace that is open, or in one of its own. With watch, the files of the
// project are watched.
func (p *program) withShaktiman(open *app.App, root string, watch bool, f func(o shaktiman.Options) error) error {
	exact := root != ""
	dir, err := filepath.Abs(p.path(root))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return &usage.Error{Arg: "root", Value: root, Msg: err.Error(), Hint: "name the folder of the project"}
	}
	run := func(a *app.App) error {
		if !exact {
			find := p.here
			if open != nil { // others are served too: the project is attached when it is asked about
				find = func(ctx context.Context, w *workspace.Workspace) (*workspace.Repo, error) { return w.Find(ctx, dir) }
			}
			r, err := find(context.Background(), a.Workspace)
			if err == nil {
				dir = r.Root()
			} else if open == nil {
				return err
			}
		}
		c, err := shaktiman.LoadConfig(dir, p.env)
		if err != nil && open != nil { // each call says so
			return f(shaktiman.Options{Workspace: a.Workspace, Root: dir, Exact: exact, Log: p.log})
		}
		if err != nil {
			return &usage.Error{Msg: err.Error(), Hint: "espy shaktiman init writes a sample of the settings where there are none"}
		}
		log := p.log
		if level := new(slog.LevelVar); level.UnmarshalText([]byte(c.LogLevel)) == nil {
			log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
		}
		for _, n := range c.Notices {
			log.Warn(n)
		}
		return f(shaktiman.Options{Workspace: a.Workspace, Root: dir, Exact: exact, Config: c, Log: log})
	}
	if open != nil {
		return run(open)
	}
	return p.withApp(watch, run)
}

// shaktimanCommand is the command line of Shaktiman.
func (p *program) shaktimanCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "shaktiman",
		Short: "Run the commands of Shaktiman",
		Long: `Runs the commands of Shaktiman over the index of espy, and its tools with
espy shaktiman mcp. docs/migrate.md describes how to move, docs/shaktiman.md the
behaviour that is kept.`,
		Example: `  espy shaktiman mcp ~/src/shop
  espy shaktiman search 'retry with backoff' --format text
  espy shaktiman deps VerifyToken --direction callers`,
		Args: cobra.ArbitraryArgs,
		RunE: runRoot,
	}
	cmd.PersistentFlags().StringVar(&format, "format", "json", "`form` of the answer: json or text")
	completeWords(cmd, "format", "json", "text")
	for _, c := range shaktiman.Commands() {
		cmd.AddCommand(p.shaktimanOne(&c, &format))
	}
	cmd.AddCommand(p.shaktimanServe())
	return cmd
}

// shaktimanServe serves the tools, as shaktimand does.
func (p *program) shaktimanServe() *cobra.Command {
	var level, profiler string
	cmd := &cobra.Command{
		Use:   "mcp [ROOT]",
		Short: "Serve the tools of Shaktiman on standard input and output",
		Example: `  espy shaktiman mcp
  espy shaktiman mcp ~/src/shop
  claude mcp add shaktiman -- espy shaktiman mcp ~/src/shop`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if level != "" {
				p.env["SHAKTIMAN_LOG_LEVEL"] = level
			}
			if len(args) == 0 {
				return p.mcpProfile(cmd.Context(), shaktiman.Name)
			}
			return p.withShaktiman(nil, args[0], true, func(o shaktiman.Options) error {
				o.Sessions = true
				s := shaktiman.New(o)
				defer s.Close()
				return s.ServeStdio(cmd.Context(), p.stdin, p.rawStdout)
			})
		},
	}
	cmd.Flags().StringVar(&level, "log-level", "", "least severe messages to log: debug, info, warn or error (SHAKTIMAN_LOG_LEVEL)")
	cmd.Flags().StringVar(&profiler, "pprof-addr", "", "accepted, and means nothing")
	return cmd
}

// shaktimanOne makes a command of one of Shaktiman's.
func (p *program) shaktimanOne(c *shaktiman.Command, format *string) *cobra.Command {
	use, most := c.Name, 0
	switch c.Arg {
	case "":
	case "root":
		use, most = use+" [ROOT]", 1
	default:
		use, most = use+" "+strings.ToUpper(c.Arg), 1
	}
	var example strings.Builder
	for line := range strings.Lines(c.Example) {
		example.WriteString("  espy shaktiman " + line)
	}
	cmd := &cobra.Command{Use: use, Short: c.Short, Example: example.String()}
	flags := cmd.Flags()
	flags.SortFlags = false
	root := ""
	if c.Arg != "root" {
		flags.StringVar(&root, "root", "", "`folder` of the project (default: the repository of the working directory)")
	}
	for _, f := range c.Flags {
		addShaktimanFlag(flags, &f)
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if most == 1 && c.Arg != "root" && len(args) == 0 {
			return &usage.Error{Msg: cmd.CommandPath() + " needs a " + c.Arg, Hint: "see " + cmd.CommandPath() + " --help"}
		}
		if _, err := oneOf("format", *format, []string{"json", "text"}); err != nil {
			return err
		}
		return atMost(most)(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		values := map[string]any{}
		if c.Arg != "" && len(args) > 0 {
			values[c.Arg] = args[0]
		}
		for _, f := range c.Flags {
			if flag := flags.Lookup(f.Name); flag.Changed {
				values[f.Name] = shaktimanValue(flags, &f)
			}
		}
		if c.Arg == "root" && len(args) > 0 {
			root = args[0]
		}
		asJSON := *format == "json" && (!c.Plain || cmd.Flags().Changed("format"))
		return p.shaktiman(cmd.Context(), c, root, values, asJSON)
	}
	return cmd
}

func addShaktimanFlag(flags *pflag.FlagSet, f *shaktiman.Flag) {
	switch value := f.Default.(type) {
	case bool:
		flags.Bool(f.Name, value, f.Usage)
	case int:
		flags.Int(f.Name, value, f.Usage)
	case float64:
		flags.Float64(f.Name, value, f.Usage)
	case string:
		flags.String(f.Name, value, f.Usage)
	default:
		panic(fmt.Sprintf("cli: flag %s is a %T", f.Name, value))
	}
}

// shaktimanValue is the value of a flag, as its default says of which type.
func shaktimanValue(flags *pflag.FlagSet, f *shaktiman.Flag) any {
	text := flags.Lookup(f.Name).Value.String()
	if _, ok := f.Default.(bool); ok {
		return text == "true"
	}
	return text // numbers may stand in strings
}

// shaktiman runs one command.
func (p *program) shaktiman(ctx context.Context, c *shaktiman.Command, root string, values map[string]any, asJSON bool) error {
	if c.Name == "reindex" && values["force"] != true {
		if yes, err := p.sure(); err != nil || !yes {
			return err
		}
	}
	return p.withShaktiman(nil, root, false, func(o shaktiman.Options) error {
		bar := p.newProgress()
		a, err := shaktiman.NewShell(o).Run(ctx, c, values, bar.show)
		bar.finish()
		if err != nil {
			return failed(err)
		}
		if asJSON {
			return p.printPretty(a.Value)
		}
		return p.print(render.Visible(a.Text))
	})
}

// sure asks whether to make the index anew. Who cannot be asked gives --force.
func (p *program) sure() (bool, error) {
	if !isTerminal(p.stdin) {
		return false, &usage.Error{Msg: "reindex makes the index anew, and cannot ask: the input is no terminal", Hint: "give --force"}
	}
	fmt.Fprint(p.stderr, "Make the index anew? [y/N] ")
	line, err := bufio.NewReader(p.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}
