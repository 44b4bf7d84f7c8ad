// Package cli is the command line of Espy: one file per command. It resolves
// the settings, calls the workspace, prints what package render makes of the
// answer and turns the outcome into an exit code. Data goes to standard
// output; progress, logs and errors go to standard error.
//
// Exit codes: 0 found or done, 1 nothing found, 2 a usage or other error,
// 130 and 143 after SIGINT and SIGTERM.
package cli

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"time"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/facts/worker"
	"espy/internal/nearest"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitFound   = 0
	exitNothing = 1
	exitError   = 2
)

// errNothing ends a command that did its work and found nothing. Standard output
// says so already, so nothing more is printed.
var errNothing = errors.New("nothing found")

// Main runs one command. args leaves out the program's name and env holds
// KEY=value pairs; parse is the grammars that are linked in. It returns the
// exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, parse worker.Parser) int {
	if len(args) == 1 && args[0] == worker.Command {
		return runParseWorker(stdin, stdout, stderr, parse)
	}
	sig, ctx := watchSignals()
	defer sig.stop()
	p := &program{stdin: stdin, stdout: bufio.NewWriter(stdout), rawStdout: stdout, terminal: isTerminal(stdout), stderr: stderr, env: environ(env)}
	if parse != nil {
		p.parser = parseCommand()
	}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(p.stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if flushErr := p.stdout.Flush(); err == nil {
		err = flushErr
	}
	if code, ok := sig.exitCode(); ok {
		return code
	}
	return p.report(err)
}

// program is one run of the command line.
type program struct {
	stdin     io.Reader
	stdout    *bufio.Writer
	rawStdout io.Writer // unbuffered, for the protocol
	stderr    io.Writer
	terminal  bool // stdout is one
	env       map[string]string
	parser    []string // the command of a child that parses; empty if no grammars are linked in

	configFile string // --config
	json       bool   // --json of the command that runs
	cfg        *config.Config
	log        *slog.Logger
}

// environ turns KEY=value pairs into a map. The last value of a key wins.
func environ(pairs []string) map[string]string {
	env := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		if key, value, ok := strings.Cut(pair, "="); ok {
			env[key] = value
		}
	}
	return env
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// root builds the command tree.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "espy",
		Short: "Find code in the repositories on this machine",
		Long: `Espy finds code: exact text, regular expressions and ranked words. It keeps its
index up to date by itself, and every answer says how fresh it is.`,
		Example: `  espy search 'where are ignore rules applied'
  espy search --mode literal 'fmt.Errorf("%w' --lang go
  espy mcp`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs,
		RunE:                       runRoot,
		PersistentPreRunE:          func(cmd *cobra.Command, _ []string) error { return p.load(cmd) },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&p.configFile, "config", "", "settings `file` to read instead of the default one")
	flags.String("data-dir", "", "`folder` of the indexes")
	flags.String("color", config.ColorAuto, "`when` to use colour: auto, always or never")
	flags.String("log-level", "warn", "`level` of messages to log: debug, info, warn or error")
	bindSetting(flags, "data-dir", "data_dir")
	bindSetting(flags, "color", "color")
	bindSetting(flags, "log-level", "log_level")
	flags.SortFlags = false
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.searchCommand(), p.symbolCommand(), p.referencesCommand(), p.outlineCommand(), p.indexCommand(), p.statusCommand(),
		p.filesCommand(), p.readCommand(), p.changesCommand(), p.blameCommand(), p.historyCommand(), p.watchCommand(), p.verifyCommand(), p.upgradeCommand(), p.removeCommand(),
		p.mcpCommand(), p.shebeCommand(), p.evalCommand(), p.configCommand(), p.completionCommand(), p.versionCommand())
	root.SetHelpCommand(helpCommand())
	completeWords(root, "color", config.ColorAuto, config.ColorAlways, config.ColorNever)
	completeWords(root, "log-level", config.LogLevels...)
	return root
}

// runRoot runs espy without a known command.
func runRoot(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0], "")
}

// unknownCommand refuses a name that is not a command of parent. verb is "help " or
// empty, and precedes the proposed command.
func unknownCommand(parent *cobra.Command, name, verb string) error {
	var names []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	path := strings.TrimPrefix(parent.CommandPath()+" ", parent.Root().Name()+" ")
	e := &usage.Error{Msg: "unknown command " + quote(path+name), Hint: parent.CommandPath() + " --help lists the commands"}
	if near := nearest.Of(name, names, 1); near != nil {
		e.Hint = "did you mean espy " + verb + path + near[0] + "?"
	}
	return e
}

// helpCommand shows the help of a command, as its --help does, and refuses unknown
// commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show the help of a command",
		Example:           "  espy help search",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // help needs no settings
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0], "help ")
			}
			return about.Help()
		},
	}
}

// load resolves the settings for the command that runs.
func (p *program) load(cmd *cobra.Command) error {
	cfg, err := config.Load(config.Input{Env: p.env, File: p.configFile, Flags: settingFlags(cmd)})
	if err != nil {
		return err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		return err
	}
	p.cfg = cfg
	p.log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	return nil
}

// withWorkspace runs f on the open workspace and closes it.
func (p *program) withWorkspace(f func(w *workspace.Workspace) error) error {
	return p.withApp(false, func(a *app.App) error { return f(a.Workspace) })
}

// withWatched is withWorkspace for a command that keeps running: it watches the files.
func (p *program) withWatched(f func(w *workspace.Workspace) error) error {
	return p.withApp(true, func(a *app.App) error { return f(a.Workspace) })
}

func (p *program) withApp(watch bool, f func(a *app.App) error) (err error) {
	a, err := app.Open(p.cfg, app.Options{Watch: watch, Parse: p.parser, Log: p.log})
	if err != nil {
		return err
	}
	defer func() {
		closeErr := a.Close()
		if closeErr != nil && (err == nil || errors.Is(err, errNothing)) {
			err = closeErr
		}
	}()
	return f(a)
}

// printJSON writes v as one line of JSON.
func (p *program) printJSON(v any) error {
	_, err := p.stdout.Write(render.JSON(v))
	return err
}

// answer prints an answer in the form that was asked for.
func (p *program) answer(a render.Answer, o render.Options) error {
	if p.json {
		_, err := p.stdout.Write(a.JSON(o))
		return err
	}
	return p.print(a.Text(o))
}

// print writes text that ends in one newline.
func (p *program) print(text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := p.stdout.WriteString(text)
	return err
}

// renderOptions says how answers are written here.
func (p *program) renderOptions() render.Options {
	return render.Options{Color: p.color(), MaxTokens: int(p.cfg.MaxTokens), Now: time.Now()}
}

// listOptions is renderOptions for lists whose JSON is never cut.
func (p *program) listOptions() render.Options {
	o := p.renderOptions()
	if p.json {
		o.MaxTokens = 0
	}
	return o
}

// color reports whether standard output gets colours.
func (p *program) color() bool {
	switch p.cfg.Color {
	case config.ColorAlways:
		return true
	case config.ColorNever:
		return false
	}
	return p.terminal && p.env["TERM"] != "dumb"
}

// isBrokenPipe reports that the reader of the output has closed it, which is not
// an error.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
