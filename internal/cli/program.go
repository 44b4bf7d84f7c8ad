package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/render"
	"espy/internal/tasks"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitFound   = 0
	exitNothing = 1
	exitError   = 2
	exitPartial = 3
)

// errNothing ends a command that did its work and found nothing. Standard output
// says so already, so nothing more is printed.
var errNothing = errors.New("nothing found")

// errPartial ends a command whose answer is not complete because its time was
// over. Standard output says so already, so nothing more is printed.
var errPartial = errors.New("partial")

// program is one run of the command line.
type program struct {
	stdin     io.Reader
	stdout    *bufio.Writer
	rawStdout io.Writer // unbuffered, for the protocol
	dir       string    // the working directory of who asks; empty for that of the process
	stderr    io.Writer
	terminal  bool // stdout is one
	progress  bool // stderr is one
	args      []string
	name      string // of the command that runs
	env       map[string]string
	parser    []string // the command of a child that parses; empty if no grammars are linked in

	indexes atomic.Bool // files were indexed for it
	printed atomic.Bool // something of the answer has left stdout

	quiet, noPager bool   // of every command
	pager          *pager // of a question on a terminal

	configFile string // --config
	json       bool   // --json of the command that runs
	cfg        *config.Config
	deadline   deadline    // of a question
	tasks      *tasks.Book // while the workspace is open
	log        *slog.Logger
	signals    *signals // nil in tests and in a server
	shared     *shared  // what a server has open for the commands of others; nil for a process of its own
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
	p.cfg, p.name = cfg, cmd.CommandPath()
	if p.shared != nil && p.settingsHash() != p.shared.settings {
		return errNotHere
	}
	if cmd.Flags().Lookup(timeoutFlag) != nil {
		p.paged()
		p.deadline.begin(cmd, config.Duration(cfg.Timeout), p.late)
	}
	p.log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	return nil
}

// printsTo sends what the program prints to a writer, and notes that it did.
func (p *program) printsTo(out io.Writer) {
	p.rawStdout, p.stdout = out, bufio.NewWriter(noted{out, p})
}

// noted is a writer that notes when something was written, and stops the time of the
// question while its reader does not take it.
type noted struct {
	io.Writer
	p *program
}

func (n noted) Write(b []byte) (int, error) {
	n.p.printed.Store(true)
	defer n.p.deadline.hold()()
	return n.Writer.Write(b)
}

// withWorkspace runs f on the open workspace and closes it.
func (p *program) withWorkspace(f func(w *workspace.Workspace) error) error {
	return p.withApp(false, func(a *app.App) error { return f(a.Workspace) })
}

// withBuilder is withWorkspace for a command that brings repositories up to date.
func (p *program) withBuilder(f func(w *workspace.Workspace) error) error {
	return p.withOptions(app.Options{Build: true}, func(a *app.App) error { return f(a.Workspace) })
}

func (p *program) withApp(watch bool, f func(a *app.App) error) error {
	return p.withOptions(app.Options{Watch: watch}, f)
}

// late ends the process of a question that does not stop in its time. A server
// leaves that to the process that asked.
func (p *program) late() {
	if p.shared == nil {
		os.Exit(p.unanswered())
	}
}

// withOptions is withApp for a command that asks for more. The parser and the log
// are those of the program.
func (p *program) withOptions(o app.Options, f func(a *app.App) error) (err error) {
	if p.shared != nil {
		return p.withShared(o, f)
	}
	o.Parse, o.Log = p.parser, p.log
	a, err := app.Open(p.cfg, o)
	if err != nil {
		return err
	}
	defer func() {
		closeErr := p.deadline.closed(a.Close)
		if closeErr != nil && (err == nil || errors.Is(err, errNothing) || errors.Is(err, errPartial)) {
			err = closeErr
		}
	}()
	if p.tasks == nil { // the workspace of the command itself, not one that a profile opens beside it
		p.tasks = a.Tasks
		defer func() { p.tasks = nil }()
	}
	return f(a)
}

// printJSON writes v as one line of JSON.
func (p *program) printJSON(v any) error {
	_, err := p.stdout.Write(render.JSON(v))
	return err
}

// answer prints an answer in the form that was asked for.
func (p *program) answer(a render.Answer, o render.Options) error {
	p.deadline.written()
	if p.json {
		_, err := p.stdout.Write(a.JSON(o))
		return err
	}
	return p.print(a.Text(o))
}

// list prints an answer that is a list in the form that was asked for. What stands
// round the results goes to standard error where standard output is no terminal.
func (p *program) list(a render.Answer, form render.Form, o render.Options) error {
	if p.json {
		return p.answer(a, o)
	}
	p.deadline.written()
	var aside strings.Builder
	if !p.terminal || p.quiet || form.Kind != "" {
		o.Aside = &aside
	}
	o.Gaps = true
	text := ""
	if formed, ok := a.(render.Formed); ok && form.Kind != "" {
		text = formed.As(form, o)
	} else {
		text = a.Text(o)
	}
	if !p.quiet {
		if _, err := io.WriteString(p.stderr, aside.String()); err != nil {
			return err
		}
	}
	_, err := p.stdout.WriteString(text)
	return err
}

// outcome is how a question ends that has printed its answer.
func outcome(partial, found bool) error {
	switch {
	case partial:
		return errPartial
	case !found:
		return errNothing
	}
	return nil
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
	return render.Options{Color: p.color(), MaxTokens: int(p.cfg.MaxTokens), Now: time.Now(), ShowSecrets: p.cfg.ShowSecrets}
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

// printPretty writes v as JSON on several lines.
func (p *program) printPretty(v any) error {
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// pagerCommand is the pager that the environment names, as a shell command; empty for
// none. Without a name it is less, where there is one.
func (p *program) pagerCommand() string {
	for _, name := range []string{"ESPY_PAGER", "PAGER"} {
		if command, ok := p.env[name]; ok {
			if command == "cat" {
				return ""
			}
			return command
		}
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less"
}

// paged begins to page what a question prints on a terminal. As for git, less ends by
// itself where one screen holds all (F), passes colours on (R) and leaves the screen
// as it is (X).
func (p *program) paged() {
	out, ok := p.rawStdout.(*os.File)
	if !ok || !p.terminal || p.noPager || p.json || p.shared != nil || p.env["TERM"] == "dumb" || p.env["TERM"] == "" || !p.progress {
		return
	}
	command := p.pagerCommand()
	if command == "" {
		return
	}
	env := p.pairs()
	for _, pair := range [][2]string{{"LESS", "FRX"}, {"LV", "-c"}} {
		if _, ok := p.env[pair[0]]; !ok {
			env = append(env, pair[0]+"="+pair[1])
		}
	}
	p.pager = &pager{out: out, command: command, env: env}
	p.stdout.Reset(p.pager)
}
