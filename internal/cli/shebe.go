package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"espy/internal/app"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/shebe"
	"espy/internal/pattern"
	"espy/internal/render"
	"espy/internal/usage"
)

func (p *program) withShebeServer(open *app.App, f func(*host.Server) error) error {
	return p.withShebe(open, true, func(o shebe.Options) error { return f(shebe.New(o)) })
}

// withShebe runs f on the sessions of the workspace that the settings of Shebe
// name, which may be the one that is open. With watch, the files of the sessions
// are watched.
func (p *program) withShebe(open *app.App, watch bool, f func(o shebe.Options) error) error {
	dir, err := p.folder()
	if err != nil {
		return err
	}
	cfg, err := shebe.LoadConfig(shebe.Input{Env: p.env, Home: p.cfg.Home, Dir: dir})
	if err != nil {
		return err
	}
	run := func(a *app.App) error {
		return f(shebe.Options{Sessions: a.Sessions, Version: semantic(versionText()), Config: cfg, Log: p.log})
	}
	own := cfg.DataDir(p.cfg.DataDir)
	if open != nil && own == p.cfg.DataDir {
		return run(open)
	}
	p.cfg.DataDir = own
	return p.withApp(watch, run)
}

// shebeCommand is the command line of Shebe.
func (p *program) shebeCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "shebe",
		Short: "Run the commands of Shebe",
		Long: `Runs the commands of Shebe over the same sessions as espy mcp --profile shebe.
docs/migrate.md describes how to move, docs/shebe.md the behaviour that is kept.

Exit codes are those of Shebe: 0 done, 1 error, 2 bad arguments. The output is
never coloured.`,
		Example: `  espy shebe index-repository ~/src/shop -s shop-main
  espy shebe search-code 'retry AND backoff' -s shop-main
  espy shebe --format json list-sessions`,
		Version: semantic(versionText()),
		Args:    cobra.ArbitraryArgs,
		RunE:    runRoot,
	}
	cmd.SetVersionTemplate("shebe {{.Version}}\n")
	cmd.Flags().BoolP("version", "V", false, "print the version")
	cmd.PersistentFlags().StringVar(&format, "format", "human", "`form` of the answer: human or json")
	completeWords(cmd, "format", "human", "json")
	for _, c := range shebe.Commands() {
		cmd.AddCommand(p.shebeOne(&c, &format))
	}
	cmd.AddCommand(p.shebeCompletions(), shebeHelp())
	return cmd
}

// shebeHelp shows the help of a command of Shebe.
func shebeHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show the help of a command",
		Example:           "  espy shebe help search-code",
		Args:              atMost(1),
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // help needs no settings
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Parent().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0], "")
			}
			return about.Help()
		},
	}
}

// spread lets a flag of a command of Shebe that takes a list have several values
// behind it, as Shebe has it: -i '*.rs' '*.md' becomes -i '*.rs' -i '*.md'. What
// may be an argument of the command, because these are not all given before, is
// left alone. at is where the command stands, -1 for none.
func spread(args []string, at int) []string {
	if at < 0 || args[at] != "shebe" {
		return args
	}
	var command shebe.Command
	for at++; command.Name == ""; at++ { // behind --format of all commands, too
		if at == len(args) {
			return args
		}
		if i := slices.IndexFunc(shebe.Commands(), func(c shebe.Command) bool { return c.Name == args[at] }); i >= 0 {
			command = shebe.Commands()[i]
		}
	}
	out, args := slices.Clone(args[:at]), args[at:]
	named := slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-s") || strings.HasPrefix(a, "--session") })
	list, expects, plain := "", false, 0 // the flag whose values go on, whether a value comes, arguments that are known
	if end := slices.Index(args, "--"); end >= 0 {
		plain = len(args) - end - 1
	}
	for n, arg := range args {
		switch {
		case arg == "--":
			return append(out, args[n:]...)
		case strings.HasPrefix(arg, "-") && arg != "-":
			var flag *shebe.Flag
			list, expects = "", !strings.Contains(arg, "=")
			if flag = command.Flag(arg); flag != nil {
				_, isList := flag.Default.([]string)
				_, isBool := flag.Default.(bool)
				expects = expects && !isBool
				if isList && expects && (plain == len(command.Args) || plain > 0 && named) {
					list = arg
				}
			}
		case expects:
			expects = false
		case list != "":
			out = append(out, list)
		default:
			plain++
		}
		out = append(out, arg)
	}
	return out
}

var numbered = pattern.New(`^v?([0-9]+\.[0-9]+\.[0-9]+([-+].*)?)$`)

