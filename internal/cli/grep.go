package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/grep"
	"espy/internal/grep/flags"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// grepTime is how long espy grep may take on a terminal where --timeout is not given.
const grepTime = 30 * time.Second

func (p *program) grepCommand() *cobra.Command {
	a := flags.New()
	cmd := &cobra.Command{
		Use:   "grep [flags] PATTERN [PATH...]",
		Short: "Search files line by line, with the flags and the output of ripgrep",
		Long: `Prints the lines that match a regular expression, as rg does: the same flags, the
same output and the same exit codes. docs/grep.md lists what differs. Without PATH,
the working directory is searched, or standard input where something is piped in.

Where the folder is indexed, the index tells which files cannot match; what the
others hold is read from the disk, so that the answer is that of the files as they
are. Nothing is attached or indexed for it. Output is sorted by path.

Exit codes: 0 something matches, 1 nothing does, 2 an error, 3 the time was over.`,
		Example: `  espy grep 'func \w+Handler' internal
  espy grep -n -i todo -g '*.go'
  espy grep -tpy -l 'import (os|sys)'
  espy grep --json 'panic\(' | jq .
  git diff | espy grep '^\+.*TODO'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return p.grep(cmd.Context(), a, args) },
	}
	cmd.Flags().SortFlags = false
	cmd.SetFlagErrorFunc(grepFlagError)
	for _, f := range flags.Table() {
		if f.Name != "help" {
			grepFlag(cmd.Flags(), a, &f)
		}
	}
	for _, name := range []string{"type", "type-not"} {
		completeFlag(cmd, name, typeNames)
	}
	completeWords(cmd, "sort", "path", "modified", "none")
	secretsFlag(cmd)
	cmd.Flags().String(timeoutFlag, "", "end after this `time`, with what was found until then: 500ms, 30s, 5m (default 30s on a terminal, else 1m)")
	bindSetting(cmd.Flags(), timeoutFlag, "timeout")
	return cmd
}

// typeNames completes the names of file types, and all of them.
func typeNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	text, err := grep.TypeList(flags.New())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	names := []string{"all"}
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// grepValue is a flag of ripgrep on a command line.
type grepValue struct {
	a   *flags.Args
	f   flags.Flag
	not bool // it is the switch that undoes the flag
}

func (v *grepValue) String() string { return "" }

func (v *grepValue) Type() string {
	if v.f.Value == "" || v.not {
		return "bool"
	}
	return v.f.Value
}

// Set does what the flag does.
func (v *grepValue) Set(text string) error {
	if v.not {
		v.f.Unset(v.a)
		return nil
	}
	return v.f.Set(v.a, text)
}

func grepFlag(set *pflag.FlagSet, a *flags.Args, f *flags.Flag) {
	usage := f.Doc
	if f.Value != "" {
		usage += " (`" + f.Value + "`)"
	}
	for i, name := range append([]string{f.Name}, f.Aliases...) {
		short := f.Short
		if i > 0 {
			short = ""
		}
		g := set.VarPF(&grepValue{a: a, f: *f}, name, short, usage)
		g.Hidden = f.Hidden() || i > 0
		if f.Value == "" {
			g.NoOptDefVal = "true"
		}
	}
	if f.Not != "" {
		g := set.VarPF(&grepValue{a: a, f: *f, not: true}, f.Not, "", "undo --"+f.Name)
		g.NoOptDefVal, g.Hidden = "true", true
	}
}

// grepFlagError says what does what a refused flag would do.
func grepFlagError(cmd *cobra.Command, err error) error {
	var refused *usage.Error
	if errors.As(err, &refused) {
		return refused
	}
	return flagError(cmd, err)
}

// grep answers as ripgrep does.
func (p *program) grep(ctx context.Context, a *flags.Args, args []string) error {
	switch {
	case a.Version:
		return p.printVersion()
	case a.TypeList:
		text, err := grep.TypeList(a)
		if err == nil {
			_, err = p.stdout.WriteString(text)
		}
		return err
	}
	dir, err := p.folder()
	if err != nil {
		return err
	}
	stdin := p.shared == nil && p.pipedIn()
	for _, name := range a.PatternFiles {
		stdin = stdin && name != "-"
	}
	req, err := grep.NewRequest(a, args, &grep.Terminal{
		Out: p.terminal, Color: p.cfg.Color, Plain: p.plain(), ShowSecrets: p.cfg.ShowSecrets, Stdin: stdin, Open: p.grepOpen,
		IsDir: func(path string) bool { return grep.IsDir(dir, path) },
	})
	if err != nil {
		return err
	}
	if req.NoMatch && !req.Files {
		return errNothing
	}
	env := &grep.Env{
		Dir: dir, Out: p.stdout, GlobalIgnore: p.cfg.GlobalIgnore, Home: p.cfg.Home, Roots: p.cfg.Roots, DataDir: p.cfg.DataDir,
		Complain: func(msg string) { fmt.Fprintln(p.stderr, "espy: "+render.Clean(msg)) },
	}
	if stdin || len(args) > 0 {
		env.Stdin = p.stdin
	}
	if !stdin && len(req.Paths) == 0 {
		env.Stdin = nil
	}
	if p.terminal {
		env.Flush = p.stdout.Flush
	}
	if p.shared != nil {
		return p.tellGrep(ctx, req, env)
	}
	if len(a.PatternFiles)+len(a.IgnoreFiles) == 0 { // which may be pipes of this process
		env.Ask = p.askGrep
	}
	return p.runGrep(ctx, req, env)
}

// askGrep asks the running server of the user which files are to be searched.
func (p *program) askGrep(ctx context.Context) []byte {
	out, code, err := p.elsewhere(ctx, strings.NewReader(""), io.Discard)
	if err != nil || code != exitFound {
		return nil
	}
	return out
}

// freshTime is how long a server takes at most to know that its index is fresh. Who
// asks walks the files where it does not.
const freshTime = 2 * time.Second

// tellGrep tells which files another process is to search.
func (p *program) tellGrep(ctx context.Context, req *grep.Request, env *grep.Env) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		return grep.Tell(ctx, req, env, func(ctx context.Context, dir string, at grep.At) error {
			r, err := w.Find(ctx, dir)
			if err != nil {
				return err
			}
			below, ok := code.Below(r.Root(), dir)
			if !ok || r.Frozen() {
				return errNotHere
			}
			return r.Look(ctx, workspace.Wait{First: time.Millisecond, Fresh: freshTime}, at(strings.TrimPrefix(below, ".")))
		})
	})
}

func (p *program) runGrep(ctx context.Context, req *grep.Request, env *grep.Env) error {
	limit := time.Duration(0)
	if p.terminal && p.cfg.Timeout == "1m" {
		limit = grepTime
	}
	ctx, cancel := p.deadline.bound(ctx, limit)
	defer cancel()
	out, err := grep.Run(ctx, req, env)
	p.deadline.written()
	if err != nil {
		return err
	}
	if out.Hidden > 0 {
		fmt.Fprintf(p.stderr, "espy: the secrets of %s are shown as [secret: KIND]; --show-secrets shows them\n", told(out.Hidden, "line", "lines"))
	}
	if out.Missed > 0 && p.progress && !req.Silent {
		fmt.Fprintf(p.stderr, "espy: %s read without the index: changed, new, binary or ignored\n", told(out.Missed, "file was", "files were"))
	}
	switch {
	case out.Late:
		fmt.Fprintln(p.stderr, grepLate)
		return errPartial
	case out.Failed:
		return codeOf(exitError)
	}
	return outcome(false, out.Found)
}

// told writes a number before the words for one or for several.
func told(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// plain reports whether the environment asks for output without colour, or has no
// terminal that shows it.
func (p *program) plain() bool {
	_, no := p.env["NO_COLOR"]
	term, ok := p.env["TERM"]
	return no || !ok || term == "dumb"
}

// pipedIn reports whether standard input is one to be searched: a file, a pipe or a
// socket.
func (p *program) pipedIn() bool {
	f, ok := p.stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	m := info.Mode()
	return m.IsRegular() || m&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// grepOpen opens a file of patterns or an ignore file.
func (p *program) grepOpen(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	return p.open(name)
}
