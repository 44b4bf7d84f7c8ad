package cli

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"espy/internal/errand"
	"espy/internal/mcpserver/relay"

	"github.com/spf13/cobra"
)

// shareable has a command, and those below it, done by the running server of the
// user, which has the repositories open. Where none runs that takes it, the command
// does its work alone.
func (p *program) shareable(cmd *cobra.Command) *cobra.Command {
	for _, c := range cmd.Commands() {
		p.shareable(c)
	}
	if alone := cmd.RunE; alone != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if isDone, err := p.haveDone(cmd.Context()); isDone {
				return err
			}
			return alone(cmd, args)
		}
	}
	return cmd
}

// haveDone has a server do the command that runs, and prints its answer. It reports
// whether one did.
func (p *program) haveDone(ctx context.Context) (isDone bool, err error) {
	if p.shared != nil {
		return false, nil
	}
	out, code, err := p.elsewhere(ctx, p.stdin, p.stderr)
	if ctx.Err() != nil {
		return true, ctx.Err()
	}
	if err != nil {
		return false, nil
	}
	p.deadline.written()
	if _, err := p.stdout.Write(out); err != nil {
		return true, err
	}
	if code == exitFound {
		return true, nil
	}
	return true, codeOf(code)
}

// elsewhere has a server run the arguments of this process. With an error there is none
// that does.
func (p *program) elsewhere(ctx context.Context, stdin io.Reader, stderr io.Writer) (stdout []byte, code int, err error) {
	if !p.mayShare() {
		return nil, 0, errNotHere
	}
	start, err := p.start()
	if err != nil {
		return nil, 0, err
	}
	start.Command = &relay.Command{Args: p.args, Terminal: [2]bool{p.terminal, p.progress}}
	conn, err := relay.Dial(ctx, p.cfg.DataDir, start)
	if err != nil {
		return nil, 0, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	return errand.Ask(conn, stdin, stderr)
}

// mayShare reports whether a command may be done elsewhere: its log is wanted here
// where it has more than warnings, and folders of settings that are relative are
// those of this process.
func (p *program) mayShare() bool {
	for _, dir := range []string{p.configFile, p.env["ESPY_CONFIG"]} {
		if dir != "" && !filepath.IsAbs(dir) {
			return false
		}
	}
	return p.cfg.LogLevel == "warn" || p.cfg.LogLevel == "error"
}

// start is what a server has to know of this process.
func (p *program) start() (*relay.Start, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	folder, err := relay.Folder(dir)
	if err != nil {
		return nil, err
	}
	return &relay.Start{Version: programText(), Settings: p.settingsHash(), Dir: dir, Folder: folder, Env: p.pairs()}, nil
}

// pairs are the variables of the environment, as KEY=value.
func (p *program) pairs() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(p.env)) {
		list = append(list, name+"="+p.env[name])
	}
	return list
}