// semantic returns a version as semver.org has it: a build that has none is one
// of before the first, with what it was built from.
func semantic(version string) string {
	if m := numbered().FindStringSubmatch(version); m != nil {
		return m[1]
	}
	built := strings.Trim(regexp.MustCompile(`[^0-9A-Za-z-]+`).ReplaceAllString(version, "-"), "-")
	return "0.0.0+" + cmp.Or(built, "unknown")
}

// shebeOne makes a command of one of Shebe's.
func (p *program) shebeOne(c *shebe.Command, format *string) *cobra.Command {
	use := c.Name
	for _, a := range c.Args {
		if a.Flag {
			use += " [-s " + strings.ToUpper(a.Name) + "]"
		} else {
			use += " " + strings.ToUpper(a.Name)
		}
	}
	var example strings.Builder
	for line := range strings.Lines(c.Example) {
		example.WriteString("  espy shebe " + line)
	}
	cmd := &cobra.Command{Use: use, Short: c.Short, Example: example.String()}
	flags := cmd.Flags()
	flags.SortFlags = false
	for i, a := range c.Args {
		if a.Flag {
			flags.StringP(a.Name, a.Name[:1], "", "`"+a.Name+"` by name; may also follow the "+c.Args[0].Name)
			completeFlag(cmd, a.Name, p.shebeSessions)
		} else if a.Name == "session" {
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
				if len(args) > i {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return p.shebeSessions(cmd, args, typed)
			}
		}
	}
	for _, f := range c.Flags {
		addFlag(cmd, &f)
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		_, err := shebeValues(cmd, c, args)
		if err == nil && *format != "human" && *format != "json" {
			_, err = oneOf("format", *format, []string{"human", "json"})
		}
		return err
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		values, err := shebeValues(cmd, c, args)
		if err != nil {
			return err
		}
		p.json = *format == "json"
		return failed(p.shebe(cmd.Context(), c, values))
	}
	return cmd
}

