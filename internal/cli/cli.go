// Package cli is the command line of Espy: one file per command. It resolves
// the settings, calls the workspace, prints what package render makes of the
// answer and turns the outcome into an exit code. Data goes to standard
// output; progress, logs and errors go to standard error.
//
// Exit codes: 0 found or done, 1 nothing found, 2 a usage or other error, 3 an
// answer that is partial because the time was over, 130 and 143 after SIGINT and SIGTERM.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"espy/internal/config"
	"espy/internal/facts/worker"
	"espy/internal/usage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Main runs one command. args leaves out the program's name and env holds
// KEY=value pairs; parse is the grammars that are linked in. It returns the
// exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, parse worker.Parser) int {
	if len(args) == 1 && args[0] == worker.Command {
		return runParseWorker(stdin, stdout, stderr, parse)
	}
	sig, ctx := watchSignals()
	defer sig.stop()
	p := &program{
		stdin: stdin, stderr: stderr, terminal: isTerminal(stdout), progress: isTerminal(stderr),
		args: args, env: environ(env), signals: sig,
	}
	p.printsTo(stdout)
	if parse != nil {
		p.parser = parseCommand()
	}
	err := p.run(ctx)
	if code, ok := sig.exitCode(); ok {
		p.interrupted()
		return code
	}
	return p.report(err)
}

// run runs the command of the arguments, and writes what it printed.
func (p *program) run(ctx context.Context) error {
	p.args = pasted(withSearch(p.args))
	root := p.root()
	at := commandAt(p.args)
	root.SetArgs(spread(p.args, at))
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := p.asGrep(root.ExecuteContext(ctx), at)
	p.deadline.written()
	if flushErr := p.stdout.Flush(); err == nil {
		err = flushErr
	}
	p.pager.wait()
	return err
}

// interrupted says what a signal leaves of an indexing.
func (p *program) interrupted() {
	if p.indexes.Load() {
		fmt.Fprintln(p.stderr, "\nespy: interrupted; what is indexed by now is kept, and espy index or the next question goes on from there")
	}
}

// root builds the command tree.
func (p *program) root() *cobra.Command {
	show := false
	root := &cobra.Command{
		Use:   "espy",
		Short: "Find code in the repositories on this machine",
		Long: `Espy finds code: exact text, regular expressions and ranked words. It keeps its
index up to date by itself, and every answer says how fresh it is. espy QUERY
without a command is espy search QUERY.`,
		Example: `  espy search 'where are ignore rules applied'
  espy search --mode literal 'fmt.Errorf("%w' --lang go
  espy mcp`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if show {
				return p.printVersion()
			}
			return runRoot(cmd, args)
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return p.load(cmd) },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&p.configFile, "config", "", "settings `file` to read instead of the default one")
	flags.String("data-dir", "", "`folder` of the indexes")
	flags.String("color", config.ColorAuto, "`when` to use colour: auto, always or never")
	flags.String("log-level", "warn", "`level` of messages to log: debug, info, warn or error")
	bindSetting(flags, "data-dir", "data_dir")
	bindSetting(flags, "color", "color")
	bindSetting(flags, "log-level", "log_level")
	flags.BoolVarP(&p.quiet, "quiet", "q", false, "print no headings, no notes and no progress beside what was found")
	flags.BoolVar(&p.noPager, "no-pager", false, "never show an answer in a pager")
	root.Flags().BoolVarP(&show, "version", "V", false, "print the version")
	flags.SortFlags = false
	root.SetFlagErrorFunc(flagErrorWithOthers)
	root.AddGroup(groups()...)
	root.AddCommand(p.commandsOf()...)
	root.SetHelpCommand(helpCommand())
	completeWords(root, "color", config.ColorAuto, config.ColorAlways, config.ColorNever)
	completeWords(root, "log-level", config.LogLevels...)
	return root
}

// flagErrorWithOthers is flagError, which names the commands that have an unknown flag
// where nothing nearer is known.
func flagErrorWithOthers(cmd *cobra.Command, err error) error {
	explained := flagError(cmd, err)
	var unknown *pflag.NotExistError
	var e *usage.Error
	if !errors.As(err, &unknown) || !errors.As(explained, &e) || !strings.HasPrefix(e.Hint, "see ") {
		return explained
	}
	var others []string
	for _, c := range (&program{}).commandsOf() {
		if f := c.LocalFlags().Lookup(unknown.GetSpecifiedName()); f != nil && !f.Hidden && !c.Hidden {
			others = append(others, "espy "+c.Name())
		}
	}
	switch len(others) {
	case 0:
	case 1:
		e.Hint = others[0] + " has that flag; " + e.Hint
	default:
		e.Hint = strings.Join(others[:min(len(others), 3)], ", ") + " have that flag; " + e.Hint
	}
	return e
}
