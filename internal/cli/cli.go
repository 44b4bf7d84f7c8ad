// Package cli is the command line of Espy: one file per command. It resolves
// the settings, calls the workspace, prints what package render makes of the
// answer and turns the outcome into an exit code. Data goes to standard
// output; progress, logs and errors go to standard error.
//
// Exit codes: 0 found or done, 1 nothing found, 2 a usage or other error, 3 an
// answer that is partial because the time was over, 130 and 143 after SIGINT and SIGTERM.
package cli

import (
	"bufio"
	"context"
	"io"
	"slices"

	"espy/internal/config"
	"espy/internal/facts/worker"

	"github.com/spf13/cobra"
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
		stdin: stdin, stdout: bufio.NewWriter(stdout), rawStdout: stdout, stderr: stderr, terminal: isTerminal(stdout), progress: isTerminal(stderr),
		args: args, env: environ(env), signals: sig,
	}
	if parse != nil {
		p.parser = parseCommand()
	}
	err := p.run(ctx)
	if code, ok := sig.exitCode(); ok {
		return code
	}
	return p.report(err)
}

// run runs the command of the arguments, and writes what it printed.
func (p *program) run(ctx context.Context) error {
	root := p.root()
	root.SetArgs(spread(p.args))
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	p.deadline.written()
	if flushErr := p.stdout.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// root builds the command tree.
func (p *program) root() *cobra.Command {
	show := false
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
		RunE: func(cmd *cobra.Command, args []string) error {
			if show {
				return p.printVersion()
			}
			return runRoot(cmd, args)
		},
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
	root.Flags().BoolVarP(&show, "version", "V", false, "print the version")
	flags.SortFlags = false
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		p.question(p.searchCommand()),
		p.grepCommand(),
		p.question(p.contextCommand()),
		p.question(p.similarCommand()),
		p.question(p.symbolCommand()),
		p.question(p.referencesCommand()),
		p.question(p.callsCommand()),
		p.question(p.hierarchyCommand()),
		p.question(p.impactCommand()),
		p.question(p.outlineCommand()),
		p.question(p.overviewCommand()),
		p.question(p.dependenciesCommand()),
		p.question(p.auditCommand()),
		p.indexCommand(),
		p.question(p.statusCommand()),
		p.question(p.filesCommand()),
		p.question(p.readCommand()),
		p.question(p.changesCommand()),
		p.question(p.blameCommand()),
		p.question(p.historyCommand()),
		p.watchCommand(),
		p.verifyCommand(),
		p.upgradeCommand(),
		p.removeCommand(),
		p.tasksCommand(),
		p.mcpCommand(),
		p.serveCommand(),
		p.workerCommand(),
		p.jobsCommand(),
		p.tokenCommand(),
		p.shebeCommand(),
		p.shaktimanCommand(),
		p.evalCommand(),
		p.configCommand(),
		p.completionCommand(),
		p.versionCommand(),
		p.question(p.linksCommand()),
		p.question(p.depsCommand()),
		p.exportCommand(),
	)
	root.SetHelpCommand(helpCommand())
	completeWords(root, "color", config.ColorAuto, config.ColorAlways, config.ColorNever)
	completeWords(root, "log-level", config.LogLevels...)
	return root
}

// How a command is done.
const (
	asks   = "a question, by a server where one runs"
	shares = "by a server where one runs"
	alone  = "by the process that was started"
)

// command is one of the command line.
type command struct {
	name string
	make func(*program) *cobra.Command
	done string
}

// commandList has the commands in the order of the help.
func commandList() []command {
	return []command{
		{"search", (*program).searchCommand, asks},
		{"grep", (*program).grepCommand, alone},
		{"context", (*program).contextCommand, asks},
		{"similar", (*program).similarCommand, asks},
		{"symbol", (*program).symbolCommand, asks},
		{"references", (*program).referencesCommand, asks},
		{"calls", (*program).callsCommand, asks},
		{"hierarchy", (*program).hierarchyCommand, asks},
		{"impact", (*program).impactCommand, asks},
		{"outline", (*program).outlineCommand, asks},
		{"overview", (*program).overviewCommand, asks},
		{"dependencies", (*program).dependenciesCommand, asks},
		{"audit", (*program).auditCommand, asks},
		{"index", (*program).indexCommand, alone},
		{"status", (*program).statusCommand, asks},
		{"files", (*program).filesCommand, asks},
		{"read", (*program).readCommand, asks},
		{"changes", (*program).changesCommand, asks},
		{"blame", (*program).blameCommand, asks},
		{"history", (*program).historyCommand, asks},
		{"watch", (*program).watchCommand, alone},
		{"verify", (*program).verifyCommand, alone},
		{"upgrade", (*program).upgradeCommand, alone},
		{"remove", (*program).removeCommand, alone},
		{"task", (*program).taskCommand, shares},
		{"mcp", (*program).mcpCommand, alone},
		{"serve", (*program).serveCommand, alone},
		{"worker", (*program).workerCommand, alone},
		{"jobs", (*program).jobsCommand, alone},
		{"token", (*program).tokenCommand, alone},
		{"shebe", (*program).shebeCommand, shares},
		{"shaktiman", (*program).shaktimanCommand, alone},
		{"eval", (*program).evalCommand, alone},
		{"config", (*program).configCommand, alone},
		{"completion", (*program).completionCommand, alone},
		{"version", (*program).versionCommand, alone},
		{"links", (*program).linksCommand, asks},
		{"deps", (*program).depsCommand, asks},
		{"export", (*program).exportCommand, alone},
	}
}

// commandsOf makes the commands: where the first argument names one, that one alone,
// so that the others take no time and no memory.
func (p *program) commandsOf() (list []*cobra.Command) {
	named := func(c command) bool { return len(p.args) > 0 && p.args[0] == c.name }
	all := commandList()
	if i := slices.IndexFunc(all, named); i >= 0 {
		all = all[i : i+1]
	}
	for _, c := range all {
		cmd := c.make(p)
		switch c.done {
		case asks:
			cmd = p.question(cmd)
		case shares:
			cmd = p.shareable(cmd)
		}
		list = append(list, cmd)
	}
	return list
}