// shebeSessions completes the name of a session.
func (p *program) shebeSessions(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	err := p.withShebe(nil, false, func(o shebe.Options) (err error) {
		names, err = shebe.NewShell(o, nil).Sessions(cmd.Context())
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func addFlag(cmd *cobra.Command, f *shebe.Flag) {
	flags := cmd.Flags()
	switch value := f.Default.(type) {
	case bool:
		flags.BoolP(f.Name, f.Short, value, f.Usage)
	case int:
		flags.IntP(f.Name, f.Short, value, f.Usage)
	case []string:
		flags.StringArrayP(f.Name, f.Short, value, f.Usage)
	case string:
		flags.StringP(f.Name, f.Short, value, f.Usage)
	default:
		panic(fmt.Sprintf("cli: flag %s is a %T", f.Name, value))
	}
	if f.Words != nil {
		completeWords(cmd, f.Name, f.Words...)
	}
}

// shebeValues collects what was given to a command, by name.
func shebeValues(cmd *cobra.Command, c *shebe.Command, args []string) (map[string]any, error) {
	values := map[string]any{}
	if err := atMost(len(c.Args))(cmd, args); err != nil {
		return nil, err
	}
	for i, a := range c.Args {
		switch {
		case i < len(args) && a.Flag && cmd.Flags().Changed(a.Name):
			return nil, &usage.Error{Msg: fmt.Sprintf("the %s is given twice, as %s and as --%s", a.Name, quote(args[i]), a.Name)}
		case i < len(args):
			values[a.Name] = args[i]
		case a.Flag && cmd.Flags().Changed(a.Name):
			values[a.Name] = cmd.Flags().Lookup(a.Name).Value.String()
		default:
			hint := "see " + cmd.CommandPath() + " --help"
			if a.Flag {
				hint = "name it with -" + a.Name[:1] + "; espy shebe list-sessions lists them"
			}
			return nil, &usage.Error{Msg: cmd.CommandPath() + " needs a " + a.Name, Hint: hint}
		}
	}
	for _, f := range c.Flags {
		flag := cmd.Flags().Lookup(f.Name)
		if !flag.Changed {
			continue
		}
		value, err := given(cmd, &f, flag)
		if err != nil {
			return nil, err
		}
		values[f.Name] = value
	}
	return values, nil
}

func given(cmd *cobra.Command, f *shebe.Flag, flag *pflag.Flag) (any, error) {
	switch f.Default.(type) {
	case bool:
		return cmd.Flags().GetBool(f.Name)
	case int:
		return cmd.Flags().GetInt(f.Name)
	case []string:
		return cmd.Flags().GetStringArray(f.Name)
	}
	if f.Words != nil {
		return oneOf(f.Name, flag.Value.String(), f.Words)
	}
	return flag.Value.String(), nil
}

// shebe runs one command.
func (p *program) shebe(ctx context.Context, c *shebe.Command, values map[string]any) error {
	set := func(name string) bool { on, _ := values[name].(bool); return on }
	detail := shebe.Usual
	switch {
	case set("files-only"):
		detail = shebe.Less
	case set("all"), set("detailed"):
		detail = shebe.More
	}
	if path, ok := values["path"].(string); ok {
		full, err := filepath.Abs(p.path(shebe.Expand(path, p.cfg.Home)))
		if err != nil {
			return err
		}
		values["path"] = full
	}
	return p.withShebe(nil, false, func(o shebe.Options) error {
		sh := shebe.NewShell(o, func(line string) {
			if !p.json && !set("quiet") {
				fmt.Fprintln(p.stderr, render.Clean(line))
			}
		})
		if c.Delete && !set("force") && !set("confirm") {
			yes, err := p.confirm(ctx, sh, values["session"].(string))
			if err != nil || !yes {
				return err
			}
		}
		answer, err := sh.Run(ctx, c, values, detail, func(string, float64, float64) {})
		if err != nil {
			return err
		}
		if p.json {
			return p.printPretty(answer.JSON(detail))
		}
		return p.print(render.Visible(answer.Human(detail)))
	})
}

// confirm asks whether to delete a session.
func (p *program) confirm(ctx context.Context, sh *shebe.Shell, name string) (bool, error) {
	if err := sh.Has(ctx, name); err != nil {
		return false, err
	}
	question := "Delete session '" + name + "'? [y/N] "
	if p.json { // standard output is for the answer alone
		fmt.Fprint(p.stderr, question)
	} else if _, err := p.stdout.WriteString(question); err != nil {
		return false, err
	}
	if err := p.stdout.Flush(); err != nil {
		return false, err
	}
	line, err := bufio.NewReader(p.stdin).ReadString('\n')
	if err != nil && err != io.EOF { // no answer is a no
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	if p.json {
		return false, p.printPretty(shebe.Deletion{Session: name})
	}
	return false, p.print("Cancelled.")
}

func (p *program) shebeCompletions() *cobra.Command {
	shells := append(slices.Clone(shells), "elvish")
	return &cobra.Command{
		Use:   "completions bash|zsh|fish|powershell|elvish",
		Short: "Print the completion script of a shell",
		Example: `  source <(espy shebe completions bash)
  espy shebe completions elvish >> ~/.config/elvish/rc.elv`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shells, args[0]) {
				return nil
			}
			return &usage.Error{Msg: "completions needs one shell: " + strings.Join(shells, ", ")}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "elvish" {
				return p.print(elvish)
			}
			if err := printCompletion(cmd, args[0]); err != nil {
				return err
			}
			return p.print(asShebe[args[0]])
		},
	}
}

// asShebe is what completes the command shebe, as an alias of espy shebe or a
// script of that name, behind the script that completes espy.
var asShebe = map[string]string{
	"bash": `
__start_shebe() {
    COMP_LINE="espy $COMP_LINE"
    COMP_POINT=$((COMP_POINT + 5))
    COMP_WORDS=(espy shebe "${COMP_WORDS[@]:1}")
    COMP_CWORD=$((COMP_CWORD + 1))
    __start_espy
}
complete -o default -F __start_shebe shebe
`,
	"zsh": `
_shebe() {
    words=(espy shebe "${(@)words[2,-1]}")
    (( CURRENT += 1 ))
    _espy
}
compdef _shebe shebe
`,
	"fish": `
complete -c shebe -w 'espy shebe'
`,
	"powershell": `
Register-ArgumentCompleter -CommandName 'shebe' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)
    $Line = [System.Management.Automation.Language.Parser]::ParseInput("espy $CommandAst", [ref]$null, [ref]$null)
    $Espy = $Line.EndBlock.Statements[0].PipelineElements[0]
    & $__espyCompleterBlock $WordToComplete $Espy ($CursorPosition + 5)
}
`,
}

// elvish asks the program itself for completions, as the scripts of the other
// shells do.
const elvish = `use str
set edit:completion:arg-completer[espy] = {|@words|
  espy __complete $@words[1..] 2>/dev/null | from-lines | each {|line|
    if (not (str:has-prefix $line ':')) {
      put (str:split "\t" $line | take 1)
    }
  }
}
set edit:completion:arg-completer[shebe] = {|@words|
  $edit:completion:arg-completer[espy] espy $@words
}
`
